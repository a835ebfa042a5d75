// SPDX-License-Identifier: Apache-2.0
/* State and the fragment of the URL: readable words, and only what differs from the beginning. */
import type { FunctionId } from './protocol';
import type { Change, Filter, FilterKind, State, TimeKind } from './state';

export const FILTER_KINDS: FilterKind[] = ['focus', 'ignore', 'hide', 'show', 'show-from', 'prune-from',
    'label', 'tagfocus', 'tagignore'];

/** Of each there is one at most. */
export const TIME_KINDS: TimeKind[] = ['from', 'to', 'base-from', 'base-to'];

export const isTime = (kind: FilterKind): kind is TimeKind => TIME_KINDS.some(k => k === kind);

export function beginning(hasBase: boolean): State {
    return {
        view: 'overview', event: '', unit: '', filters: [], thread: '', part: '', relative: false,
        func: null, search: '', way: 'callees', icicle: false, colour: 'object', zoom: '',
        by: 'function', order: 'self', reverse: false, columns: '', min: '0.5%', depth: 0, inline: true, cycles: true,
        diff: hasBase, normalize: '',
    };
}

const CHOICES: Record<string, readonly string[]> = {
    way: ['callees', 'bottom-up', 'callers'],
    colour: ['object', 'file', 'function', 'self'],
    order: ['self', 'inclusive', 'calls', 'name', 'change'],
    normalize: ['', 'none', 'total', 'time'],
};
const TEXTS = ['view', 'event', 'unit', 'thread', 'part', 'search', 'way', 'colour', 'zoom', 'by', 'order', 'columns',
    'min', 'normalize'] as const;
const FLAGS = ['relative', 'icicle', 'reverse', 'diff'] as const;
const FUNC: [string, keyof FunctionId][] = [['func', 'function'], ['func-file', 'file'], ['func-object', 'object'],
    ['func-address', 'address']];

/* What a browser leaves as it is in a fragment stays readable. */
function escaped(text: string): string {
    return encodeURIComponent(text).replace(/%(2F|3A|2C|40|24|3B|3F|7C|5E|5B|5D|3D)/g, decodeURIComponent);
}

function unescaped(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

export function fragmentOf(state: State, start: State): string {
    const words: string[] = [];
    const add = (key: string, value: string): void => { words.push(`${key}=${escaped(value)}`); };
    const texts = (names: readonly (typeof TEXTS)[number][]): void => {
        for (const name of names)
            if (state[name] !== start[name])
                add(name, state[name]);
    };

    add('view', state.view);
    texts(TEXTS.slice(1, 3));
    state.filters.forEach(filter => add(filter.kind, filter.pattern));
    for (const [word, field] of FUNC)
        if (state.func?.[field])
            add(word, state.func[field] as string);
    texts(TEXTS.slice(3));
    for (const name of FLAGS)
        if (state[name] !== start[name])
            add(name, state[name] ? '1' : '0');
    if (state.depth !== start.depth)
        add('depth', String(state.depth));
    if (!state.inline)
        add('inline', 'off');
    if (!state.cycles)
        add('cycles', 'no');
    return '#' + words.join('&');
}

function filterOf(key: string, value: string): Filter | null {
    const kind = [...FILTER_KINDS, ...TIME_KINDS].find(k => k === key);
    return kind && value ? { kind, pattern: value } : null;
}

/** Words that nobody knows, and values that are none, change nothing. */
export function stateOf(fragment: string, start: State): State {
    const state: State = { ...start, filters: [], func: null };
    const func: FunctionId = { function: null, file: null, object: null, address: null };
    const to = state as unknown as Record<string, unknown>;

    for (const word of fragment.replace(/^#/, '').split('&')) {
        const at = word.indexOf('=');
        const key = at < 0 ? word : word.slice(0, at), value = unescaped(at < 0 ? '' : word.slice(at + 1));
        const filter = filterOf(key, value), field = FUNC.find(([name]) => name === key)?.[1];

        if (filter)
            state.filters = [...state.filters, filter];
        else if (field)
            func[field] = value || null;
        else if (key === 'inline')
            state.inline = value !== 'off';
        else if (key === 'cycles')
            state.cycles = value !== 'no';
        else if (key === 'depth' && /^\d{1,6}$/.test(value))
            state.depth = Number(value);
        else if (FLAGS.some(name => name === key))
            to[key] = value === '1';
        else if (TEXTS.some(name => name === key) && (CHOICES[key]?.includes(value) ?? true))
            to[key] = value;
    }
    if (func.function || func.file || func.object || func.address)
        state.func = func;
    return state;
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The fields in which two states differ. */
export function changes(from: State, to: State): Change {
    return new Set((Object.keys(to) as (keyof State)[]).filter(key => !same(from[key], to[key])));
}
