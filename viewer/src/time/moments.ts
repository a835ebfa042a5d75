// SPDX-License-Identifier: Apache-2.0
/*
 * The answer to the question "moments" (wasm/README.md), and what of it is of one event: for each thread
 * a row of times, nodes and values. The packed table is that of src/model/moments.h.
 */
import type { EventInfo, FunctionId } from '../protocol';

export interface Part { pid: number | null; tid: number | null; thread: string | null; command: string | null; input: string | null; state: string | null }

interface Head { events: EventInfo[]; n: number; blocks: number; nodes: number; bytes: number; parts: Part[]; functions: FunctionId[] }

export interface Moments extends Head {
    /** Of each block its first time, in nanoseconds, where it begins and how many it has. */
    first: Float64Array;
    at: Uint32Array;
    count: Uint32Array;
    /** Of each node. The first is the root; parents come before children. */
    parent: Uint32Array;
    func: Uint32Array;
    table: Uint8Array;
}

export interface Lane {
    part: Part;
    /** In order of time, nanoseconds after the beginning. */
    time: Float64Array;
    node: Uint32Array;
    value: Float64Array;
    /** Which values are time that passed, from TIME on; null: all are of a point in time. */
    passed: Uint8Array | null;
    /** Then of each when the last of those up to it ends. */
    ends: Float64Array | null;
    /** Of each why the thread did not run, by STATES from 1 on; with LOAD, where it is of the event, which TOTAL is the sum of. */
    state: Uint8Array;
    total: number;
}

/** Why a thread does not run, as src/model/moments.h has them. */
export const STATES = ['waiting', 'runnable', 'blocked', 'stopped'], LOAD = 8, WHY = 7;

const PART = 1, EVENT = 2, NODE = 4, VALUE = 8, DURATION = 16, PASSED = 32, VALUES = 8;

export function momentsOf(buffer: ArrayBuffer): Moments {
    const view = new DataView(buffer), size = view.getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size))) as Head;
    let to = (size + 11) & ~7;
    const numbers = (n: number): Uint32Array => {
        const all = Uint32Array.from({ length: n }, (_, i) => view.getUint32(to + 4 * i, true));
        to += 4 * n;
        return all;
    };
    const first = Float64Array.from({ length: head.blocks }, (_, i) => Number(view.getBigInt64(to + 8 * i, true)));

    to += 8 * head.blocks;
    return { ...head, first, at: numbers(head.blocks), count: numbers(head.blocks), parent: numbers(head.nodes),
        func: numbers(head.nodes), table: new Uint8Array(buffer, to, head.bytes) };
}

type Each = (time: number, part: number, event: number, node: number, value: number, duration: number) => void;

/** All moments, in order of time. */
export function eachMoment(m: Moments, each: Each): void {
    const { table } = m, values = new Float64Array(VALUES);
    let p = 0;
    const varint = (): number => {
        let byte = table[p++], v = byte & 127;
        for (let scale = 128; byte > 127; scale *= 128) {
            byte = table[p++];
            v += (byte & 127) * scale;
        }
        return v;
    };
    const signed = (): number => {
        const v = varint();
        return v % 2 ? -(v + 1) / 2 : v / 2;
    };

    for (let b = 0; b < m.blocks; b++) {
        let time = m.first[b], part = 0, event = 0, node = 0;

        p = m.at[b];
        values.fill(0);
        for (let i = m.count[b]; i > 0; i--) {
            const head = table[p++];

            time += varint();
            if (head & PART)
                part = varint();
            if (head & EVENT)
                event = varint();
            if (head & NODE)
                node += signed();
            if (head & VALUE)
                values[event % VALUES] = signed();
            const value = values[event % VALUES];
            each(time, part, event, node, value, head & PASSED ? value : head & DURATION ? varint() : 0);
        }
    }
}

