// SPDX-License-Identifier: Apache-2.0
/*
 * Rows of code: thousands of equal height, of which only those in sight are in the document. The
 * grid has the focus, its current row is named by aria-activedescendant; beside it a map of what
 * is hot.
 */
import './code.css';
import { onPaper } from '../../paper';
import { el, svg } from './code_dom';

/** Rows that are drawn beyond both edges. */
const beyond = 12;
/** Marks of the map: a row each in a short listing, else the hottest of several. */
const marks = 160;
/** Rows that are printed; a longer listing is said to be longer. */
const printed = 2000;

export interface GridSource<R> {
    label: string;
    /** Titles of the columns; HEADER is the one that names the rows. */
    columns: { title: string; name: string; header?: boolean }[];
    /** Widths as grid-template-columns, and of all that, in characters. */
    template: string;
    cells(row: R, cell: (name: string, text?: string) => HTMLElement): void;
    /** Classes of a row. */
    kind(row: R): string;
    /** 0 (cold) to 8; below 0: -1 to -4 less, above 8: 9 to 12 more than in the base. */
    heat(row: R): number;
    /** Enter, double click. */
    act(row: R, at: number): void;
    focus?(row: R, at: number): void;
}

function heatClass(heat: number): string {
    return heat < 0 ? `l${-heat}` : heat > 8 ? `m${heat - 8}` : `h${heat}`;
}

let grids = 0;

export class CodeGrid<R> {
    readonly root = el('div', 'code-frame');
    readonly overlay = svg('svg', { class: 'code-arrows', 'aria-hidden': 'true' });
    rows: R[] = [];
    current = 0;
    height = 20;
    private readonly id = `code${++grids}`;
    private readonly grid = el('div', 'code-grid', { role: 'grid', tabindex: '0' });
    private readonly head = el('div', 'code-head', { role: 'rowgroup' });
    private readonly body = el('div', 'code-body', { role: 'rowgroup' });
    private readonly map = svg('svg', { class: 'code-map', 'aria-hidden': 'true',
        preserveAspectRatio: 'none' });
    private source: GridSource<R> | null = null;
    private drawn = new Map<number, HTMLElement>();
    private readonly watch = new ResizeObserver(() => this.draw());
    private readonly unprinted = el('p', 'code-unprinted');
    private readonly unlisten = onPaper(() => this.print(true), () => this.print(false));
    private printing = false;

    constructor() {
        this.grid.append(this.head, this.body, this.unprinted);
        this.root.append(this.grid, this.map);
        this.grid.addEventListener('scroll', () => this.draw(), { passive: true });
        this.grid.addEventListener('keydown', e => this.key(e));
        this.body.addEventListener('click', e => this.click(e));
        this.body.addEventListener('dblclick', e => this.click(e, true));
        this.map.addEventListener('pointerdown', e => this.mapPointer(e));
        this.map.addEventListener('pointermove', e => e.buttons && this.mapPointer(e));
        this.watch.observe(this.grid);
    }

    show(source: GridSource<R>, rows: R[]): void {
        this.source = source;
        this.rows = rows;
        this.current = Math.min(this.current, Math.max(0, rows.length - 1));
        this.grid.setAttribute('aria-label', source.label);
        this.grid.setAttribute('aria-rowcount', String(rows.length + 1));
        this.grid.setAttribute('aria-colcount', String(source.columns.length));
        this.root.style.setProperty('--columns', source.template);
        this.drawHead(source);
        this.body.replaceChildren(this.overlay);
        this.drawn.clear();
        this.height = this.head.firstElementChild?.getBoundingClientRect().height || 20;
        this.body.style.height = `${rows.length * this.height}px`;
        this.drawMap(source);
        this.draw();
    }

    private drawHead(source: GridSource<R>): void {
        const row = el('div', 'code-row', { role: 'row', 'aria-rowindex': '1' });

        source.columns.forEach((c, i) => {
            const cell = el('span', `code-cell ${c.name}`, { role: 'columnheader',
                'aria-colindex': String(i + 1) });
            cell.textContent = c.title;
            row.append(cell);
        });
        this.head.replaceChildren(row);
    }

    /* ---- rows in sight ---- */

    private draw(): void {
        const top = this.grid.scrollTop, seen = this.grid.clientHeight;
        const from = this.printing ? 0 : Math.max(0, Math.floor(top / this.height) - beyond);
        const to = Math.min(this.rows.length, this.printing ? printed
            : Math.ceil((top + seen) / this.height) + beyond);

        for (const [at, row] of this.drawn)
            if (at < from || at >= to) {
                row.remove();
                this.drawn.delete(at);
            }
        for (let at = from; at < to; at++)
            if (!this.drawn.has(at))
                this.drawRow(at);
        this.drawCurrent();
    }

