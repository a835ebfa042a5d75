// SPDX-License-Identifier: Apache-2.0
/*
 * Rows of a source listing: lines with costs in the file's order, what was inlined and called below
 * its line, and the lines around. Nothing here knows the document.
 */
import { add, approx, key } from '../../format';
import type { DiffRow, FunctionId, ListCall, ListLine, Value } from '../../protocol';

/** Lines that are shown around one with a cost. */
export const around = 3;
/** Fewer lines are no gap. */
const smallGap = 3;
/** Calls stand under the code of their line, but not further to the right. */
const deepest = 40;

export interface CodeLine {
    depth: number;
    function: string | null;
    file: string | null;
    line: number | null;
    text: string | null;
    self: Value[];
    inclusive: Value[] | null;
    calls: ListCall[];
    change: DiffRow | null;
}
export interface Nested { line: CodeLine; inner: Nested[] }
export interface Block { file: string | null; lines: Nested[] }

/** Lines of a file, as far as they are known. */
export interface Text {
    get(line: number): string | undefined;
    /** The first and the last line there is. */
    first: number;
    last: number;
}

export type Row =
    | { kind: 'file'; file: string | null; has: boolean }
    | { kind: 'line'; line: CodeLine; file: string | null; text: string | null; depth: number;
        inner: number; open: boolean; id: string }
    | { kind: 'text'; file: string | null; at: number; text: string }
    | { kind: 'inlined'; function: string | null; file: string | null; depth: number }
    | { kind: 'call'; call: ListCall; depth: number; indent: number }
    | { kind: 'gap'; from: number; to: number; id: string; known: boolean };

export interface Choice {
    text(file: string | null): Text | null;
    /** Gaps that are open, by id. */
    open: Set<string>;
    /** Inlined code is shown; FLIPPED are the lines of which the contrary holds, by id. */
    inline: boolean;
    flipped: Set<string>;
}

export function fromList(lines: ListLine[]): CodeLine[] {
    return lines.map(l => ({ ...l, change: null }));
}

export function fromDiff(rows: DiffRow[]): CodeLine[] {
    return rows.map(change => ({ depth: change.depth ?? 0, function: change.function,
        file: change.file, line: change.line, text: change.text ?? null, self: [],
        inclusive: null, calls: [], change }));
}

/** Lines below those that they were inlined into, file by file. */
export function blocks(lines: CodeLine[]): Block[] {
    const all: Block[] = [], path: Nested[] = [];

    for (const line of lines) {
        const nested = { line, inner: [] };

        path.length = Math.min(path.length, line.depth);
        const outer = path[path.length - 1];
        if (outer) {
            outer.inner.push(nested);
        } else {
            if (all[all.length - 1]?.file !== line.file)
                all.push({ file: line.file, lines: [] });
            all[all.length - 1].lines.push(nested);
        }
        path.push(nested);
    }
    return all;
}

function addAll(a: Value[], b: Value[]): Value[] {
    return a.map((v, i) => add(v, b[i]));
}

function addCall(calls: ListCall[], call: ListCall): void {
    const at = calls.findIndex(c => key(c) === key(call));
    const old = calls[at];

    if (!old)
        calls.push(call);
    else
        calls[at] = { ...old, recursive: old.recursive || call.recursive,
            count: old.count === null || call.count === null ? null : add(old.count, call.count),
            inclusive: addAll(old.inclusive, call.inclusive) };
}

/** The line with all that was inlined there as its own: exact, as costs of lines are disjoint. */
export function folded(nested: Nested): CodeLine {
    const all = { ...nested.line, calls: [...nested.line.calls] };

    for (const inner of nested.inner.map(folded)) {
        all.self = addAll(all.self, inner.self);
        for (const call of inner.calls)
            addCall(all.calls, call);
    }
    all.calls.sort((a, b) => approx(b.inclusive[0] ?? 0) - approx(a.inclusive[0] ?? 0));
    return all;
}

/* ---- rows ---- */