/* As `assay timeline` has them: one for a thread of a process, or for what the file tells apart. */
function laneOf(p: Part): string {
    return JSON.stringify([p.pid, p.tid ?? [p.thread, p.input]]);
}

/** The process that a lane is of. */
export function processOf(p: Part): string {
    return p.pid === null ? '' : String(p.pid);
}

/** Events of time that a thread did not run; those that are not AS_OFF_CPU are JFR's. */
const OFF = /^off-cpu$|\.(JavaMonitor(Enter|Wait)|Thread(Park|Sleep)|(File|Socket)(Read|Write|Force))\.duration$/;

export const isOff = (event: EventInfo): boolean => OFF.test(event.name);

/** Of EVENT, and of when threads did not run, by process and in it by thread, the most expensive first. */
export function lanesOf(m: Moments, event: number): Lane[] {
    const off = m.events.map(isOff), states = m.parts.map(part => 1 + Math.max(0, STATES.indexOf(part.state ?? '')));
    const is = (e: number): boolean => e === event || off[e];
    const keys = m.parts.map(laneOf), names = [...new Set(keys)], of = keys.map(key => names.indexOf(key));
    const n = new Float64Array(names.length), passed = new Uint8Array(names.length), at = new Float64Array(names.length);

    eachMoment(m, (_, part, e, __, value, duration) => {
        if (!is(e))
            return;
        n[of[part]]++;
        if (value > 0 && duration === value)
            passed[of[part]] = 1;
    });
    const lanes = names.map((_, i): Lane => ({ part: m.parts[keys.indexOf(names[i])], time: new Float64Array(n[i]), node: new Uint32Array(n[i]),
        value: new Float64Array(n[i]), state: new Uint8Array(n[i]), passed: passed[i] ? new Uint8Array(n[i]) : null, ends: passed[i] ? new Float64Array(n[i]) : null, total: 0 }));

    eachMoment(m, (time, part, e, node, value, duration) => {
        if (!is(e))
            return;
        const lane = lanes[of[part]], i = at[of[part]]++;
        lane.time[i] = time;
        lane.node[i] = node;
        lane.value[i] = value;
        lane.state[i] = (off[e] ? states[part] : 0) + (e === event ? LOAD : 0);
        if (e === event)
            lane.total += value;
        if (lane.ends && lane.passed) {
            lane.passed[i] = value > 0 && duration === value ? 1 : 0;
            lane.ends[i] = Math.max(i ? lane.ends[i - 1] : -Infinity, lane.passed[i] ? time + value : time);
        }
    });
    const some = lanes.filter(lane => lane.time.length), processes = new Map<string, number>();
    for (const { part, total } of some)
        processes.set(processOf(part), (processes.get(processOf(part)) ?? 0) + total);
    const rank = [...processes].sort((a, b) => b[1] - a[1]).map(([key]) => key);
    return some.sort((a, b) => rank.indexOf(processOf(a.part)) - rank.indexOf(processOf(b.part)) || b.total - a.total);
}

/** Of each node whether it, or one above it, is of a function that IS says. */
export function nodesOf(m: Pick<Moments, 'parent' | 'func' | 'functions'>, is: (func: FunctionId) => boolean): Uint8Array {
    const funcs = m.functions.map(is), nodes = new Uint8Array(m.parent.length);

    for (let i = 1; i < nodes.length; i++)
        nodes[i] = funcs[m.func[i]] || nodes[m.parent[i]] ? 1 : 0;
    return nodes;
}

/** The moments of LANE that IS says. */
export function partOf(lane: Lane, is: (i: number) => boolean): Lane {
    const at = Uint32Array.from({ length: lane.node.length }, (_, i) => i).filter(is);
    const of = (column: Float64Array): Float64Array => Float64Array.from(at, i => column[i]);
    const value = of(lane.value), { passed, node, state } = lane;

    // Those that are left out end late, too: then some are looked at in vain.
    return { part: lane.part, time: of(lane.time), node: Uint32Array.from(at, i => node[i]), value, passed: passed && Uint8Array.from(at, i => passed[i]),
        ends: lane.ends && of(lane.ends), state: Uint8Array.from(at, i => state[i]), total: value.reduce((a, b) => a + b, 0) };
}

