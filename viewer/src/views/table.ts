// SPDX-License-Identifier: Apache-2.0
/* The table of what is hot, or of what differs: all rows, all events, sorted by any column. */
import './views.css';
import type { Diff, DiffRow, Top, TopRow } from '../protocol';
import type { Change, State } from '../state';
import type { Page, View, ViewHandle } from '../view';
import type { Words } from '../engine';
import { Grid, Row } from '../rows';
import { button, choice, make, whatFailed } from '../make';
import { clean, nameOf } from '../format';
import { allFigures, chosenFigures, columns, columnsWord, Figure, figureTitle, figureWidth, idOf, lastRows, look,
    Look, rowsOf, summary, tsv, usualFigures } from './table_top';
import { diffColumns, diffLastRows, diffLook, DiffLook, diffRow, diffSummary, diffTsv } from './table_diff';

const FIRST = 100;
const COPIED = 100000;
const ASKS: readonly (keyof State)[] = ['event', 'unit', 'filters', 'thread', 'part', 'relative', 'search',
    'by', 'order', 'reverse', 'columns', 'inline', 'cycles', 'diff', 'normalize'];
const BY: [string, string][] = [['function', 'functions'], ['file', 'files'], ['object', 'objects'],
    ['line', 'lines'], ['address', 'addresses']];

class Table implements ViewHandle {
    private readonly grid: Grid;
    private readonly bar = make('div', 'view-bar');
    private readonly about = make('p', 'about', '', { role: 'status' });
    private menu: HTMLDetailsElement | null = null;
    private look: Look | null = null;
    private diff: DiffLook | null = null;
    private loading = 0;

    constructor(private readonly root: HTMLElement, private readonly page: Page) {
        this.grid = new Grid(page, {
            rows: (from, limit) => this.rows(from, limit),
            sort: column => this.sort(column),
            open: row => this.open(row),
            failed: why => this.fail(why),
        }, 'table of costs', false);
        root.append(this.bar, this.about, this.grid.root);
    }

    async update(state: State, change: Change): Promise<void> {
        if (ASKS.some(key => change.has(key)))
            await this.load(state);
        if (change.has('func')) {
            this.grid.refresh();
            this.grid.follow();
        }
    }

    /** Threads have words of their own there. */
    private by(state: State): string {
        const known = BY.some(([by]) => by === state.by) && !(state.diff && state.by === 'address');
        return known ? state.by : 'function';
    }

    private words(state: State): Words {
        const { diff: _diff, ...words } = this.page.words();
        const order = state.order === 'change' ? 'self' : state.order;

        if (state.diff)
            return { ...words, view: 'top', by: this.by(state),
                order: order === 'inclusive' ? order : 'self', match: state.search };
        return { ...words, by: this.by(state), order, reverse: state.reverse ? 1 : undefined, match: state.search };
    }

    private async load(state: State): Promise<void> {
        const now = ++this.loading;

        try {
            const words = { ...this.words(state), from: 0, limit: FIRST, 'with-cycles': state.diff || !state.cycles ? undefined : 1 };
            if (state.diff)
                this.showDiff(await this.page.engine.ask<Diff>('diff', words, 'table'), now);
            else
                this.showTop(await this.page.engine.ask<Top>('top', words, 'table'), now);
        } catch (e) {
            if (now === this.loading)
                this.fail(e);
        }
    }

    private fail(why: unknown): void {
        this.about.textContent = clean(whatFailed(why));
        this.about.classList.add('failed');
        this.grid.show(0, []);
    }

    private say(text: string): void {
        this.about.classList.remove('failed');
        this.about.textContent = text;
        this.page.announce(text);
    }

    /* ---- one profile ---- */

    private chosen(top: Top): number {
        return Math.max(0, top.events.findIndex(e => e.name === this.page.state.event));
    }

    private figures(top: Top): Figure[] {
        const plain = look(top, [], this.page), { columns } = this.page.state;

        if (columns)
            return chosenFigures(top, columns);
        const width = this.grid.width();
        return usualFigures(top, this.chosen(top), this.page.state.order, width < 90 ? width - 26 : width - 48,
            f => figureWidth(f, plain));
    }

    private showTop(top: Top, now: number): void {
        if (now !== this.loading)
            return;
        this.diff = null;
        this.look = look(top, this.figures(top), this.page);
        this.grid.setColumns(columns(this.look, this.page.state, this.chosen(top)));
        this.grid.show(top.found, lastRows(this.look), rowsOf(this.look, top.rows));
        this.grid.follow();
        this.drawBar();
        const { search } = this.page.state;
        const estimated = top.profile.estimated ? ' · estimated: which way cost took was made out of calls' : '';
        const round = this.page.state.cycles && top.rows.some(row => row.recursive) && top.by === 'function'
            ? ' · ↻ calls itself, directly or round a cycle; its inclusive cost counts once' : '';
        this.say(summary(this.look, this.chosen(top), search) + estimated + round);
    }

    private showDiff(diff: Diff, now: number): void {
        if (now !== this.loading)
            return;
        const { state } = this.page, l = diffLook(diff, state.event, state.order === 'inclusive', this.grid.width());
        this.look = null;
        this.diff = l;
        this.grid.setColumns(diffColumns(l));
        this.grid.show(diff.found ?? diff.rows.length, diffLastRows(l), diff.rows.map(row => diffRow(l, row)));
        this.grid.follow();
        this.drawBar();
        this.say(diffSummary(l));
    }

