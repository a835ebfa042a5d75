// SPDX-License-Identifier: Apache-2.0
/*
 * A grid, or a tree of rows, of which only what is to be seen exists: a million rows scroll as well
 * as ten. It asks for rows as they come into view. Focus stays on the grid, aria-activedescendant
 * says which row has it.
 */
import './rows.css';
import type { FunctionId } from './protocol';
import type { Page } from './view';
import { refill } from './dom';
import { plural } from './format';
import { make } from './make';
import { cut, fit, matches } from './names';
import { onPaper } from './paper';

export interface Column {
    id: string;
    title: string;
    /** What a screen reader says; else the title. */
    label?: string;
    /** In characters; the last column, of names, takes what is left. */
    width: number;
    /** undefined: not sortable. */
    sort?: 'ascending' | 'descending' | 'none';
}

export interface Cell {
    text: string;
    /** Beside it: percent. */
    part?: string;
    /** 0 to 1. */
    bar?: number;
    tone?: 'self' | 'inclusive' | 'more' | 'less' | 'quiet';
}

export interface Row {
    /** What is selected with it. */
    func: FunctionId | null;
    name: string;
    /** Quiet, behind the name. */
    place?: string;
    /** Before the name. */
    mark?: string;
    cells: Cell[];
    /** The whole row as it is read out. */
    label: string;
    cls?: string;
    /** For who made the row. */
    key?: string;
    tree?: { level: number; position: number; of: number; expanded: boolean | null };
}

export interface Source {
    rows(from: number, limit: number): Row[] | Promise<Row[]>;
    sort?(column: string): void;
    /** Enter or a double click; else it goes to the source. True: done. */
    open?(row: Row, index: number): boolean;
    toggle?(row: Row, index: number, expand: boolean): void;
    failed?(why: unknown): void;
}

/* Browsers draw nothing below some 17 million pixels. */
const HIGHEST = 8e6;
const CHUNK = 100;
/* Rows, and pixels of width, that find room on paper. */
const PRINTED = 1000, PAPER = 700;

let grids = 0;

export class Grid {
    readonly root: HTMLElement;
    private readonly head = make('div', 'head', [], { role: 'rowgroup' });
    private readonly body = make('div', 'body', [], { role: 'rowgroup' });
    private readonly foot = make('div', 'foot', [], { role: 'rowgroup' });
    private readonly unprinted = make('p', 'unprinted', [], { role: 'presentation' });
    private readonly id = `rows${++grids}-`;
    private readonly resized: ResizeObserver;
    private readonly unlisten = onPaper(() => this.print(true), () => this.print(false));
    private printing = false;
    private columns: Column[] = [];
    private count = 0;
    private known = new Map<number, Row>();
    private drawn = new Map<number, HTMLElement>();
    private asked: [number, number] | null = null;
    private generation = 0;
    private frame = 0;
    private selecting = 0;
    /** Characters that find room in the column of names. */
    private room = 0;
    /** The row with the focus. */
    at = 0;

    constructor(private readonly page: Page, private readonly source: Source, label: string,
        readonly tree: boolean) {
        this.root = make('div', 'rows', [this.head, this.body, this.unprinted, this.foot],
            { role: tree ? 'treegrid' : 'grid', tabindex: 0, 'aria-label': label });
        this.root.addEventListener('scroll', () => this.later(), { passive: true });
        this.root.addEventListener('keydown', e => this.key(e));
        this.root.addEventListener('click', e => this.click(e));
        this.root.addEventListener('dblclick', e => this.doubleClick(e));
        this.root.addEventListener('contextmenu', e => this.menu(e));
        this.resized = new ResizeObserver(() => this.later());
        this.resized.observe(this.root);
    }

    dispose(): void {
        this.generation++;
        this.resized.disconnect();
        this.unlisten();
        cancelAnimationFrame(this.frame);
        clearTimeout(this.selecting);
    }

    /** Columns of numbers, the last one is that of names. */
    setColumns(columns: Column[]): void {
        const numbers = columns.slice(0, -1).map(c => `${c.width}ch`);

        this.columns = columns;
        this.root.style.setProperty('--columns', [...numbers, 'minmax(var(--name), 1fr)'].join(' '));
        this.root.style.setProperty('--least', `calc(${[...numbers, 'var(--name)'].join(' + ')})`);
        refill(this.head, make('div', 'row', columns.map((c, i) => this.heading(c, i)),
            { role: 'row', 'aria-rowindex': 1 }));
    }

