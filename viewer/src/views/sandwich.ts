// SPDX-License-Identifier: Apache-2.0
/* One function: who called it above, what it called below, and both as tables. */
import './sandwich.css';
import { FlamePanel } from '../flame_panel';
import { percentText, text, unitsOf, whole } from '../format';
import type { Unit } from '../format';
import { funcWords, functionId, nameOf, where } from '../names';
import type { EventInfo, Failure, FunctionId, Peek, PeekRow, Value } from '../protocol';
import type { Change, State } from '../state';
import type { Page, View, ViewHandle } from '../view';

const ASKS: (keyof State)[] = ['event', 'unit', 'filters', 'thread', 'part', 'relative', 'inline', 'diff',
    'normalize', 'func', 'colour'];

function cell(words: string, number = true): HTMLTableCellElement {
    const td = document.createElement('td');
    td.textContent = words;
    if (number) td.className = 'number';
    return td;
}

/** Callers or callees as a table. */
class Neighbours {
    readonly element = document.createElement('div');
    private readonly head = document.createElement('h3');
    private readonly table = document.createElement('table');

    constructor(private readonly title: string, private readonly pivot: (func: FunctionId) => void) {
        this.element.className = 'sandwich-table';
        this.element.tabIndex = 0;
        this.element.setAttribute('role', 'region');
        this.element.setAttribute('aria-label', title);
        this.element.append(this.head, this.table);
    }

    private row(r: PeekRow, at: number, event: EventInfo, unit: Unit | null): HTMLTableRowElement {
        const tr = document.createElement('tr'), name = document.createElement('th');
        const b = document.createElement('button');
        b.type = 'button';
        b.textContent = nameOf(functionId(r)).slice(0, 2000);
        b.title = where(r);
        b.addEventListener('click', () => this.pivot(functionId(r)));
        name.scope = 'row';
        name.append(b);
        if (r.inner) name.append(' (in a cycle)');
        tr.append(cell(text(r.inclusive[at] ?? null, unit)), cell(percentText(r.inclusive[at] ?? 0, whole(event))),
            cell(r.calls === null ? '' : text(r.calls)), name);
        return tr;
    }

    /** MORE: what is in no row, and its cost. */
    show(rows: PeekRow[], more: [string, Value][], at: number, event: EventInfo, unit: Unit | null): void {
        const head = document.createElement('tr');
        head.append(...[event.name, '%', 'calls', 'function'].map((words, i) => {
            const th = document.createElement('th');
            th.scope = 'col';
            th.textContent = words;
            if (i < 3) th.className = 'number';
            return th;
        }));
        this.head.textContent = `${this.title}: ${text(rows.length)}`;
        const last = more.map(([words, cost]) => {
            const tr = document.createElement('tr');
            tr.append(cell(text(cost, unit)), cell(percentText(cost, whole(event))), cell(''), cell(words, false));
            return tr;
        });
        this.table.replaceChildren(head, ...rows.map(r => this.row(r, at, event, unit)), ...last);
    }

    clear(): void {
        this.head.textContent = this.title;
        this.table.replaceChildren();
    }
}

class Sandwich implements ViewHandle {
    private readonly above: FlamePanel;
    private readonly below: FlamePanel;
    private readonly middle = document.createElement('h2');
    private readonly figures = document.createElement('p');
    private readonly callers = new Neighbours('Callers', func => this.pivot(func));
    private readonly callees = new Neighbours('Callees', func => this.pivot(func));
    private readonly body = document.createElement('div');
    private readonly none = document.createElement('p');

