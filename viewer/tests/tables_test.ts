// SPDX-License-Identifier: Apache-2.0
/* Tables, trees and advice: sums that must be right, computed by hand. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { test } from 'node:test';
import type { Info, Top, TopRow } from '../src/protocol';
import type { Page } from '../src/view';
import { advice } from '../src/views/overview_advice';
import { allFigures, lastRows, look, rowsOf, tsv } from '../src/views/table_top';
import { nodes, openHottest, Paths, visible } from '../src/views/tree_rows';

function row(name: string, self: number | string, more: Partial<TopRow> = {}): TopRow {
    return { function: name, file: `/src/${name}.c`, object: '/bin/app', address: null, line: null, self: [self],
        inclusive: [self], calls: null, recursive: false, ...more };
}

function top(rows: TopRow[], more: Partial<Top> = {}): Top {
    return { schema: 'assay.top/1', profile: { format: 'callgrind', files: [], shape: 'calls', estimated: false,
        path_depth: null }, events: [{ name: 'Ir', unit: null, total: 1000 }], by: 'function', rows,
    rest: { rows: 0, self: [0] }, cycles: [], found: rows.length, all: rows.length, found_self: [1000], ...more };
}

const page = { events: [], state: { unit: '', event: '' } } as unknown as Page;

/* 600 of 1000 match, 1000 of 4000 are left by filters: 600 + 400 + 3000 = 4000. */
function columnsAddUp(): void {
    const t = top([row('f', 600)], { events: [{ name: 'Ir', unit: null, total: 1000, whole: 4000 }], all: 3,
        found_self: [600] });
    const last = lastRows(look(t, [{ what: 'self', e: 0 }], page));

    deepStrictEqual(last.map(r => [r.name, r.cells[0].text, r.cells[0].part]), [
        ['[2 rows without a match]', '400', '10.0'], ['[filtered out]', '3,000', '75.0'], ['total', '4,000', '100.0']]);
    deepStrictEqual(lastRows(look(top([row('f', 1000)]), [{ what: 'self', e: 0 }], page)).map(r => r.name), ['total']);
}

/* 2^53 and one more: a double cannot tell them apart. */
function largeSums(): void {
    const t = top([row('f', '9007199254740992')], { events: [{ name: 'Ir', unit: null, total: '9007199254740993' }],
        found_self: ['9007199254740992'], all: 2 });
    const l = look(t, [{ what: 'self', e: 0 }], page);

    strictEqual(lastRows(l)[0].cells[0].text, '1');
    strictEqual(tsv(l, t.rows), 'self Ir\tfunction\tfile\tline\tobject\taddress\n'
        + '9007199254740992\tf\t/src/f.c\t\t/bin/app\t\n1\t[rest]\t\t\t\t\n9007199254740993\t[total]\t\t\t\t\n');
}

function readOut(): void {
    const t = top([row('f', 638, { calls: 12, recursive: true })]), l = look(t, allFigures(t), page);

    strictEqual(rowsOf(l, t.rows)[0].label, 'f, self Ir 63.8 percent, 638, inclusive Ir 63.8 percent, 638, 12 calls, '
        + 'calls itself, directly or round a cycle, f.c');
}

/* Two functions of one name, in files of one name. */
function twins(): void {
    const t = top([row('f', 1, { file: '/a/x.c' }), row('f', 2, { file: '/b/x.c' }), row('g', 3, { file: '/b/x.c' })]);

    deepStrictEqual(rowsOf(look(t, [], page), t.rows).map(r => r.place), ['/a/x.c', '/b/x.c', 'x.c']);
}

/* Rows of lines do not say where their function is. */
function lines(): void {
    const t = top([row('f', 1, { line: 7, file: '/src/inl.h' })], { by: 'line' });
    const [r] = rowsOf(look(t, [], page), t.rows);

    deepStrictEqual([r.func?.file, r.place], [null, 'inl.h:7']);
}

const at = (depth: number, name: string, cost: number, kind = 'function') =>
    ({ depth, function: name, file: null, object: null, address: null, kind, rows: 1, cost });

function trees(): void {
    const rows = [at(0, 'main', 100), at(1, 'a', 80), at(2, 'c', 70), at(2, '', 10, 'rest'), at(1, 'b', 20), at(0, 'x', 1)];
    const paths = new Paths(), roots = nodes(rows, paths);
    const names = (open: Set<number>): string[] => visible(roots, open).map(n => n.row.function);

    deepStrictEqual(roots.map(n => [n.row.function, n.position, n.children.length]), [['main', 1, 2], ['x', 2, 0]]);
    deepStrictEqual(names(new Set()), ['main', 'x']);
    deepStrictEqual(names(openHottest(roots, r => r.cost, 3)), ['main', 'a', 'b', 'x']);
    deepStrictEqual(names(openHottest(roots, r => r.cost, 5)), ['main', 'a', 'c', '', 'b', 'x']);
    /* Asked for again, with less left out: what was open is open. */
    const open = openHottest(roots, r => r.cost, 3);
    const again = nodes([at(0, 'main', 100), at(1, 'z', 90), at(1, 'a', 5), at(2, 'c', 5)], paths);
    deepStrictEqual(visible(again, open).map(n => n.row.function), ['main', 'z', 'a']);
}

const info = { events: [{ name: 'Ir', period: null }], symbols: { self: 1000, self_nameless: 151 } } as unknown as Info;

function rules(): void {
    const ev = { info, self: top([row('f', 301)]), inclusive: top([row('g', 1, { inclusive: [101], recursive: true })]),
        line: top([row('f', 200, { line: 7 })]), allocators: top([], { found_self: [101] }),
        locks: top([], { found_self: [50] }) };
    const words = (more = {}): string[] => advice({ ...ev, ...more }, 'Ir').map(a => a.text.replace(/[:,].*/, ''));

    deepStrictEqual(words(), ['15.1 % of the cost is in code without a name', 'f alone costs 30.1 %.',
        'Getting and giving back memory costs 10.1 % by itself.', 'g is recursive']);
    deepStrictEqual(words({ line: top([row('f', 201, { line: 7 })]) })[1], 'One line');
    deepStrictEqual(words({ locks: top([], { found_self: [51] }) })[3], 'Taking and waiting for locks costs 5.1 % by itself.');
    const none = { info: { ...info, symbols: { self: 1000, self_nameless: 150 } }, self: top([row('f', 300)]),
        inclusive: null, line: null, allocators: null, locks: null } as Parameters<typeof advice>[0];
    deepStrictEqual(advice(none, 'Ir'), []);
    ok(advice({ ...none, info: { ...none.info, events: [{ ...info.events[0], period: 100 }] },
        self: top([], { events: [{ name: 'Ir', unit: null, total: 100 }] }) }, 'Ir')[0].text.includes('some 5 points'));
}

for (const check of [columnsAddUp, largeSums, readOut, twins, lines, trees, rules])
    test(check.name, check);
