// SPDX-License-Identifier: Apache-2.0
/* Moments off the wire, sums of them at any zoom, and times as words: beside what adding them up says. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { test } from 'node:test';
import { heatLevel, heatOf, ROWS } from '../src/time/heat';
import { clipped, eachMoment, isOff, isStretch, isWaiting, Lane, lanesOf, LOAD, loadOf, longest, markersIn, markersOf, Moments, momentsOf, nodesOf, partOf, spanOf, STATES, WHY } from '../src/time/moments';
import { Pyramid } from '../src/time/pyramid';
import { marks, roughTime, timeOf, timeText, zoomed } from '../src/time/scale';
import { momentAt, pathOf, stacksOf } from '../src/time/stacks';

interface Moment { time: number; part: number; event: number; node: number; value: number; duration: number }

let seed = 1;
const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 2147483648 * below);
};

const PARTS = [
    { pid: 7, tid: 8, thread: 'a', command: 'x', input: 'f', state: null }, { pid: 9, tid: 10, thread: 'b', command: 'y', input: 'f', state: null },
    { pid: 7, tid: 11, thread: 'c', command: 'x', input: 'f', state: 'runnable' }, { pid: 9, tid: 10, thread: 'b2', command: 'y', input: 'f', state: 'blocked' },
];
/** 1 below the root, 2 and 3 below 1, 4 below 3. */
const PARENT = [0, 0, 1, 1, 3];

/* As src/model/moments.h says, in blocks of BLOCK. */
function packed(all: Moment[], block: number): ArrayBuffer {
    const bytes: number[] = [], first: number[] = [], at: number[] = [], count: number[] = [];
    const varint = (v: bigint): void => {
        for (; v > 127n; v >>= 7n)
            bytes.push(Number(v & 127n) | 128);
        bytes.push(Number(v));
    };
    const signed = (v: number): void => varint(v < 0 ? -2n * BigInt(v) - 1n : 2n * BigInt(v));
    let last: Moment, values: number[];

    all.forEach((m, i) => {
        if (i % block === 0) {
            first.push(m.time);
            at.push(bytes.length);
            count.push(0);
            last = { time: m.time, part: 0, event: 0, node: 0, value: 0, duration: 0 };
            values = new Array<number>(8).fill(0);
        }
        const passed = m.duration > 0 && m.duration === m.value;
        bytes.push((m.part !== last.part ? 1 : 0) | (m.event !== last.event ? 2 : 0) | (m.node !== last.node ? 4 : 0)
            | (m.value !== values[m.event % 8] ? 8 : 0) | (passed ? 32 : m.duration ? 16 : 0));
        varint(BigInt(m.time - last.time));
        if (m.part !== last.part) varint(BigInt(m.part));
        if (m.event !== last.event) varint(BigInt(m.event));
        if (m.node !== last.node) signed(m.node - last.node);
        if (m.value !== values[m.event % 8]) signed(m.value);
        if (m.duration && !passed) varint(BigInt(m.duration));
        last = m;
        values[m.event % 8] = m.value;
        count[count.length - 1]++;
    });
    const head = new TextEncoder().encode(JSON.stringify({ events: [{ name: 'e0' }, { name: 'e1' }], n: all.length, blocks: first.length,
        nodes: PARENT.length, bytes: bytes.length, parts: PARTS, functions: [] }));
    const begin = (head.length + 11) & ~7, out = new DataView(new ArrayBuffer(begin + 16 * first.length + 8 * PARENT.length + bytes.length));
    let to = begin;
    out.setUint32(0, head.length, true);
    head.forEach((b, i) => out.setUint8(4 + i, b));
    first.forEach(v => { out.setBigInt64(to, BigInt(v), true); to += 8; });
    for (const column of [at, count, PARENT, PARENT.map((_, i) => 10 + i)])
        column.forEach(v => { out.setUint32(to, v, true); to += 4; });
    bytes.forEach((b, i) => out.setUint8(to + i, b));
    return out.buffer;
}

