// SPDX-License-Identifier: Apache-2.0
/* Parts of the flame graph that need no browser, against what is found by looking at every box. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { test } from 'node:test';
import { fold } from '../src/flame/fold';
import { FlameIndex } from '../src/flame/index';
import { fit, gathered, Names } from '../src/flame/label';
import { follow, functionOf, pathTo } from '../src/flame/path';
import { nextHit, search } from '../src/flame/search';
import { contrast, ink } from '../src/flame/theme';
import { levels } from '../src/names';
import { BoxFlag, BoxKind } from '../src/protocol';
import type { Flame } from '../src/protocol';

/** A box: its name (or "+n"), its width, what stands on it. */
type Box = [string, number, Box[]?];

function flameOf(...roots: Box[]): Flame {
    const names: string[] = [], at: number[] = [], width: number[] = [], self: number[] = [];
    const depth: number[] = [], name: number[] = [], kind: number[] = [];
    const put = ([what, w, above = []]: Box, x: number, d: number): void => {
        const rest = what.startsWith('+');
        if (!rest && d && !names.includes(what)) names.push(what);
        at.push(x);
        width.push(w);
        self.push(w - above.reduce((sum, b) => sum + b[1], 0));
        depth.push(d);
        name.push(rest ? Number(what) : names.indexOf(what));
        kind.push(!d ? BoxKind.Root : rest ? BoxKind.Rest : BoxKind.Func);
        for (const b of above) {
            put(b, x, d + 1);
            x += b[1];
        }
    };
    for (const root of roots) put(root, 0, 0);
    const n = at.length, none = names.map(() => -1), total = width[0] ?? 0;
    return { head: { schema: 'assay.flame/1', id: 0, event: 'Ir', unit: null, decimals: 0, total, whole: total, title: '',
        notes: '', depth: 0, small: 0, estimated: false, n, diff: false, files: ['/src/a.c'], objects: [],
        groups: [], names: { function: names, file: names.map((_, i) => i % 2 - 1), object: none,
            address: names.map(() => null) } },
    at: Float64Array.from(at), width: Float64Array.from(width), self: Float64Array.from(self),
    cost: Float64Array.from(width), base: null, depth: Uint32Array.from(depth),
    name: Uint32Array.from(name), kind: Uint8Array.from(kind), colour: new Uint8Array(n),
    flags: new Uint8Array(n) };
}