    private heading(c: Column, i: number): HTMLElement {
        const cls = i === this.columns.length - 1 ? 'name' : 'number';

        if (c.sort === undefined)
            return make('div', cls, c.title, { role: 'columnheader', 'aria-label': c.label });
        const sort = make('button', '', c.title, { type: 'button', 'aria-label': c.label });
        sort.addEventListener('click', () => this.source.sort?.(c.id));
        return make('div', cls, [sort], { role: 'columnheader', 'aria-sort': c.sort });
    }

    /** Characters that find room in a row. */
    width(): number {
        return this.root.clientWidth / (parseFloat(getComputedStyle(this.root).fontSize) * 0.6);
    }

    /** Names of rows of a tree stand further right the deeper they are: there is room for DEPTH. */
    setDepth(depth: number): void {
        this.root.style.setProperty('--depth', String(depth));
    }

    /** COUNT rows, of which the FIRST are known, and rows that always stand below them. */
    show(count: number, last: Row[], first: Row[] = [], at = 0): void {
        this.generation++;
        this.count = count;
        this.known.clear();
        first.forEach((row, i) => this.known.set(i, row));
        this.asked = null;
        this.measure(); // before names are fitted into it
        this.root.setAttribute('aria-rowcount', String(count + 1 + last.length));
        this.foot.replaceChildren(...last.map((row, i) => {
            const el = this.rowElement(row);
            el.setAttribute('aria-rowindex', String(count + 2 + i));
            return el;
        }));
        this.forget();
        this.at = Math.max(0, Math.min(at, count - 1));
        this.draw();
    }

    /** Rows that are known without asking. */
    put(from: number, rows: Row[]): void {
        rows.forEach((row, i) => this.known.set(from + i, row));
        this.draw();
    }

    row(index: number): Row | undefined {
        return this.known.get(index);
    }

    private forget(): void {
        for (const el of this.drawn.values())
            el.remove();
        this.drawn.clear();
    }

    /* ---- where things are ---- */

    private rowHeight(): number {
        return parseFloat(getComputedStyle(this.body).lineHeight) || 26;
    }

    /* Of the space for rows. */
    private viewHeight(): number {
        return Math.max(this.rowHeight(),
            this.root.clientHeight - this.head.offsetHeight - this.foot.offsetHeight);
    }

    /* Pixels of rows that a pixel of the scroll bar stands for. */
    private scale(): number {
        const h = this.rowHeight() * this.count, room = Math.min(h, HIGHEST) - this.viewHeight();

        return room > 0 ? (h - this.viewHeight()) / room : 1;
    }

    /** Scroll so that row INDEX is to be seen, and give it the focus. */
    reveal(index: number): void {
        const h = this.rowHeight(), view = this.viewHeight(), scale = this.scale();
        const top = this.root.scrollTop * scale;

        this.at = Math.max(0, Math.min(index, this.count - 1));
        if (this.at * h < top)
            this.root.scrollTop = this.at * h / scale;
        else if ((this.at + 1) * h > top + view)
            this.root.scrollTop = ((this.at + 1) * h - view) / scale;
        this.draw();
        if (this.tree)
            this.revealName();
    }

    /* A name that is far to the right. */
    private revealName(): void {
        const name = this.drawn.get(this.at)?.lastElementChild?.querySelector('bdi');
        const box = this.root.getBoundingClientRect(), at = name?.getBoundingClientRect();

        if (at && (at.left < box.left || at.left + 120 > box.right))
            this.root.scrollLeft += at.left - box.left - box.width / 2;
    }

    /* ---- drawing ---- */

    /* How much of a name can be shown follows the width. */
    private measure(): void {
        const width = (this.head.firstElementChild?.lastElementChild as HTMLElement | null)?.offsetWidth;
        const room = Math.floor((width ?? 300) / parseFloat(getComputedStyle(this.root).fontSize) * 1.65) - 2;

        if (room !== this.room) {
            this.room = room;
            this.forget();
        }
    }

    private later(): void {
        if (!this.frame)
            this.frame = requestAnimationFrame(() => {
                this.frame = 0;
                this.draw();
            });
    }

