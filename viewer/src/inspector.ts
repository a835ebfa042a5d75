// SPDX-License-Identifier: Apache-2.0
/* What is known of the selected function, beside every view. */
import './inspector.css';
import type { Diff, DiffRow, Difference, FunctionId, Peek, PeekRow, Value } from './protocol';
import type { Change, FilterKind, State } from './state';
import type { Page, ViewHandle } from './view';
import { refill } from './dom';
import { button, make, whatFailed } from './make';
import { bound, clean, counted, cut, figure, figureDigits, figurePercent, funcWords, functionId, levels, nameOf, passing,
    percentText, plural, share, text, Unit, unitsOf, where, whole } from './format';
import { choiceOf } from './pattern';
import { diffFunction, verdict } from './views/table_diff';

const ASKS: readonly (keyof State)[] = ['func', 'event', 'unit', 'filters', 'thread', 'part', 'relative',
    'inline', 'cycles', 'diff', 'normalize'];
const SHOWN = 12;

type Found = Peek['functions'][0];

class Inspector implements ViewHandle {
    private loading = 0;

    constructor(private readonly root: HTMLElement, private readonly page: Page) {
        root.classList.add('inspector');
    }

    async update(state: State, change: Change): Promise<void> {
        if (!ASKS.some(key => change.has(key)))
            return;
        const now = ++this.loading, { func } = state;
        if (!func) {
            this.root.replaceChildren(this.hint());
            return;
        }
        if (change.has('func'))
            refill(this.root, ...this.head(func), make('p', 'quiet', '…'));
        try {
            const facts = state.diff ? await this.askDiff(func) : await this.ask(func);
            if (now === this.loading)
                refill(this.root, ...this.head(func), ...facts);
        } catch (e) {
            if (now === this.loading)
                refill(this.root, ...this.head(func), make('p', 'failed', clean(whatFailed(e))));
        }
    }

    private hint(): HTMLElement {
        return make('div', 'hint', [
            make('h2', '', 'No function is selected'),
            make('p', '', 'Click on one in any view, or go to a row with ↑ ↓: what it costs, who calls it and what '
                + 'it calls stands here. It stays selected in all views.'),
            make('p', '', 'Enter or a double click shows its source.'),
        ]);
    }

    /* ---- names, and what can be done ---- */

    private head(func: FunctionId): HTMLElement[] {
        const name = nameOf(func), [, , , short] = levels(name), path = func.file ?? func.object;
        const out = [make('h2', '', [make('bdi', '', cut(short))])];
        const fact = (term: string, what: string): HTMLElement[] =>
            [make('dt', '', term), make('dd', '', [make('bdi', '', clean(what))], { tabindex: what.length > 300 ? 0 : null })];
        const facts = make('dl', 'facts');

        if (short !== name)
            facts.append(...fact('in full', name));
        if (func.file)
            facts.append(...fact('file', func.file));
        if (func.object)
            facts.append(...fact('object', func.object));
        if (func.address)
            facts.append(...fact('address', func.address));
        if (!path && !func.address)
            facts.append(...fact('place', 'not known'));
        return [...out, facts, this.actions(func)];
    }

    private actions(func: FunctionId): HTMLElement {
        const { pattern, of } = choiceOf(func, this.page.shape), it = of ? `its ${of}` : 'it';
        const to = (title: string, view: string, more: Partial<State> = {}): HTMLButtonElement =>
            button(title, () => this.page.go({ view, func, ...more }, true));
        const filter = (title: string, kind: FilterKind, says: string): HTMLButtonElement =>
            button(of ? `${title} ${it}` : title, () => this.page.go(
                { filters: [...this.page.state.filters, { kind, pattern }] }, true), '', { title: says });
        const places = this.page.shape === 'places';

        return make('div', 'actions', [
            to('Source', 'source'), to('Assembly', 'asm'),
            ...(places ? [] : [to('Sandwich', 'sandwich'), to('Callers', 'tree', { way: 'callers' })]),
            ...(pattern ? [filter('Focus', 'focus', `only samples with ${it}`),
                filter('Ignore', 'ignore', `no samples with ${it}`),
                filter('Hide', 'hide', `without the frames of ${it}: their cost is the callers’`)] : []),
            ...(pattern && !places ? [filter('Show from', 'show-from', `nothing above ${it}`)] : []),
        ], { role: 'group', 'aria-label': 'what can be done with the function' });
    }

