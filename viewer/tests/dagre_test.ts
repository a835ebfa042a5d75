// SPDX-License-Identifier: Apache-2.0
/* Graphs are laid out by our few functions in place of lodash's as they are by those. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
// @ts-ignore: libraries without types
import { graphlib, layout } from 'dagre';
// @ts-ignore
import ofDagre from 'dagre/lib/lodash';
// @ts-ignore
import ofGraphlib from 'graphlib/lib/lodash';
// @ts-ignore
import ours from '../dagre/lodash';

type Functions = Record<string, unknown>;

/** Numbers below N, the same ones each time. */
function numbers(seed: number): (n: number) => number {
    let state = seed;
    return n => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return Math.floor(state / 65536) % n;
    };
}

/** A graph with loops, cycles, parts that hang together and parts that do not, and boxes around some. */
function drawn(seed: number): string {
    const next = numbers(seed), n = 2 + next(20), g = new graphlib.Graph({ compound: true });

    g.setGraph({ nodesep: 22, ranksep: 44, edgesep: 14, marginx: 12, marginy: 12 });
    for (let i = 0; i < n; i++)
        g.setNode(String(i), { width: 20 + next(200), height: 30 });
    for (let c = 0; c < next(3); c++) {
        g.setNode(`c${c}`, {});
        for (let i = c; i < n; i += 7)
            g.setParent(String(i), `c${c}`);
    }
    for (let e = next(2 * n); e > 0; e--)
        g.setEdge(String(next(n)), String(next(n)), { width: next(40), height: 12, labelpos: 'r', labeloffset: 4 });
    layout(g);
    return JSON.stringify([g.graph(), g.nodes().map((v: string) => [v, g.node(v)]),
        g.edges().map((e: object) => [e, g.edge(e)])]);
}

test('layouts are those that lodash makes', () => {
    const seeds = Array.from({ length: 40 }, (_, i) => i + 1), real = seeds.map(drawn);
    let used = 0;

    for (const lodash of [ofDagre, ofGraphlib] as Functions[])
        for (const name of Object.keys(lodash))
            lodash[name] = (...args: unknown[]) => {
                used++;
                return (ours as Record<string, (...a: unknown[]) => unknown>)[name](...args);
            };
    seeds.forEach((seed, i) => assert.ok(drawn(seed) === real[i], `graph ${seed} looks different`));
    assert.ok(used > 10000);
});
