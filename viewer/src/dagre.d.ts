// SPDX-License-Identifier: Apache-2.0
/* As much as is used here of Debian's node-dagre-layout, which comes without types. */
declare module 'dagre' {
    interface Box { x: number; y: number; width: number; height: number }
    interface Line { points: { x: number; y: number }[]; x?: number; y?: number }
    namespace graphlib {
        class Graph {
            constructor(options: { compound?: boolean; multigraph?: boolean });
            setGraph(options: Record<string, unknown>): this;
            setNode(id: string, label: Record<string, unknown>): this;
            setParent(id: string, parent: string): this;
            setEdge(from: string, to: string, label: Record<string, unknown>): this;
            node(id: string): Box;
            edge(from: string, to: string): Line;
            graph(): { width: number; height: number };
        }
    }
    function layout(graph: graphlib.Graph): void;
}