/** STRETCHES: some are time that passed. */
function some(n: number, stretches: boolean, apart = 5000): Moment[] {
    const all: Moment[] = [];
    let time = 0;

    for (let i = 0; i < n; i++) {
        const value = stretches && i % 3 ? random(apart) : [1000, 1000, -40, 2 ** 30][random(4)];
        all.push({ time, part: random(4), event: random(5) ? 0 : 1, node: random(5), value, duration: stretches && i % 3 ? value : i % 7 ? 0 : 12 });
        time += random(3) ? random(apart) : 0;
    }
    return all;
}

const same = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b)) + 1e-3;

function decoding(): void {
    for (const [all, block] of [[some(3000, false), 4096], [some(3000, true), 64], [some(40, true, 2 ** 45), 7]] as const) {
        const got: Moment[] = [];
        eachMoment(momentsOf(packed(all, block)), (time, part, event, node, value, duration) => got.push({ time, part, event, node, value, duration }));
        deepStrictEqual(got, all);
    }
    const m = momentsOf(packed(some(10, false), 4));
    deepStrictEqual([[...m.parent], [...m.func], m.blocks], [PARENT, [10, 11, 12, 13, 14], 3]);
}

function threads(): void {
    const all = some(2000, true), lanes = lanesOf(momentsOf(packed(all, 100)), 0);
    const total = (parts: number[]): number => all.filter(m => m.event === 0 && parts.includes(m.part)).reduce((sum, m) => sum + m.value, 0);

    deepStrictEqual(new Set(lanes.map(l => l.part.tid)), new Set([8, 10, 11]));
    for (const { part, total: has } of lanes)
        strictEqual(has, total(part.tid === 8 ? [0] : part.tid === 10 ? [1, 3] : [2]), `thread ${part.tid}`);
    const sevens = lanes.filter(l => l.part.pid === 7);
    strictEqual(Math.abs(lanes.indexOf(sevens[0]) - lanes.indexOf(sevens[1])), 1, 'threads of a process stand together');
    ok(sevens[0].total >= sevens[1].total, 'the most expensive first');
    strictEqual(lanesOf(momentsOf(packed(all.filter(m => m.event === 0), 100)), 1).length, 0);
}

const summed = (lane: Lane, from: number, to: number): number => lane.time.reduce((sum, _, i) => sum + clipped(lane, i, from, to), 0);

/** FROM and TO of windows: all, parts, a little, beside it. */
function windows(start: number, end: number): [number, number][] {
    const span = end - start;
    return [[start, end], [start + span / 3, end - span / 4], [start + span / 2, start + span / 2 + span / 5000],
        [start + 10, start + 20], [start - span, start], ...Array.from({ length: 12 }, (): [number, number] => {
            const a = start + random(span), b = a + 1 + random(span);
            return [a, b];
        })];
}

function sums(): void {
    for (const all of [some(5000, false), some(5000, true), some(30000, true, 50), some(3, true)]) {
        const lanes = lanesOf(momentsOf(packed(all, 512)), 0), [start, end] = spanOf(lanes);
        for (const lane of lanes) {
            const pyramid = new Pyramid(lane, start, end);
            for (const [from, to] of windows(start, end))
                strictEqual(pyramid.sum(from, to), Math.round(summed(lane, from, to)), `${from} to ${to}`);
            for (const n of [1, 7, 640, 1400, 5000])
                ok(same(pyramid.pixels(start, end, n).reduce((a, b) => a + b, 0), lane.total), `all of it in ${n} pixels`);
            // Close by, each pixel is what is in it.
            const from = Math.floor(start + (end - start) / 2), near = pyramid.pixels(from, from + 500, 50);
            near.forEach((v, i) => ok(same(v, summed(lane, from + 10 * i, from + 10 * i + 10)), `pixel ${i}`));
        }
    }
}

/** What is below a function, and nothing else. */
function parts(): void {
    const all = some(3000, true), m = momentsOf(packed(all, 512)), functions = Array.from({ length: 16 }, (_, i) => ({ function: `f${i}`, file: null, object: null, address: null }));
    const nodes = nodesOf({ ...m, functions }, f => f.function === 'f13'); // of node 3, which is above 4

    deepStrictEqual([...nodes], [0, 0, 0, 1, 1]);
    for (const lane of lanesOf(m, 0)) {
        const [start, end] = spanOf(lanesOf(m, 0)), part = partOf(lane, i => nodes[lane.node[i]] > 0), pyramid = new Pyramid(part, start, end);
        const wanted = (from: number, to: number): number => lane.time.reduce((sum, _, i) => sum + (lane.node[i] >= 3 ? clipped(lane, i, from, to) : 0), 0);
        for (const [from, to] of windows(start, end))
            strictEqual(pyramid.sum(from, to), Math.round(wanted(from, to)), `${from} to ${to}`);
        ok(same(pyramid.pixels(start, end, 300).reduce((a, b) => a + b, 0), part.total));
    }
    deepStrictEqual(['linux:schedule', 'linux:schedule (pre-empted)', '(idle)', 'schedule', '(idle) f', null].map(name => isWaiting({ ...functions[0], function: name })), [true, true, true, false, false, false]);
}

