// SPDX-License-Identifier: Apache-2.0
/* Names for people, as the program shows them (src/report/kit/show.c), and functions as keys. */
import type { FunctionId } from './protocol';

/* What shows nothing, moves the cursor, or turns the direction of what comes after it. */
const odd = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** Nothing looks like something else: such characters become \xNN, their bytes. */
export function clean(s: string): string {
    return s.replace(odd, c => Array.from(new TextEncoder().encode(c),
        byte => '\\x' + byte.toString(16).padStart(2, '0')).join(''));
}

export function baseName(path: string): string {
    return path.slice(path.lastIndexOf('/') + 1);
}

/** An object that stands for what is not in the profile. */
export function isGap(object: string): boolean {
    return ['[truncated]', '[lost]', '[unsampled]'].includes(baseName(object));
}

/** What a function is called; code without a name by its place: [libc.so.6+0x1234]. */
export function nameOf(f: FunctionId): string {
    const object = f.object ? baseName(f.object) : '';

    if (f.function)
        return clean(f.function);
    if (isGap(object))
        return object;
    const addr = f.address && !/^0x0*$/.test(f.address) ? clean(f.address) : '';
    if (object)
        return addr ? `[${clean(object)}+${addr}]` : `[${clean(object)}]`;
    return addr ? `[${addr}]` : '[unknown]';
}

/** "parse.c:28": where its file is not known, the object. */
export function where(f: { file: string | null; object: string | null },
    line: number | null = null): string {
    const base = clean(baseName(f.file || f.object || ''));

    return line && base ? `${base}:${line}` : base;
}

/* ---- a function of all views ---- */

/** Equal for one function only. */
export function key(f: FunctionId): string {
    return JSON.stringify([f.function, f.file, f.object, f.address]);
}

export function same(a: FunctionId | null, b: FunctionId | null): boolean {
    return a === b || (a !== null && b !== null && a.function === b.function && a.file === b.file
        && a.object === b.object && a.address === b.address);
}

/** Whether a row is that of FUNC: what one of them does not say is not compared. Rows of lines and of
 *  comparisons say less than those of functions. */
export function matches(row: FunctionId, func: FunctionId): boolean {
    const agree = (a: string | null, b: string | null): boolean => !a || !b || a === b
        || (!a.includes('/') || !b.includes('/')) && baseName(a) === baseName(b);

    return row.function === func.function && (row.function !== null || row.address === func.address)
        && agree(row.file, func.file) && agree(row.object, func.object);
}

/** The fields of a row that name its function. */
export function functionId(f: FunctionId): FunctionId {
    return { function: f.function, file: f.file, object: f.object, address: f.address };
}

/** As words of a question. */
export function funcWords(f: FunctionId): Record<string, string> {
    const words: Record<string, string> = {};

    if (f.function)
        words['func'] = f.function;
    if (f.file)
        words['func-file'] = f.file;
    if (f.object)
        words['func-object'] = f.object;
    if (f.address && !f.function)
        words['func-address'] = f.address;
    return words;
}

/* ---- shorter names ---- */

function isIdent(c: string | undefined): boolean {
    return c !== undefined && (/[0-9A-Za-z_$@~]/.test(c) || c >= '\u0080');
}

/* "operator<" and "operator->" are names. No operator has more than three characters. */
function endsWithOperator(s: string, at: number): boolean {
    return /operator[<>\- ]*$/.test(s.slice(Math.max(0, at - 16), at));
}

/* For each opening bracket the position behind its closing one. */
function closings(s: string, open: string, close: string): Map<number, number> {
    const ends = new Map<number, number>(), stack: number[] = [];

    for (let i = 0; i < s.length; i++) {
        if (s[i] === open) {
            stack.push(i);
        } else if (s[i] === close && !(close === '>' && s[i - 1] === '-')) {
            const begin = stack.pop();

            if (begin !== undefined)
                ends.set(begin, i + 1);
        }
    }
    return ends;
}

/* "(below main)" and "operator<" are names themselves. */
function followsName(s: string, at: number): boolean {
    const before = s[at - 1];

    if (at === 0)
        return false;
    if (s[at] === '(')
        return before !== ' ' && before !== ':' && before !== '(';
    return (isIdent(before) || before === '>') && !endsWithOperator(s, at);
}

/* S with what stands in the outermost brackets behind names replaced by dots. */
function fold(s: string, open: string, close: string): string {
    const ends = closings(s, open, close);
    let out = '';

    for (let i = 0; i < s.length;) {
        const end = s[i] === open && followsName(s, i) ? ends.get(i) : undefined;

        if (end === undefined || end - i <= 3) {
            out += s[i++];
            continue;
        }
        out += `${open}…${close}`;
        i = end;
    }
    return out;
}

/* Without the scopes before its last "::" outside of brackets, or without directories. */
function dropScopes(s: string): string {
    let cut = 0, depth = 0;

    for (let i = 0; i + 1 < s.length; i++) {
        depth += '<({'.includes(s[i]) ? 1 : 0;
        depth -= '>)}'.includes(s[i]) ? 1 : 0;
        if (depth <= 0 && s[i] === ':' && s[i + 1] === ':')
            cut = i;
    }
    if (!cut && s.includes('/') && !s.includes('('))
        cut = s.endsWith('/') ? 0 : s.lastIndexOf('/');
    return cut <= 1 ? s : '…' + s.slice(cut);
}

/* The longest front that ends between identifiers and fits, and dots. */
function cutAtBorder(s: string, width: number): string {
    let best = 0;

    for (let i = 1; i < width && i <= s.length; i++)
        if (!isIdent(s[i - 1]) || !isIdent(s[i]))
            best = i;
    return best ? s.slice(0, best) + '…' : s;
}

/** A name in full, without template arguments, without arguments, without scopes. */
export function levels(name: string): string[] {
    const noTemplates = fold(name, '<', '>'), noArguments = fold(noTemplates, '(', ')');

    return [name, noTemplates, noArguments, dropScopes(noArguments)];
}

/** A name in at most WIDTH characters, if it can be: an identifier is never cut. */
export function fit(name: string, width: number): string {
    if (name.length <= width)
        return name;
    const all = levels(name);
    return all.find(n => n.length <= width) ?? cutAtBorder(all[3], width);
}

/** What a browser can lay out of a name in running text: none in good faith is longer than WIDTH. */
export function cut(name: string, width = 300): string {
    const short = fit(name, width);

    return short.length > width ? Array.from(short.slice(0, width)).slice(0, -1).join('') + '…' : short;
}

/** A name as what a browser shows beside the pointer. */
export function inFull(name: string): string {
    return name.length > 4000 ? name.slice(0, 4000) + '…' : name;
}
