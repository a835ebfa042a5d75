// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert';
import { test } from 'node:test';
import type { ListCall, ListLine } from '../src/protocol';
import { blocks, changeHeat, folded, fromList, heatOf, rowsOf } from '../src/views/code/source_rows';
import type { Choice, Row, Text } from '../src/views/code/source_rows';

function call(name: string, count: number | null, cost: number | string): ListCall {
    return { function: name, file: null, object: null, address: null, count, inclusive: [cost],
        recursive: false };
}

function line(n: number | null, self: number | string, more: Partial<ListLine> = {}): ListLine {
    return { of: 0, depth: 0, function: 'f', file: 'a.c', line: n, self: [self], inclusive: [self],
        text: null, calls: [], ...more };
}

function lines(first: number, last: number, missing: number[] = []): Text {
    return { first, last, get: n => n < first || n > last || missing.includes(n) ? undefined
        : `text ${n}` };
}

function choice(text: Text | null, more: Partial<Choice> = {}): Choice {
    return { text: () => text, open: new Set(), inline: true, flipped: new Set(), ...more };
}

/* "10 =11= [12-40] >f": a line of text, one with a cost, a gap, a call. */
function told(rows: Row[]): string {
    return rows.map(r => r.kind === 'text' ? String(r.at)
        : r.kind === 'line' ? `=${r.line.line}=` : r.kind === 'call' ? `>${r.call.function}`
        : r.kind === 'gap' ? `${r.known ? '[' : '('}${r.from}-${r.to}${r.known ? ']' : ')'}`
        : r.kind === 'inlined' ? `{${r.function}` : `${r.file}:`).join(' ');
}

test('lines around a cost are shown, what is far away is a gap', () => {
    const all = blocks(fromList([line(20, 5), line(60, 1, { calls: [call('g', 2, 9)] })]));

    assert.equal(told(rowsOf(all, choice(lines(1, 99)))),
        'a.c: [1-16] 17 18 19 =20= 21 22 23 [24-56] 57 58 59 =60= >g 61 62 63 [64-99]');
    assert.equal(told(rowsOf(all, choice(lines(18, 24), { open: new Set(['0:24']) }))),
        'a.c: 18 19 =20= 21 22 23 24 (25-56) (57-59) =60= >g');
});

test('a gap that is opened shows each of its lines once', () => {
    const all = blocks(fromList([line(20, 5), line(60, 1)]));
    const rows = rowsOf(all, choice(lines(1, 60), { open: new Set(['0:1', '0:24']) }));

    assert.deepEqual(rows.flatMap(r => r.kind === 'text' ? [r.at] : r.kind === 'line'
        ? [r.line.line] : []), Array.from({ length: 60 }, (_, i) => i + 1));
});

test('a gap of a line or two is none', () => {
    const all = blocks(fromList([line(10, 5), line(18, 1), line(28, 1)]));

    assert.equal(told(rowsOf(all, choice(lines(10, 28)))),
        'a.c: =10= 11 12 13 14 15 16 17 =18= 19 20 21 [22-24] 25 26 27 =28=');
});

test('lines that are not in the page are told and cannot be opened', () => {
    const all = blocks(fromList([line(10, 5), line(12, 1)]));
    const known = lines(10, 12, [11]);

    assert.equal(told(rowsOf(all, choice(known))), 'a.c: =10= (11-11) =12=');
    assert.equal(told(rowsOf(all, choice(known, { open: new Set(['0:11']) }))),
        'a.c: =10= (11-11) =12=');
});

test('without text there are costs only', () => {
    const all = blocks(fromList([line(null, 1), line(10, 5), line(90, 1, { file: 'b.h' })]));

    assert.equal(told(rowsOf(all, choice(null))), 'a.c: =null= =10= b.h: =90=');
});

const inlined = [line(26, 1), line(17, 2, { depth: 1, function: 'hash', calls: [call('g', 1, 3)] }),
    line(11, '9007199254740993', { depth: 2, function: 'mix', calls: [call('g', null, 4)] }),
    line(18, 4, { depth: 1, function: 'hash' }), line(28, 8)];

test('inlined code stands below its line, under the name of its function', () => {
    const all = blocks(fromList(inlined)), rows = rowsOf(all, choice(null));

    assert.equal(told(rows), 'a.c: =26= {hash =17= >g {mix =11= >g =18= =28=');
    assert.deepEqual(rows.flatMap(r => r.kind === 'line' ? [r.depth] : []), [0, 1, 2, 1, 0]);
});

test('folded, a line has the cost and the calls of what was inlined, exactly', () => {
    const all = blocks(fromList(inlined)), rows = rowsOf(all, choice(null, { inline: false }));
    const outer = folded(all[0].lines[0]);

    assert.equal(told(rows), 'a.c: =26= >g =28=');
    assert.deepEqual(outer.self, ['9007199254741000']);
    assert.deepEqual(outer.calls.map(c => [c.function, c.count, c.inclusive]), [['g', null, [7]]]);
    assert.deepEqual(inlined[0].calls, []);
});

test('one line is unfolded where all are folded', () => {
    const all = blocks(fromList(inlined));

    assert.equal(told(rowsOf(all, choice(null, { inline: false, flipped: new Set(['0.0']) }))),
        'a.c: =26= {hash =17= >g =18= =28=');
});

test('heat has eight steps, differences four each way', () => {
    assert.deepEqual([0, 1, 25, 100].map(v => heatOf(v, 100)), [0, 2, 5, 8]);
    assert.equal(heatOf('18014398509481984', 18014398509481984), 8);
    assert.equal(heatOf(-5, 100), 0);
    assert.deepEqual([-100, -1, 0, 1, 100].map(v => changeHeat(v, 100)), [-4, -1, 0, 9, 12]);
    assert.equal(changeHeat(5, 0), 0);
});