function heat(): void {
    const all = some(4000, true), lanes = lanesOf(momentsOf(packed(all, 512)), 0), [start, end] = spanOf(lanes), map = heatOf(lanes, start, end);
    const total = lanes.reduce((sum, l) => sum + l.total, 0);

    ok(same(map.sums.reduce((a, b) => a + b, 0), total));
    ok(map.columns >= 20 && map.columns <= 101, `${map.columns} columns`);
    for (const cell of [0, 1, ROWS, map.sums.length >> 1])
        ok(same(map.sums[cell], lanes.reduce((sum, l) => sum + summed(l, map.start + cell * map.cell, map.start + (cell + 1) * map.cell), 0)), `cell ${cell}`);
    deepStrictEqual([heatLevel(0, 9), heatLevel(9, 9), heatLevel(1e-9, 9)], [0, 8, 1]);
    const minute = heatOf([{ ...lanes[0], time: Float64Array.of(0, 59e9), node: new Uint32Array(2), value: Float64Array.of(1, 1), state: new Uint8Array(2), passed: null, ends: null, total: 2 }], 0, 60e9);
    deepStrictEqual([minute.column, minute.cell, minute.columns], [1e9, 2e7, 60]);
}

function stacks(): void {
    const lane = (time: number[], node: number[]): Lane => ({ part: PARTS[0], time: Float64Array.from(time), node: Uint32Array.from(node),
        value: new Float64Array(time.length).fill(1), state: new Uint8Array(time.length), passed: null, ends: null, total: time.length });
    const few = lane([0, 10, 20, 100], [2, 3, 4, 4]);

    deepStrictEqual(pathOf(PARENT, 4), [1, 3, 4]);
    const boxes = stacksOf(few, PARENT, 0, 110, 1100, 10).sort((a, b) => a.from - b.from || a.depth - b.depth);
    deepStrictEqual(boxes.map(b => [b.node, b.depth, b.from, b.to]), [[1, 0, 0, 30], [2, 1, 0, 10], [3, 1, 10, 30], [4, 2, 20, 30],
        [1, 0, 100, 110], [3, 1, 100, 110], [4, 2, 100, 110]]);
    deepStrictEqual([momentAt(few, -1), momentAt(few, 0), momentAt(few, 19), momentAt(few, 999)], [-1, 0, 1, 3]);
    // Those of a thread that does not run are apart.
    const waiting = { ...few, state: Uint8Array.of(0, 1, 1, 0) };
    deepStrictEqual(stacksOf(waiting, PARENT, 0, 110, 1100, 10).filter(b => b.depth === 0 && b.to <= 30).map(b => [b.node, b.from, b.to, b.state]), [[1, 0, 10, 0], [1, 10, 30, 1]]);
    // Of many one for each pixel.
    const many = lane(Array.from({ length: 100000 }, (_, i) => i), Array.from({ length: 100000 }, (_, i) => i % 2 ? 2 : 3));
    const drawn = stacksOf(many, PARENT, 0, 100000, 100, 2);
    ok(drawn.length <= 101 && drawn.some(b => b.depth === 0 && b.from === 0 && b.to === 100000), `${drawn.length} boxes`);
}