    constructor(root: HTMLElement, private readonly page: Page) {
        const panel = (way: State['way'], label: string, inner: [string, string], icicle: boolean) =>
            new FlamePanel(page, { label, asker: 'sandwich-' + way, zooms: false, folds: false, bare: true,
                inner: () => inner, icicle: () => icicle, choose: func => this.pivot(func),
                words: () => ({ way, colour: page.state.colour, ...page.state.func && funcWords(page.state.func) }) });
        this.above = panel('callers', 'callers', ['caller', 'callers'], false);
        this.below = panel('callees', 'callees', ['callee', 'callees'], true);
        root.classList.add('sandwich-view');
        this.none.className = 'sandwich-none';
        this.body.className = 'sandwich-body';
        const here = document.createElement('div'), flames = document.createElement('div');
        const tables = document.createElement('div');
        here.className = 'sandwich-middle';
        flames.className = 'sandwich-flames';
        tables.className = 'sandwich-tables';
        here.append(this.middle, this.figures);
        flames.append(this.above.element, here, this.below.element);
        tables.append(this.callers.element, this.callees.element);
        this.body.append(flames, tables);
        root.append(this.none, this.body);
    }

    /** Another function in the middle; Back is the way back. */
    private pivot(func: FunctionId): void {
        const id = functionId(func);
        this.page.go({ func: { ...id, address: id.function ? null : id.address } }, true);
    }

    private async peek(): Promise<void> {
        const { page } = this, func = page.state.func!;
        const { diff: _diff, normalize: _normalize, ...words } = page.words();
        const peek = await page.engine.ask<Peek>('peek', { ...words, ...funcWords(func) }, 'sandwich-peek');
        const at = Math.max(0, peek.events.findIndex(e => e.name === page.state.event)), event = peek.events[at];
        const [unit] = unitsOf([event], page.events, page.state.unit), f = peek.functions[0];
        if (!f) {
            this.figures.textContent = 'there is nothing of it in what the filters leave';
            this.callers.clear();
            this.callees.clear();
            return;
        }
        const about = peek.profile.estimated ? '~' : '', all = whole(event);
        this.figures.textContent = [`total ${about}${text(f.inclusive[at], unit)} ${event.name}, ${about}` +
            percentText(f.inclusive[at], all), `self ${text(f.self[at], unit)}, ${percentText(f.self[at], all)}`,
            ...f.calls === null ? [] : [`${text(f.calls)} calls`], ...f.recursive ? ['recursive'] : [],
            ...f.cycle === null ? [] : [`in cycle ${f.cycle}`]].join('; ');
        const rest = (r: { rows: number; inclusive: Value[] } | null): [string, Value][] =>
            r && r.rows ? [[`${text(r.rows)} more`, r.inclusive[at]]] : [];
        const entry: [string, Value][] = f.no_caller ? [['[no caller]', f.no_caller[at]]] : [];
        this.callers.show(f.callers, [...rest(f.callers_rest), ...entry], at, event, unit);
        this.callees.show(f.callees, rest(f.callees_rest), at, event, unit);
    }

    async update(state: State, change: Change): Promise<void> {
        const { func } = state, asked = ASKS.some(k => change.has(k));
        this.none.textContent = func ? '' : 'Select a function: a click in any view, or Ctrl K and its name.';
        this.body.hidden = !func;
        if (!func) return;
        this.middle.textContent = nameOf(func).slice(0, 2000);
        this.middle.title = where(func);
        try {
            await Promise.all([this.above.update(change, ASKS), this.below.update(change, ASKS),
                asked ? this.peek() : undefined]);
        } catch (e) {
            this.figures.textContent = (e as Failure).error ?? String(e);
            this.callers.clear();
            this.callees.clear();
        }
    }

    key(e: KeyboardEvent): boolean {
        return (this.above.active ? this.above : this.below).key(e);
    }

    focus(): void {
        this.below.focus();
    }

    dispose(): void {
        this.above.dispose();
        this.below.dispose();
    }
}

export const sandwich: View = {
    name: 'sandwich', title: 'Sandwich',
    refuses: page => page.shape === 'places' ? 'This profile has no calls: it says where, not by which way.' : null,
    mount: (root, page) => new Sandwich(root, page),
    keys: [
        { key: '\u2190 \u2191 \u2193 \u2192', does: 'to the next box' },
        { key: 'Space', does: 'this function into the middle' },
        { key: 'Enter', does: 'zoom to the box' },
        { key: 'Esc', does: 'back from there' },
    ],
};