    private draw(): void {
        this.measure();
        const h = this.rowHeight(), top = this.root.scrollTop, from = top * this.scale();
        const first = this.printing ? 0 : Math.max(0, Math.floor(from / h) - 4);
        const last = this.printing ? this.printable()
            : Math.min(this.count, Math.ceil((from + this.viewHeight()) / h) + 4);

        this.body.style.height = `${Math.min(h * this.count, HIGHEST)}px`;
        for (const [i, el] of this.drawn)
            if (i < first || i >= last) {
                el.remove();
                this.drawn.delete(i);
            }
        for (let i = first; i < last; i++)
            this.drawRow(i).style.top = `${i * h - from + top}px`;
        this.want(first, last);
        if (this.drawn.has(this.at))
            this.root.setAttribute('aria-activedescendant', this.id + this.at);
        else
            this.root.removeAttribute('aria-activedescendant');
    }

    /* Rows from the first on that are known: others cannot be asked for any more. */
    private printable(): number {
        let n = 0;

        while (n < PRINTED && this.known.has(n))
            n++;
        return n;
    }

    /* All rows that can be, and how many are not on paper. */
    private print(begins: boolean): void {
        if (!this.root.clientWidth)
            return;
        const left = this.count - this.printable();
        this.printing = begins;
        this.root.style.setProperty('--paper', String(Math.min(1, PAPER / this.root.scrollWidth)));
        this.unprinted.textContent = begins && left ? `${plural(left, 'more row')} not printed` : '';
        this.draw();
    }

    private drawRow(i: number): HTMLElement {
        const row = this.known.get(i);
        let el = this.drawn.get(i);

        if (!el || (row && el.classList.contains('unknown'))) {
            const now = row ? this.rowElement(row) : make('div', 'row unknown', '…', { role: 'row' });

            now.id = this.id + i;
            now.setAttribute('aria-rowindex', String(i + 2));
            if (el)
                el.replaceWith(now);
            else
                this.insert(i, now);
            this.drawn.set(i, el = now);
        }
        el.classList.toggle('at', i === this.at);
        el.setAttribute('aria-selected', String(!!row && this.isSelected(row)));
        return el;
    }

    /* In their order also for who reads on. */
    private insert(i: number, el: HTMLElement): void {
        let next: [number, HTMLElement] | null = null;

        for (const entry of this.drawn)
            if (entry[0] > i && (!next || entry[0] < next[0]))
                next = entry;
        this.body.insertBefore(el, next ? next[1] : null);
    }

    private isSelected(row: Row): boolean {
        const func = this.page.state.func;

        return row.func !== null && func !== null && matches(row.func, func);
    }

    private rowElement(row: Row): HTMLElement {
        const el = make('div', `row ${row.cls ?? ''}`, row.cells.map(c => this.cellElement(c)),
            { role: 'row', 'aria-label': row.label });
        const name = make('div', 'name', [], { role: 'gridcell' });

        if (row.tree) {
            el.setAttribute('aria-level', String(row.tree.level));
            el.setAttribute('aria-posinset', String(row.tree.position));
            el.setAttribute('aria-setsize', String(row.tree.of));
            if (row.tree.expanded !== null)
                el.setAttribute('aria-expanded', String(row.tree.expanded));
            name.style.setProperty('--level', String(row.tree.level - 1));
            name.append(make('span', 'twisty', '', { 'aria-hidden': 'true' }));
        }
        if (row.mark)
            name.append(make('span', 'mark', row.mark + ' '));
        name.append(make('bdi', '', fit(cut(row.name), Math.max(14, this.room - 1.4 * (row.tree?.level ?? 0) - (row.mark ?? '').length))));
        if (row.place)
            name.append(make('bdi', 'place', row.place));
        el.append(name);
        return el;
    }

    private cellElement(c: Cell): HTMLElement {
        const el = make('div', `number ${c.tone === 'quiet' ? 'quiet' : ''}`, [], { role: 'gridcell' });

        if (c.bar !== undefined && c.bar > 0) {
            const bar = make('span', `bar ${c.tone ?? ''}`, '', { 'aria-hidden': 'true' });
            bar.style.width = `${(100 * c.bar).toFixed(2)}%`;
            el.append(bar);
        }
        el.append(make('span', 'value', c.text));
        if (c.part !== undefined)
            el.append(make('span', 'part', c.part));
        return el;
    }

    /* ---- asking ---- */

    private want(first: number, last: number): void {
        const missing = (i: number): boolean => !this.known.has(i);
        let from = first, to = last;

        while (from < to && !missing(from))
            from++;
        while (from < to && !missing(to - 1))
            to--;
        if (from === to || (this.asked && this.asked[0] <= from && this.asked[1] >= to))
            return;
        from = Math.floor(from / CHUNK) * CHUNK;
        to = Math.min(this.count, Math.ceil(to / CHUNK) * CHUNK);
        this.asked = [from, to];
        void this.ask(from, to);
    }

