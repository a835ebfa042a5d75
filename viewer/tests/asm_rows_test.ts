// SPDX-License-Identifier: Apache-2.0
import { deepStrictEqual, strictEqual } from 'node:assert';
import { test } from 'node:test';
import type { AsmRow, Instruction } from '../src/protocol';
import { arrange, drawn, gutter, mostLanes } from '../src/views/code/asm_arrows';
import { arrows, byLine, byOrder, jumpRow, merge, syntaxOf } from '../src/views/code/asm_rows';
import type { Row } from '../src/views/code/asm_rows';

function row(address: string, self: number, more: Partial<AsmRow> = {}): AsmRow {
    return { of: 0, address, size: null, text: null, function: 'f', file: 'a.c', line: 1,
        self: [self], inclusive: [self], target: null, target_function: null, calls: [], jumps: [],
        ...more };
}

function insn(address: string, size: number, text: string, more: Partial<Instruction> = {}):
    Instruction {
    return { address, size, text, file: 'a.c', line: 1, target: null, ...more };
}

function call(recursive: boolean): AsmRow['calls'] {
    return [{ function: 'g', file: null, object: null, address: null, count: null,
        inclusive: [1], recursive }];
}

/* "10:nop=3": address, text, cost. */
function told(rows: AsmRow[], text?: Instruction[], paths = false): string {
    const merged = merge(rows, text, paths);

    return merged.insns.map(i => `${i.address?.toString(16)}:${i.text ?? ''}=${i.self ?? ''}`)
        .join(' ') + (merged.astray ? ` !${merged.astray}` : '');
}

const text = [insn('0x10', 2, 'push', { begins: 'f' }), insn('0x12', 1, 'nop'),
    insn('0x13', 2, 'ret'), insn('0x15', 2, 'mov', { begins: 'g' }), insn('0x17', 1, 'ret'),
    insn('0x40', 4, 'add'), insn('0x44', 1, 'ret')];

test('a function has its instructions without costs, and no others', () => {
    strictEqual(told([row('0x12', 3)], text), '10:push= 12:nop=3 13:ret=');
    strictEqual(told([row('0x12', 3), row('0x40', 1)], text),
        '10:push= 12:nop=3 13:ret= 40:add=1 44:ret=');
});

test('where the text does not say where functions begin, no more than costs reach', () => {
    const bare = text.map(i => ({ ...i, begins: undefined }));

    strictEqual(told([row('0x12', 3), row('0x15', 4)], bare), '12:nop=3 13:ret= 15:mov=4');
});

test('without text there are the costs', () => {
    strictEqual(told([row('0x20', 4), row('0x12', 3)]), '12:=3 20:=4');
    strictEqual(told([row('0x12', 3)], []), '12:=3');
});

test('costs that are not where an instruction begins are told, and kept', () => {
    strictEqual(told([row('0x12', 3), row('0x14', 5)], text),
        '10:push= 12:nop=3 13:ret= 14:=5 !1');
});

test('paths know callers by the last byte of the call', () => {
    const rows = [row('0x13', 3), row('0x14', 5, { calls: call(false), inclusive: [50] })];

    strictEqual(told(rows, text, true), '10:push= 12:nop= 13:ret=8');
    deepStrictEqual(merge(rows, text, true).insns[2].inclusive, [53]);
});

test('what passes a recursive call twice is not added up', () => {
    const rows = [row('0x13', 3), row('0x14', 5, { calls: call(true), inclusive: [50] })];
    const joined = merge(rows, text, true).insns[2];

    deepStrictEqual([joined.self, joined.inclusive], [[8], null]);
});

test('addresses and costs beyond 2^53 keep their digits', () => {
    const merged = merge([row('0xffffffffa1234567', 0, { self: ['9007199254740993'] })],
        [insn('0xffffffffa1234567', 1, 'nop')], false);

    strictEqual(merged.insns[0].address?.toString(16), 'ffffffffa1234567');
    deepStrictEqual([merged.insns[0].self, merged.insns[0].text], [['9007199254740993'], 'nop']);
});

