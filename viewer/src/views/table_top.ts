// SPDX-License-Identifier: Apache-2.0
/* Columns and rows of the table of one profile: `assay top`. */
import type { EventInfo, Top, TopRow, Value } from '../protocol';
import type { State } from '../state';
import type { Page } from '../view';
import type { Cell, Column, Row } from '../rows';
import { add, approx, baseName, bound, clean, counted, functionId, nameOf, passing, percent, plural, share, subtract,
    text, Unit, unitsOf, where, whole } from '../format';

/** A column of numbers: self or inclusive cost of event E, or calls. */
export interface Figure { what: 'self' | 'inclusive' | 'calls'; e: number }

export const idOf = (f: Figure): string => `${f.what}:${f.e}`;

/** How an answer is shown. */
export interface Look {
    top: Top;
    figures: Figure[];
    units: (Unit | null)[];
    wholes: Value[];
}

export function look(top: Top, figures: Figure[], page: Page): Look {
    return { top, figures, units: unitsOf(top.events, page.events, page.state.unit),
        wholes: top.events.map(whole) };
}

/** All there can be. */
export function allFigures(top: Top): Figure[] {
    const figures: Figure[] = [];

    top.events.forEach((_, e) => {
        figures.push({ what: 'self', e });
        if (top.profile.shape !== 'places')
            figures.push({ what: 'inclusive', e });
    });
    if (top.rows.some(row => row.calls !== null))
        figures.push({ what: 'calls', e: 0 });
    return figures;
}

/** Those of the chosen event, calls, and of other events as many self costs as find room. */
export function usualFigures(top: Top, chosen: number, by: string, room: number,
    width: (f: Figure) => number): Figure[] {
    const all = allFigures(top), first = all.filter(f => f.what === 'calls' || f.e === chosen);
    const sum = (): number => first.reduce((n, f) => n + width(f), 0);

    // A small window shows what it is sorted by, at least.
    while (first.length > 1 && sum() > room)
        first.splice(first[first.length - 1].what === by ? first.length - 2 : first.length - 1, 1);
    let left = room - sum();

    return all.filter(f => {
        if (first.includes(f))
            return true;
        left -= f.what === 'self' ? width(f) : 0;
        return f.what === 'self' && left >= 0;
    });
}

export function figureTitle(f: Figure, events: EventInfo[]): string {
    if (f.what === 'calls')
        return 'calls';
    return `${f.what === 'self' ? 'self' : 'incl'} ${clean(events[f.e].name)}`;
}

/* As it stands above the column: counts of a unit say of which. */
function heading(f: Figure, l: Look): string {
    if (f.what === 'calls')
        return 'calls';
    const event = l.top.events[f.e];
    return `${f.what === 'self' ? 'self' : 'incl'} ${l.units[f.e] ? clean(event.name) : counted(event)}`;
}

/** In the URL: self:Ir, inclusive:Ir, calls. */
export function figureWord(f: Figure, events: EventInfo[]): string {
    return f.what === 'calls' ? f.what : `${f.what}:${events[f.e].name.replace(/[%,]/g, encodeURIComponent)}`;
}

export function columnsWord(figures: Figure[], events: EventInfo[]): string {
    return figures.map(f => figureWord(f, events)).join() || 'none';
}

/** Those that COLUMNS of the state names, as far as there are any. */
export function chosenFigures(top: Top, columns: string): Figure[] {
    const words = columns.split(',');
    return allFigures(top).filter(f => words.includes(figureWord(f, top.events)));
}

export function figureWidth(f: Figure, l: Look): number {
    const title = heading(f, l).length + 7;
    const number = f.what === 'calls' ? 10
        : text(l.wholes[f.e], l.units[f.e]).length + (f.what === 'inclusive' ? 9 : 7);

    return Math.min(40, Math.max(title, number)) + 2;
}

const nameTitles: Record<string, string> = { file: 'file', object: 'object' };

