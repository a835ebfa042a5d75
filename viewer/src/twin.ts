// SPDX-License-Identifier: Apache-2.0
/* The boxes around the focus as a tree that a screen reader reads: the canvas has no words. */

/** Boxes on boxes, or in boxes. */
export interface Family {
    /** Of each box; -1: the root has none. */
    parent: ArrayLike<number>;
    /** Of -1: roots. */
    children(box: number): number[];
    /** From the root to BOX. */
    path(box: number): number[];
}

/** So many boxes before and after the focused one, and on it. */
const NEAR = 3;

interface Item { box: number; position: number; size: number }

function around(family: Family, box: number): Item[] {
    const parent = family.parent[box], items: Item[] = [];
    const item = (b: number): Item => {
        const all = family.children(family.parent[b]);
        return { box: b, position: all.indexOf(b) + 1, size: all.length };
    };
    for (const b of family.path(box).slice(-8, -1)) items.push(item(b));
    const beside = family.children(parent), here = beside.indexOf(box);
    const above = family.children(box);
    const put = (from: number, to: number) => {
        for (let k = Math.max(0, from); k < Math.min(to, beside.length); k++)
            items.push({ box: beside[k], position: k + 1, size: beside.length });
    };
    put(here - NEAR, here + 1);
    above.slice(0, NEAR).forEach((b, k) => items.push({ box: b, position: k + 1, size: above.length }));
    put(here + 1, here + 1 + NEAR);
    return items;
}

/** "parse_header, 7.9s cpu, 63.8 percent" of what the engine says with signs. */
function spoken(words: string): string {
    return words.replace(/ ?%/g, ' percent').replace(/~/g, 'estimated ');
}

export class Twin {
    readonly element = document.createElement('div');
    private latest = 0;

    /** INNER: what a box, and boxes, in another one are called. */
    constructor(label: string, private readonly id: string, private readonly inner: () => [string, string]) {
        this.element.className = 'canvas-twin';
        this.element.setAttribute('role', 'tree');
        this.element.setAttribute('aria-label', label);
        this.element.tabIndex = 0;
    }

    /** WORDS: of boxes, what they are and cost. The focus is told when they have come. */
    async show(family: Family, box: number, selected: (box: number) => boolean,
        words: (boxes: number[]) => Promise<string[]>): Promise<void> {
        const turn = ++this.latest, items = around(family, box);
        const texts = await words(items.map(i => i.box));
        if (turn !== this.latest) return;
        const open = new Set(family.path(box));
        const all = items.map((item, k) => {
            const e = document.createElement('div'), on = family.children(item.box).length;
            const label = spoken(texts[k]) + (on ? `, ${on} ${this.inner()[Number(on > 1)]}` : '');
            const set = (name: string, value: string | number | boolean) =>
                e.setAttribute('aria-' + name, String(value));
            e.id = `${this.id}-${item.box}`;
            e.setAttribute('role', 'treeitem');
            set('level', family.path(item.box).length);
            set('setsize', item.size);
            set('posinset', item.position);
            set('selected', selected(item.box));
            set('label', label);
            if (on) set('expanded', item.box === box || open.has(item.box));
            return e;
        });
        this.element.replaceChildren(...all);
        this.element.setAttribute('aria-activedescendant', `${this.id}-${box}`);
    }

    clear(): void {
        this.latest++;
        this.element.replaceChildren();
        this.element.removeAttribute('aria-activedescendant');
    }
}
