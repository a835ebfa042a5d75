// SPDX-License-Identifier: Apache-2.0
/* Where the cost is: objects, their files, their functions, as large as their own cost. */
import './views.css';
import './treemap.css';
import { percentText, text, unitsOf, whole } from '../format';
import { make, whatFailed } from '../make';
import type { Treemap, TreemapBox } from '../protocol';
import type { Change, State } from '../state';
import { treemapName, TreemapCanvas } from '../treemap_canvas';
import type { Page, View, ViewHandle } from '../view';

const ASKS: (keyof State)[] = ['event', 'unit', 'filters', 'thread', 'part', 'relative', 'inline', 'diff'];

/** What is no pattern finds nothing; the page says what is wrong with it. */
function searched(search: string): RegExp | null {
    const plain = search.replace(/^fn:/, '');
    try {
        return plain ? new RegExp(plain, /\p{Lu}/u.test(plain) ? 'u' : 'iu') : null;
    } catch {
        return null;
    }
}

class TreemapView implements ViewHandle {
    private readonly canvas: TreemapCanvas;
    private readonly empty = make('p', 'treemap-empty');
    private readonly notes = make('p', 'treemap-notes');
    private map: Treemap | null = null;
    private size = { width: 0, height: 0 };
    private timer = 0;

    constructor(root: HTMLElement, private readonly page: Page) {
        this.canvas = new TreemapCanvas({
            select: func => page.select(func),
            tell: box => page.say(box ? this.words(box) : ''),
            words: box => this.words(box),
            sized: (width, height) => this.sized(width, height),
        });
        root.append(this.empty, this.canvas.element, this.notes);
    }

    private words(box: TreemapBox): string {
        const { map, page } = this;
        if (!map) return '';
        const event = map.events.find(e => e.name === page.state.event) ?? map.events[0];
        const [unit] = unitsOf([event], page.events, page.state.unit);
        return `${treemapName(box)}, ${text(box.cost, unit)} ${event.name}, ${percentText(box.cost, whole(event))}`;
    }

    /** Asked again when the size has been the same for a while. */
    private sized(width: number, height: number): void {
        if (width === this.size.width && height === this.size.height) return;
        const first = !this.size.width;
        this.size = { width, height };
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => void this.ask(), first ? 0 : 150);
    }

    private async ask(): Promise<void> {
        const { width, height } = this.size, { page } = this;
        const { diff: _diff, normalize: _normalize, ...words } = page.words();
        if (!width) return;
        try {
            this.map = await page.engine.ask<Treemap>('treemap',
                { ...words, width: Math.floor(width), height: Math.floor(height) }, 'treemap');
            this.empty.textContent = this.map.boxes.length ? '' : 'nothing to draw: no cost is left';
        } catch (e) {
            this.map = null;
            this.empty.textContent = whatFailed(e);
        }
        this.notes.textContent = this.map ? 'objects, in them files, in those functions, as large as their own cost' +
            (this.map.small ? `; +n: ${text(this.map.small)} too small to draw alone` : '') +
            (page.state.diff ? '; without the base' : '') : '';
        this.canvas.show(this.map?.boxes ?? []);
    }

    async update(state: State, change: Change): Promise<void> {
        this.canvas.mark(searched(state.search), state.func);
        if (ASKS.some(k => change.has(k))) await this.ask();
    }

    key(e: KeyboardEvent): boolean {
        const on = e.target instanceof Element && e.target.closest('button,select,input,a');
        return !on && this.canvas.key(e);
    }

    focus(): void {
        this.canvas.focus();
    }

    dispose(): void {
        clearTimeout(this.timer);
        this.canvas.dispose();
    }
}

export const treemap: View = {
    name: 'treemap', title: 'Treemap',
    mount: (root, page) => new TreemapView(root, page),
    keys: [
        { key: '\u2190 \u2192', does: 'to the box beside' },
        { key: '\u2191 \u2193', does: 'to the box around, into the box' },
        { key: 'Enter', does: 'select the function' },
    ],
};
