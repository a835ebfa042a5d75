// SPDX-License-Identifier: Apache-2.0
/*
 * Instructions of a function: addresses with costs, as the engine tells them, and text of the page
 * side by side. Nothing here knows the document.
 */
import { add } from '../../format';
import type { AsmRow, Instruction, ListCall, Value } from '../../protocol';
import type { Arrow } from './asm_arrows';

export interface Insn {
    address: bigint | null;
    size: number | null;
    text: string | null;
    function: string | null;
    file: string | null;
    line: number | null;
    self: Value[] | null;
    inclusive: Value[] | null;
    target: bigint | null;
    calls: ListCall[];
    jumps: AsmRow['jumps'];
}
export interface Merged {
    insns: Insn[];
    /** Addresses with costs at which no instruction of the text begins. */
    astray: number;
    hasText: boolean;
}

export type Row =
    | { kind: 'insn'; insn: Insn; fresh: boolean }
    | { kind: 'call'; call: ListCall }
    | { kind: 'group'; file: string | null; line: number | null; self: Value[] | null; n: number };

function number(address: string | null): bigint | null {
    return address !== null && /^(0x[0-9a-f]+|[0-9]+)$/i.test(address) ? BigInt(address) : null;
}

function fromAnswer(row: AsmRow): Insn {
    return { ...row, address: number(row.address), target: number(row.target) };
}

/* ---- the function's part of the text ---- */

/** Text cut where functions begin, and where there is a gap. */
function stretches(text: Instruction[]): Insn[][] {
    const all: Insn[][] = [];
    let end: bigint | null = null;

    for (const i of text) {
        const address = number(i.address);
        if (address === null)
            continue;
        if (end !== address || i.begins !== undefined)
            all.push([]);
        all[all.length - 1].push({ address, size: i.size, text: i.text, function: null,
            file: i.file, line: i.line, self: null, inclusive: null, target: number(i.target),
            calls: [], jumps: [] });
        end = address + BigInt(i.size);
    }
    return all;
}

function holds(insn: Insn, address: bigint): boolean {
    return insn.address !== null && address >= insn.address
        && address < insn.address + BigInt(insn.size ?? 1);
}

/* Those with costs, whole where the text says where functions begin. */
function ownText(text: Instruction[], costs: bigint[]): Insn[] {
    const marked = text.some(i => i.begins !== undefined);
    const low = costs.reduce((a, b) => a < b ? a : b, costs[0]);
    const high = costs.reduce((a, b) => a > b ? a : b, costs[0]);

    return stretches(text).filter(s => costs.some(c => {
        const last = s[s.length - 1];

        return c >= (s[0].address ?? 0n) && (c < (last.address ?? 0n) || holds(last, c));
    })).flat().filter(i => marked || (i.address !== null && i.address <= high
        && i.address + BigInt(i.size ?? 1) > low));
}

/* Callers on paths are known by the last byte of the call. What a path that passes twice costs is
 * not known then: inclusive costs of the two must not be added. */
function join(to: Insn, row: Insn): void {
    const recursive = row.calls.some(c => c.recursive);

    to.inclusive = !to.self || !to.inclusive ? row.inclusive
        : recursive || !row.inclusive ? null : sum(to.inclusive, row.inclusive);
    to.self = to.self && row.self ? sum(to.self, row.self) : to.self ?? row.self;
    to.function ??= row.function;
    to.calls = [...to.calls, ...row.calls];
    to.jumps = [...to.jumps, ...row.jumps];
}

function sum(a: Value[], b: Value[]): Value[] {
    return a.map((v, i) => add(v, b[i]));
}

function byAddress(a: Insn, b: Insn): number {
    const x = a.address ?? -1n, y = b.address ?? -1n;

    return x < y ? -1 : x > y ? 1 : 0;
}