function random(seed: number): () => number {
    return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Whole widths, so sums are exact; many boxes on some, gaps, and widths of 0. */
function grown(next: () => number, name: string, width: number, deep: number): Box {
    const above: Box[] = [];
    let left = Math.floor(width * (0.5 + next() / 2));
    for (let k = Math.floor(next() * (next() < 0.1 ? 300 : 5)); k > 0 && deep > 0 && width > 100; k--) {
        const w = Math.floor(left * next() * next());
        left -= w;
        above.push(next() < 0.1 ? ['+' + (1 + Math.floor(next() * 9)), w] :
            grown(next, 'f' + Math.floor(next() * 20), w, deep - 1));
    }
    return [name, width, above];
}

function inView(f: Flame, level: number, x0: number, x1: number): number[] {
    return [...f.depth.keys()].filter(i => f.depth[i] === level && f.at[i] + f.width[i] > x0 &&
        f.at[i] < x1);
}

/** Each box in view is drawn or gathered, once, from left to right; widths add up. */
function nothingVanishes(): void {
    const next = random(1);
    let runs = 0;
    for (let turn = 0; turn < 200; turn++) {
        const f = flameOf(grown(next, 'all', 1e6, 9)), index = new FlameIndex(f);
        for (let level = 0; level < index.levels; level++) {
            const x0 = turn % 2 ? Math.floor(next() * 9e5) : 0, x1 = turn % 2 ? x0 + 1 + next() * 1e5 : 1e6;
            const pixel = (x1 - x0) / (20 + next() * 500), seen: number[] = [];
            let drawn = 0, gathered = 0, rows = 0;
            index.visit(level, x0, x1, pixel, {
                box: i => {
                    ok(f.width[i] >= pixel);
                    seen.push(i);
                    drawn += f.width[i];
                },
                run: (first, end) => {
                    ok(end > first);
                    runs++;
                    for (let p = first; p < end; p++) {
                        const i = index.order[p], after = index.order[p - 1];
                        ok(f.width[i] < pixel);
                        ok(p === first || f.at[i] - f.at[after] - f.width[after] < pixel);
                        rows += f.kind[i] === BoxKind.Rest ? f.name[i] : 1;
                        seen.push(i);
                    }
                    gathered += index.widthOf(first, end);
                    rows -= index.rowsOf(first, end);
                },
            });
            // A box that has no width at the very edge may be there or not.
            const want = inView(f, level, x0, x1);
            deepStrictEqual(seen.filter(i => f.width[i]), want.filter(i => f.width[i]));
            strictEqual(drawn + gathered, want.reduce((sum, i) => sum + f.width[i], 0));
            strictEqual(rows, 0);
        }
    }
    ok(runs > 100, String(runs));
}

/** A million boxes in one row are passed in a few steps, and none is lost. */
function wide(): void {
    const n = 1e6, f = flameOf(['all', n]), all = new Float64Array(n + 1);
    const big: Flame = { ...f, at: all.map((_, i) => i ? i - 1 : 0), width: all.map((_, i) => i ? 1 : n),
        self: all, cost: all, depth: Uint32Array.from(all, (_, i) => Number(i > 0)),
        name: new Uint32Array(n + 1), kind: new Uint8Array(n + 1).fill(BoxKind.Func),
        colour: new Uint8Array(n + 1), flags: new Uint8Array(n + 1) };
    big.width[777778] = 1.5;
    const index = new FlameIndex(big), seen: number[][] = [];
    index.visit(1, 0, n, 1.2, { box: i => seen.push([i]), run: (a, b) => seen.push([a, b]) });
    deepStrictEqual(seen, [[1, 777778], [777778], [777779, n + 1]]);
}

function kinship(): void {
    const f = flameOf(['all', 10, [['a', 6, [['b', 4], ['c', 1]]], ['d', 4, [['e', 4]]]]]);
    const index = new FlameIndex(f);
    deepStrictEqual([...index.parent], [-1, 0, 1, 1, 0, 4]);
    deepStrictEqual([...index.end], [6, 4, 3, 4, 6, 6]);
    deepStrictEqual(index.children(0), [1, 4]);
    deepStrictEqual(index.path(5), [0, 4, 5]);
    strictEqual(index.beside(3, 1), 5);
    strictEqual(index.beside(2, -1), -1);
    strictEqual(index.order[index.find(2, 4.5, 0)], 3);
    strictEqual(index.find(2, 5.5, 0.2), -1);
    strictEqual(index.order[index.find(2, 5.5, 0.6)], 3);
    strictEqual(index.find(7, 1, 1), -1);
    strictEqual(new FlameIndex(flameOf()).levels, 0);
}

function matchesOnce(): void {
    const f = flameOf(['all', 100, [['main', 90, [['find', 50, [['x', 40, [['Find', 30]]]]],
        ['find', 20], ['+3', 10]]], ['y', 10]]]);
    const index = new FlameIndex(f), hits = search(index, 'find');
    strictEqual(hits.n, 3);
    strictEqual(hits.width, 70);
    ok(hits.atLeast);
    strictEqual(search(index, 'Find').width, 30);
    ok(!search(index, 'main').atLeast);
    strictEqual(search(index, '(').n, 0);
    strictEqual(search(index, 'file:a\\.c').n, 3);
    strictEqual(search(index, 'fn:^x$').n, 1);
    strictEqual(hits.before[index.n], 3);
    strictEqual(nextHit(hits, 0, 1), 2);
    strictEqual(nextHit(hits, 2, -1), 5);
    strictEqual(nextHit(search(index, 'nobody'), 2, 1), -1);
}

/** Against sums over all boxes: a path counts at the first box that matches. */
function matchesAtRandom(): void {
    const next = random(5);
    for (let turn = 0; turn < 20; turn++) {
        const f = flameOf(grown(next, 'all', 1e6, 8)), index = new FlameIndex(f);
        const is = (i: number) => f.kind[i] === BoxKind.Func && f.head.names.function[f.name[i]] === 'f7';
        let want = 0;
        for (let i = 0; i < index.n; i++)
            if (is(i) && !index.path(i).slice(0, -1).some(is)) want += f.width[i];
        strictEqual(search(index, '^f7$').width, want);
    }
}

function recursion(): void {
    const f = flameOf(['all', 100, [['f', 90, [['f', 60, [['f', 30, [['g', 10]]], ['h', 20]]],
        ['h', 5, [['k', 5]]], ['+2', 3]]], ['+4', 1]]]);
    f.flags[2] = BoxFlag.Estimated;
    const folded = fold(new FlameIndex(f), false), g = folded.flame;
    const row = (i: number) => [g.kind[i] === BoxKind.Func ? f.head.names.function[g.name[i]] : g.name[i],
        g.depth[i], g.at[i], g.width[i], g.self[i], folded.count[i]];
    deepStrictEqual([...g.depth.keys()].slice(1).map(row), [
        ['f', 1, 0, 90, 52, 3],
        ['h', 2, 0, 25, 20, 2],
        ['k', 3, 0, 5, 5, 1],
        ['g', 2, 25, 10, 10, 1],
        [2, 2, 35, 3, 3, 1],
        [4, 1, 90, 1, 1, 1],
    ]);
    strictEqual(g.flags[1], BoxFlag.Estimated | BoxFlag.Recursive);
    strictEqual(g.flags[2], 0);
}

/** All self cost is still there, no box has its own function on it, none is wider than its place. */
function foldsAtRandom(): void {
    const next = random(3);
    for (let turn = 0; turn < 40; turn++) {
        const f = flameOf(grown(next, 'all', 1e6, 9)), index = new FlameIndex(f);
        const g = fold(index, turn % 2 > 0).flame, after = new FlameIndex(g);
        const sum = (a: Float64Array) => a.reduce((x, y) => x + y, 0);
        strictEqual(sum(g.self), sum(f.self));
        strictEqual(sum(g.self), 1e6);
        for (let i = 1; i < after.n; i++) {
            const p = after.parent[i], own = g.kind[i] === BoxKind.Func && g.kind[p] === BoxKind.Func;
            ok(!own || g.name[i] !== g.name[p]);
            ok(g.at[i] >= g.at[p] && g.at[i] + g.width[i] <= g.at[p] + g.width[p]);
            const names = after.children(p).map(c => g.kind[c] + '/' + (g.kind[c] === BoxKind.Rest || g.name[c]));
            strictEqual(new Set(names).size, names.length);
        }
    }
}

function paths(): void {
    const next = random(9), f = flameOf(grown(next, 'all', 1e6, 6)), index = new FlameIndex(f);
    for (let i = 0; i < index.n; i++) {
        // Siblings of one name cannot be told apart; a path leads to the first.
        const there = follow(index, pathTo(index, i));
        deepStrictEqual(index.path(there).map(b => functionOf(f, b)), index.path(i).map(b => functionOf(f, b)));
    }
    const deep = (n: number): Box => ['f', 1000, n ? [deep(n - 1)] : []];
    const tower = new FlameIndex(flameOf(['all', 1000, [deep(700)]]));
    ok(pathTo(tower, 600).length < 20);
    strictEqual(follow(tower, pathTo(tower, 600)), 600);
    // With a filter b is gone; the way goes on to c.
    const long = new FlameIndex(flameOf(['all', 9, [['a', 9, [['b', 9, [['c', 9]]]]]]]));
    const short = new FlameIndex(flameOf(['all', 9, [['x', 5], ['a', 4, [['c', 4]]]]]));
    short.flame.head.names.file.fill(-1);
    long.flame.head.names.file.fill(-1);
    strictEqual(follow(short, pathTo(long, 3)), 3);
    strictEqual(follow(short, 'nonsense*99999999999.%%'), 0);
}

function labels(): void {
    const shorter = levels('ns::Map<int, Foo>::insert_or_assign(int, Foo&&)');
    for (let room = 0; room < 60; room++) ok(fit(shorter, room).length <= room);
    strictEqual(fit(shorter, 60), shorter[0]);
    strictEqual(fit(shorter, 14), 'insert_or_\u2026');
    strictEqual(fit(levels('parseHeaderField'), 13), 'parseHeader\u2026');
    deepStrictEqual([11, 7, 4].map(room => fit(gathered(1234), room)), ['+1234 small', '+1234', '']);
    strictEqual(fit(['abc'], 2), '');
    ok(fit(levels('x'.repeat(65536)), 40).length <= 40);
    const f = flameOf(['all', 5, [['+12', 3], ['a\u202eb', 2]]]), names = new Names(f);
    deepStrictEqual([0, 1].map(i => names.of(i)), ['all', '+12 small']);
    ok(!names.of(2).includes('\u202e'));
}

function readable(): void {
    strictEqual(contrast([0, 0, 0], [255, 255, 255]).toFixed(1), '21.0');
    strictEqual(contrast([119, 119, 119], [255, 255, 255]).toFixed(2), '4.48');
    for (let v = 0; v < 256; v++)
        for (const fill of [[v, v, v], [v, 128, 255 - v], [255, v, 0]] as [number, number, number][])
            ok(contrast(fill, ink(fill, [[120, 120, 120], [90, 90, 90]])) >= 4.5);
}

test('boxes are drawn or gathered', nothingVanishes);
test('a wide level', wide);
test('what stands on what', kinship);
test('a match counts once', matchesOnce);
test('matches at random', matchesAtRandom);
test('recursion as one box', recursion);
test('recursion at random', foldsAtRandom);
test('paths of functions', paths);
test('labels fit', labels);
test('text can be read', readable);
