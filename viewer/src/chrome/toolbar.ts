// SPDX-License-Identifier: Apache-2.0
/* The first line: what is shown of the profile, and the search. */
import type { App } from '../app';
import { el, fill, icon, iconButton, ICONS, menu } from '../dom';
import { clean, plural, unitWords } from '../format';
import type { EventInfo, Parts } from '../protocol';
import type { State } from '../state';
import { searchBox } from './search';
import { setTheme, theme, Theme, turnSide } from './theme';

const UNITS: Record<string, string> = { count: 'counts', auto: 'automatic' };
const NORMALIZE: [string, string][] = [['', 'automatic'], ['none', 'none'], ['total', 'total'], ['time', 'time']];
const THEMES: Record<Theme, [Theme, string]> = {
    auto: ['light', 'Theme: as the system. Change to light'],
    light: ['dark', 'Theme: light. Change to dark'],
    dark: ['auto', 'Theme: dark. Change to that of the system'],
};

/** What the toolbar asks of the page around it. */
export interface Doors {
    keys(): void;
    save(): void;
    savedAs: string;
    chooseFiles(): void;
    chooseBase(): void;
}

function eventText(event: EventInfo & { title?: string | null }): string {
    return clean(event.title ? `${event.name} \u2013 ${event.title}` : event.name);
}

/** Rows of top?by=thread or by=part as a menu's options. */
function partOptions(kind: 'thread' | 'part', parts: Parts): [string, string][] {
    const options: [string, string][] = [['', `all ${kind}s`]];

    for (const row of parts.rows) {
        const value = kind === 'part' ? String(row.part) : String(row.tid ?? row.thread ?? '');
        const name = kind === 'part' ? row.input ?? row.command : row.thread;
        if (value && !options.some(([v]) => v === value))
            options.push([value, clean([`${kind} ${value}`, name && name !== value ? name : ''].filter(x => x).join(': '))]);
    }
    return options;
}

function partMenu(app: App, kind: 'thread' | 'part'): HTMLElement {
    const [label, select] = menu(kind === 'thread' ? 'Thread' : 'Part', value => app.go({ [kind]: value }, true));
    let options: [string, string][] = [];
    const show = (state: State): void => {
        const known = options.some(([v]) => v === state[kind]);
        fill(select, known || !state[kind] ? options : [...options, [state[kind], clean(state[kind])]], state[kind]);
        label.hidden = options.length < 3 && !state[kind];
    };

    label.hidden = true;
    app.listen((state, change) => {
        if (change.has(kind))
            show(state);
    });
    // The view comes first.
    void app.engine.idle().then(() => app.engine.ask<Parts>('top', { by: kind, limit: 1000 }, kind)).then(parts => {
        options = partOptions(kind, parts);
        show(app.state);
    }, () => undefined);
    return label;
}

/** The words for units that an event can have. */
export function units(app: App): string[] {
    return app.event ? unitWords(app.event) : ['count'];
}

function menus(app: App): HTMLElement[] {
    const [eventLabel, event] = menu('Event', value => app.go({ event: value === app.events[0]?.name ? '' : value }, true));
    const [unitLabel, unit] = menu('Unit', value => app.go({ unit: value === 'count' ? '' : value }, true));
    const show = (state: State): void => {
        fill(event, app.events.map(e => [e.name, eventText(e)]), app.event?.name ?? '');
        fill(unit, units(app).map(word => [word, UNITS[word] ?? word]), state.unit || 'count');
        eventLabel.hidden = app.events.length < 2;
        unitLabel.hidden = units(app).length < 2;
    };

    event.id = 'event';
    unit.id = 'unit';
    app.listen((state, change) => {
        if (change.has('event') || change.has('unit'))
            show(state);
    });
    show(app.state);
    return [eventLabel, unitLabel];
}

function comparison(app: App, doors: Doors): HTMLElement {
    if (!app.hasBase)
        return el('button', { type: 'button', onclick: doors.chooseBase, title: 'Choose another profile to compare this one with' }, 'Compare\u2026');
    const box: HTMLInputElement = el('input', { type: 'checkbox', onchange: () => app.go({ diff: box.checked }, true) });
    const [label, select] = menu('Normalize', value => app.go({ normalize: value as State['normalize'] }, true));
    const show = (state: State): void => {
        box.checked = state.diff;
        label.hidden = !state.diff;
        fill(select, NORMALIZE, state.normalize);
    };

    app.listen((state, change) => {
        if (change.has('diff') || change.has('normalize'))
            show(state);
    });
    show(app.state);
    return el('span', { class: 'group' },
        el('label', { class: 'check' }, box, el('span', { class: 'clip', title: `base: ${app.opened.baseName}` },
            `against ${clean(app.opened.baseName ?? '')}`)), label);
}

/** A switch of the state, shown where the profile has what it is for. */
function check(app: App, key: 'inline' | 'cycles', words: string, title: string, has: () => boolean): HTMLElement {
    const box: HTMLInputElement = el('input', { type: 'checkbox', id: key, onchange: () => app.go({ [key]: box.checked }, true) });
    const label = el('label', { class: 'check', hidden: true, title }, box, words);
    const show = (state: State): void => { box.checked = state[key]; };

    app.listen((state, change) => {
        if (change.has(key))
            show(state);
    });
    show(app.state);
    app.learn().then(() => { label.hidden = !has(); }, () => undefined); // the views say why
    return label;
}

/** Inlined code as functions of its own, or as part of what it was inlined into; cycles as one, or as calls add up. */
function checks(app: App): HTMLElement[] {
    return [check(app, 'inline', 'inlined',
        'Inlined functions apart; without it their cost is that of the functions they were inlined into', () => app.inlined),
    check(app, 'cycles', 'cycles',
        'Functions that call each other in a circle: what enters it counts once; without it their inclusive costs are what their calls add up to', () => app.round)];
}

function themeButton(): HTMLButtonElement {
    const button = iconButton(ICONS.theme, THEMES[theme()][1], () => {
        setTheme(THEMES[theme()][0]);
        button.title = THEMES[theme()][1];
        button.setAttribute('aria-label', button.title);
    });
    return button;
}

/** What the profile is, in one line: it opens another one. */
function facts(app: App, doors: Doors): HTMLElement {
    const { name } = app.opened, what = el('span', { class: 'quiet clip' });

    void app.known().then(async known => {
        const info = app.origin?.info ?? known.info;
        what.textContent = [info.producer ?? info.format, plural((await app.everything()).all, 'function')]
            .map(word => clean(word)).join(' \u00b7 ');
    }).catch(() => undefined); // the status line says so

    return el('div', { class: 'facts' },
        el('button', { type: 'button', class: 'bare', title: 'Open another profile', 'aria-label': 'Open another profile',
            onclick: doors.chooseFiles }, icon(ICONS.open)),
        el('h1', { class: 'clip', title: clean(name) }, clean(name)), what);
}

export function toolbar(app: App, doors: Doors): HTMLElement {
    // They ask before what is known is asked for, which may take long.
    const parts = [partMenu(app, 'thread'), partMenu(app, 'part')];

    return el('header', { class: 'toolbar' }, facts(app, doors), ...menus(app), ...parts, ...checks(app),
        comparison(app, doors), el('span', { class: 'end' }, searchBox(app), iconButton(ICONS.side, 'The selected function beside the view, or not (B)', () => app.announce(turnSide())), themeButton(),
            iconButton(ICONS.keys, 'Keys (?)', doors.keys),
            iconButton(ICONS.save, `Save the profile as ${clean(doors.savedAs)}`, doors.save)));
}
