// SPDX-License-Identifier: Apache-2.0
/* Keys of the page, and the list of them all. */
import type { App } from '../app';
import { el } from '../dom';
import { nameOf } from '../names';
import { views } from '../views';
import { openMenu } from './context';
import { dialog } from './dialog';
import { ACTIONS } from './functions';
import { openPalette } from './palette';
import { listenForPresses } from './press';
import type { Tabs } from './tabs';
import { stored, turnSide } from './theme';
import { units } from './toolbar';

interface Key {
    key: string;
    does: string;
    run(app: App, tabs: Tabs): void;
    /** Why it does nothing here; '': it does. */
    lacks?(app: App): string;
}

const focusOn = (id: string) => (): void => document.getElementById(id)?.focus();

const KEYS: Key[] = [
    { key: '?', does: 'this list', run: (app, tabs) => openKeys(app, tabs) },
    { key: '/', does: 'search; Enter goes to the view', run: focusOn('search') },
    { key: 'e', does: 'choose the event', run: focusOn('event'),
        lacks: app => app.events.length < 2 ? 'there is no other event' : '' },
    { key: 'u', does: 'choose the unit', run: focusOn('unit'),
        lacks: app => units(app).length < 2 ? 'this event has no other unit' : '' },
    { key: 'g', does: 'type a filter', run: focusOn('filter') },
    { key: 'z', does: 'undo the last change of filters', run: app => app.undo() },
    { key: 'Z', does: 'redo it', run: app => app.redo() },
    { key: 'D', does: 'compare with the base, or not', run: app => app.go({ diff: !app.state.diff }, true),
        lacks: app => app.hasBase ? '' : 'there is no base to compare with' },
    { key: 't', does: 'Time', run: app => app.go({ view: 'time' }, true),
        lacks: app => app.hasMoments ? '' : 'the profile does not say when its samples were counted' },
    { key: 'B', does: 'the selected function beside the view, or the view alone', run: app => app.announce(turnSide()) },
    { key: '.', does: 'menu of the selected function', run: app => menuHere(app) },
];

const KEY = 'assay.keys';
/** Letters without Ctrl can be turned off: speech input types them by accident. */
let letters = stored(KEY) !== 'off';

function tell(app: App, text: string): void {
    app.say(text);
    app.announce(text);
}

function menuHere(app: App): void {
    const box = (document.activeElement ?? document.body).getBoundingClientRect();

    if (!openMenu(app, Math.min(box.left + 24, innerWidth / 2), Math.min(box.top + 24, innerHeight / 2)))
        tell(app, 'no function is selected');
}

function rows(title: string, keys: { key: string; does: string }[]): HTMLElement {
    return el('section', {}, el('h3', {}, title), el('dl', {}, ...keys.flatMap(({ key, does }) =>
        [el('dt', {}, el('kbd', {}, key)), el('dd', {}, does)])));
}

export function openKeys(app: App, tabs: Tabs): void {
    const box = el('input', { type: 'checkbox', onchange: () => {
        letters = box.checked;
        stored(KEY, letters ? 'on' : 'off');
    } });

    box.checked = letters;
    dialog('Keys', el('div', { class: 'columns' },
        rows('Views', views.slice(0, 10).map((view, i) => ({ key: String((i + 1) % 10), does: view.title }))),
        rows('The selected function', ACTIONS),
        rows('The page', [...KEYS.filter(k => !k.lacks?.(app)), { key: 'Ctrl K', does: 'commands and functions by name' },
            { key: 'Ctrl C', does: 'copy the name of the selected function; without one, the view as text' },
            { key: 'Esc', does: 'close; empty the search; back to the view' }]),
        tabs.view.keys?.length ? rows(`${tabs.view.title} view`, tabs.view.keys) : ''),
    el('label', { class: 'check' }, box, 'single letters are keys'));
}

function typing(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLTextAreaElement
        || target instanceof HTMLSelectElement
        || (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)));
}

function letter(event: KeyboardEvent, app: App, tabs: Tabs): boolean {
    const func = app.state.func;
    const key = KEYS.find(k => k.key === event.key), action = ACTIONS.find(a => a.key === event.key);

    if (/^\d$/.test(event.key))
        tabs.choose((Number(event.key) + 9) % 10);
    else if (key && key.lacks?.(app))
        tell(app, key.lacks(app));
    else if (key)
        key.run(app, tabs);
    else if (action && func)
        action.run(app, func);
    else if (action)
        tell(app, 'no function is selected');
    else
        return false;
    return true;
}

function pressed(event: KeyboardEvent, app: App, tabs: Tabs): void {
    const control = event.ctrlKey || event.metaKey;

    if (event.defaultPrevented || document.querySelector('dialog[open]'))
        return;
    if (control && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette(app);
        return;
    }
    if (typing(event.target)) {
        const search = event.target instanceof HTMLInputElement && event.target.id === 'search' ? event.target : null;
        if (event.key === 'Escape' && search?.value) {
            event.preventDefault();
            search.value = '';
            app.go({ search: '' });
        } else if (event.key === 'Escape' || (event.key === 'Enter' && search)) {
            event.preventDefault();
            tabs.focus();
        }
        return;
    }
    const plain = !control && !event.altKey && event.key.length === 1 && event.key !== ' ';
    if ((plain && letters && letter(event, app, tabs)) || ((!plain || letters) && tabs.handle?.key?.(event)))
        event.preventDefault();
    else if (event.key === 'Escape')
        tabs.focus();
}

/** What Ctrl-C copies where no text is marked. */
function copied(event: ClipboardEvent, app: App, tabs: Tabs): void {
    const text = tabs.handle?.copy?.() ?? (app.state.func && nameOf(app.state.func));

    if (!text || typing(event.target) || !document.getSelection()?.isCollapsed)
        return;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    app.say('copied');
}

/** Listen until SIGNAL. */
export function listenForKeys(app: App, tabs: Tabs, signal: AbortSignal): void {
    document.addEventListener('keydown', event => pressed(event, app, tabs), { signal });
    document.addEventListener('copy', event => copied(event, app, tabs), { signal });
    listenForPresses(tabs.main, signal);
    tabs.main.addEventListener('contextmenu', event => {
        if (openMenu(app, event.clientX, event.clientY))
            event.preventDefault();
    }, { signal });
}
