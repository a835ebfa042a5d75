// SPDX-License-Identifier: Apache-2.0
/* What can be done with the selected function: by a key, in the menu, in the palette. */
import type { App } from '../app';
import { nameOf } from '../names';
import { choiceOf } from '../pattern';
import type { FunctionId } from '../protocol';
import type { FilterKind } from '../state';

/** WIDE: what it does where the function cannot be chosen, but all of its object can. */
export interface Action { key: string; does: string; wide?: string; run(app: App, func: FunctionId): void }

const filter = (key: string, kind: FilterKind, does: string, wide: string): Action => ({
    key, does, wide,
    run: (app, func) => {
        const { pattern, of } = choiceOf(func, app.shape);
        if (!pattern) {
            app.say('it has no name to filter by');
            return;
        }
        app.filter({ kind, pattern });
        const said = of ? `${kind} all of its ${of}, not only ${nameOf(func)}` : `${kind} ${nameOf(func)}`;
        app.announce(said);
        app.say(of ? said : '');
    },
});

/** What ACTION does with FUNC. */
export function doesTo(app: App, action: Action, func: FunctionId): string {
    const { of } = choiceOf(func, app.shape);

    return of && action.wide ? action.wide.replace('object', of) : action.does;
}

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
    filter('f', 'focus', 'focus: only samples with it', 'focus: only samples with its object'),
    filter('d', 'ignore', 'drop: no samples with it (ignore)', 'drop: no samples with its object (ignore)'),
    filter('h', 'hide', 'hide: its cost is its caller\u2019s', 'hide its object: all of its cost is its callers\u2019'),
    filter('w', 'show', 'show: only its frames', 'show: only frames of its object'),
    filter('x', 'show-from', 'show from it on', 'show from its object on'),
    filter('p', 'prune-from', 'prune: nothing below it', 'prune: nothing below its object'),
    { key: 'y', does: 'copy its name', run: (app, func) => void copyText(app, nameOf(func)) },
];