function pushLine(rows: Row[], nested: Nested, depth: number, id: string, choice: Choice): void {
    const { line, inner } = nested, open = inner.length > 0
        && choice.inline !== choice.flipped.has(id);
    const shown = open || !inner.length ? line : folded(nested);
    const text = line.line ? choice.text(line.file)?.get(line.line) : undefined;

    rows.push({ kind: 'line', line: shown, file: line.file, text: text ?? line.text, depth,
        inner: inner.length, open, id });
    const indent = /^ */.exec(text ?? '')?.[0].length ?? 0;

    for (const call of shown.calls)
        rows.push({ kind: 'call', call, depth, indent: Math.min(indent, deepest) });
    let last: CodeLine | null = null;
    inner.forEach((n, i) => {
        if (!open)
            return;
        if (!last || last.function !== n.line.function || last.file !== n.line.file)
            rows.push({ kind: 'inlined', function: n.line.function, file: n.line.file,
                depth: depth + 1 });
        last = n.line;
        pushLine(rows, n, depth + 1, `${id}.${i}`, choice);
    });
}

/* Lines FROM to TO of a file that cost nothing: shown, or a gap. */
function pushBetween(rows: Row[], file: string | null, text: Text, from: number, to: number,
    block: number, choice: Choice): void {
    for (let at = from; at <= to;) {
        const known = text.get(at) !== undefined;
        let end = at;

        while (end < to && (text.get(end + 1) !== undefined) === known)
            end++;
        const id = `${block}:${at}`;
        if (!known || (end - at + 1 >= smallGap && !choice.open.has(id)))
            rows.push({ kind: 'gap', from: at, to: end, id, known });
        else
            for (let i = at; i <= end; i++)
                rows.push({ kind: 'text', file, at: i, text: text.get(i) ?? '' });
        at = end + 1;
    }
}

/* The lines between two with costs, or before the first and behind the last one. */
function pushAround(rows: Row[], file: string | null, text: Text, before: number | null,
    next: number | null, block: number, choice: Choice): void {
    const from = before === null ? text.first : before + 1;
    const to = next === null ? text.last : next - 1;
    const near = before === null ? from - 1 : Math.min(to, before + around);
    const far = next === null ? to + 1 : Math.max(from, next - around);

    if (far - near - 1 < smallGap) {
        pushPlain(rows, file, text, from, to, block, choice);
        return;
    }
    pushPlain(rows, file, text, from, near, block, choice);
    pushBetween(rows, file, text, near + 1, far - 1, block, choice);
    pushPlain(rows, file, text, far, to, block, choice);
}

/* Lines that are always shown, as far as they are known. */
function pushPlain(rows: Row[], file: string | null, text: Text, from: number, to: number,
    block: number, choice: Choice): void {
    const ids = new Set<string>();

    for (let i = from; i <= to; i++)
        ids.add(`${block}:${i}`);
    pushBetween(rows, file, text, from, to, block, { ...choice, open: ids });
}

function pushBlock(rows: Row[], block: Block, number: number, choice: Choice): void {
    const text = choice.text(block.file);
    let before: number | null = null;

    rows.push({ kind: 'file', file: block.file, has: text !== null });
    block.lines.forEach((nested, i) => {
        const at = nested.line.line;

        if (text && at)
            pushAround(rows, block.file, text, before, at, number, choice);
        pushLine(rows, nested, 0, `${number}.${i}`, choice);
        before = at ?? before;
    });
    if (text && before !== null)
        pushAround(rows, block.file, text, before, null, number, choice);
}

export function rowsOf(all: Block[], choice: Choice): Row[] {
    const rows: Row[] = [];

    all.forEach((block, i) => pushBlock(rows, block, i, choice));
    return rows;
}

/* ---- heat ---- */

/** 1 to 8 by the square root, as boxes are (src/picture/flame_colour.c); 0: nothing. */
export function heatOf(v: Value | undefined, most: number): number {
    const x = v === undefined ? 0 : approx(v);

    return x > 0 && most > 0 ? Math.min(8, Math.floor(1.5 + 7 * Math.sqrt(x / most))) : 0;
}

/** Of a difference: 9 to 12 more, -1 to -4 less. */
export function changeHeat(difference: number, most: number): number {
    if (!difference || !(most > 0))
        return 0;
    const step = Math.min(4, Math.ceil(4 * Math.sqrt(Math.abs(difference) / most)));
    return difference > 0 ? 8 + step : -step;
}

/** What a tenth of the hottest has. */
export function isHot(v: Value | undefined, most: number): boolean {
    return v !== undefined && most > 0 && approx(v) * 10 >= most;
}

export function callee(call: ListCall): FunctionId {
    return { function: call.function, file: call.file, object: call.object,
        address: call.address ?? null };
}
