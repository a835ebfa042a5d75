// SPDX-License-Identifier: Apache-2.0
/* All views, in the order of their tabs, and what stands beside them. */
import { mountInspector } from './inspector';
import type { Page, View, ViewHandle } from './view';
import { view as asm } from './views/code/asm';
import { flame } from './views/flame';
import { view as graph } from './views/graph/graph';
import { overview } from './views/overview';
import { sandwich } from './views/sandwich';
import { view as source } from './views/code/source';
import { table } from './views/table';
import { threads } from './views/threads';
import { tree } from './views/tree';
import { treemap } from './views/treemap';

export const views: View[] = [
    overview,
    flame,
    table,
    tree,
    sandwich,
    source,
    asm,
    graph,
    treemap,
    threads,
];

/** The pane of the selected function. */
export const inspector: (root: HTMLElement, page: Page) => ViewHandle = mountInspector;
