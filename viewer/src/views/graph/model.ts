// SPDX-License-Identifier: Apache-2.0
/* What of a call graph is drawn, and the ways through it. Nothing here knows the document. */
import { approx, baseName, compare } from '../../format';
import type { Diff, DiffRow, FunctionId, Graph } from '../../protocol';

export type Node = Graph['nodes'][number];
export type Edge = Graph['edges'][number];
export interface Part {
    nodes: Node[];
    edges: Edge[];
    cycles: Graph['cycles'];
    /** Functions near enough that there was no room for. */
    leftOut: number;
}

export function whole(graph: Graph): Part {
    return { nodes: graph.nodes, edges: graph.edges, cycles: graph.cycles, leftOut: 0 };
}

/* How many calls each function is away from CENTRE, along edges that STEP gives the ends of. */
function reach(edges: Edge[], centre: number, radius: number,
    step: (e: Edge) => [number, number]): Map<number, number> {
    const next = new Map<number, number[]>(), far = new Map([[centre, 0]]);
    let ring = [centre];

    for (const e of edges) {
        const [from, to] = step(e);
        next.set(from, [...next.get(from) ?? [], to]);
    }
    for (let d = 1; d <= radius; d++) {
        ring = [...new Set(ring.flatMap(id => next.get(id) ?? []))].filter(id => !far.has(id));
        ring.forEach(id => far.set(id, d));
    }
    return far;
}

/** Callers and callees of CENTRE, RADIUS calls away; of more than LIMIT the nearest, and of those
 *  the most expensive. */
export function around(graph: Graph, centre: number, radius: number, limit: number,
    event: number): Part {
    const up = reach(graph.edges, centre, radius, e => [e.to, e.from]);
    const down = reach(graph.edges, centre, radius, e => [e.from, e.to]);
    const far = (n: Node): number => Math.min(up.get(n.id) ?? Infinity, down.get(n.id) ?? Infinity);
    const near = graph.nodes.filter(n => far(n) < Infinity).sort((a, b) => far(a) - far(b)
        || compare(b.inclusive[event] ?? 0, a.inclusive[event] ?? 0));
    const nodes = near.slice(0, limit), kept = new Set(nodes.map(n => n.id));

    return {
        nodes, leftOut: near.length - nodes.length,
        edges: graph.edges.filter(e => kept.has(e.from) && kept.has(e.to)),
        cycles: graph.cycles.flatMap(c => {
            const members = c.members.filter(id => kept.has(id));

            return members.length ? [{ ...c, members,
                more_members: c.more_members + c.members.length - members.length }] : [];
        }),
    };
}

/** The node that FUNC is, as far as FUNC says what it is. */
export function find(nodes: Node[], func: FunctionId | null): Node | null {
    const is = (n: Node): boolean => func !== null
        && (['function', 'file', 'object', 'address'] as const).every(field =>
            !func[field] || func[field] === n[field]);

    return nodes.find(is) ?? null;
}

/** The one that costs most by itself. */
export function hottest(nodes: Node[], event: number): Node {
    return nodes.reduce((a, b) => compare(b.self[event] ?? 0, a.self[event] ?? 0) > 0 ? b : a);
}

/* ---- ways ---- */

/** Callers (-1) or callees (1) of node ID in PART, the most expensive first. */
export function neighbours(part: Part, id: number, way: -1 | 1, event: number): number[] {
    return part.edges.filter(e => e.from !== e.to && (way === 1 ? e.from : e.to) === id)
        .sort((a, b) => compare(b.inclusive[event] ?? 0, a.inclusive[event] ?? 0))
        .map(e => way === 1 ? e.to : e.from);
}

/** The next node of the same level, by POSITION: the nearest at the left (-1) or the right. */
export function beside(part: Part, id: number, way: -1 | 1,
    position: (id: number) => { x: number; y: number }): number | null {
    const at = position(id);
    const row = part.nodes.map(n => n.id).filter(n => n !== id
        && Math.abs(position(n).y - at.y) < 8 && (position(n).x - at.x) * way > 0);

    return row.sort((a, b) => (position(a).x - position(b).x) * way)[0] ?? null;
}

/* ---- a comparison ---- */

/** Rows of `diff?view=top` by the nodes that they are of; the same name and object, once only. */
export function joined(nodes: Node[], diff: Diff): Map<number, DiffRow> {
    const key = (f: { function: string | null; object: string | null }): string =>
        JSON.stringify([f.function, baseName(f.object ?? '')]);
    const rows = new Map<string, DiffRow[]>(), all = new Map<number, DiffRow>();

    for (const row of diff.rows)
        rows.set(key(row), [...rows.get(key(row)) ?? [], row]);
    for (const node of nodes) {
        const of = node.function === null ? [] : rows.get(key(node)) ?? [];
        const row = of.length === 1 ? of[0] : of.find(r => r.file === node.file);

        if (row)
            all.set(node.id, row);
    }
    return all;
}

/** Thickness of an edge in pixels, by its share of the most expensive. */
export function thickness(edge: Edge, most: number, event: number): number {
    const share = most > 0 ? approx(edge.inclusive[event] ?? 0) / most : 0;

    return 1 + 6 * Math.max(0, Math.min(1, share));
}
