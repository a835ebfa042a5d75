// SPDX-License-Identifier: Apache-2.0
/* The page of one profile: its state, and who hears of changes. */
import type { Client } from './engine_client';
import type { Words } from './engine';
import { compare } from './format';
import { clean, cut, funcWords, functionId, levels } from './names';
import type { Code, EventInfo, FunctionId, Info, Left, Origin, Peek, Top, Value } from './protocol';
import type { Change, Filter, State } from './state';
import type { Page } from './view';
import { beginning, changes, FILTER_KINDS, fragmentOf, isTime, stateOf, TIME_KINDS } from './url';

/** assay.check/1, as far as the page reads it. */
export interface Check {
    files: { readable: boolean; errors: number; warnings: number; infos: number }[];
    findings: { severity: string; id: string; message: string }[];
}

/** All that is known of a file: it is read whole for that. */
export interface Known { info: Info; check: Check }

/** A profile that is open. What is known of a large one is asked for once the first picture is there. */
export interface Opened {
    name: string;
    baseName: string | null;
    events: EventInfo[];
    shape: App['shape'];
    moments: number;
    known: () => Promise<Known>;
    base: Known | null;
    origin: Origin | null;
    code: Code | null;
}

/** What is shown of the profile hangs on these. */
const CHOOSES: readonly (keyof State)[] = ['filters', 'thread', 'part', 'event', 'inline', 'cycles', 'diff', 'normalize'];

type Listener = (state: State, change: Change) => void;

export class App implements Page {
    state: State;
    readonly events: EventInfo[];
    readonly shape: 'places' | 'calls' | 'paths';
    readonly code: Code | null;
    readonly origin: Origin | null;
    readonly hasMoments: boolean;
    /** Code that was inlined is known, of the profile or its base: see learn(). */
    inlined = false;
    /** Functions call each other in a circle. */
    round = false;
    private learning: Promise<void> | null = null;
    private readonly start: State;
    private readonly listeners: Listener[] = [];
    private whole: Promise<Top> | null = null;
    private choices = 0;
    /** What was chosen when the engine had last shown all of it. */
    private shown: State | null = null;
    private past: Filter[][] = [];
    private future: Filter[][] = [];
    /** Set by the frame. */
    say: (text: string) => void = text => { this.unheard = text; };
    /** What was said before there was a place for it. */
    unheard = '';
    announce: (text: string) => void = () => undefined;

    constructor(readonly engine: Client, readonly opened: Opened) {
        this.events = opened.events;
        this.shape = opened.shape;
        this.code = opened.code;
        this.origin = opened.origin;
        this.hasMoments = opened.moments > 0;
        this.start = beginning(opened.baseName !== null);
        this.state = this.checked(stateOf(this.fragment(), this.start));
    }

    /** That of the URL, else what `assay share` was told to begin with. */
    private fragment(): string {
        return location.hash || (this.origin && document.getElementById('state')?.textContent) || '';
    }

    /** What a fragment of another profile says is not taken where it makes no sense. */
    private checked(state: State): State {
        const event = this.events.some(e => e.name === state.event) ? state.event : '';
        return { ...state, event, diff: state.diff && this.compares(state) };
    }

    /** With another profile, or another time of this one. */
    private compares(state: State): boolean {
        return this.opened.baseName !== null || state.filters.some(f => f.kind.startsWith('base-'));
    }

    get hasBase(): boolean { return this.compares(this.state); }

    /** Once the views have what they asked for. */
    async known(): Promise<Known> {
        await this.engine.idle();
        return this.opened.known();
    }

    everything(): Promise<Top> {
        return this.whole ??= this.engine.idle().then(() => this.engine.ask<Top>('top', { by: 'function', limit: 1 }))
            .catch(failure => {
                this.whole = null;
                throw failure;
            });
    }

    /** What a control needs to know that nothing else waits for. */
    learn(): Promise<void> {
        return this.learning ??= this.learnAll();
    }

    private async learnAll(): Promise<void> {
        await this.engine.idle();
        this.inlined = (await this.engine.ask<Left>('filters', {})).inlined
            || (this.opened.baseName !== null && (await this.engine.askBase<Left>('filters')).inlined);
        this.round = this.shape === 'calls' && !!(await this.engine.ask<Top>('top', { limit: 1, 'with-cycles': 1 })).cycles?.length;
    }

    listen(hear: Listener): void {
        this.listeners.push(hear);
    }

    private set(state: State): void {
        const change = changes(this.state, state);

        if (!change.size)
            return;
        this.shown ??= this.state;
        this.state = state;
        for (const hear of this.listeners)
            hear(state, change);
        if (CHOOSES.some(key => change.has(key)))
            void this.stale();
        else if (!('stale' in document.documentElement.dataset))
            this.shown = null;
    }

    /** Until the engine has worked out what was chosen, the pictures are those of before: style.css dims them. */
    private async stale(): Promise<void> {
        const now = ++this.choices, root = document.documentElement;

        root.dataset['stale'] = '';
        await this.engine.idle();
        if (now === this.choices) {
            delete root.dataset['stale'];
            this.shown = null;
        }
    }