export function merge(rows: AsmRow[], text: Instruction[] | undefined, paths: boolean): Merged {
    const costs = rows.map(fromAnswer), own = costs.flatMap(c => c.address ?? []);
    const insns = text && own.length ? ownText(text, own) : [];
    const at = new Map(insns.map(i => [i.address, i]));
    const last = new Map(insns.flatMap(i => paths && i.address !== null && i.size
        ? [[i.address + BigInt(i.size - 1), i] as const] : []));
    const hasText = insns.length > 0;
    let astray = 0;

    for (const row of costs) {
        const insn = at.get(row.address) ?? (row.address === null ? undefined
            : last.get(row.address));

        if (insn) {
            join(insn, row);
            continue;
        }
        astray += hasText ? 1 : 0;
        insns.push(row);
        at.set(row.address, row);
    }
    return { insns: insns.sort(byAddress), astray, hasText };
}

/* ---- rows ---- */

/** By address; FRESH are instructions of another line than those before. */
export function byOrder(insns: Insn[]): Row[] {
    let before = '';

    return insns.flatMap(insn => {
        const place = `${insn.line}:${insn.file}`, fresh = place !== before;

        before = place;
        return [{ kind: 'insn', insn, fresh } as const,
            ...insn.calls.map(call => ({ kind: 'call', call } as const))];
    });
}

/** Line by line of the source, FIRST, the function's own file, before others. */
export function byLine(insns: Insn[], first: string | null): Row[] {
    const groups = new Map<string, Insn[]>();

    for (const insn of insns) {
        const id = `${insn.line}:${insn.file}`;
        groups.set(id, [...groups.get(id) ?? [], insn]);
    }
    const order = [...groups.values()].sort(([a], [b]) =>
        Number(b.file === first) - Number(a.file === first)
        || (a.file ?? '').localeCompare(b.file ?? '') || (a.line ?? 0) - (b.line ?? 0));
    return order.flatMap(group => [{ kind: 'group', file: group[0].file, line: group[0].line,
        n: group.length, self: group.reduce<Value[] | null>((s, i) =>
            s && i.self ? sum(s, i.self) : s ?? i.self, null) } as const,
    ...byOrder(group).map(r => ({ ...r, fresh: false } as Row))]);
}

/* ---- jumps ---- */

const callWords = /^(call|bl[ar]?\b|jal|jsr|bsr|bras|basr)/i;

/** From row to row: as the profile counted them, else as the text has them. */
export function arrows(rows: Row[]): Arrow[] {
    const at = new Map<bigint | null, number>(), all: Arrow[] = [];
    const counted = rows.some(r => r.kind === 'insn' && r.insn.jumps.length);

    rows.forEach((r, i) => r.kind === 'insn' && at.set(r.insn.address, i));
    rows.forEach((r, from) => {
        if (r.kind === 'insn')
            for (const target of targets(r.insn, counted)) {
                const to = at.get(target);

                if (to !== undefined)
                    all.push({ from, to });
            }
    });
    return all;
}

function targets(insn: Insn, counted: boolean): bigint[] {
    if (counted)
        return insn.jumps.flatMap(j => j.function === null ? number(j.address) ?? [] : []);
    return insn.target !== null && insn.text !== null && !callWords.test(insn.text)
        ? [insn.target] : [];
}

/** Which row INSN jumps to; -1: none of these. */
export function jumpRow(rows: Row[], insn: Insn): number {
    const counted = rows.some(r => r.kind === 'insn' && r.insn.jumps.length);
    const to = targets(insn, counted);

    return rows.findIndex(r => r.kind === 'insn' && r.insn.address !== null
        && to.includes(r.insn.address));
}

/** Which assembly it is written in, where that can be told. */
export function syntaxOf(insns: Insn[]): string | null {
    const texts = insns.flatMap(i => i.text ?? []);
    const att = texts.some(t => /%[re]?[abcd]x\b|%[re]?[sb]p\b|%r\d/.test(t));

    if (att)
        return 'AT&T';
    return texts.some(t => /(^|[\s,[])([re][abcd]x|[re][sb]p|[re][sd]i)\b/.test(t))
        ? 'Intel' : null;
}