export function columns(l: Look, state: State, chosen: number): Column[] {
    const dir = (is: boolean, up: boolean): Column['sort'] =>
        !is ? 'none' : up !== state.reverse ? 'ascending' : 'descending';
    const order = state.order === 'change' ? 'self' : state.order;
    const cols = l.figures.map((f): Column => ({
        id: idOf(f),
        title: heading(f, l) + (f.what === 'calls' ? '' : ', %'),
        width: figureWidth(f, l),
        sort: dir(f.what === order && (f.what === 'calls' || f.e === chosen), false),
    }));
    cols.push({ id: 'name', title: nameTitles[l.top.by] ?? 'function', width: 0,
        sort: dir(order === 'name', true) });
    return cols;
}

/* ---- rows ---- */

function nameAndPlace(row: TopRow, by: string): [string, string] {
    const path = by === 'file' ? row.file : row.object;

    if (by === 'file' || by === 'object')
        return path ? [clean(baseName(path)), clean(path.slice(0, -baseName(path).length))]
            : ['[unknown]', ''];
    if (by === 'address') {
        const at = `${clean(baseName(row.object ?? ''))}${row.object ? '+' : ''}${row.address ?? ''}`;
        return [nameOf(row), row.file ? `${at} ${where(row, row.line)}` : at];
    }
    return [nameOf(row), where(row, row.line)];
}

/* Rows that would look the same tell their folders as well. */
function tellTwins(rows: TopRow[], made: Row[]): void {
    const seen = new Map<string, number>();

    made.forEach((row, i) => {
        const look = `${row.name}\0${row.place}`, other = seen.get(look);
        const full = (r: TopRow): string => clean(r.file || r.object || '') + (r.line ? `:${r.line}` : '');

        if (other === undefined) {
            seen.set(look, i);
        } else if (full(rows[other]) !== full(rows[i])) {
            made[other].place = full(rows[other]);
            row.place = full(rows[i]);
        }
    });
}

function costCell(l: Look, f: Figure, v: Value | null, mark = ''): Cell {
    if (v === null)
        return { text: '-', part: '', tone: 'quiet' };
    return { text: mark + text(v, l.units[f.e]), part: percent(v, l.wholes[f.e]),
        bar: share(v, l.wholes[f.e]), tone: f.what === 'self' ? 'self' : 'inclusive' };
}

function valueOf(row: TopRow, f: Figure): Value | null {
    if (f.what === 'self')
        return row.self[f.e];
    return f.what === 'inclusive' ? passing(row, f.e) : row.calls;
}

function mark(f: Figure, row: TopRow): string {
    return f.what === 'inclusive' ? bound(row) : '';
}

/* "parse_header, self Ir 63.8 percent, 7.91s, 12 calls" */
function readOut(l: Look, row: TopRow, name: string, place: string): string {
    const words = [name];

    for (const f of l.figures) {
        const v = valueOf(row, f);
        if (v === null)
            continue;
        if (f.what === 'calls')
            words.push(`${text(v)} calls`);
        else
            words.push(`${f.what} ${clean(l.top.events[f.e].name)} ${mark(f, row) && 'at most '}${percent(v, l.wholes[f.e])} percent, `
                + text(v, l.units[f.e]));
    }
    if (row.recursive)
        words.push('calls itself, directly or round a cycle');
    return words.concat(place || []).join(', ');
}

function rowOf(l: Look, row: TopRow): Row {
    const [name, place] = nameAndPlace(row, l.top.by);
    const sums = l.top.by === 'file' || l.top.by === 'object';
    const site = l.top.by === 'line' || l.top.by === 'address';
    const func = functionId(row);

    return {
        /* The file of a line may be that of inlined code, not of its function. */
        func: sums ? null : site && row.function ? { ...func, file: null, address: null } : func,
        name, place,
        key: (l.top.by === 'file' ? row.file : l.top.by === 'object' ? row.object : null) ?? undefined,
        mark: row.recursive ? '↻' : undefined,
        cells: l.figures.map(f => f.what === 'calls'
            ? { text: text(row.calls), tone: row.calls === null ? 'quiet' : undefined }
            : costCell(l, f, valueOf(row, f), mark(f, row))),
        label: readOut(l, row, name, place),
    };
}