    private async ask(from: number, to: number): Promise<void> {
        const generation = this.generation;

        try {
            const rows = await this.source.rows(from, to - from);
            if (generation !== this.generation)
                return;
            this.asked = null;
            if (this.known.size > 20 * CHUNK * CHUNK)
                this.known.clear();
            this.put(from, rows);
        } catch (e) {
            if (generation === this.generation)
                this.source.failed?.(e);
        }
    }

    /* ---- what people do ---- */

    /** The selection, or the width, changed. */
    refresh(): void {
        this.draw();
    }

    /** Put the focus on the selected function, where its row is known. */
    follow(): void {
        for (const [i, row] of this.known)
            if (this.isSelected(row)) {
                const now = this.known.get(this.at);
                if (!now || !this.isSelected(now))
                    this.reveal(i);
                return;
            }
    }

    private select(index: number, at_once: boolean): void {
        this.reveal(index);
        const row = this.known.get(this.at);
        if (!row)
            return;
        this.page.say(row.label);
        clearTimeout(this.selecting);
        const set = (): void => {
            if (row.func && !this.isSelected(row))
                this.page.select(row.func);
        };
        if (at_once)
            set();
        else /* not for each row that is passed */
            this.selecting = window.setTimeout(set, 120);
    }

    private indexOf(e: Event): number | null {
        const el = (e.target as HTMLElement).closest<HTMLElement>('.body > .row');

        return el ? Number(el.id.slice(this.id.length)) : null;
    }

    private click(e: MouseEvent): void {
        const index = this.indexOf(e), row = index === null ? undefined : this.known.get(index);

        if (index === null || !row)
            return;
        if (row.tree && row.tree.expanded !== null
            && (e.target as HTMLElement).classList.contains('twisty'))
            this.source.toggle?.(row, index, !row.tree.expanded);
        this.select(index, true);
    }

    private doubleClick(e: MouseEvent): void {
        const index = this.indexOf(e);

        if (index !== null && !(e.target as HTMLElement).classList.contains('twisty'))
            this.open(index);
    }

    private open(index: number): void {
        const row = this.known.get(index);

        if (!row || this.source.open?.(row, index) || !row.func)
            return;
        this.page.go({ view: 'source', func: row.func }, true);
    }

    /** The page shows its menu for the row. */
    private menu(e: MouseEvent): void {
        const index = this.indexOf(e) ?? this.at, row = this.known.get(index);

        if (!row || !row.func)
            return;
        e.preventDefault();
        this.select(index, true);
        const box = this.drawn.get(index)?.getBoundingClientRect();
        const x = e.clientX || (box?.left ?? 0), y = e.clientY || (box?.bottom ?? 0);
        this.root.dispatchEvent(new CustomEvent('assay-menu',
            { bubbles: true, detail: { func: row.func, x, y } }));
    }

    private key(e: KeyboardEvent): void {
        if (e.target !== this.root || e.ctrlKey || e.metaKey || e.altKey)
            return;
        const page = Math.max(1, Math.floor(this.viewHeight() / this.rowHeight()) - 1);
        const to: Record<string, number> = {
            ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page,
            PageUp: this.at - page, Home: 0, End: this.count - 1,
        };
        if (e.key in to && this.count)
            this.select(to[e.key], false);
        else if (e.key === 'Enter')
            this.open(this.at);
        else if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight')
            return;
        else if (!this.tree)
            this.root.scrollLeft += e.key === 'ArrowLeft' ? -80 : 80;
        else
            this.sideways(e.key === 'ArrowRight');
        e.preventDefault();
        e.stopPropagation();
    }

    /* As trees do: open, then into it; close, then out of it. */
    private sideways(right: boolean): void {
        const row = this.known.get(this.at), tree = row?.tree;

        if (!row || !tree)
            return;
        if (tree.expanded === !right) {
            this.source.toggle?.(row, this.at, right);
        } else if (right && tree.expanded) {
            this.select(this.at + 1, false);
        } else if (!right) {
            for (let i = this.at - 1; i >= 0; i--)
                if ((this.known.get(i)?.tree?.level ?? 0) < tree.level) {
                    this.select(i, false);
                    return;
                }
        }
    }
}
