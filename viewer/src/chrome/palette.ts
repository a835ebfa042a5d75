// SPDX-License-Identifier: Apache-2.0
/* Ctrl-K: everything that the page can do, and every function, by a few letters. */
import type { App } from '../app';
import { el } from '../dom';
import { clean } from '../format';
import { fit, nameOf, where } from '../names';
import { escape } from '../pattern';
import type { Top } from '../protocol';
import { views } from '../views';
import { dialog } from './dialog';
import { ACTIONS, doesTo } from './functions';
import { setTheme } from './theme';
import { units } from './toolbar';

export interface Command { text: string; more: string; run(): void }

const FUNCTIONS = 20;

export function commands(app: App): Command[] {
    const list: Command[] = [];
    const add = (text: string, more: string, run: () => void): void => { list.push({ text, more, run }); };
    const func = app.state.func;

    views.forEach((view, i) => add(view.title, `view, ${(i + 1) % 10}`, () => app.go({ view: view.name }, true)));
    app.events.forEach(event => add(clean(event.name), 'event', () => app.go({ event: event.name }, true)));
    units(app).forEach(word => add(word, 'unit', () => app.go({ unit: word === 'count' ? '' : word }, true)));
    if (func)
        ACTIONS.forEach(action => add(`${nameOf(func)}: ${doesTo(app, action, func)}`, action.key, () => action.run(app, func)));
    app.state.filters.forEach((filter, i) => add(`remove ${filter.kind} ${clean(filter.pattern)}`, 'filter',
        () => app.go({ filters: app.state.filters.filter((_, at) => at !== i) }, true)));
    if (app.state.filters.length)
        add('remove all filters', 'filter', () => app.go({ filters: [] }, true));
    if (app.inlined)
        add(app.state.inline ? 'inlined functions as part of their callers' : 'inlined functions apart', 'inlined',
            () => app.go({ inline: !app.state.inline }, true));
    if (app.round)
        add(app.state.cycles ? 'cycles as their calls add up' : 'cycles collapsed', 'cycles',
            () => app.go({ cycles: !app.state.cycles }, true));
    if (app.hasBase)
        add(app.state.diff ? 'show the profile alone' : 'compare with the base', 'comparison', () => app.go({ diff: !app.state.diff }, true));
    for (const theme of ['auto', 'light', 'dark'] as const)
        add(`${theme} theme`, 'theme', () => setTheme(theme));
    return list;
}

async function functions(app: App, typed: string): Promise<Command[]> {
    if (!typed)
        return [];
    const top = await app.engine.ask<Top>('top', { ...app.plainWords(), match: escape(typed), limit: FUNCTIONS }, 'palette');
    return top.rows.slice(0, FUNCTIONS).map(row => ({ text: fit(nameOf(row), 70), more: where(row), run: () => app.select(row) }));
}

export function openPalette(app: App): void {
    const all = commands(app);
    let shown: Command[] = [], at = 0;
    const list = el('ul', { role: 'listbox', id: 'commands', 'aria-label': 'Commands and functions' });
    const run = (command: Command | undefined): void => {
        box.close();
        command?.run();
    };
    const mark = (to: number): void => {
        at = Math.max(0, Math.min(to, shown.length - 1));
        Array.from(list.children, (item, i) => item.setAttribute('aria-selected', String(i === at)));
        list.children[at]?.scrollIntoView({ block: 'nearest' });
        input.setAttribute('aria-activedescendant', list.children[at]?.id ?? '');
    };
    const show = (commands: Command[]): void => {
        shown = commands;
        list.replaceChildren(...shown.map((command, i) => el('li', { role: 'option', id: `command-${i}`, onclick: () => run(command) },
            el('span', { class: 'clip' }, command.text), el('span', { class: 'quiet clip' }, command.more))));
        mark(0);
    };
    const search = async (): Promise<void> => {
        const words = input.value.toLowerCase().split(/\s+/), typed = input.value.trim();
        const fits = all.filter(c => words.every(word => `${c.text} ${c.more}`.toLowerCase().includes(word)));
        show(fits);
        const found = await functions(app, typed).catch(() => []);
        if (typed !== input.value.trim())
            return;
        show([...fits, ...found]);
        none.textContent = shown.length ? '' : 'no command and no function has that in its name';
    };
    const input = el('input', { type: 'text', role: 'combobox', 'aria-controls': 'commands', 'aria-expanded': 'true', 'aria-autocomplete': 'list',
        'aria-label': 'Command or function', placeholder: 'a command, or a function\u2019s name', spellcheck: 'false', autocomplete: 'off',
        oninput: () => void search(),
        onkeydown: (event: KeyboardEvent) => {
            const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
            if (step !== undefined)
                mark(at + step);
            else if (event.key === 'Enter')
                run(shown[at]);
            else
                return;
            event.preventDefault();
        } });
    const none = el('p', { class: 'quiet', role: 'status' });
    const box = dialog('Commands', input, list, none);

    box.classList.add('palette');
    show(all);
    input.focus();
}