    private async rows(from: number, limit: number): Promise<Row[]> {
        const words = { ...this.words(this.page.state), from, limit }, { diff, look: l } = this;

        if (diff)
            return (await this.page.engine.ask<Diff>('diff', words, 'table-rows')).rows
                .map(row => diffRow(diff, row));
        const top = await this.page.engine.ask<Top>('top', words, 'table-rows');
        return l ? rowsOf(l, top.rows) : [];
    }

    private sort(column: string): void {
        const { state, events } = this.page, [what, e] = column.split(':');

        if (this.diff || !(what === 'self' || what === 'inclusive' || what === 'calls' || what === 'name'))
            return;
        const now = state.event || events[0]?.name;
        const event = what === 'self' || what === 'inclusive' ? events[Number(e)].name : now;
        const again = event === now && what === (state.order === 'change' ? 'self' : state.order);
        this.page.go({ event, order: what, reverse: again && !state.reverse }, true);
    }

    /* A file, an object: its functions. */
    private open(row: Row): boolean {
        const by = this.by(this.page.state), path = row.key;

        if ((by !== 'file' && by !== 'object') || !path)
            return false;
        const pattern = path.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
        this.page.go({ by: 'function', search: `${by === 'file' ? 'file' : 'obj'}:^${pattern}$` }, true);
        return true;
    }

    /* ---- the bar ---- */

    private drawBar(): void {
        const { state } = this.page, open = this.menu?.open ?? false;
        const focused = this.bar.contains(document.activeElement)
            ? document.activeElement?.getAttribute('data-id') : null;
        const by = this.diff ? BY.filter(([v]) => v !== 'address') : BY;

        this.menu = this.look ? this.columnMenu(this.look, open) : null;
        const items: (HTMLElement | null)[] = [
            choice('Rows', by, this.by(state), v => this.page.go({ by: v }, true)),
            this.diff ? choice('Difference of', [['self', 'self cost'], ['inclusive', 'inclusive cost']],
                this.diff.inclusive ? 'inclusive' : 'self',
                v => this.page.go({ order: v as State['order'] }, true)) : null,
            this.menu,
            button('Copy table', () => void this.copyAll(), '', { title: 'as tab-separated values' }),
        ];
        this.bar.replaceChildren(...items.filter((i): i is HTMLElement => i !== null));
        this.bar.querySelectorAll('select, input, button, summary').forEach((el, i) => {
            el.setAttribute('data-id', String(i));
            if (focused === String(i))
                (el as HTMLElement).focus();
        });
    }

    private columnMenu(l: Look, open: boolean): HTMLDetailsElement {
        const list = make('div', 'popup', [], { role: 'group', 'aria-label': 'columns' });
        const menu = make('details', 'column-menu', [make('summary', '', 'Columns'), list], { open });
        const shown = (f: Figure): boolean => l.figures.some(g => idOf(g) === idOf(f));
        const all = allFigures(l.top);

        for (const f of all) {
            const title = figureTitle(f, l.top.events), box = make('input', '', [], { type: 'checkbox', checked: shown(f) });
            box.addEventListener('change', () => this.page.go({ columns: columnsWord(
                all.filter(g => g === f ? box.checked : shown(g)), l.top.events) }, true));
            list.append(make('label', '', [box, ' ' + title.replace(/^incl /, 'inclusive ')]));
        }
        list.append(button('Those that fit', () => this.page.go({ columns: '' }, true)));
        menu.addEventListener('keydown', e => {
            if (e.key !== 'Escape' || !menu.open)
                return;
            menu.open = false;
            (menu.firstElementChild as HTMLElement).focus();
            e.stopPropagation();
        });
        return menu;
    }

    /* ---- copying ---- */

    private known(): Row[] {
        const rows: Row[] = [];

        for (let i = 0, row; (row = this.grid.row(i)); i++)
            rows.push(row);
        return rows;
    }

    private async copyAll(): Promise<void> {
        const words = { ...this.words(this.page.state), from: 0, limit: COPIED };

        try {
            const text = this.diff
                ? diffTsv(this.diff, (await this.page.engine.ask<Diff>('diff', words)).rows as DiffRow[])
                : this.look ? tsv(this.look, (await this.page.engine.ask<Top>('top', words)).rows as TopRow[]) : '';
            await navigator.clipboard.writeText(text);
            this.page.announce('table copied');
            this.page.say('table copied, as tab-separated values');
        } catch (e) {
            this.page.say(`not copied: ${whatFailed(e)}`);
        }
    }

    copy(): string {
        const { func } = this.page.state;

        return func ? nameOf(func) : this.known().map(row =>
            [...row.cells.map(c => c.text), row.name].join('\t')).join('\n');
    }

    focus(): void {
        this.grid.root.focus();
    }

    dispose(): void {
        this.loading++;
        this.grid.dispose();
        this.root.replaceChildren();
    }
}

export const table: View = {
    name: 'table',
    title: 'Table',
    mount: (root, page) => new Table(root, page),
    keys: [
        { key: '↑ ↓ PgUp PgDn Home End', does: 'move between rows' },
        { key: 'Enter', does: 'source of the function; functions of the file' },
    ],
};
