// SPDX-License-Identifier: Apache-2.0
/* One function: who called it above, what it called below, and both as tables. */
import './views.css';
import './sandwich.css';
import { Legend } from '../flame/legend';
import { FlamePanel } from '../flame/panel';
import { refill } from '../dom';
import { bound, compare, passing, percentText, plural, text, unitsOf, whole } from '../format';
import type { Unit } from '../format';
import { button, make, whatFailed } from '../make';
import { cut, funcWords, functionId, inFull, nameOf, where } from '../names';
import type { EventInfo, FunctionId, Peek, PeekRow, Value } from '../protocol';
import type { Change, State } from '../state';
import type { Page, View, ViewHandle } from '../view';
import { askForFunction } from './code/code_top';

const ASKS: (keyof State)[] = ['event', 'unit', 'filters', 'thread', 'part', 'relative', 'inline', 'cycles', 'diff',
    'normalize', 'func', 'colour'];

function cell(words: string, number = true): HTMLTableCellElement {
    return make('td', number ? 'number' : '', words);
}

/** Callers or callees as a table. */
class Neighbours {
    readonly element: HTMLElement;
    private readonly head = make('h3');
    private readonly table = make('table');

    constructor(private readonly title: string, private readonly pivot: (func: FunctionId) => void) {
        this.element = make('div', 'sandwich-table', [this.head, this.table],
            { tabindex: 0, role: 'region', 'aria-label': title });
    }

    /** COUNTED: there is a column of calls. */
    private row(r: PeekRow, at: number, event: EventInfo, unit: Unit | null, counted: boolean): HTMLTableRowElement {
        const full = nameOf(functionId(r));
        const name = button((r.inner ? '\u21bb ' : '') + cut(full, 44), () => this.pivot(functionId(r)), '',
            { title: [inFull(full), where(r), r.inner ? 'in a cycle' : ''].filter(s => s).join(' \u00b7 ') });
        return make('tr', '', [cell(text(r.inclusive[at] ?? null, unit)),
            cell(r.inner ? '' : percentText(r.inclusive[at] ?? 0, whole(event))),
            ...counted ? [cell(r.calls === null ? '' : text(r.calls))] : [],
            make('th', '', [name], { scope: 'row' })]);
    }

    /** MORE: what is in no row, and its cost. */
    show(rows: PeekRow[], more: [string, Value][], at: number, event: EventInfo, unit: Unit | null): void {
        const counted = rows.some(r => r.calls !== null);
        const head = make('tr', '', [event.name, '%', ...counted ? ['calls'] : [], 'function'].map(words =>
            make('th', words === 'function' ? '' : 'number', words, { scope: 'col' })));
        this.head.textContent = `${this.title}: ${text(rows.length)}`;
        const last = more.map(([words, cost]) => make('tr', '', [cell(text(cost, unit)),
            cell(percentText(cost, whole(event))), ...counted ? [cell('')] : [], cell(words, false)]));
        refill(this.table, head, ...rows.map(r => this.row(r, at, event, unit, counted)), ...last);
    }

    clear(): void {
        this.head.textContent = this.title;
        this.table.replaceChildren();
    }
}

/** In half of the height there is not as much to be seen as in a whole flame graph. */
const BOXES = 100_000;

class Sandwich implements ViewHandle {
    private readonly above: FlamePanel;
    private readonly below: FlamePanel;
    private readonly middle = make('h2');
    private readonly figures = make('p');
    private readonly legend = new Legend();
    private readonly callers = new Neighbours('Callers', func => this.pivot(func));
    private readonly callees = new Neighbours('Callees', func => this.pivot(func));
    private readonly body: HTMLElement;
    private readonly none = make('div');
    /** Of the function, in the table. */
    private total: Value | null = null;

