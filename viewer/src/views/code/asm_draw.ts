// SPDX-License-Identifier: Apache-2.0
/* Instructions as rows of the grid, arrows over them, and both as text. */
import { clean, compare, cut, inFull, nameOf, text as cost, where } from '../../format';
import type { Code, Instruction } from '../../protocol';
import { drawn, gutter } from './asm_arrows';
import type { Arranged } from './asm_arrows';
import { jumpRow } from './asm_rows';
import type { Insn, Row } from './asm_rows';
import type { CostColumn, Costed } from './code_columns';
import { track } from './code_columns';
import { svg, text } from './code_dom';
import type { CodeGrid, GridSource } from './code_grid';
import { callee, heatOf } from './source_rows';
import { textOf } from './source_text';

interface Drawn {
    rows: Row[];
    columns: CostColumn[];
    event: number;
    most: number;
    /** Lanes of arrows. */
    width: number;
    code: Code | null;
    /** Name of the function; what has another one was inlined. */
    own: string | null;
    /** Which event counts instructions; -1: none. */
    ir: number;
    /** What is known to begin at an address. */
    names: Map<string, string>;
}

export function targetNames(text: Instruction[]): Map<string, string> {
    return new Map(text.flatMap(i => i.begins === undefined ? [] : [[i.address, i.begins]]));
}

function costs(row: Row): Costed {
    return row.kind === 'insn' ? row.insn : row.kind === 'call'
        ? { self: null, inclusive: row.call.inclusive, inner: row.call.recursive }
        : { self: row.self, inclusive: null };
}

function addressOf(row: Row): string {
    return row.kind === 'insn' && row.insn.address !== null
        ? `0x${row.insn.address.toString(16)}` : '';
}

/* ---- words ---- */

/** Of a name in a row. */
const longestName = 60;
const brief = (name: string): string => cut(name, longestName);

/* Callgrind leaves out calls of the function in which a conditional jump was never followed. */
function executed(insn: Insn, jump: Insn['jumps'][number], ir: number): string {
    const count = ir < 0 ? undefined : insn.self?.[ir];

    return cost(count !== undefined && compare(count, jump.executed) > 0 ? count : jump.executed);
}

function jumpWords(insn: Insn, ir: number): string {
    return insn.jumps.map(j => (j.conditional
        ? `${cost(j.followed)} of ${executed(insn, j, ir)} taken` : `${cost(j.followed)} ×`)
        + (j.function ? ` in ${brief(clean(j.function))}` : '')).join(', ');
}

function insnText(insn: Insn, names: Map<string, string>): string {
    const target = insn.target === null ? undefined : names.get(`0x${insn.target.toString(16)}`);

    return clean(insn.text ?? '') + (target && !insn.text?.includes('<') ? ` <${brief(clean(target))}>` : '');
}

function textOfRow(row: Row, names: Map<string, string>, name = brief): string {
    return row.kind === 'insn' ? insnText(row.insn, names)
        : row.kind === 'call' ? `→ ${name(nameOf(callee(row.call)))}${callWords(row)}`
        : row.line === null && row.file === null ? '(line not known)' : where(
            { file: row.file, object: null }, row.line);
}

function callWords(row: Row & { kind: 'call' }): string {
    return (row.call.count === null ? '' : `  ${cost(row.call.count)} ×`)
        + (row.call.recursive ? '  recursive' : '');
}

function fromText(row: Row, d: Drawn): string {
    if (row.kind === 'call' || row.kind === 'insn' && !row.fresh)
        return '';
    const { file, line } = row.kind === 'insn' ? row.insn : row;
    const name = row.kind === 'insn' && row.insn.function && row.insn.function !== d.own
        ? `${brief(clean(row.insn.function))} ` : '';
    const source = line ? textOf(d.code, file)?.get(line)?.trim() : undefined;
    const at = row.kind === 'insn' && (file || line) ? where({ file, object: null }, line) : '';

    return [name + at, source].filter(s => s).join('  ');
}

/* ---- cells ---- */

