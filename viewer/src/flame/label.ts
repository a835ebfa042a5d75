// SPDX-License-Identifier: Apache-2.0
/* Names of boxes, and what of them fits. */
import { BoxKind } from '../protocol';
import type { Flame } from '../protocol';
import { functionOf } from './path';
import { baseName, clean, levels, nameOf } from '../names';

/** More of a name is never drawn. */
const MOST = 500;
/** Ends and humps of the words of an identifier. */
const BORDER = /(?<=[a-z0-9])(?=[A-Z])|(?<=[^A-Za-z0-9])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[^A-Za-z0-9])/g;

/** At most ROOM characters of NAME, to the end of a word if that is not too short. */
function cut(name: string, room: number): string {
    let best = 0;
    for (const m of name.slice(0, room).matchAll(BORDER)) best = m.index!;
    return name.slice(0, best * 2 > room ? best : room - 1) + '\u2026';
}

/** The fullest of SHORTER that fits; '' where there is room for no more than dots. */
export function fit(shorter: string[], room: number): string {
    const fits = shorter.find(s => s.length <= room);
    if (fits !== undefined) return fits;
    return room < 3 ? '' : cut(shorter[shorter.length - 1].replace(/^\u2026(::|\/)?/, ''), room);
}

/** Of ROWS that are not drawn alone; a number is never cut. */
export function gathered(rows: number): string[] {
    return [`+${rows} small`, `+${rows}`, ''];
}

/** Names of a flame, worked out when they are wanted. */
export class Names {
    private readonly whole: string[] = [];
    private readonly short: string[][] = [];

    constructor(private readonly flame: Flame) {}

    /** What a box is called. */
    of(box: number): string {
        const { flame } = this, name = flame.name[box];
        switch (flame.kind[box]) {
        case BoxKind.Root:
            return 'all';
        case BoxKind.Rest:
            return `+${name} small`;
        case BoxKind.Entry:
            return '[no caller]';
        case BoxKind.Group:
            return this.whole[name] ??=
                clean(baseName(flame.head.objects[flame.head.names.object[name]] ?? '')) || '[unknown]';
        default:
            return this.whole[name] ??= nameOf(functionOf(flame, box)!);
        }
    }

    /** From the whole name to what is left of it where there is little room. */
    shorter(box: number): string[] {
        const { flame } = this, name = this.of(box);
        if (flame.kind[box] === BoxKind.Rest) return gathered(flame.name[box]);
        if (flame.kind[box] !== BoxKind.Func) return [name];
        return this.short[flame.name[box]] ??=
            levels(name.length > MOST ? name.slice(0, MOST) + '\u2026' : name);
    }
}