/** Of LANE what is of the event. */
export function loadOf(lane: Lane): Lane {
    return lane.state.every(state => state & LOAD) ? lane : partOf(lane, i => (lane.state[i] & LOAD) > 0);
}

/** The longest stretch in [FROM, TO] that the thread did not run; -1: there is none. */
export function offAt(lane: Lane, from: number, to: number): number {
    return longest(lane, from, to, 1)[0] ?? -1;
}

/** So many of them, the longest first. */
export function longest(lane: Lane, from: number, to: number, n: number): number[] {
    const { time, value, state } = lane, [first, end] = between(lane, from, to + 1), found: number[] = [];
    let least = 0;

    const best = (): void => {
        found.sort((a, b) => value[b] - value[a] || a - b).splice(n);
        least = found.length < n ? 0 : value[found[n - 1]];
    };
    for (let i = first; i < end; i++)
        if (state[i] & WHY && isStretch(lane, i) && value[i] > least && time[i] + value[i] > from && found.push(i) > 2 * n)
            best();
    best();
    return found;
}

/** Waiting, which some recorders count as if it were work: uftrace's and V8's. */
export function isWaiting(func: FunctionId): boolean {
    return /^(linux:schedule|\(idle\)$)/.test(func.function ?? '');
}

/** What a thread did, by name, from FROM to TO. */
export interface Marker { from: number; to: number; func: number }

/** Of each of LANES its markers, in order of time; none where there are none, or they are EVENT itself. */
export function markersOf(m: Moments, event: number, lanes: Lane[]): Marker[][] {
    const is = m.events.findIndex(e => e.name === 'markers'), all: Marker[][] = lanes.map(() => []);
    const keys = lanes.map(lane => laneOf(lane.part)), of = m.parts.map(part => all[keys.indexOf(laneOf(part))]);

    if (is !== event)
        eachMoment(m, (from, part, e, node, _, duration) => {
            if (e === is)
                of[part]?.push({ from, to: from + duration, func: m.func[node] });
        });
    return all;
}

/** Those of LIST that are in [FROM, TO]. */
export function markersIn(list: Marker[], from: number, to: number): Marker[] {
    return list.filter(m => m.from <= to && m.to >= from);
}

/** When the first begins and the last ends. */
export function spanOf(lanes: Lane[]): [number, number] {
    let from = Infinity, to = -Infinity;

    for (const { time, ends } of lanes) {
        from = Math.min(from, time[0]);
        // A point at the end is before it, as --to has it.
        to = Math.max(to, time[time.length - 1] + 1, ends ? ends[ends.length - 1] : to);
    }
    return from < to ? [from, to] : [0, 1];
}

/** The first place in sorted A whose number is at least V. */
export function place(a: Float64Array, v: number): number {
    let lo = 0, hi = a.length;

    while (lo < hi) {
        const mid = (lo + hi) >>> 1;
        if (a[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/** The part of moment I that is in [FROM, TO). */
export function clipped(lane: Lane, i: number, from: number, to: number): number {
    const time = lane.time[i], value = lane.value[i];

    if (!isStretch(lane, i))
        return time >= from && time < to ? value : 0;
    return Math.max(0, Math.min(to, time + value) - Math.max(from, time));
}

/** Moment I is time that passed. */
export function isStretch(lane: Lane, i: number): boolean {
    return lane.passed !== null && lane.passed[i] === 1;
}

/** The moments that may be in [FROM, TO): from the first to before the second. */
export function between(lane: Lane, from: number, to: number): [number, number] {
    return [place(lane.ends ?? lane.time, from), place(lane.time, to)];
}