function drawInsn(row: Row, cell: HTMLElement, d: Drawn): void {
    if (row.kind === 'call') {
        const name = nameOf(callee(row.call)), link = text('button', `→ ${brief(name)}`, 'code-link');

        link.tabIndex = -1;
        link.title = inFull(name);
        cell.append(link, text('span', callWords(row), 'quiet'));
        return;
    }
    cell.append(textOfRow(row, d.names));
    if (row.kind === 'group')
        cell.append(text('span', `  ${cost(row.n)} ${row.n === 1 ? 'instruction' : 'instructions'}`,
            'quiet'));
    if (row.kind !== 'insn' || !row.insn.jumps.length)
        return;
    const to = jumpRow(d.rows, row.insn), words = `  ${jumpWords(row.insn, d.ir)}`;
    if (to < 0) {
        cell.append(text('span', words, 'quiet'));
        return;
    }
    const link = text('button', `${to > d.rows.indexOf(row) ? '↓' : '↑'}${words.slice(1)}`,
        'code-link quiet');
    link.tabIndex = -1;
    cell.append('  ', link);
}

export function asmGrid(d: Drawn, label: string, does: Pick<GridSource<Row>, 'act'> & {
    focus: (row: Row, at: number) => void }): GridSource<Row> {
    const heat = (row: Row): number => row.kind === 'insn'
        ? heatOf(row.insn.self?.[d.event], d.most) : 0;
    const longest = d.rows.reduce((n, r) => Math.max(n, textOfRow(r, d.names).length
        + (r.kind === 'insn' ? jumpWords(r.insn, d.ir).length + 4 : 0)), 20);
    const from = d.rows.reduce((n, r) => Math.max(n, fromText(r, d).length), 10);
    const digits = d.rows.reduce((n, r) => Math.max(n, addressOf(r).length), 7);
    const widths = d.columns.map(c => track(c, d.rows.map(costs)));

    return {
        label, ...does, heat,
        template: `${widths.join(' ')} ${gutter(d.width)}px ${digits + 2}ch `
            + `${Math.min(longest, 70) + 3}ch minmax(calc(var(--long) * ${from + 2}ch), 1fr)`,
        columns: [...d.columns, { name: 'arrows', title: 'jumps' },
            { name: 'address', title: 'address', header: true },
            { name: 'insn', title: 'instruction' }, { name: 'from', title: 'source' }],
        kind: row => row.kind === 'insn' && row.insn.self === null ? 'insn cold' : row.kind,
        cells: (row, cell) => {
            for (const c of d.columns)
                cell(c.name, c.get(costs(row)));
            cell('arrows', '');
            cell('address', addressOf(row));
            drawInsn(row, cell('insn'), d);
            cell('from', fromText(row, d));
        },
    };
}

/** Arrows over the rows of GRID; those of the row CURRENT stand out. */
export function drawArrows(grid: CodeGrid<Row>, arranged: Arranged, current: number): void {
    const shown = arranged.lanes.filter(l => l.lane !== null);
    const isOn = (at: typeof shown[number]): boolean => at.to === current
        || at.from.includes(current);

    grid.overlay.style.left = `${grid.columnLeft('arrows')}px`;
    grid.overlay.replaceChildren(...shown.sort((a, b) => Number(isOn(a)) - Number(isOn(b)))
        .flatMap(lane => {
            const path = drawn(lane, arranged.width, grid.height), on = isOn(lane) ? ' on' : '';

            return [svg('path', { class: `line${on}`, d: path.line }),
                svg('path', { class: `head${on}`, d: path.head })];
        }));
}

/** As a table, with tabs. */
export function copyRows(rows: Row[], columns: CostColumn[]): string {
    const head = [...columns.map(c => c.title), 'address', 'instruction', 'file', 'line'];

    return [head, ...rows.map(row => [...columns.map(c => c.get(costs(row))), addressOf(row),
        textOfRow(row, new Map(), s => s), row.kind === 'insn' ? clean(row.insn.file ?? '') : '',
        row.kind === 'insn' ? String(row.insn.line ?? '') : ''])]
        .map(cells => cells.join('\t')).join('\n') + '\n';
}
