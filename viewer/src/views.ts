// SPDX-License-Identifier: Apache-2.0
/* All views, in the order of their tabs. */
import type { View } from './view';
import { flame } from './views/flame';
import { table } from './views/table';
import { view as source } from './views/source';
import { stub } from './views/stub';

export const views: View[] = [
    stub('overview', 'Overview'),
    flame,
    table,
    stub('tree', 'Tree'),
    stub('sandwich', 'Sandwich'),
    source,
    stub('asm', 'Assembly'),
    stub('graph', 'Graph'),
    stub('treemap', 'Treemap'),
    stub('threads', 'Threads'),
];
