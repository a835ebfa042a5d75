// SPDX-License-Identifier: Apache-2.0
/* Where boxes and lines of a call graph are: dagre's layers, callers above callees. */
import { graphlib, layout } from 'dagre';
import type { Part } from './model';

export interface Place { x: number; y: number; width: number; height: number }
export interface Placed {
    width: number;
    height: number;
    /** Centres of boxes, by id. */
    nodes: Map<number, Place>;
    /** By number of the edge: a path, where its words stand. */
    edges: { path: string; x: number; y: number }[];
    cycles: { cycle: number; place: Place }[];
}

export interface Sizes {
    node(id: number): { width: number; height: number };
    /** Of the words at an edge. */
    label(edge: number): { width: number; height: number };
}

/** A smooth line through POINTS: straight at its ends, curved from the middle of each piece. */
export function smooth(points: { x: number; y: number }[]): string {
    const at = (p: { x: number; y: number }): string => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
    const [first, ...rest] = points;

    if (!first || !rest.length)
        return '';
    if (rest.length === 1)
        return `M${at(first)}L${at(rest[0])}`;
    const last = rest[rest.length - 1];
    const bends = rest.slice(0, -1).map((p, i) => {
        const next = rest[i + 1], end = i === rest.length - 2 ? last
            : { x: (p.x + next.x) / 2, y: (p.y + next.y) / 2 };

        return `Q${at(p)} ${at(end)}`;
    });
    return `M${at(first)}${bends.join('')}`;
}

export function place(part: Part, sizes: Sizes): Placed {
    const g = new graphlib.Graph({ compound: true });

    g.setGraph({ nodesep: 22, ranksep: 44, edgesep: 14, marginx: 12, marginy: 12 });
    for (const n of part.nodes)
        g.setNode(String(n.id), sizes.node(n.id));
    for (const c of part.cycles) {
        g.setNode(`c${c.cycle}`, {});
        for (const id of c.members)
            g.setParent(String(id), `c${c.cycle}`);
    }
    part.edges.forEach((e, i) => g.setEdge(String(e.from), String(e.to),
        { ...sizes.label(i), labelpos: 'r', labeloffset: 4 }));
    layout(g);
    return {
        width: g.graph().width || 1, height: g.graph().height || 1,
        nodes: new Map(part.nodes.map(n => [n.id, g.node(String(n.id))])),
        edges: part.edges.map(e => {
            const line = g.edge(String(e.from), String(e.to));

            return { path: smooth(line.points), x: line.x ?? 0, y: line.y ?? 0 };
        }),
        cycles: part.cycles.map(c => ({ cycle: c.cycle, place: g.node(`c${c.cycle}`) })),
    };
}
