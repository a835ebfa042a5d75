// SPDX-License-Identifier: Apache-2.0
/* The worker: keeps the engine, opens profiles and answers, one question after the other. */
import { contents, fromDigits, gunzip } from './bytes';
import { Core } from './core';
import type { FromWorker, Source, ToWorker, Which } from './messages';

const post = (message: FromWorker, move: Transferable[] = []): void =>
    (self as unknown as { postMessage(m: FromWorker, t: Transferable[]): void }).postMessage(message, move);

let core: Promise<Core>;
const opened: Record<Which, number> = { profile: 0, base: 0 };

/** What is asked for is begun: there is no time for anything else. */
let asked = false;

async function start(engine: string): Promise<Core> {
    const made = await Core.start(await gunzip(new Blob([fromDigits(engine)])));

    setTimeout(() => {
        if (!asked)
            made.warm();
    });
    return made;
}

async function bytesOf(source: Source, id: number): Promise<Uint8Array> {
    const file = typeof source.data === 'string' ? new Blob([fromDigits(source.data)]) : source.data;
    const what = `unpacking ${source.name}`;

    return contents(file, (done, of) => post({ id, is: 'progress', what, done, of }));
}

async function openOne(source: Source, id: number): Promise<number> {
    const bytes = await bytesOf(source, id);

    post({ id, is: 'progress', what: `reading ${source.name}`, done: 0, of: 0 });
    return (await core).open(bytes, source.name);
}

async function open(first: Source, second: Source | null, id: number): Promise<void> {
    opened.profile = await openOne(first, id);
    if (second) {
        opened.base = await openOne(second, id);
        (await core).setBase(opened.profile, opened.base);
    }
    post({ id, is: 'json', json: null });
}

/** Boxes and moments are bytes (protocol.ts, flame): four of a length, then the brace that begins their head. All
 *  else, and all that fails, is JSON, where no second brace follows so soon. */
async function ask(of: Which, question: string, id: number): Promise<void> {
    const bytes = (await core).ask(opened[of], question);

    if (/^(flame|moments)\?/.test(question) && bytes[4] === 0x7b) {
        post({ id, is: 'boxes', bytes: bytes.buffer as ArrayBuffer }, [bytes.buffer]);
        return;
    }
    const json = JSON.parse(new TextDecoder().decode(bytes)) as { error?: string; word?: string };
    if (json && typeof json.error === 'string')
        post({ id, is: 'failure', error: json.error, word: json.word ?? null });
    else
        post({ id, is: 'json', json });
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
    if (data.do === 'start') {
        core = start(data.engine);
        return;
    }
    asked = true;
    try {
        await (data.do === 'open' ? open(data.profile, data.base, data.id) : ask(data.of, data.question, data.id));
    } catch (error) {
        post({ id: data.id, is: 'failure', error: (error as Error).message, word: null });
    }
};