test('by source line: the own file first, sums of the instructions', () => {
    const { insns } = merge([row('0x10', 1, { line: 7 }), row('0x12', 2, { file: 'a.h', line: 3 }),
        row('0x13', 4, { line: 7 }), row('0x14', 8, { line: 2 })], undefined, false);

    deepStrictEqual(byLine(insns, 'a.c').map(r => r.kind === 'group'
        ? `${r.file}:${r.line}=${r.self}` : r.kind === 'insn' ? r.insn.address?.toString(16) : ''),
    ['a.c:2=8', '14', 'a.c:7=5', '10', '13', 'a.h:3=2', '12']);
});

/* ---- arrows ---- */

function jump(address: string, counted: boolean): AsmRow['jumps'] {
    return counted ? [{ conditional: true, executed: 2, followed: 1, address, function: null,
        file: null, line: null }] : [];
}

function rowsOf(rows: AsmRow[], insns?: Instruction[]): Row[] {
    return byOrder(merge(rows, insns, false).insns);
}

test('arrows are the jumps that were counted, else those of the text without calls', () => {
    const loop = [insn('0x10', 2, 'nop'), insn('0x12', 2, 'callq 0x10', { target: '0x10' }),
        insn('0x14', 2, 'jne 0x10', { target: '0x10' }),
        insn('0x16', 2, 'b.eq', { target: '0x99' })];
    const costs = [row('0x10', 1), row('0x14', 1), row('0x16', 1)];

    deepStrictEqual(arrows(rowsOf(costs, loop)), [{ from: 2, to: 0 }]);
    deepStrictEqual(arrows(rowsOf([...costs, row('0x12', 1, { jumps: jump('0x16', true) })],
        loop)), [{ from: 1, to: 3 }]);
    const rows = rowsOf(costs, loop);
    deepStrictEqual(rows.map(r => r.kind === 'insn' ? jumpRow(rows, r.insn) : null),
        [-1, -1, 0, -1]);
});

test('arrows to one instruction share a lane, short ones are inside', () => {
    const { lanes, width, leftOut } = arrange([{ from: 9, to: 0 }, { from: 3, to: 2 },
        { from: 7, to: 0 }, { from: 5, to: 6 }]);

    deepStrictEqual(lanes.map(l => [l.from, l.to, l.low, l.high, l.lane]),
        [[[3], 2, 2, 3, 0], [[5], 6, 5, 6, 0], [[7, 9], 0, 0, 9, 1]]);
    deepStrictEqual([width, leftOut], [2, 0]);
});

test('lanes that touch are not shared, and what finds no room is counted', () => {
    const all = Array.from({ length: mostLanes + 5 }, (_, i) => ({ from: 100 + i, to: i }));
    const { lanes, width, leftOut } = arrange(all);

    const touching = arrange([{ from: 0, to: 2 }, { from: 2, to: 4 }]);

    deepStrictEqual(touching.lanes.map(l => l.lane), [0, 1]);
    deepStrictEqual([width, leftOut], [mostLanes, 5]);
    strictEqual(new Set(lanes.flatMap(l => l.lane ?? [])).size, mostLanes);
});

test('an arrow begins and ends in the middle of its rows', () => {
    const { lanes, width } = arrange([{ from: 3, to: 1 }]), path = drawn(lanes[0], width, 20);

    strictEqual(/^M\d+ 30H.*M\d+ 70H/.test(path.line), true);
    strictEqual(path.head, `M${gutter(1) - 2} 30l-5 -3v6z`);
    strictEqual(gutter(0), 0);
});

test('the syntax is told where registers show it', () => {
    const of = (s: string): string | null =>
        syntaxOf(merge([row('0x10', 1)], [insn('0x10', 1, s)], false).insns);

    deepStrictEqual(['movl %esi, %r12d', 'movl $1, %eax', 'mov eax, dword ptr [rbp - 4]', 'nop',
        'ldq a0, 8(sp)'].map(of), ['AT&T', 'AT&T', 'Intel', null, null]);
});
