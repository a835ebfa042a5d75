// SPDX-License-Identifier: Apache-2.0
/* What to look at next: rules, each with the figures it rests on and a view that shows them. */
import type { FunctionId, Info, Top, TopRow, Value } from '../protocol';
import type { State } from '../state';
import { clean, compare, functionId, nameOf, percent, text, where, whole } from '../format';

export interface Advice {
    text: string;
    /** What the link is called, and where it leads. */
    link: string;
    go: Partial<State>;
}

/** What the rules look at; each answer is about the event E of its own events. */
export interface Evidence {
    info: Info;
    /** It was dropped on the page: nobody has looked for names. */
    dropped?: boolean;
    self: Top;
    inclusive: Top | null;
    line: Top | null;
    allocators: Top | null;
    locks: Top | null;
}

/* Self cost of what these names match is that of the allocator, of waiting for locks. */
export const ALLOCATORS = '^(_*(libc_)?(m|c|re|v|pv)alloc|_*(libc_)?c?free|_int_(malloc|free|realloc|memalign)'
    + '|malloc_consolidate|unlink_chunk|sysmalloc|systrim|tcache_.*|(je|mi|tc|scalable)_?(m|c|re)alloc.*'
    + '|(je|mi|tc|scalable)_?free.*|(je_)?arena_(m|d)alloc.*|mi_page_.*|tcmalloc::.*|operator (new|delete).*'
    + '|_Zn[wa].*|_Zd[la].*|__rust_(alloc|dealloc|realloc)|g_malloc.*|g_free|posix_memalign)(\\(.*)?$';
export const LOCKS = '^(_*(GI_)*_*pthread_(mutex|rwlock|spin|cond|barrier)_.*|_*futex_.*|_*lll_(lock|unlock)_.*'
    + '|sem_(timed|clock)?wait.*|native_queued_spin_lock_slowpath|_?raw_spin_lock.*|mutex_(spin|lock).*'
    + '|std::(recursive_|timed_|shared_)?mutex::.*|absl::.*Mutex::.*|parking_lot.*)(\\(.*)?$';

const more = (part: Value, all: Value, hundredths: number): boolean =>
    compare(all, 0) > 0 && BigInt(part) * 100n > BigInt(all) * BigInt(hundredths);

const eventOf = (top: Top, name: string): number => Math.max(0, top.events.findIndex(e => e.name === name));

function ofFunction(row: TopRow): FunctionId {
    return row.function ? { ...functionId(row), file: null, address: null } : functionId(row);
}

function line(top: Top | null, event: string): Advice[] {
    const row = top?.rows[0];

    if (!top || !row || !row.line)
        return [];
    const e = eventOf(top, event), all = whole(top.events[e]);
    return !more(row.self[e], all, 20) ? [] : [{
        text: `One line, ${where(row, row.line)} in ${nameOf(row)}, costs ${percent(row.self[e], all)} % by itself.`,
        link: 'its source', go: { view: 'source', func: ofFunction(row) } }];
}

function hottest(top: Top, event: string): Advice[] {
    const [row] = top.rows, e = eventOf(top, event), all = whole(top.events[e]);

    return !row || !more(row.self[e], all, 30) ? [] : [{
        text: `${nameOf(row)} alone costs ${percent(row.self[e], all)} %.`,
        link: 'its source', go: { view: 'source', func: functionId(row) } }];
}

/* Names are counted for the first event only. */
function nameless(info: Info, dropped = false): Advice[] {
    const { self, self_nameless: none } = info.symbols;

    return !self || !none || !more(none, self, 15) ? [] : [{
        text: `${percent(none, self)} % of the cost is in code without a name: ${dropped
            ? 'a page cannot look for binaries. `assay share`, where they are, makes a page with names and source.'
            : 'its binaries have no symbols, or were not found.'}`,
        link: 'which objects', go: { view: 'table', by: 'object', order: 'self', reverse: false, search: '' } }];
}

function matched(top: Top | null, event: string, least: number, what: string, search: string): Advice[] {
    if (!top)
        return [];
    const e = eventOf(top, event), all = whole(top.events[e]), cost = top.found_self[e];
    return !more(cost, all, least) ? [] : [{
        text: `${what} ${percent(cost, all)} % by itself.`,
        link: 'these functions', go: { view: 'table', by: 'function', order: 'self', reverse: false, search } }];
}

function recursion(top: Top | null, event: string): Advice[] {
    if (!top)
        return [];
    const e = eventOf(top, event), all = whole(top.events[e]);
    const cycle = top.cycles?.find(c => more(c.inclusive[e], all, 10));
    if (cycle)
        return [{ text: `${cycle.members.length} functions call each other in a circle, with ${
            percent(cycle.inclusive[e], all)} %: ${cycle.members.slice(0, 3).map(m =>
            nameOf({ ...m, address: m.address ?? null })).join(', ')}${cycle.members.length > 3 ? ' …' : ''}.`,
        link: 'its calls', go: { view: 'tree', way: 'callees', func: { ...cycle.members[0], address: null } } }];
    const row = top.rows.find(r => r.recursive && more(r.inclusive?.[e] ?? 0, all, 10));
    return !row ? [] : [{
        text: `${nameOf(row)} is recursive, and ${percent(row.inclusive?.[e] ?? 0, all)} % passes through it.`,
        link: 'its callers', go: { view: 'tree', way: 'callers', func: functionId(row) } }];
}

/* Samples are counted by chance: the square root of their number is what they differ by. */
function few(info: Info, top: Top, event: string): Advice[] {
    const known = info.events.find(e => e.name === top.events[eventOf(top, event)].name);
    const total = Number(top.events[eventOf(top, event)].total);

    return !known?.period || !(total > 0 && total < 400) ? [] : [{
        text: `Only ${text(total)} ${clean(known.name)}: a share may be off by some ${
            (50 / Math.sqrt(total)).toFixed(0)} points. Record longer, or more often.`,
        link: 'the table', go: { view: 'table' } }];
}

/** In the order in which they matter. */
export function advice(ev: Evidence, event: string): Advice[] {
    const oneLine = line(ev.line, event);

    return [...few(ev.info, ev.self, event), ...nameless(ev.info, ev.dropped),
        ...(oneLine.length ? oneLine : hottest(ev.self, event)),
        ...matched(ev.allocators, event, 10, 'Getting and giving back memory costs', ALLOCATORS),
        ...matched(ev.locks, event, 5, 'Taking and waiting for locks costs', LOCKS),
        ...recursion(ev.inclusive, event)];
}