    /* ---- one profile ---- */

    private async ask(func: FunctionId): Promise<HTMLElement[]> {
        const { diff: _diff, normalize: _normalize, ...words } = this.page.words();
        const peek = await this.page.engine.ask<Peek>('peek', { ...words, ...funcWords(func) }, 'inspector');
        const [f] = peek.functions, units = unitsOf(peek.events, this.page.events, this.page.state.unit);

        if (!f)
            return [make('p', 'quiet', 'The filters leave nothing of it.')];
        const e = Math.max(0, peek.events.findIndex(ev => ev.name === this.page.state.event));
        return [this.costs(peek, f, units), ...this.circle(f),
            ...this.neighbours('▲ Callers', f.callers, f.callers_rest, peek, e, units[e], f.no_caller),
            ...this.neighbours('▼ Callees', f.callees, f.callees_rest, peek, e, units[e], null)];
    }

    private costs(peek: Peek, f: Found, units: (Unit | null)[]): HTMLElement {
        const cell = (v: Value | null | undefined, i: number, mark = ''): HTMLElement[] => v === null || v === undefined
            ? [make('td', 'quiet', '-')]
            : [make('td', '', [make('span', '', mark + text(v, units[i])), ' ', make('span', '', percentText(v, whole(peek.events[i])))])];
        const rows = peek.events.map((e, i) => make('tr', '', [make('th', '', units[i] ? clean(e.name) : counted(e), { scope: 'row' }),
            ...cell(f.self[i], i), ...cell(passing(f, i), i, bound(f))]))
            .filter((_, i) => whole(peek.events[i]) !== 0);
        const out = make('table', 'costs', [
            make('thead', '', [make('tr', '', [make('th', '', 'event', { scope: 'col' }),
                make('th', '', 'self', { scope: 'col' }), make('th', '', 'inclusive', { scope: 'col' })])]),
            make('tbody', '', rows)]);

        if (f.calls !== null)
            out.append(make('caption', '', plural(f.calls, 'call')));
        return out;
    }

    private circle(f: Found): HTMLElement[] {
        if (!f.recursive && f.cycle === null)
            return [];
        return [make('p', '', f.cycle !== null
            ? `↻ It is part of cycle ${f.cycle} of calls: how much of what enters the cycle passes through it is not in the file, only that it is no more than is shown.`
            : '↻ It calls itself; inclusive cost counts once.')];
    }

    private neighbours(title: string, rows: PeekRow[] | null, rest: Found['callers_rest'], peek: Peek, e: number,
        unit: Unit | null, alone: Value[] | null): HTMLElement[] {
        const total = whole(peek.events[e]), list = make('ul', 'neighbours');
        /* What stays inside a recursion is part of other calls' cost, and no share of anything. */
        const line = (v: Value, what: HTMLElement, calls: string, inner: boolean): void => {
            const bar = make('span', 'bar', '', { 'aria-hidden': 'true' });
            bar.style.width = `${inner ? 0 : (100 * share(v, total)).toFixed(2)}%`;
            list.append(make('li', '', [bar, make('span', 'what', [inner ? '↻ ' : '', what]), make('span', 'cost',
                `${text(v, unit)}${inner ? ' inside the recursion' : `, ${percentText(v, total)}`}${calls}`)]));
        };

        if (rows === null)
            return [];
        for (const row of rows.slice(0, SHOWN))
            line(row.inclusive[e], this.link(functionId(row)),
                row.calls === null ? '' : `, ${plural(row.calls, 'call')}`, row.inner);
        if (rows.length > SHOWN || rest?.rows)
            list.append(make('li', 'quiet', [button(`${plural(rows.length - Math.min(SHOWN, rows.length)
                + (rest?.rows ?? 0), 'more row')}: the tree`,
            () => this.page.go({ view: 'tree', way: title.startsWith('▲') ? 'callers' : 'callees' }, true))]));
        if (alone && alone[e] !== 0)
            line(alone[e], make('span', 'quiet', '[nobody]'), '', false);
        if (!list.childElementCount)
            list.append(make('li', 'quiet', 'none'));
        return [make('h3', '', title), list];
    }

