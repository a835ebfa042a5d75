// SPDX-License-Identifier: Apache-2.0
/* The boxes around the focus as a tree that a screen reader reads: the canvas has no words. */
import type { FlameIndex } from './flame_index';

/** So many boxes before and after the focused one, and on it. */
const NEAR = 3;

interface Item { box: number; position: number; size: number }

function around(index: FlameIndex, box: number): Item[] {
    const parent = index.parent[box], items: Item[] = [];
    const item = (b: number): Item => {
        const all = index.parent[b] < 0 ? [b] : index.children(index.parent[b]);
        return { box: b, position: all.indexOf(b) + 1, size: all.length };
    };
    for (const b of index.path(box).slice(-8, -1)) items.push(item(b));
    const beside = parent < 0 ? [box] : index.children(parent), here = beside.indexOf(box);
    const above = index.children(box);
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

    constructor(label: string, private readonly id: string) {
        this.element.className = 'flame-twin';
        this.element.setAttribute('role', 'tree');
        this.element.setAttribute('aria-label', label);
        this.element.tabIndex = 0;
    }

    /** WORDS: of boxes, what they are and cost. The focus is told when they have come. */
    async show(index: FlameIndex, box: number, selected: (box: number) => boolean,
        words: (boxes: number[]) => Promise<string[]>): Promise<void> {
        const turn = ++this.latest, items = around(index, box);
        const texts = await words(items.map(i => i.box));
        if (turn !== this.latest) return;
        const all = items.map((item, k) => {
            const e = document.createElement('div'), on = index.children(item.box).length;
            const label = spoken(texts[k]) + (on ? `, ${on} ${on === 1 ? 'box' : 'boxes'} on it` : '');
            const set = (name: string, value: string | number | boolean) =>
                e.setAttribute('aria-' + name, String(value));
            e.id = `${this.id}-${item.box}`;
            e.setAttribute('role', 'treeitem');
            set('level', index.flame.depth[item.box] + 1);
            set('setsize', item.size);
            set('posinset', item.position);
            set('selected', selected(item.box));
            set('label', label);
            if (on) set('expanded', index.flame.depth[item.box] <= index.flame.depth[box]);
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