    constructor(root: HTMLElement, private readonly page: Page) {
        const panel = (way: State['way'], label: string, inner: [string, string], icicle: boolean) =>
            new FlamePanel(page, { label, asker: 'sandwich-' + way, zooms: false, folds: false, bare: true,
                inner: () => inner, icicle: () => icicle, choose: func => this.pivot(func),
                words: () => ({ way, colour: this.colour, boxes: BOXES, ...page.state.func && funcWords(page.state.func) }) });
        this.above = panel('callers', 'callers', ['caller', 'callers'], false);
        this.below = panel('callees', 'callees', ['callee', 'callees'], true);
        this.body = make('div', 'sandwich-body', [
            make('div', 'sandwich-flames', [this.above.element,
                make('div', 'sandwich-middle', [this.middle, this.figures]), this.below.element, this.legend.element]),
            make('div', 'sandwich-tables', [this.callers.element, this.callees.element])]);
        root.append(this.none, this.body);
    }

    /** Both pictures have the same colours: groups would be those of the larger in each. */
    private get colour(): State['colour'] {
        return this.page.state.colour === 'self' ? 'self' : 'function';
    }

    /** Another function in the middle; Back is the way back. */
    private pivot(func: FunctionId): void {
        const id = functionId(func);
        this.page.go({ func: { ...id, address: id.function ? null : id.address } }, true);
    }

    /** Pictures of calls are estimates: round a cycle they come to more than the table. */
    private compare(): void {
        const head = this.below.flame?.head;
        if (!head || head.diff || !this.total || !head.estimated || !compare(head.total, this.total)) return;
        this.figures.append(`; pictures: ~${text(head.total)} ${head.event}, by paths that were made out of calls`);
    }

    private async peek(): Promise<void> {
        const { page } = this, func = page.state.func!;
        const { diff: _diff, normalize: _normalize, ...words } = page.words();
        const peek = await page.engine.ask<Peek>('peek', { ...words, ...funcWords(func) }, 'sandwich-peek');
        const at = Math.max(0, peek.events.findIndex(e => e.name === page.state.event)), event = peek.events[at];
        const [unit] = unitsOf([event], page.events, page.state.unit), f = peek.functions[0];
        if (!f) {
            this.total = null;
            this.figures.textContent = 'there is nothing of it in what the filters leave';
            this.callers.clear();
            this.callees.clear();
            return;
        }
        const passes = passing(f, at) ?? 0;
        this.total = f.inclusive[at];
        const about = peek.profile.estimated ? '~' : '', all = whole(event);
        const total = `${bound(f)}${text(passes, unit)} ${event.name}, ${about}${percentText(passes, all)}`;
        this.figures.textContent = (page.state.diff ? 'new profile: ' : '') + [`total ${about}${total}`, `self ${text(f.self[at], unit)}, ${percentText(f.self[at], all)}`,
            ...f.calls === null ? [] : [plural(f.calls, 'call')], ...f.recursive ? ['recursive'] : [],
            ...f.cycle === null ? [] : [`in cycle ${f.cycle}`]].join('; ');
        const rest = (r: { rows: number; inclusive: Value[] } | null): [string, Value][] =>
            r && r.rows ? [[`${text(r.rows)} more`, r.inclusive[at]]] : [];
        const entry: [string, Value][] = f.no_caller && compare(f.no_caller[at], 0) ?
            [['[no caller]', f.no_caller[at]]] : [];
        this.callers.show(f.callers, [...rest(f.callers_rest), ...entry], at, event, unit);
        this.callees.show(f.callees, rest(f.callees_rest), at, event, unit);
    }

    async update(state: State, change: Change): Promise<void> {
        const { func } = state, asked = ASKS.some(k => change.has(k));
        this.none.hidden = !!func;
        this.body.hidden = !func;
        if (!func) return askForFunction(this.none, this.page, 'sandwich');
        this.middle.textContent = cut(nameOf(func));
        this.middle.title = [inFull(nameOf(func)), where(func)].filter(s => s).join(' \u00b7 ');
        try {
            await Promise.all([this.above.update(change, ASKS), this.below.update(change, ASKS),
                asked ? this.peek() : undefined]);
            if (asked) this.compare();
            this.legend.show([this.above, this.below].flatMap(({ flame }) => flame ?? []), this.below.palette, this.colour);
        } catch (e) {
            this.figures.textContent = whatFailed(e);
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
        { key: '+ -', does: 'closer, further' },
        { key: 'Home', does: 'all' },
        { key: 'n N', does: 'next, previous match' },
    ],
};
