// SPDX-License-Identifier: Apache-2.0
/* The page's side of the worker: questions wait here, and one at a time is with the engine. */
import type { Engine, Words } from './engine';
import { flameOf } from './flame/wire';
import type { FromWorker, Source, ToWorker, Which } from './messages';
import type { Facts, Failure, Flame } from './protocol';

/** COMMAND?KEY=VALUE&..., escaped; what is undefined or '' is left out. */
export function question(command: string, words: Words): string {
    const pairs: string[] = [];
    const add = (key: string, value: string | number | boolean): void => {
        const text = value === true ? '1' : value === false ? '0' : String(value);
        if (text !== '')
            pairs.push(`${key}=${encodeURIComponent(text)}`);
    };

    for (const [key, value] of Object.entries(words))
        if (Array.isArray(value))
            value.forEach(each => add(key, each));
        else if (value !== undefined)
            add(key, value);
    return command + (command.includes('?') ? '&' : '?') + pairs.join('&');
}

/** What is said while the engine works: WHAT, and how far, 0 to 1, or null. */
export type Busy = (what: string, share: number | null) => void;

interface Job {
    message: ToWorker & { id: number };
    asker: string | undefined;
    done(answer: FromWorker): void;
    fail(why: Failure): void;
}

const PATTERNS = ['focus', 'ignore', 'hide', 'show', 'show-from', 'prune-from', 'tagfocus', 'tagignore', 'match'];
/** A pattern has this long, and four times what opening took; a browser's patterns can take for ever. */
const PATIENCE = 5000;

export class Client implements Engine {
    private worker!: Worker;
    private current: Job | null = null;
    private waiting: Job[] = [];
    private sources: { profile: Source; base: Source | null } | null = null;
    private number = 0;
    private readonly idlers: (() => void)[] = [];
    private openTook = 0;
    private timer = 0;

    /** CODE and ENGINE are the texts of the page's elements. */
    constructor(private readonly code: string, private readonly engine: string, private readonly busy: Busy) {
        this.start();
    }

    private start(): void {
        const url = URL.createObjectURL(new Blob([this.code], { type: 'text/javascript' }));

        this.worker = new Worker(url);
        URL.revokeObjectURL(url);
        this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.got(data);
        this.worker.onerror = event => this.broken(event.message || 'the engine stopped');
        this.worker.postMessage({ do: 'start', engine: this.engine } as ToWorker);
    }

    async open(profile: Source, base: Source | null): Promise<void> {
        const begin = performance.now();

        if (this.sources) {
            this.waiting = [];
            this.restart();
        }
        this.sources = { profile, base };
        await this.send({ do: 'open', id: ++this.number, profile, base });
        this.openTook = performance.now() - begin;
    }

    /** Nobody has asked anything that is not answered; those who hear of it have had a moment to ask. */
    async idle(): Promise<void> {
        await new Promise(done => setTimeout(done));
        if (this.current)
            await new Promise<void>(done => this.idlers.push(done));
    }

    async ask<T>(command: string, words: Words, asker?: string): Promise<T> {
        return (await this.question('profile', command, words, asker) as { json: T }).json;
    }

    /** Of what the profile is compared with. */
    async askBase<T>(command: string): Promise<T> {
        return (await this.question('base', command, {}) as { json: T }).json;
    }

    async bytes(command: string, words: Words, asker?: string): Promise<ArrayBuffer> {
        return (await this.question('profile', command, words, asker) as { bytes: ArrayBuffer }).bytes;
    }

    async flame(words: Words, asker?: string): Promise<Flame> {
        return flameOf(await this.bytes('flame', words, asker));
    }

    async facts(flame: Flame, boxes: number[]): Promise<Facts> {
        return this.ask<Facts>('facts', { flame: flame.head.id, boxes: boxes.join(',') });
    }

    private question(of: Which, command: string, words: Words, asker?: string): Promise<FromWorker> {
        return this.send({ do: 'ask', id: ++this.number, of, question: question(command, words) }, asker);
    }

    private send(message: ToWorker & { id: number }, asker?: string): Promise<FromWorker> {
        return new Promise((done, fail) => {
            if (asker !== undefined)
                this.waiting = this.waiting.filter(job => job.asker !== asker);
            this.waiting.push({ message, asker, done, fail });
            this.next();
        });
    }

    private next(): void {
        if (this.current)
            return;
        this.current = this.waiting.shift() ?? null;
        if (!this.current) {
            this.busy('', null);
            this.idlers.splice(0).forEach(done => done());
            return;
        }
        this.worker.postMessage(this.current.message);
        this.watch(this.current.message);
    }

    /** Begin to count the time of a question with patterns. */
    private watch(message: ToWorker): void {
        if (message.do !== 'ask')
            return;
        this.busy('working', null);
        const words = message.question.slice(message.question.indexOf('?') + 1).split('&');
        if (words.some(word => PATTERNS.includes(word.slice(0, word.indexOf('=')))))
            this.timer = window.setTimeout(() => this.broken(
                'a pattern takes too long to match; make it simpler'), PATIENCE + 4 * this.openTook);
    }

    private got(answer: FromWorker): void {
        const job = this.current;

        if (!job || answer.id !== job.message.id)
            return;
        if (answer.is === 'progress') {
            this.busy(answer.what, answer.of ? answer.done / answer.of : null);
            return;
        }
        clearTimeout(this.timer);
        this.current = null;
        if (answer.is === 'failure')
            job.fail({ error: answer.error, word: answer.word });
        else
            job.done(answer);
        this.next();
    }

    /** End what the engine works at, unless that is opening, and what was asked after it by those who will ask again. */
    cancel(): void {
        if (this.current?.message.do !== 'ask')
            return;
        const gone = this.waiting.filter(job => job.asker !== undefined);
        this.waiting = this.waiting.filter(job => job.asker === undefined);
        this.broken('cancelled');
        gone.forEach(job => job.fail({ error: 'cancelled', word: null }));
    }

    /** Whoever waits for the old worker hears nothing any more. */
    private restart(): void {
        clearTimeout(this.timer);
        this.worker.terminate();
        this.current = null;
        this.start();
    }

    /** The worker is of no use any more: another one opens the same files, and goes on. */
    private broken(why: string): void {
        const job = this.current;

        this.restart();
        if (this.sources && job?.message.do !== 'open') {
            const again = { do: 'open', id: ++this.number, ...this.sources } as const;
            this.waiting.unshift({ message: again, asker: undefined, done: () => undefined, fail: () => undefined });
        }
        job?.fail({ error: why, word: null });
        this.next();
    }
}
