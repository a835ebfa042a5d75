// SPDX-License-Identifier: Apache-2.0
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { test } from 'node:test';
import type { Diff, Graph } from '../src/protocol';
import { place, smooth } from '../src/views/graph/layout';
import { around, beside, find, joined, neighbours, thickness, whole }
    from '../src/views/graph/model';

/* A graph of edges "1>2=30" (cost 30); nodes cost 100 less their number. */
function graph(n: number, edges: string, cycle: number[] = []): Graph {
    return {
        schema: 'assay.graph/1', events: [{ name: 'Ir', unit: null, total: 100 }],
        profile: { format: null, files: [], shape: 'calls', estimated: false, path_depth: null },
        nodes: Array.from({ length: n }, (_, i) => ({ id: i + 1, function: `f${i + 1}`,
            file: 'a.c', object: '/bin/a', address: null, self: [1], inclusive: [99 - i],
            calls: 1, recursive: false, cycle: cycle.includes(i + 1) ? 1 : null })),
        edges: edges.split(' ').map(e => {
            const [from, to, cost] = e.split(/[>=]/).map(Number);

            return { from, to, inclusive: [cost], calls: 1, inner: false };
        }),
        cycles: cycle.length ? [{ cycle: 1, self: [1], inclusive: [1], calls: 1, members: cycle,
            more_members: 2 }] : [],
        rest: { nodes: 0, self: [0], edges: 0 },
    };
}

const g = graph(7, '1>2=50 2>3=20 2>4=30 5>2=5 4>6=9 6>7=1', [4, 6]);

test('around a function: callers of callers and callees of callees, no others', () => {
    const ids = (radius: number): number[] =>
        around(g, 4, radius, 99, 0).nodes.map(n => n.id).sort();

    deepStrictEqual([0, 1, 2, 3].map(ids), [[4], [2, 4, 6], [1, 2, 4, 5, 6, 7],
        [1, 2, 4, 5, 6, 7]]);
});

test('of too many the nearest, then the most expensive; the rest is told', () => {
    const part = around(g, 2, 2, 4, 0);

    deepStrictEqual(part.nodes.map(n => n.id), [2, 1, 3, 4]);
    strictEqual(part.leftOut, 2);
    deepStrictEqual(part.edges.map(e => `${e.from}>${e.to}`), ['1>2', '2>3', '2>4']);
    deepStrictEqual(part.cycles.map(c => [c.members, c.more_members]), [[[4], 3]]);
});

test('a function is found by all that is said of it', () => {
    const id = { function: 'f3', file: null, object: null, address: null };

    strictEqual(find(g.nodes, id)?.id, 3);
    strictEqual(find(g.nodes, { ...id, file: 'a.c', object: '/bin/a' })?.id, 3);
    strictEqual(find(g.nodes, { ...id, file: 'b.c' }), null);
    strictEqual(find(g.nodes, null), null);
});

test('ways go along calls, the most expensive first, and not round oneself', () => {
    const part = whole(graph(3, '1>2=9007199254740992 1>3=5 2>2=99 3>2=7'));

    part.edges[1].inclusive = ['9007199254740993'];
    deepStrictEqual(neighbours(part, 1, 1, 0), [3, 2]);
    deepStrictEqual(neighbours(part, 2, -1, 0), [1, 3]);
    deepStrictEqual(neighbours(part, 2, 1, 0), []);
});

test('beside is the nearest of the same level', () => {
    const at = new Map([[1, { x: 50, y: 0 }], [2, { x: 10, y: 90 }], [3, { x: 60, y: 90 }],
        [4, { x: 99, y: 91 }], [5, { x: 20, y: 0 }], [6, { x: 0, y: 180 }], [7, { x: 0, y: 270 }]]);
    const next = (id: number, way: -1 | 1): number | null =>
        beside(whole(g), id, way, n => at.get(n) ?? { x: 0, y: 0 });

    deepStrictEqual([next(2, 1), next(3, 1), next(4, 1), next(4, -1), next(1, -1)],
        [3, 4, null, 3, 5]);
});

test('rows of a comparison belong to one function only', () => {
    const row = (name: string, file: string, object: string): Diff['rows'][number] =>
        ({ function: name, file, object, line: null, in: 'both', inclusive: [] });
    const diff = { rows: [row('f1', 'x.c', 'a'), row('f2', 'a.c', 'a'), row('f2', 'b.c', 'a'),
        row('f3', 'a.c', 'b'), row('f4', 'x.c', 'a'), row('f4', 'y.c', 'a')] } as unknown as Diff;
    const rows = joined(g.nodes, diff);

    deepStrictEqual([...rows].map(([id, r]) => `${id} ${r.file}`), ['1 x.c', '2 a.c']);
});

test('boxes do not overlap, callees are below callers, cycles are round their own', () => {
    const p = place(whole(g), { node: () => ({ width: 80, height: 40 }),
        label: () => ({ width: 20, height: 10 }) });
    const box = (id: number): { x: number; y: number; width: number; height: number } =>
        p.nodes.get(id) ?? { x: NaN, y: NaN, width: 0, height: 0 };
    const inside = (id: number): boolean => {
        const c = p.cycles[0].place;

        return Math.abs(box(id).x - c.x) < c.width / 2 && Math.abs(box(id).y - c.y) < c.height / 2;
    };

    for (const a of g.nodes)
        for (const b of g.nodes)
            ok(a.id >= b.id || Math.abs(box(a.id).x - box(b.id).x) >= 80
                || Math.abs(box(a.id).y - box(b.id).y) >= 40);
    ok(g.edges.every(e => box(e.from).y < box(e.to).y));
    deepStrictEqual(g.nodes.filter(n => inside(n.id)).map(n => n.id), [4, 6]);
    ok(p.edges.every(e => /^M[-\d. ]+[LQ]/.test(e.path)));
});

test('lines are smooth and end where they end', () => {
    const points = [{ x: 0, y: 0 }, { x: 10, y: 20 }, { x: 30, y: 40 }, { x: 30, y: 60 }];

    strictEqual(smooth(points), 'M0.0 0.0Q10.0 20.0 20.0 30.0Q30.0 40.0 30.0 60.0');
    strictEqual(smooth(points.slice(0, 2)), 'M0.0 0.0L10.0 20.0');
    strictEqual(smooth([]), '');
});

test('thickness is by cost', () => {
    deepStrictEqual([0, 25, 50].map(v => thickness({ ...g.edges[0], inclusive: [v] }, 50, 0)),
        [1, 4, 7]);
    strictEqual(thickness(g.edges[0], 0, 0), 1);
});