    /* On paper nothing scrolls. */
    private print(begins: boolean): void {
        const left = this.rows.length - printed;

        if (!this.grid.clientWidth)
            return;
        this.printing = begins;
        this.unprinted.textContent = begins && left > 0 ? `${left} more rows not printed` : '';
        for (const row of this.drawn.values())
            row.remove();
        this.drawn.clear();
        this.draw();
    }

    private drawRow(at: number): void {
        const source = this.source, data = this.rows[at];
        if (!source)
            return;
        const row = el('div', `code-row ${source.kind(data)}`, { role: 'row',
            id: `${this.id}-${at}`, 'aria-rowindex': String(at + 2) });
        const heat = source.heat(data);

        row.dataset['at'] = String(at);
        row.style.top = `${at * this.height}px`;
        if (heat)
            row.classList.add('hot', heatClass(heat));
        source.cells(data, (name, text) => {
            const column = source.columns.findIndex(c => c.name === name);
            const header = source.columns[column]?.header && text;
            const cell = el('span', `code-cell ${name}`, {
                role: header ? 'rowheader' : 'gridcell', 'aria-colindex': String(column + 1) });
            if (text !== undefined)
                cell.textContent = text;
            row.append(cell);
            return cell;
        });
        this.drawn.set(at, row);
        this.body.append(row);
    }

    private drawCurrent(): void {
        for (const [at, row] of this.drawn)
            row.classList.toggle('current', at === this.current);
        if (this.drawn.has(this.current))
            this.grid.setAttribute('aria-activedescendant', `${this.id}-${this.current}`);
        else
            this.grid.removeAttribute('aria-activedescendant');
    }

    /** Where column NAME begins, in pixels of the rows. */
    columnLeft(name: string): number {
        const cell = this.head.querySelector<HTMLElement>(`.${name}`);

        return (cell?.getBoundingClientRect().left ?? 0) - this.head.getBoundingClientRect().left;
    }

    /* ---- the map ---- */

    private drawMap(source: GridSource<R>): void {
        const n = this.rows.length, steps = Math.min(n, marks), hottest: number[] = [];

        for (let at = 0; at < n; at++) {
            const step = Math.floor(at * steps / n), heat = source.heat(this.rows[at]);
            if (Math.abs(heat) > Math.abs(hottest[step] ?? 0))
                hottest[step] = heat;
        }
        this.map.setAttribute('viewBox', `0 0 1 ${steps || 1}`);
        this.map.replaceChildren(...hottest.flatMap((heat, step) => heat ? [svg('rect', {
            x: '0', width: '1', y: String(step), height: '1', class: heatClass(heat) })] : []));
    }

    private mapPointer(e: PointerEvent): void {
        const box = this.map.getBoundingClientRect();
        const at = Math.floor((e.clientY - box.top) / box.height * this.rows.length);

        this.go(Math.max(0, Math.min(this.rows.length - 1, at)), true);
    }

    /* ---- moving ---- */

    focus(): void {
        this.grid.focus({ preventScroll: true });
    }

    /** Row AT is the current one, in sight; MIDDLE of the view if it was not. */
    go(at: number, middle = false): void {
        if (at < 0 || at >= this.rows.length)
            return;
        const head = this.head.offsetHeight, top = at * this.height;
        const seen = this.grid.clientHeight - head, now = this.grid.scrollTop;

        this.current = at;
        if (top < now || top + this.height > now + seen)
            this.grid.scrollTop = middle ? top - seen / 2 + this.height
                : top < now ? top : top + this.height - seen;
        this.draw();
        this.source?.focus?.(this.rows[at], at);
    }

    /** The next row at which TEST is true, from the current one, round the end. */
    find(test: (row: R) => boolean, step: 1 | -1): boolean {
        const n = this.rows.length;

        for (let i = 1; i <= n; i++) {
            const at = (this.current + step * i % n + n) % n;
            if (test(this.rows[at])) {
                this.go(at, true);
                return true;
            }
        }
        return false;
    }

    private key(e: KeyboardEvent): void {
        const page = Math.max(1, Math.floor(this.grid.clientHeight / this.height) - 2);
        const step: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page,
            PageUp: -page, Home: -this.rows.length, End: this.rows.length };

        if (e.ctrlKey || e.altKey || e.metaKey || !this.rows.length)
            return;
        if (e.key in step)
            this.go(Math.max(0, Math.min(this.rows.length - 1, this.current + step[e.key])));
        else if (e.key === 'Enter' && this.source)
            this.source.act(this.rows[this.current], this.current);
        else
            return;
        e.preventDefault();
        e.stopPropagation();
    }

    private click(e: MouseEvent, twice = false): void {
        const target = e.target as Element, row = target.closest<HTMLElement>('.code-row');
        const at = Number(row?.dataset['at'] ?? -1);

        if (at < 0 || !this.source)
            return;
        if (!twice)
            this.go(at);
        if (twice === Boolean(target.closest('button')))
            return;
        this.source.act(this.rows[at], at);
    }

    dispose(): void {
        this.watch.disconnect();
        this.unlisten();
        this.root.remove();
    }
}
