// SPDX-License-Identifier: Apache-2.0
/* What can be done with the selected function: by a key, in the menu, in the palette. */
import type { App } from '../app';
import { nameOf } from '../names';
import { patternOf } from '../pattern';
import type { FunctionId } from '../protocol';
import type { FilterKind } from '../state';

export interface Action { key: string; does: string; run(app: App, func: FunctionId): void }

const filter = (key: string, kind: FilterKind, does: string): Action => ({
    key, does,
    run: (app, func) => {
        const pattern = patternOf(func);
        if (!pattern)
            return;
        app.filter({ kind, pattern });
        app.announce(`${kind} ${nameOf(func)}`);
    },
});
const show = (key: string, view: string, does: string): Action => ({
    key, does, run: app => app.go({ view }, true),
});

export async function copyText(app: App, text: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
        app.announce('copied');
        app.say('copied');
    } catch {
        app.say('the browser does not let this page copy');
    }
}

export const ACTIONS: Action[] = [
    show('o', 'source', 'open its source'),
    show('s', 'sandwich', 'its callers and callees (Sandwich)'),
    filter('f', 'focus', 'focus: only samples with it'),
    filter('d', 'ignore', 'drop: no samples with it (ignore)'),
    filter('h', 'hide', 'hide: its cost is its caller\u2019s'),
    filter('w', 'show', 'show: only its frames'),
    filter('x', 'show-from', 'show from it on'),
    filter('p', 'prune-from', 'prune: nothing below it'),
    { key: 'y', does: 'copy its name', run: (app, func) => void copyText(app, nameOf(func)) },
];
