// SPDX-License-Identifier: Apache-2.0
/* The search: a pattern that all views mark, how many functions match, and what they cost. */
import type { App } from '../app';
import { el, icon, ICONS } from '../dom';
import { percentText, whole } from '../format';
import { wrong } from '../pattern';
import type { Failure, Top } from '../protocol';

const PAUSE = 150;

async function count(app: App, say: (text: string, bad: boolean) => void): Promise<void> {
    const { search } = app.state;
    const bad = search ? wrong(search) : null;

    if (!search || bad) {
        say(bad ?? '', bad !== null);
        return;
    }
    try {
        const top = await app.engine.ask<Top>('top', { ...app.plainWords(), match: search, limit: 1 }, 'search');
        const at = Math.max(0, top.events.findIndex(e => e.name === app.event?.name));
        const share = top.events.length && top.found_self ? percentText(top.found_self[at], whole(top.events[at])) : '-';
        say(`${(top.found ?? 0).toLocaleString('en')} of ${(top.all ?? 0).toLocaleString('en')}, ${share} self`, false);
    } catch (failure) {
        say((failure as Failure).error, true);
    }
}

export function searchBox(app: App): HTMLElement {
    let timer = 0;
    const input = el('input', { type: 'search', id: 'search', placeholder: 'search: a regular expression', spellcheck: 'false',
        autocomplete: 'off', 'aria-label': 'Search functions by a regular expression', 'aria-describedby': 'matches',
        oninput: () => {
            clearTimeout(timer);
            timer = window.setTimeout(() => app.go({ search: input.value }), PAUSE);
        } });
    const matches = el('output', { id: 'matches', class: 'quiet', for: 'search' });
    const update = (): void => void count(app, (text, bad) => {
        matches.textContent = text;
        matches.title = text;
        matches.classList.toggle('warn', bad);
        input.setAttribute('aria-invalid', String(bad));
    });

    app.listen((state, change) => {
        if (change.has('search') && document.activeElement !== input)
            input.value = state.search;
        if (['search', 'event', 'filters', 'thread', 'part', 'inline', 'relative'].some(key => change.has(key as never)))
            update();
    });
    input.value = app.state.search;
    update();
    return el('div', { class: 'search', role: 'search' }, icon(ICONS.search), input, matches);
}