export function rowsOf(l: Look, rows: TopRow[]): Row[] {
    const made = rows.map(row => rowOf(l, row));

    tellTwins(rows, made);
    return made;
}

/* ---- what stands below ---- */

function sumRow(l: Look, name: string, self: Value[], cls: string): Row {
    const shown = l.figures.filter(f => f.what === 'self');

    return {
        func: null, name, cls,
        cells: l.figures.map(f => f.what === 'self' ? { ...costCell(l, f, self[f.e]), bar: 0 } : { text: '' }),
        label: [name, ...shown.map(f => `self ${clean(l.top.events[f.e].name)} `
            + `${percent(self[f.e], l.wholes[f.e])} percent, ${text(self[f.e], l.units[f.e])}`)].join(', '),
    };
}

/** More circles than that are not told of. */
const CYCLES = 5;

/** What enters a circle of calls counts once: for all of its members there is one figure. */
function cycleRow(l: Look, c: NonNullable<Top['cycles']>[number]): Row {
    const name = `[cycle ${c.cycle}: ${plural(c.members.length, 'function')}]`;

    return { func: null, name, cls: 'rest', label: name,
        cells: l.figures.map(f => f.what === 'inclusive' ? { ...costCell(l, f, c.inclusive[f.e]), bar: 0 }
            : { text: f.what === 'calls' && c.calls !== null ? text(c.calls) : '' }) };
}

/** Rows that the search hides, what filters took, and the total: every column adds up. */
export function lastRows(l: Look): Row[] {
    const { top } = l, rows: Row[] = [];
    const hidden = top.events.map((e, i) => subtract(e.total, top.found_self[i]));
    const filtered = top.events.map((e, i) => subtract(l.wholes[i], e.total));

    if (top.found < top.all)
        rows.push(sumRow(l, `[${plural(top.all - top.found, 'row')} without a match]`, hidden, 'rest'));
    if (filtered.some(v => approx(v) !== 0))
        rows.push(sumRow(l, '[filtered out]', filtered, 'rest'));
    rows.push(...(top.cycles ?? []).slice(0, CYCLES).map(c => cycleRow(l, c)), sumRow(l, 'total', l.wholes, 'total'));
    return rows;
}

/** "12 of 274 functions match, 34.2 %" */
export function summary(l: Look, chosen: number, search: string): string {
    const { top } = l, all = plural(top.all, top.by);

    if (!search)
        return all;
    return `${text(top.found)} of ${all} match, self `
        + `${percent(top.found_self[chosen], l.wholes[chosen])} % of ${clean(top.events[chosen].name)}`;
}

/** Exact figures, without grouping, for other programs. What is missing to the total is a row. */
export function tsv(l: Look, rows: TopRow[]): string {
    const cell = (s: string): string => s.replace(/[\t\r\n]/g, ' ');
    const head = [...l.figures.map(f => figureTitle(f, l.top.events)), 'function', 'file', 'line',
        'object', 'address'];
    const lines = rows.map(row => [...l.figures.map(f => (f.what === 'inclusive' ? row.inclusive?.[f.e] : valueOf(row, f)) ?? ''), clean(row.function ?? ''),
        clean(row.file ?? ''), row.line ?? '', clean(row.object ?? ''), row.address ?? '']);
    const left = l.wholes.map((v, e) => subtract(v, rows.reduce<Value>((sum, r) => add(sum, r.self[e]), 0)));
    const sums = (self: Value[], name: string): (string | Value)[] =>
        [...l.figures.map(f => f.what === 'self' ? self[f.e] : ''), name, '', '', '', ''];

    if (left.some(v => approx(v) !== 0))
        lines.push(sums(left, '[rest]'));
    lines.push(sums(l.wholes, '[total]'));
    return [head, ...lines].map(line => line.map(v => cell(String(v))).join('\t')).join('\n') + '\n';
}