function words(): void {
    for (const ns of [0, 1, 999, 1000, 1500, 123456, 1250000, 56694552, 1e9, 2.5e9, 1234567891, 90e9, 86400e9 + 1])
        strictEqual(timeOf(timeText(ns)), ns, timeText(ns));
    deepStrictEqual([timeText(1250000000), timeText(300e6), timeText(56694552), timeText(0)], ['1.25s', '300ms', '56.694552ms', '0s']);
    deepStrictEqual([timeOf('2.5'), timeOf('1m'), timeOf(' 3us '), timeOf('x'), timeOf('-1s'), timeOf('1.2.3s')], [2.5e9, 60e9, 3000, null, null, null]);
    strictEqual(roughTime(56694552), '56.69ms');
    deepStrictEqual(marks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
    deepStrictEqual(zoomed(0, 100, 50, 0.5, 0, 100), [25, 75]);
    deepStrictEqual(zoomed(25, 75, 25, 4, 0, 100), [0, 100]);
    deepStrictEqual(zoomed(90, 100, 100, 2, 0, 100), [80, 100]);
}

/** What threads did not run stands in their lanes, apart from the event, and by why. */
function off(): void {
    const all = some(3000, true), m = momentsOf(packed(all, 512)), alone = lanesOf(m, 0);
    const named = (name: string): Moments => ({ ...m, events: [m.events[0], { ...m.events[1], name }] });

    deepStrictEqual(['off-cpu', 'jdk.ThreadSleep', 'jdk.Compilation.duration', 'app.ProfileRead.duration', 'not-off-cpu'].map(name => isOff(named(name).events[1])),
        [true, false, false, false, false]);
    for (const name of ['off-cpu', 'jdk.ThreadSleep.duration', 'com.oracle.jdk.JavaMonitorWait.duration', 'jdk.FileRead.duration']) {
        const lanes = lanesOf(named(name), 0);
        // Stretches that are left out end late, too.
        deepStrictEqual(lanes.map(lane => ({ ...loadOf(lane), ends: null })), alone.map(lane => ({ ...lane, ends: null })));
        for (const lane of lanes) {
            const why = PARTS.map(part => part.tid === lane.part.tid ? STATES.indexOf(part.state ?? 'waiting') : -1);
            const [from, to] = spanOf(lanes), part = from + (to - from) / 3;
            STATES.forEach((_, s) => {
                const own = partOf(lane, i => (lane.state[i] & WHY) === s + 1), wanted = all.filter(x => x.event && why[x.part] === s);
                deepStrictEqual([...own.value], wanted.map(x => x.value));
                strictEqual(new Pyramid(own, from, to).sum(from, part), Math.round(summed(own, from, part)));
            });
            const list = longest(lane, part, to, 7), both = [...lane.time.keys()].filter(i => lane.state[i] & WHY && isStretch(lane, i) && lane.time[i] <= to && lane.time[i] + lane.value[i] > part);
            deepStrictEqual(list, both.filter(i => lane.time[i] + lane.value[i] > part).sort((a, b) => lane.value[b] - lane.value[a] || a - b).slice(0, 7));
        }
        // Beside itself it has what it is, too.
        const own = lanesOf(named(name), 1);
        ok(own.every(lane => lane.state.every(state => state & LOAD && state & WHY)));
        deepStrictEqual(own.map(loadOf), own);
    }
}

/** Those of each thread, and of them those in sight, beside looking at each. */
function markers(): void {
    const all = some(2000, true).map(m => ({ ...m, duration: m.event ? random(9000) : m.duration })), m = momentsOf(packed(all, 100));
    const named: Moments = { ...m, events: [m.events[0], { ...m.events[1], name: 'markers' }] }, lanes = lanesOf(m, 0), lists = markersOf(named, 0, lanes);

    for (const [i, { part }] of lanes.entries()) {
        const own = all.filter(({ event, part: of }) => event && PARTS[of].tid === part.tid);
        deepStrictEqual(lists[i].map(({ from, to, func }) => [from, to, func]), own.map(x => [x.time, x.time + x.duration, 10 + x.node]));
        for (let k = 0; k < 50; k++) {
            const from = random(all[all.length - 1].time), to = from + random(20000);
            strictEqual(markersIn(lists[i], from, to).length, own.filter(x => x.time <= to && x.time + x.duration >= from).length);
        }
    }
    deepStrictEqual([markersOf(m, 0, lanes), markersOf(named, 1, lanes)], [lanes.map(() => []), lanes.map(() => [])], 'there are none, or they are the event itself');
}

for (const check of [decoding, threads, sums, parts, off, markers, heat, stacks, words])
    test(check.name, check);
