// SPDX-License-Identifier: Apache-2.0
/* All views, in the order of their tabs, and what stands beside them. */
import { el, refill } from './dom';
import { readTheme } from './flame/theme';
import { clean, fit, nameOf, percentText, plural, same, text, unitOf, whole } from './format';
import { button, choice, make, whatFailed } from './make';
import { onPaper } from './paper';
import { Tip } from './tip';
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

/** What time/time.ts needs of what is here: it is a script of its own, and only where it is of use. */
const kit = { el, button, choice, make, refill, whatFailed, clean, fit, nameOf, same, text, unitOf, percentText, plural, whole, readTheme, onPaper, Tip };
export type Kit = typeof kit;

const { timeView } = globalThis as { timeView?: (kit: Kit) => View };

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
    ...(timeView ? [timeView(kit)] : []),
];

/** The pane of the selected function. */
export const inspector: (root: HTMLElement, page: Page) => ViewHandle = mountInspector;
