// SPDX-License-Identifier: Apache-2.0
/* Boxes that match what is searched for. */
import { BoxKind } from '../protocol';
import type { FlameHead } from '../protocol';
import type { FlameIndex } from './index';
import { nameOf } from '../names';

export interface Hits {
    /** Of each box: does it match? */
    hit: Uint8Array;
    /** Boxes that match. */
    n: number;
    /** What the outermost of them are wide together: a path counts once. */
    width: number;
    /** What was gathered, so nobody knows its names, is beside them. */
    atLeast: boolean;
    /** Hits at places before one. */
    before: Uint32Array;
}

/** Smart case; what is no pattern finds nothing, and the page says what is wrong with it. */
function compile(text: string): RegExp {
    try {
        return new RegExp(text, /\p{Lu}/u.test(text) ? 'u' : 'iu');
    } catch {
        return /$^/;
    }
}

/** Which functions match TEXT: by name, or by what "file:" or "obj:" says. */
function matches(head: FlameHead, text: string): Uint8Array {
    const [, field, rest] = /^(?:(fn|file|obj):)?(.*)$/s.exec(text)!, re = compile(rest);
    const { names, files, objects } = head;
    const test = (list: string[]) => list.map(s => re.test(s));
    const places = field === 'file' ? [test(files), names.file] as const :
        field === 'obj' ? [test(objects), names.object] as const : null;
    return Uint8Array.from(names.function, (name, i) => {
        if (places) return Number(places[0][places[1][i]] ?? false);
        const shown = name || nameOf({ function: null, file: files[names.file[i]] ?? null,
            object: objects[names.object[i]] ?? null, address: names.address[i] ?? null });
        return Number(re.test(shown));
    });
}

export function search(index: FlameIndex, text: string): Hits {
    const { name, kind, width, head } = index.flame, n = index.n, named = matches(head, text);
    const hits: Hits = { hit: new Uint8Array(n), n: 0, width: 0, atLeast: false,
        before: new Uint32Array(n + 1) };
    for (let i = 1, until = 0; i < n; i++) {
        const k = kind[i];
        if (k === BoxKind.Rest && i >= until) hits.atLeast = true;
        if ((k !== BoxKind.Func && k !== BoxKind.Group) || !named[name[i]]) continue;
        hits.hit[i] = 1;
        hits.n++;
        if (i < until) continue;
        hits.width += width[i];
        until = index.end[i];
    }
    for (let p = 0; p < n; p++) hits.before[p + 1] = hits.before[p] + hits.hit[index.order[p]];
    return hits;
}

/** The hit after FROM, before it with STEP -1, around the end; -1: none. */
export function nextHit(hits: Hits, from: number, step: -1 | 1): number {
    const n = hits.hit.length;
    for (let k = 1; k <= n; k++) {
        const i = (from + step * k + n * 2) % n;
        if (hits.hit[i]) return i;
    }
    return -1;
}
