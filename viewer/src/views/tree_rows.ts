// SPDX-License-Identifier: Apache-2.0
/* The rows of a tree: what is open, and where each is on its level. */
import type { FunctionId } from '../protocol';
import { key } from '../format';

/** What rows of trees and of comparisons of trees have in common. */
export interface Flat extends FunctionId {
    depth: number;
    kind: string;
    rows: number;
}

export interface Node<T> {
    row: T;
    /** Number of its path: the same in each answer, whatever was left out. */
    path: number;
    parent: Node<T> | null;
    children: Node<T>[];
    position: number;
}

/** Numbers of paths, so that what was opened stays open when the tree is asked for again. */
export class Paths {
    private readonly numbers = new Map<string, number>();

    of(parent: number, row: Flat): number {
        const name = row.kind === 'function' ? key(row) : row.kind, id = `${parent} ${name}`;
        const known = this.numbers.get(id);

        if (known !== undefined)
            return known;
        this.numbers.set(id, this.numbers.size + 1);
        return this.numbers.size;
    }
}

/** ROWS stand depth first. */
export function nodes<T extends Flat>(rows: T[], paths: Paths): Node<T>[] {
    const roots: Node<T>[] = [], above: Node<T>[] = [];

    for (const row of rows) {
        above.length = Math.min(above.length, row.depth);
        const parent = above[above.length - 1] ?? null, level = parent ? parent.children : roots;
        const node: Node<T> = { row, path: paths.of(parent?.path ?? 0, row), parent, children: [],
            position: level.length + 1 };
        level.push(node);
        above.push(node);
    }
    return roots;
}

/** Those to be seen, in their order. */
export function visible<T>(roots: Node<T>[], open: ReadonlySet<number>): Node<T>[] {
    const out: Node<T>[] = [], left = [...roots].reverse();

    for (let node = left.pop(); node; node = left.pop()) {
        out.push(node);
        if (open.has(node.path))
            for (let i = node.children.length - 1; i >= 0; i--)
                left.push(node.children[i]);
    }
    return out;
}

/** Open from the roots where most of the cost goes, until some ROOM rows are to be seen. COST says
 *  what a row is worth, to compare. */
export function openHottest<T>(roots: Node<T>[], cost: (row: T) => number, room: number): Set<number> {
    const open = new Set<number>(), edge = [...roots];
    let shown = roots.length;

    while (edge.length && shown < room) {
        const node = edge.reduce((a, b) => cost(b.row) > cost(a.row) ? b : a);
        edge.splice(edge.indexOf(node), 1);
        if (!node.children.length)
            continue;
        open.add(node.path);
        shown += node.children.length;
        edge.push(...node.children);
    }
    return open;
}
