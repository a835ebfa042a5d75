// SPDX-License-Identifier: Apache-2.0
/*
 * Direct recursion as one box: what a function called itself for stands on its outermost box, and
 * boxes of one name on one box are put together. Widths are conserved.
 */
import { BoxFlag, BoxKind } from '../protocol';
import type { Flame } from '../protocol';
import type { FlameIndex } from './index';

/** A flame whose boxes stand for boxes of another. */
export interface Folded {
    flame: Flame;
    /** Of each box: how many it stands for, and the first of them. */
    count: Uint32Array;
    first: Uint32Array;
}

interface Node { of: number[]; depth: number; at: number }

function same(f: Flame, a: number, b: number): boolean {
    return f.kind[a] === BoxKind.Func && f.kind[b] === BoxKind.Func && f.name[a] === f.name[b];
}

/** Boxes that stand on NODE: on none of them its own function. */
function above(index: FlameIndex, node: Node): { of: number[]; width: number }[] {
    const f = index.flame, groups = new Map<string, { of: number[]; width: number }>();
    const put = (box: number) => {
        const key = f.kind[box] + ' ' + (f.kind[box] === BoxKind.Rest ? '' : f.name[box]);
        const group = groups.get(key);
        if (group) {
            group.of.push(box);
            group.width += f.width[box];
        } else {
            groups.set(key, { of: [box], width: f.width[box] });
        }
    };
    // Grows while it is gone through: an inner box of the function is one more of the outer.
    for (let k = 0; k < node.of.length; k++)
        for (const c of index.children(node.of[k]))
            if (same(f, node.of[0], c)) node.of.push(c);
            else put(c);
    const all = [...groups.values()];
    const rest = (g: { of: number[] }) => Number(f.kind[g.of[0]] === BoxKind.Rest);
    return all.sort((a, b) => rest(a) - rest(b) || b.width - a.width);
}

/** Colours by self cost, as the engine gives them. */
function heat(flame: Flame): void {
    const is = (i: number) => flame.kind[i] === BoxKind.Func || flame.kind[i] === BoxKind.Group;
    let most = 1;
    flame.self.forEach((self, i) => most = i && is(i) ? Math.max(most, self) : most);
    flame.self.forEach((self, i) => {
        if (is(i)) flame.colour[i] = self > 0 ? Math.floor(1.5 + 7 * Math.sqrt(self / most)) : 0;
    });
}

/** Boxes in the order of Flame. */
function walk(index: FlameIndex): (Node & { outer: number })[] {
    const f = index.flame, out: (Node & { outer: number })[] = [];
    const stack: (Node & { outer: number })[] = index.n ? [{ of: [0], outer: 1, depth: 0, at: 0 }] : [];
    for (let node = stack.pop(); node; node = stack.pop()) {
        const groups = above(index, node);
        let at = node.at;
        out.push(node);
        const next = groups.map(g => {
            const child = { of: g.of, outer: g.of.length, depth: node!.depth + 1, at };
            at += g.width;
            return child;
        });
        stack.push(...next.reverse());
    }
    return f.depth.length ? out : [];
}

/** Not of comparisons: what changed of several boxes together, the engine has not judged. */
export function fold(index: FlameIndex, hot: boolean): Folded {
    const f = index.flame, nodes = walk(index), n = nodes.length;
    const flame: Flame = { head: { ...f.head, n }, at: new Float64Array(n),
        width: new Float64Array(n), self: new Float64Array(n), cost: new Float64Array(n), base: null,
        depth: new Uint32Array(n), name: new Uint32Array(n), kind: new Uint8Array(n),
        colour: new Uint8Array(n), flags: new Uint8Array(n) };
    const count = new Uint32Array(n), first = new Uint32Array(n);
    nodes.forEach((node, i) => {
        const b = node.of[0], rest = f.kind[b] === BoxKind.Rest;
        flame.at[i] = node.at;
        flame.depth[i] = node.depth;
        flame.kind[i] = f.kind[b];
        flame.colour[i] = f.colour[b];
        flame.name[i] = rest ? 0 : f.name[b];
        count[i] = node.of.length;
        first[i] = b;
        node.of.forEach((c, k) => {
            if (rest) flame.name[i] += f.name[c];
            flame.self[i] += f.self[c];
            if (k >= node.outer) return;
            flame.width[i] += f.width[c];
            flame.cost[i] += f.cost[c];
        });
        flame.flags[i] = node.of.reduce((all, c) => all | f.flags[c], 0) & ~BoxFlag.Recursive;
        if (node.of.length > node.outer) flame.flags[i] |= BoxFlag.Recursive;
    });
    if (hot) heat(flame);
    return { flame, count, first };
}
