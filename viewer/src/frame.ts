// SPDX-License-Identifier: Apache-2.0
/* The page around the views of one profile. */
import type { App } from './app';
import { dialog } from './chrome/dialog';
import { filterRow } from './chrome/filters';
import { listenForKeys, openKeys } from './chrome/keys';
import { chooseFiles, chooser, listenForFiles, Open } from './chrome/start';
import { status } from './chrome/status';
import { Tabs } from './chrome/tabs';
import { toolbar } from './chrome/toolbar';
import { el } from './dom';
import type { Source } from './messages';
import type { State } from './state';
import { inspector } from './views';

export interface Frame { busy(what: string, share: number | null): void }

const savedAs = (source: Source): string => source.file?.name || source.name || 'profile';

/** Put the profile's file where the browser keeps what is saved. */
async function save(source: Source, file: (source: Source) => Promise<Blob>): Promise<void> {
    const url = URL.createObjectURL(await file(source));

    el('a', { href: url, download: savedAs(source) }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The pane beside the views; it draws as they do. */
function side(app: App): [HTMLElement, () => void] {
    const root = el('aside', { id: 'inspector', 'aria-label': 'Selected function' });
    const handle = inspector(root, app);

    app.listen((state, change) => void handle.update(state, change));
    return [root, () => void handle.update(app.state, new Set(Object.keys(app.state) as (keyof State)[]))];
}

/** Fill ROOT; SIGNAL ends what listens to the document. PROFILE is what is open. */
export function frame(root: HTMLElement, app: App, profile: Source, open: Open,
    file: (source: Source) => Promise<Blob>, signal: AbortSignal): Frame {
    const tabs = new Tabs(app), line = status(app), [beside, drawBeside] = side(app);
    const said = el('div', { class: 'unseen', 'aria-live': 'polite' });
    let choosing: HTMLDialogElement | null = null;
    const got = (sources: Source[]): void => {
        if (!sources.length)
            return;
        choosing?.close();
        const box = choosing = dialog('Open', chooser(sources, profile, (first, second) => {
            box.close();
            open(first, second);
        }));
    };

    app.say = line.say;
    app.announce = text => { said.textContent = text; };
    root.replaceChildren(
        el('a', { class: 'skip', href: '#main', onclick: (event: Event) => {
            event.preventDefault();
            tabs.focus();
        } }, 'Skip to the view'),
        toolbar(app, {
            keys: () => openKeys(app, tabs),
            savedAs: savedAs(profile),
            save: () => void save(profile, file).catch((failure: Error) => app.say(failure.message)),
            chooseFiles: () => chooseFiles(got),
            chooseBase: () => chooseFiles(sources => {
                if (sources[0])
                    open(profile, sources[0]);
            }),
        }),
        filterRow(app), el('nav', { 'aria-label': 'Views' }, tabs.list), el('div', { class: 'panes' }, tabs.main, beside), line.element, said);
    listenForKeys(app, tabs, signal);
    listenForFiles(got, signal);
    addEventListener('popstate', () => app.moved(), { signal });
    addEventListener('hashchange', () => app.moved(), { signal });
    tabs.show();
    drawBeside();
    app.say(app.unheard);
    return { busy: line.busy };
}
