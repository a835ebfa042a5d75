// SPDX-License-Identifier: Apache-2.0
/* What stands above source and assembly: the function, its costs, buttons, notes. */
import { baseName, clean, cut, funcWords, functionId, inFull, nameOf, percentText, text as cost, unitsOf, whole } from '../../format';
import type { FunctionId, Head, Peek, Stretch, Top, Value } from '../../protocol';
import type { Page } from '../../view';
import { chosen } from './code_columns';
import { button, el, refusal, text } from './code_dom';
import { follow } from './code_jump';

interface Facts {
    self: Value[];
    with_inlined: Value[];
    inclusive: Value[] | null;
    calls: Value | null;
}

/* "1,664,876 Ir (41.0 %)" of the chosen event. */
function shareOf(answer: Head, values: Value[], page: Page): string {
    const at = chosen(answer.events, page), event = answer.events[at];
    const unit = unitsOf(answer.events, page.events, page.state.unit)[at];

    return cost(values[at], unit) + (unit ? '' : `\u00a0${event.name}`) + ` (${percentText(values[at], whole(event))})`;
}

/** "self 1,664,876 Ir (41.0 %) · inclusive … · called 15,200 ×" */
export function factsOf(answer: Head, facts: Facts, page: Page): string {
    const at = chosen(answer.events, page);
    const say = (values: Value[]): string => shareOf(answer, values, page);
    const parts = [`self ${say(facts.self)}`];

    if (String(facts.with_inlined[at]) !== String(facts.self[at]))
        parts.push(`with inlined code ${say(facts.with_inlined)}`);
    if (facts.inclusive)
        parts.push(`inclusive ${say(facts.inclusive)}`);
    if (facts.calls !== null)
        parts.push(`called ${cost(facts.calls)} ×`);
    if (answer.profile.estimated)
        parts.push('inclusive costs are estimates');
    return parts.join(' · ');
}

/** What is shown: a function, or addresses around one without a name, which is but a part of them. */
export function titleOf(func: FunctionId | Stretch): string {
    if (!('from' in func) || !func.from)
        return nameOf(func);
    const object = func.object ? `${clean(baseName(func.object))}+` : '';

    return `[${object}${func.from} to ${func.to}]`;
}

/** Of several addresses without a name: what they are, and which part of them the selected one is. */
export async function aboutStretch(func: Stretch | undefined, page: Page): Promise<string[]> {
    if (!func?.from)
        return [];
    const asked = page.engine.ask<Peek>('peek', { ...page.words(), ...funcWords(functionId(func)) }, 'code part');
    const peek = await asked.catch(() => null), own = peek?.functions[0];
    const calls = page.shape === 'places' ? '' : ' Calls named recursive lead from one of them to another.';

    return [`Code without a name, shown together: all addresses with costs around the selected one, ${func.from} to ${
        func.to}, at most 256 bytes apart. ` + (peek && own ? `The selected ${nameOf(func)} is a part of it: self ${
        shareOf(peek, own.self, page)}.` : `The selected ${nameOf(func)} is a part of it.`) + calls];
}

export class CodeTop {
    /** What stands above all. */
    title = '';
    readonly root = el('div', 'code-top');
    readonly tools = el('div', 'code-tools', { role: 'group' });
    private readonly name = el('h2', 'code-name');
    private readonly place = el('span', 'code-place');
    private readonly facts = el('p', 'code-facts');
    private readonly notes = el('div', 'code-notes');

    constructor(label: string) {
        const line = el('div', 'code-title');

        this.tools.setAttribute('aria-label', label);
        line.append(this.name, this.place);
        this.root.append(line, this.facts, this.tools, this.notes);
    }

    show(func: FunctionId | Stretch, facts: string, notes: string[]): void {
        this.title = titleOf(func);
        this.name.textContent = cut(this.title);
        this.name.title = inFull(this.title);
        this.place.textContent = [func.file, func.object].flatMap(s => s ? [clean(s)] : [])
            .join(' · ');
        this.place.title = this.place.textContent;
        this.facts.textContent = facts;
        this.notes.replaceChildren(...notes.map(n => text('p', n, 'code-note')));
    }
}

/** There is no function to show: how to choose one, and the hottest as a beginning. */
export async function askForFunction(root: HTMLElement, page: Page, view: 'source' | 'asm' | 'sandwich'):
    Promise<void> {
    const what = view === 'sandwich' ? 'its callers and callees are' : 'its code is';

    refusal(root, 'No function is selected.',
        `Select one in any view: ${what} shown here. Ctrl K finds it by name.`);
    const top = await page.engine.ask<Top>('top', { ...page.words(), by: 'function',
        order: 'self', limit: 1 }, 'code');
    const row = top.rows[0];
    if (row && root.firstElementChild?.className === 'code-refusal')
        root.firstElementChild.append(button(`Hottest: ${cut(nameOf(row), 80)}`,
            () => follow(page, view, row)));
}