    /** What the engine works at takes too long: back to what was shown before. */
    cancel(): void {
        this.engine.cancel();
        if (this.shown)
            this.go(Object.fromEntries(CHOOSES.map(key => [key, this.shown?.[key]])), true);
        this.announce('cancelled');
    }

    go(change: Partial<State>, push = false): void {
        this.remember({ ...this.state, ...change });
        this.apply(change, push);
    }

    private apply(change: Partial<State>, push: boolean): void {
        const next = this.checked({ ...this.state, ...change });
        const fragment = fragmentOf(next, this.start);

        if (fragment !== location.hash)
            history[push ? 'pushState' : 'replaceState'](null, '', fragment);
        this.set(next);
    }

    /** Back, Forward, or a fragment that was typed. */
    moved(): void {
        const next = this.checked(stateOf(this.fragment(), this.start));

        this.remember(next);
        this.set(next);
        void this.settle();
    }

    /** A fragment may say less of a function than rows do: the most expensive one that fits is meant. */
    async settle(): Promise<void> {
        const { func } = this.state;

        if (!func)
            return;
        try {
            const { functions } = await this.engine.ask<Peek>('peek', { ...this.plainWords(), ...funcWords(func) });
            const cost = (f: Peek['functions'][0]): Value => f.inclusive?.[0] ?? f.self[0];
            const meant = functions.reduce((a, b) => compare(cost(b), cost(a)) > 0 ? b : a);
            if (this.state.func === func)
                this.select(functionId(meant));
        } catch {
            await this.guess(func).catch(() => undefined); // the views say so
        }
    }

    /** There is no function FUNC: one that is called so without its arguments and scopes, or what is like it. */
    private async guess(func: FunctionId): Promise<void> {
        const word = func.function;

        if (!word)
            return;
        const match = `${word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
        const { rows } = await this.engine.ask<Top>('top', { ...this.plainWords(), match, order: this.shape === 'places' ? 'self' : 'inclusive', limit: 100 });
        const found = rows.filter(row => row.function?.toLowerCase().includes(word.toLowerCase()));
        const meant = found.find(row => [row.function!, ...levels(row.function!).map(name => name.replace(/\(…?\).*|<…>|\.(part|isra|constprop|cold|llvm)\b.*/g, ''))].includes(word));

        if (this.state.func !== func)
            return;
        if (meant)
            this.select(functionId(meant));
        else
            this.say(`there is no function ${clean(cut(word))}${found.length
                ? `; like it: ${found.slice(0, 3).map(row => clean(cut(levels(row.function!)[2], 60))).join(', ')}` : ''}`);
    }

    select(func: FunctionId | null): void {
        this.go({ func: func && { function: func.function, file: func.file, object: func.object,
            address: func.function ? null : func.address } });
    }

    get event(): EventInfo | undefined {
        return this.events.find(e => e.name === this.state.event) ?? this.events[0];
    }

    words(): Record<string, string | string[]> {
        const { state } = this;
        const words: Record<string, string | string[]> = {};

        if (this.event)
            words['sort'] = this.event.name;
        for (const kind of FILTER_KINDS) {
            const patterns = state.filters.filter(f => f.kind === kind).map(f => f.pattern);
            if (patterns.length)
                words[kind] = patterns;
        }
        for (const kind of TIME_KINDS) {
            const time = state.filters.find(f => f.kind === kind);
            if (time && (state.diff || !kind.startsWith('base-')))
                words[kind.replace(/(from|to)$/, 'time-$1')] = time.pattern;
        }
        for (const key of ['thread', 'part'] as const)
            if (state[key])
                words[key] = state[key];
        if (state.relative)
            words['relative'] = '1';
        if (!state.inline)
            words['inline'] = 'off';
        if (!state.cycles)
            words['cycles'] = 'no';
        if (state.diff) {
            words['diff'] = '1';
            if (state.normalize)
                words['normalize'] = state.normalize;
        }
        return words;
    }

    /** Those of questions that compare nothing. */
    plainWords(): Words {
        const { diff: _diff, normalize: _normalize, 'base-time-from': _from, 'base-time-to': _to, ...words } = this.words();
        return words;
    }

    /* ---- the filter stack ---- */

    filter(add: Filter): void {
        if (!this.state.filters.some(f => f.kind === add.kind && f.pattern === add.pattern))
            this.go({ filters: [...this.state.filters.filter(f => f.kind !== add.kind || !isTime(f.kind)), add] }, true);
    }

    /** A new step: what was undone before it is gone. */
    private remember(next: State): void {
        if (!changes(this.state, next).has('filters'))
            return;
        this.past.push(this.state.filters);
        this.future = [];
    }

    get canUndo(): boolean { return this.past.length > 0; }
    get canRedo(): boolean { return this.future.length > 0; }

    undo(): void { this.step(this.past, this.future); }
    redo(): void { this.step(this.future, this.past); }

    private step(from: Filter[][], to: Filter[][]): void {
        const filters = from.pop();

        if (!filters)
            return;
        to.push(this.state.filters);
        this.apply({ filters }, true);
    }
}
