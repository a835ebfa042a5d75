// SPDX-License-Identifier: Apache-2.0
/* All views, in the order of their tabs, and what stands beside them. */
import { mountInspector } from './inspector';
import type { Page, View, ViewHandle } from './view';
import { flame } from './views/flame';
import { view as source } from './views/source';
import { stub } from './views/stub';
import { table } from './views/table';
import { tree } from './views/tree';

export const views: View[] = [
    stub('overview', 'Overview'),
    flame,
    table,
    tree,
    stub('sandwich', 'Sandwich'),
    source,
    stub('asm', 'Assembly'),
    stub('graph', 'Graph'),
    stub('treemap', 'Treemap'),
    stub('threads', 'Threads'),
];

/** The pane of the selected function. */
export const inspector: ((root: HTMLElement, page: Page) => ViewHandle) | null = mountInspector;
