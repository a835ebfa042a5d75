// SPDX-License-Identifier: Apache-2.0
/* Rows of a source listing as cells of the grid, and as text. */
import { approx, baseName, clean, cut, inFull, nameOf, text as cost } from '../../format';
import type { CostColumn, Costed } from './code_columns';
import { track } from './code_columns';
import { el, text } from './code_dom';
import type { GridSource } from './code_grid';
import { callee, changeHeat, heatOf, isHot } from './source_rows';
import type { Row } from './source_rows';

interface Drawn {
    columns: CostColumn[];
    /** The event that is chosen, and the largest cost of a line. */
    event: number;
    most: number;
    template: string;
}

function costs(row: Row): Costed | null {
    if (row.kind === 'line')
        return row.line;
    return row.kind === 'call'
        ? { self: null, inclusive: row.call.inclusive, inner: row.call.recursive } : null;
}

export function selfOf(row: Row, event: number): number {
    if (row.kind !== 'line')
        return 0;
    return row.line.change ? approx(row.line.change.self?.[event]?.difference ?? 0)
        : approx(row.line.self[event] ?? 0);
}

/** Of a name in a row: what is longer can be had beside the pointer, and copied. */
const longestName = 100;

function textOf(row: Row, name = (s: string): string => s): string {
    switch (row.kind) {
    case 'line': return row.text ?? (row.line.line ? '' : '(no line)');
    case 'text': return row.text;
    case 'file': return row.file === null ? '(file not known)' : clean(row.file);
    case 'inlined': return `inlined ${name(clean(row.function ?? '?'))}`
        + (row.file ? ` · ${clean(baseName(row.file))}` : '');
    case 'call': return '→ ' + name(nameOf(callee(row.call))) + callWords(row);
    default: return row.known ? `… ${lines(row.to - row.from + 1)}`
        : `… ${lines(row.to - row.from + 1)} that are not in this page`;
    }
}

/** As it is drawn. */
function shownText(row: Row): string {
    return textOf(row, name => cut(name, longestName));
}

function lines(n: number): string {
    return n === 1 ? '1 line' : `${cost(n)} lines`;
}

function callWords(row: Row & { kind: 'call' }): string {
    return (row.call.count === null ? '' : `  ${cost(row.call.count)} ×`)
        + (row.call.recursive ? '  recursive' : '');
}

function indentOf(row: Row): number {
    return ('depth' in row ? 2 * row.depth : 0) + (row.kind === 'call' ? row.indent : 0);
}

function lineNumber(row: Row): string {
    return row.kind === 'line' ? String(row.line.line ?? '')
        : row.kind === 'text' ? String(row.at) : '';
}

export function drawSource(rows: Row[], columns: CostColumn[], event: number): Drawn {
    const costed = rows.flatMap(r => costs(r) ?? []);
    const digits = rows.reduce((n, r) => Math.max(n, lineNumber(r).length), 4);
    const longest = rows.reduce((n, r) => Math.max(n, shownText(r).length + indentOf(r)), 40);
    const most = rows.reduce((m, r) => Math.max(m, Math.abs(selfOf(r, event))), 0);
    const widths = columns.map(c => track(c, costed));

    return { columns, event, most,
        template: `${widths.join(' ')} ${digits + 3}ch minmax(calc(var(--long) * ${longest + 10}ch), 1fr)` };
}

type Cell = (name: string, text?: string) => HTMLElement;

function drawText(row: Row, cell: Cell, asm: boolean): void {
    const code = cell('text');

    code.style.paddingInlineStart = `${3 + indentOf(row)}ch`;
    if (row.kind === 'call') {
        const name = nameOf(callee(row.call));
        const link = text('button', `→ ${cut(name, longestName)}`, 'code-link');

        link.tabIndex = -1;
        link.title = inFull(name);
        code.append(link, text('span', callWords(row), 'quiet'));
    } else if (row.kind === 'gap' && row.known || row.kind === 'file' && !row.has && row.file) {
        const open = text('button', row.kind === 'gap' ? textOf(row) : 'Add this file …',
            'code-link');

        open.tabIndex = -1;
        if (row.kind === 'file')
            code.append(text('span', textOf(row)), '  ');
        code.append(open);
    } else if (row.kind === 'line' && (row.inner || asm)) {
        drawLine(row, code, asm);
    } else {
        code.textContent = shownText(row);
        if (row.kind === 'inlined')
            code.title = inFull(clean(row.function ?? ''));
    }
}

function drawLine(row: Row & { kind: 'line' }, code: HTMLElement, asm: boolean): void {
    const act = el('button', row.inner ? 'code-fold' : 'code-asm', { type: 'button' });

    act.tabIndex = -1;
    act.textContent = row.inner ? (row.open ? '▾' : '▸') : 'asm';
    act.setAttribute('aria-label', !row.inner ? `asm of line ${row.line.line}`
        : row.open ? 'Fold inlined code' : 'Show inlined code');
    if (row.inner)
        code.append(act);
    code.append(row.text === null && row.line.line ? text('span', 'not in this page', 'quiet') : text('span', textOf(row)));
    if (asm && !row.inner)
        code.append(act);
}

export function source(drawn: Drawn, label: string, act: (row: Row, at: number) => void):
    GridSource<Row> {
    const heat = (row: Row): number => row.kind === 'line' && row.line.change
        ? changeHeat(selfOf(row, drawn.event), drawn.most)
        : heatOf(selfOf(row, drawn.event), drawn.most);

    return {
        label,
        act,
        template: drawn.template,
        columns: [...drawn.columns, { name: 'line', title: 'line', header: true },
            { name: 'text', title: 'source' }],
        kind: row => row.kind,
        heat,
        cells: (row, cell) => {
            const of = costs(row);

            if (row.kind !== 'file' && row.kind !== 'gap' && row.kind !== 'inlined')
                for (const c of drawn.columns)
                    cell(c.name, of ? c.get(of) : '');
            cell('line', lineNumber(row));
            drawText(row, cell, isHot(Math.abs(selfOf(row, drawn.event)), drawn.most));
        },
    };
}

/** As a table, with tabs. */
export function copyRows(rows: Row[], columns: CostColumn[]): string {
    const head = [...columns.map(c => c.title), 'line', 'source'].join('\t');

    return [head, ...rows.map(row => {
        const of = costs(row), indent = ' '.repeat(indentOf(row));

        return [...columns.map(c => of ? c.get(of) : ''), lineNumber(row),
            indent + textOf(row)].join('\t');
    })].join('\n') + '\n';
}

