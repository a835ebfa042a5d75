// SPDX-License-Identifier: Apache-2.0
/* The filter stack: what of the profile is shown, as chips; each can be taken away, and put back. */
import type { App } from '../app';
import { el, icon, iconButton, ICONS } from '../dom';
import { clean, whole, percentText } from '../format';
import { fit } from '../names';
import { shownPattern, wrong, wrongTag } from '../pattern';
import type { Failure, Left } from '../protocol';
import type { Filter, FilterKind, State } from '../state';
import { FILTER_KINDS, isTime, TIME_KINDS } from '../url';
import { copyText } from './functions';

const DOES: Record<FilterKind, string> = {
    'focus': 'only samples with a frame that matches',
    'ignore': 'no samples with a frame that matches',
    'hide': 'frames that match are taken out, their cost is their caller\u2019s',
    'show': 'only frames that match',
    'show-from': 'nothing above the highest frame that matches',
    'prune-from': 'nothing below the lowest frame that matches',
    'label': 'only samples with this label, KEY=VALUE; several are one or the other',
    'tagfocus': 'only samples with a label that matches: KEY=PATTERN, a pattern, or a range as 1kb:4mb',
    'tagignore': 'no samples with a label that matches',
    'from': 'only what was counted from this time after the beginning on: 2.5s, 300ms',
    'to': 'only what was counted before this time after the beginning: 4s',
    'base-from': 'compared with what was counted from this time on',
    'base-to': 'compared with what was counted before this time',
};

function chip(text: string, title: string, remove: () => void): HTMLElement {
    return el('li', { class: 'chip' }, el('span', { class: 'clip', title }, text),
        el('button', { type: 'button', class: 'bare', 'aria-label': `Remove ${text}`, title: 'Remove', onclick: remove },
            icon(ICONS.close)));
}

function chips(app: App): HTMLElement[] {
    const { state } = app;
    const list: HTMLElement[] = [el('li', { class: 'all' }, 'all')];

    for (const key of ['thread', 'part'] as const)
        if (state[key])
            list.push(chip(`${key} ${clean(state[key])}`, `only this ${key}`, () => app.go({ [key]: '' }, true)));
    state.filters.forEach((filter, i) => list.push(chip(`${filter.kind} ${clean(shownPattern(filter.pattern))}`,
        `${DOES[filter.kind]}: ${clean(filter.pattern)}`,
        () => app.go({ filters: state.filters.filter((_, at) => at !== i) }, true))));
    return list;
}

/** Patterns in the order of a question: by kind. */
function asAsked(filters: Filter[]): Filter[] {
    return FILTER_KINDS.flatMap(kind => filters.filter(f => f.kind === kind && kind !== 'label'));
}

function wrongIn(filter: Filter): string | null {
    if (filter.kind === 'label')
        return null;
    if (isTime(filter.kind))
        return /^\d+(\.\d+)?(ns|us|ms|s|m|h|d|w)?$/.test(filter.pattern) ? null : 'a time after the beginning, as in 2.5s, 300ms or 1m';
    return filter.kind.startsWith('tag') ? wrongTag(filter.pattern) : wrong(filter.pattern);
}

function leftWords(app: App, answer: Left): string {
    const event = answer.events.find(e => e.name === app.event?.name) ?? answer.events[0];
    const idle = asAsked(app.state.filters).filter((_, i) => answer.matched[i] === false)
        .map(f => `${f.kind} ${fit(clean(shownPattern(f.pattern)), 30)} matches nothing`);

    return [event ? `${percentText(event.total, whole(event))} of the whole` : '',
        answer.estimated ? 'estimated' : '', ...idle, ...answer.losses.map(clean)].filter(x => x).join('; ');
}

/** What the filters leave of the whole, and lose; or which of them is wrong. */
async function left(app: App, say: (text: string, bad: boolean) => void): Promise<void> {
    const { filters, thread, part } = app.state;

    if (!filters.length && !thread && !part) {
        say('', false);
        return;
    }
    try {
        const answer = await app.engine.ask<Left>('filters', app.plainWords(), 'left');
        if (app.state.filters === filters)
            say(leftWords(app, answer), answer.matched.includes(false) || answer.losses.length > 0);
    } catch (failure) {
        const { error, word } = failure as Failure;
        if (app.state.filters === filters)
            say(word ? `${word}: ${error}` : error, true);
    }
}

function adder(app: App): HTMLFormElement {
    const kind = el('select', { 'aria-label': 'Kind of filter' }, ...[...FILTER_KINDS, ...(app.hasMoments ? TIME_KINDS : [])].map(k => el('option', { value: k, title: DOES[k] }, k)));
    const input: HTMLInputElement = el('input', { type: 'text', id: 'filter', placeholder: 'pattern, or fn: file: obj:', spellcheck: 'false', autocomplete: 'off',
        'aria-label': 'Filter: a regular expression', oninput: () => input.setCustomValidity('') });
    const add = (event: Event): void => {
        const filter = { kind: kind.value as FilterKind, pattern: input.value }, bad = wrongIn(filter);

        event.preventDefault();
        if (!input.value)
            return;
        input.setCustomValidity(bad ?? '');
        if (!input.reportValidity())
            return;
        app.filter(filter);
        app.announce(`filter added: ${kind.value} ${input.value}`);
        input.value = '';
    };

    return el('form', { class: 'adder', onsubmit: add }, kind, input, el('button', { type: 'submit' }, 'Add'));
}

export function filterRow(app: App): HTMLElement {
    const list = el('ol', { class: 'chips', 'aria-label': 'Filters' });
    const rest = el('output', { class: 'left quiet' });
    const undo = iconButton(ICONS.undo, 'Undo the last change of filters (z)', () => app.undo());
    const redo = iconButton(ICONS.redo, 'Redo it (Shift+Z)', () => app.redo());
    const box: HTMLInputElement = el('input', { type: 'checkbox', onchange: () => app.go({ relative: box.checked }, true) });
    const relative = el('label', { class: 'check', title: 'Percentages of what the filters leave, not of the whole' }, box, 'relative');
    const show = (state: State): void => {
        const had = list.contains(document.activeElement);
        list.replaceChildren(...chips(app));
        undo.disabled = !app.canUndo;
        redo.disabled = !app.canRedo;
        if (had)
            (undo.disabled ? document.getElementById('filter') : undo)?.focus();
        box.checked = state.relative;
        relative.hidden = !state.filters.length && !state.thread && !state.part;
    };

    app.listen((state, change) => {
        show(state);
        if (['filters', 'thread', 'part', 'event', 'inline'].some(key => change.has(key as keyof State)))
            void left(app, say);
    });
    const say = (text: string, bad: boolean): void => {
        rest.textContent = text;
        rest.title = text;
        rest.classList.toggle('warn', bad);
    };
    show(app.state);
    void left(app, say);
    return el('nav', { class: 'filters', 'aria-label': 'Filters' }, el('div', { class: 'stack' }, list, relative, rest), adder(app),
        el('span', { class: 'group' }, undo, redo,
            iconButton(ICONS.link, 'Copy a link to what is shown', () => void copyText(app, location.href))));
}
