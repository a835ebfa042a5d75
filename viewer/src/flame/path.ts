// SPDX-License-Identifier: Apache-2.0
/*
 * A box as a path of functions in the URL: it is found again in another picture of the profile,
 * with other filters. A function is six letters of a hash; "x*3" is three times x.
 */
import { BoxKind } from '../protocol';
import type { Flame, FunctionId } from '../protocol';
import type { FlameIndex } from './index';

/** The function of a box; null: it has none. */
export function functionOf(flame: Flame, box: number): FunctionId | null {
    if (flame.kind[box] !== BoxKind.Func) return null;
    const { names, files, objects } = flame.head, i = flame.name[box];
    const named = names.function[i] || null;
    return { function: named, file: files[names.file[i]] ?? null, object: objects[names.object[i]] ?? null,
        address: named ? null : names.address[i] ?? null };
}

function keyOf(flame: Flame, box: number): string {
    const id = functionOf(flame, box), object = flame.head.names.object[flame.name[box]];
    const text = id ? [id.function, id.file, id.object, id.address].join('\n') :
        '\n' + flame.kind[box] + (flame.head.objects[object] ?? '');
    let hash = 2166136261;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
    return (hash >>> 2).toString(36).padStart(6, '0');
}

export function pathTo(index: FlameIndex, box: number): string {
    const runs: [string, number][] = [];
    for (const b of index.path(box).slice(1)) {
        const key = keyOf(index.flame, b), last = runs[runs.length - 1];
        if (last && last[0] === key) last[1]++;
        else runs.push([key, 1]);
    }
    return runs.map(([key, n]) => n > 1 ? key + '*' + n : key).join('.');
}

/** The box that PATH leads to, or as far as it leads; a function that is not there is passed. */
export function follow(index: FlameIndex, path: string): number {
    let box = 0;
    for (const word of path ? path.split('.') : []) {
        const [key, times] = word.split('*');
        for (let n = Math.min(Number(times ?? 1) || 1, index.levels); n > 0; n--) {
            const next = index.children(box).find(c => keyOf(index.flame, c) === key);
            if (next === undefined) break;
            box = next;
        }
    }
    return box;
}