    private link(func: FunctionId): HTMLElement {
        const name = nameOf(func), at = where(func);
        const out = button('', () => this.page.select(func), 'link', { title: at || null });

        out.append(make('bdi', '', cut(levels(name)[2])));
        return out;
    }

    /* ---- a comparison ---- */

    private async askDiff(func: FunctionId): Promise<HTMLElement[]> {
        const { diff: _diff, ...words } = this.page.words();
        const diff = await this.page.engine.ask<Diff>('diff', { ...words, view: 'peek', ...funcWords(func) }, 'inspector');
        const e = Math.max(0, diff.events.findIndex(ev => ev.name === this.page.state.event));
        const own = diff.rows.find(row => row.role === 'function'), event = diff.events[e];

        if (!own || !event)
            return [make('p', 'quiet', 'It is in neither of the profiles, as filtered.')];
        const digits = figureDigits(event.unit, diff.rows.flatMap(r => r.inclusive[e] ?? []).map(d => d.new));
        const of = (role: string): DiffRow[] => diff.rows.filter(r => r.role === role && r.group === own.group);
        return [this.changes(own, e, digits, clean(event.name)),
            ...this.changed('▲ Callers', of('caller'), e, digits),
            ...this.changed('▼ Callees', of('callee'), e, digits)];
    }

    private difference(d: Difference | null, digits: number): string[] {
        return d ? [figure(d.base, digits), figure(d.new, digits), figure(d.difference, digits, true),
            figurePercent(d.base, d.difference).replace(/\d$/, '$& %'), verdict(d)] : ['-', '-', '-', '', ''];
    }

    private changes(own: DiffRow, e: number, digits: number, event: string): HTMLElement {
        const self = this.difference(own.self?.[e] ?? null, digits);
        const inclusive = this.difference(own.inclusive[e], digits);
        const rows = ['base', 'new', 'difference', 'of base', 'verdict'].map((name, i) => make('tr', '',
            [make('th', '', name, { scope: 'row' }), make('td', '', self[i]), make('td', '', inclusive[i])]));

        return make('table', 'costs', [
            make('thead', '', [make('tr', '', [event, 'self', 'inclusive'].map(s => make('th', '', s, { scope: 'col' })))]),
            make('tbody', '', rows),
            ...(own.in === 'both' ? [] : [make('caption', '', own.in === 'new' ? 'It appeared.' : 'It vanished.')])]);
    }

    private changed(title: string, rows: DiffRow[], e: number, digits: number): HTMLElement[] {
        const list = make('ul', 'neighbours changed', rows.slice(0, SHOWN).map(row => {
            const d = row.inclusive[e], [, , by, percent, word] = this.difference(d, digits);
            return make('li', '', [make('span', 'what', [this.link(diffFunction(row))]),
                make('span', 'cost', d ? `${by}, ${percent}, ${word}` : 'not known')]);
        }));

        if (!rows.length)
            list.append(make('li', 'quiet', 'none'));
        return [make('h3', '', title), list];
    }

    copy(): string {
        return this.page.state.func ? nameOf(this.page.state.func) : '';
    }

    dispose(): void {
        this.loading++;
        this.root.replaceChildren();
    }
}

/** The panel beside the views. */
export function mountInspector(root: HTMLElement, page: Page): ViewHandle {
    return new Inspector(root, page);
}
