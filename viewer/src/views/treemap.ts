// SPDX-License-Identifier: Apache-2.0
/* Where the cost is: objects, their files, their functions, as large as their own cost. */
import './views.css';
import './treemap.css';
import { cut, percentText, plural, text, unitsOf, where, whole } from '../format';
import { make, whatFailed } from '../make';
import { Tip } from '../tip';
import type { Diff, Treemap, TreemapBox } from '../protocol';
import type { Change, State } from '../state';
import { treemapName, TreemapCanvas } from './treemap_canvas';
import type { Page, View, ViewHandle } from '../view';
import { Changes, ROWS } from './treemap_change';

const ASKS: (keyof State)[] = ['event', 'unit', 'filters', 'thread', 'part', 'relative', 'inline', 'diff', 'normalize'];

/** What is no pattern finds nothing; the page says what is wrong with it. */
function searched(search: string): RegExp | null {
    const plain = search.replace(/^fn:/, '');
    try {
        return plain ? new RegExp(plain, /\p{Lu}/u.test(plain) ? 'u' : 'iu') : null;
    } catch {
        return null;
    }
}

const HOW = 'objects, in them files, in those functions, as large as their own cost';

class TreemapView implements ViewHandle {
    private readonly canvas: TreemapCanvas;
    private readonly tip: Tip;
    private readonly empty = make('p', 'treemap-empty');
    private readonly notes = make('p', 'treemap-notes', HOW); // the map's height does not change by it
    private map: Treemap | null = null;
    private changes: Changes | null = null;
    private size = { width: 0, height: 0 };
    private timer = 0;

    constructor(root: HTMLElement, private readonly page: Page) {
        this.canvas = new TreemapCanvas({
            select: func => page.select(func),
            tell: box => this.tell(box),
            words: box => [treemapName(box), ...this.facts(box)].join(', '),
            sized: (width, height) => this.sized(width, height),
        });
        this.tip = new Tip(this.canvas.element);
        root.append(this.empty, this.canvas.element, this.notes, this.tip.element);
    }

    private tell(box: TreemapBox | null): void {
        const at = box?.kind === 'function' ? where(box) : '';
        this.page.say(box ? [this.facts(box).join(', '), treemapName(box), at].filter(s => s).join(' \u00b7 ') : '');
        this.tip.show(box ? [this.facts(box).join(', '), cut(treemapName(box)), at] : []);
    }

    private facts(box: TreemapBox): string[] {
        const { map, page } = this;
        if (!map) return [];
        const event = map.events.find(e => e.name === page.state.event) ?? map.events[0];
        const [unit] = unitsOf([event], page.events, page.state.unit);
        return [`${text(box.cost, unit)} ${event.name}`, `${percentText(box.cost, whole(event))}${this.changes?.words(box) ?? ''}`];
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
        const { diff, normalize, ...words } = page.words();
        if (!width) return;
        try {
            this.map = await page.engine.ask<Treemap>('treemap',
                { ...words, width: Math.floor(width), height: Math.floor(height) }, 'treemap');
            const compared = diff ? await page.engine.ask<Diff>('diff', { ...words, normalize, view: 'top',
                by: 'function', order: 'self', clones: 'keep', limit: ROWS }, 'treemap') : null;
            this.changes = compared && new Changes(compared, page.state.event);
            this.empty.textContent = this.map.boxes.length ? '' : 'nothing to draw: no cost is left';
        } catch (e) {
            this.map = this.changes = null;
            this.empty.textContent = whatFailed(e);
        }
        this.notes.textContent = this.map ? this.about(this.map, this.changes) : '';
        this.canvas.show(this.coloured(), this.changes ? 'change' : 'group');
    }

    private coloured(): TreemapBox[] {
        const boxes = this.map?.boxes ?? [], { changes } = this;
        return changes ? boxes.map(box => ({ ...box, colour: changes.colour(box) })) : boxes;
    }

    private about(map: Treemap, changes: Changes | null): string {
        const gone = changes?.diff.vanished ?? 0;
        return HOW + (map.small ? `; +n: ${text(map.small)} too small to draw alone` : '') +
            (changes ? '; orange: more than in the base, blue: less, grey: the same, not sure, or without a name' : '') +
            (gone ? `; ${plural(gone, 'function')} of the base ${gone === 1 ? 'is' : 'are'} gone: see the table` : '');
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
        { key: 'Home', does: 'to the largest box' },
        { key: 'Enter', does: 'select the function' },
    ],
};
