// SPDX-License-Identifier: Apache-2.0
/* What colours and marks of a flame graph mean. */
import { BoxFlag, BoxKind } from '../protocol';
import type { Flame } from '../protocol';
import { property } from './theme';
import type { Palette } from './theme';
import { baseName, clean } from '../names';

type Entry = [string, string];

function entries(flame: Flame, palette: Palette, colour: string): Entry[] {
    const fill = (n: number, words: string): Entry => [`background:var(${property(palette, n)})`, words];
    switch (palette) {
    case 'change':
        return [fill(4, 'more'), fill(2, 'a little more'), fill(0, 'the same, or noise'), fill(6, 'a little less'),
            fill(8, 'less')];
    case 'self':
        return [fill(1, 'little self cost'), fill(4, ''), fill(8, 'the most self cost')];
    default:
        if (colour === 'function') return [['', 'a colour for each function']];
        return [...flame.head.groups.map(g => fill(g.colour, clean(baseName(g.name) || g.name))),
            ...hasOther(flame) ? [fill(0, 'other')] : []];
    }
}

function hasOther({ colour, kind }: Flame): boolean {
    for (let i = colour.indexOf(0); i >= 0; i = colour.indexOf(0, i + 1))
        if (kind[i] === BoxKind.Func) return true;
    return false;
}

function marks(flame: Flame): Entry[] {
    const out: Entry[] = [];
    let all = 0;
    for (let i = 0; i < flame.flags.length; i++) all |= flame.flags[i];
    if (all & BoxFlag.Estimated) out.push(['flame-dashed', 'estimated']);
    if (all & BoxFlag.New) out.push(['flame-new', 'new']);
    if (all & BoxFlag.Gone) out.push(['flame-gone', 'vanished']);
    if (flame.kind.includes(BoxKind.Rest)) out.push(['flame-hatch', '+n small: gathered']);
    return out;
}

export class Legend {
    readonly element = document.createElement('ul');

    constructor() {
        this.element.className = 'flame-legend';
        this.element.setAttribute('aria-label', 'legend');
        this.element.tabIndex = 0; // it may have to be scrolled
    }

    /** Of pictures with the same colours. */
    show(flames: Flame[], palette: Palette, colour: string): void {
        const item = (style: string, mark: string, words: string) => {
            const e = document.createElement('li'), swatch = document.createElement('i');
            const text = document.createElement('bdi');
            if (style) swatch.style.cssText = style;
            swatch.className = mark;
            swatch.hidden = !style && !mark && words !== '';
            text.textContent = words;
            e.append(swatch, text);
            return e;
        };
        const once = (all: Entry[]) => [...new Map(all.map(entry => [entry.join(), entry])).values()];
        this.element.replaceChildren(
            ...once(flames.flatMap(flame => entries(flame, palette, colour))).map(([style, words]) => item(style, '', words)),
            ...once(flames.flatMap(marks)).map(([mark, words]) => item('', mark, words)));
        this.element.hidden = !this.element.childElementCount;
    }
}
