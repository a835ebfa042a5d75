// SPDX-License-Identifier: Apache-2.0
/* All views, in the order of their tabs. */
import type { View } from './view';
import { stub } from './views/stub';

export const views: View[] = [
    stub('overview', 'Overview'),
    stub('flame', 'Flame'),
    stub('table', 'Table'),
    stub('tree', 'Tree'),
    stub('sandwich', 'Sandwich'),
    stub('source', 'Source'),
    stub('asm', 'Assembly'),
    stub('graph', 'Graph'),
    stub('treemap', 'Treemap'),
    stub('threads', 'Threads'),
];
