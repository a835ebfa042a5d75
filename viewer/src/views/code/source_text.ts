// SPDX-License-Identifier: Apache-2.0
/* Text of source files: what is in the page, and what was added by hand. */
import { baseName, clean } from '../../format';
import type { Code } from '../../protocol';
import type { Text } from './source_rows';

/** A longer line is cut: nobody reads it, and it would make all others wide. */
const longest = 400;
const largestFile = 32 << 20;

/* For as long as the page is open; nothing is kept elsewhere. */
const byHand = new Map<string, { name: string; lines: string[] }>();

function show(line: string): string {
    let out = '';

    for (const c of line.slice(0, longest))
        out += c === '\t' ? ' '.repeat(8 - out.length % 8) : c;
    return clean(out) + (line.length > longest ? ' …' : '');
}

function whole(lines: string[]): Text {
    return { first: 1, last: lines.length,
        get: n => lines[n - 1] === undefined ? undefined : show(lines[n - 1]) };
}

function embedded(regions: { from: number; lines: string[] }[]): Text | null {
    const all = regions.filter(r => r.lines.length).sort((a, b) => a.from - b.from);
    const end = all[all.length - 1];

    if (!end)
        return null;
    return { first: all[0].from, last: end.from + end.lines.length - 1,
        get: n => {
            const line = all.find(r => n >= r.from && n < r.from + r.lines.length);

            return line && show(line.lines[n - line.from]);
        } };
}

export function textOf(code: Code | null, file: string | null): Text | null {
    const own = file === null ? undefined : byHand.get(file);

    if (own)
        return whole(own.lines);
    const has = file !== null && code !== null
        && Object.prototype.hasOwnProperty.call(code.sources, file);
    return has ? embedded(code.sources[file]) : null;
}

/** Name of the file that was added as the text of PATH. */
export function addedAs(path: string | null): string | null {
    return path === null ? null : byHand.get(path)?.name ?? null;
}

/** FILE is the text of PATH from now on; else why it is not. */
export async function addFile(path: string, file: File): Promise<string | null> {
    if (file.size > largestFile)
        return `${clean(file.name)} is larger than 32 MiB: no source file.`;
    const text = await file.text();
    if (text.includes('\0'))
        return `${clean(file.name)} is not text.`;
    const lines = text.split(/\r\n|\n|\r/);
    if (lines[lines.length - 1] === '')
        lines.pop();
    byHand.set(path, { name: file.name, lines });
    return null;
}

/** The path of PATHS that a file of that name is for. */
export function pathFor(name: string, paths: string[]): string | null {
    return paths.find(p => baseName(p) === name) ?? null;
}
