// SPDX-License-Identifier: Apache-2.0
/* The last line: the total, how far it is to be trusted, and what is under the pointer. Always there. */
import type { App } from '../app';
import { el, icon, ICONS } from '../dom';
import { clean, counted, figure, figureDigits, rough, text, unitOf, whole } from '../format';
import type { Diff, Failure, Top } from '../protocol';
import type { State } from '../state';
import { tellMore } from '../views/overview';
import { scaleWords } from '../views/table_diff';
import { Gaps, Trust, trustOf, trustOfBase } from './trust';

const GAP = '^\\[(lost|truncated|unsampled)\\]$';

function item(app: App, trust: Trust): HTMLElement {
    return el('li', {}, el('button', { type: 'button', class: trust.warn ? 'bare warn' : 'bare', title: trust.more,
        onclick: () => tellMore(app, trust.of) }, trust.warn ? icon(ICONS.warn) : null, trust.text));
}

/** What the profile says it lacks, of its first event; null where that cannot be asked. */
async function gaps(app: App): Promise<Gaps | null> {
    try {
        const top = await app.engine.ask<Top>('top', { by: 'object', match: GAP, limit: 3 }, 'gaps');
        return top.rows.filter(row => row.object).map(row => [row.object as string, row.inclusive?.[0] ?? row.self[0]]);
    } catch {
        return null;
    }
}

async function total(app: App, element: HTMLElement): Promise<void> {
    const event = app.event;

    if (!event) {
        element.textContent = 'no events';
        return;
    }
    const unit = unitOf(event, app.state.unit, whole(event));
    const counts = `${rough(event.total)} ${counted(event)}`, cost = text(event.total, unit);
    // Samples of a period are a time as well; of nanoseconds there is nothing else to say.
    element.textContent = !unit ? counts : counted(event) === clean(event.name) ? `${cost}: ${counts}`
        : `${cost} ${clean(event.name)}`;
    element.title = `the whole profile: ${text(event.total)} ${counted(event)}`;
    if (!app.state.diff)
        return;
    try {
        const { normalize } = app.state;
        const diff = await app.engine.ask<Diff>('diff', { sort: event.name, view: 'top', limit: 1, normalize }, 'total');
        const compared = diff.events.find(e => e.name === event.name);
        if (compared && app.state.diff) {
            const digits = figureDigits(compared.unit, [compared.base, compared.new]), by = compared.unit === 's' ? ' s' : '';
            element.textContent += `, ${figure(compared.difference, digits, true)}${by} against the base, ${scaleWords(compared)}`;
        }
    } catch {
        element.textContent += ', not compared';
    }
}

export interface Status { element: HTMLElement; say(text: string): void; busy(what: string, share: number | null): void }

export function status(app: App): Status {
    const figure = el('strong'), list = el('ul', { 'aria-label': 'How far the figures are to be trusted' });
    const under = el('span', { class: 'under clip' }), work = el('progress', { hidden: true, 'aria-label': 'The engine works' });
    const cancel = el('button', { type: 'button', hidden: true, title: 'End what the engine works at, and go back', onclick: () => app.cancel() }, 'Cancel');
    const show = (trusts: Trust[]): void => list.replaceChildren(...trusts.map(trust => item(app, trust)));
    const { origin, base } = app.opened;
    const ofBase = base ? trustOfBase(base.info, base.check, origin?.base ?? null) : [];
    let timer = 0;

    app.listen((_, change) => {
        if ((['event', 'unit', 'diff', 'normalize'] as (keyof State)[]).some(key => change.has(key)))
            void total(app, figure);
    });
    void total(app, figure);
    show([{ text: 'being checked', warn: false, more: 'all of the file is read' }, ...ofBase]);
    void app.known().then(async ({ info, check }) => {
        show([...trustOf(info, check, origin, null), ...ofBase]);
        show([...trustOf(info, check, origin, await gaps(app), (await app.everything().catch(() => null))?.above), ...ofBase]);
    }).catch((failure: Failure) => show([{ text: 'not checked', warn: true, more: clean(failure.error ?? String(failure)) }, ...ofBase]));
    return {
        element: el('footer', { class: 'status' }, figure, list, work, cancel, under),
        say: line => {
            under.textContent = line;
            under.title = line;
        },
        busy: what => {
            clearTimeout(timer);
            if (what)
                timer = window.setTimeout(() => {
                    work.hidden = false;
                    cancel.hidden = what !== 'working';
                }, 300);
            else
                work.hidden = cancel.hidden = true;
        },
    };
}
