// SPDX-License-Identifier: Apache-2.0
/* A flame graph with what goes around it: the way back, matches, the legend, what is to be known. */
import { FlameCanvas } from './canvas';
import type { Owner } from './canvas';
import { fold } from './fold';
import { FlameIndex } from './index';
import { Legend } from './legend';
import { Names } from './label';
import { follow, pathTo } from './path';
import type { Palette } from './theme';
import { FlameWords } from './words';
import { percentText, text } from '../format';
import { button, make, whatFailed } from '../make';
import { clean, cut } from '../names';
import { Tip } from '../tip';
import type { Words } from '../engine';
import type { Flame, FunctionId } from '../protocol';
import type { Change, State } from '../state';
import type { Page } from '../view';

export interface Options {
    label: string;
    /** What a box, and boxes, on another one are. */
    inner(): [string, string];
    asker: string;
    words(): Words;
    icicle(): boolean;
    /** state.zoom is of this picture. */
    zooms: boolean;
    /** Recursion can be put together. */
    folds: boolean;
    /** Without a legend and notes of its own. */
    bare?: boolean;
    /** What a function is for that is clicked or chosen; else it is selected. */
    choose?(func: FunctionId): void;
}

/** Without a word the engine colours by object; where there is only one, by function. */
export function colourWord(page: Page): string | undefined {
    return page.state.colour === 'object' ? undefined : page.state.colour;
}

/** So many boxes of the path are shown at its end. */
const CRUMBS = 6;

export class FlamePanel implements Owner {
    readonly element = make('div', 'flame-panel flame-none');
    /** For a toolbar. */
    readonly tools: HTMLElement[];
    private readonly canvas: FlameCanvas;
    private readonly all = button('\u2039 all', () => this.zoomFrom(0), 'flame-all', { title: 'see all again (Home)' });
    private readonly folder = button('fold recursion', () => this.refold(), '',
        { title: 'direct recursion as one box (r)', 'aria-pressed': 'false' });
    private readonly crumbs = make('nav', 'flame-crumbs', [], { 'aria-label': 'zoomed to' });
    private readonly found = make('span', 'flame-found');
    private readonly title = make('span', 'flame-title');
    private readonly notes = make('p', 'flame-notes');
    private readonly empty = make('p', 'flame-empty', 'working\u2026');
    private readonly legend = new Legend();
    private readonly tip: Tip;
    private asked: FlameIndex | null = null;
    private index: FlameIndex | null = null;
    private names: Names | null = null;
    private words_: FlameWords | null = null;
    private folding = false;
    /** Where zooms came from. */
    private trail: string[] = [];
    private path = '';

    constructor(private readonly page: Page, private readonly options: Options) {
        this.canvas = new FlameCanvas(options.label, options.inner, this);
        this.tip = new Tip(this.canvas.element);
        this.tools = [...options.folds ? [this.folder] : [], this.found];
        this.element.append(make('div', 'flame-where', [this.title, this.all, this.crumbs]), this.empty, this.canvas.element,
            ...options.bare ? [] : [this.legend.element, this.notes], this.tip.element);
        this.moved();
    }

    async update(change: Change, asks: (keyof State)[]): Promise<void> {
        const { state } = this.page, asked = asks.some(k => change.has(k));
        if (asked) await this.ask();
        else if (change.has('icicle')) this.show();
        else if (change.has('zoom') && this.options.zooms) this.follow(true);
        if (change.has('search') && !asked) this.search();
        if (change.has('func')) this.canvas.select(state.func);
    }

    private async ask(): Promise<void> {
        const { page, options } = this;
        try {
            const answer = page.engine.flame({ ...page.words(), ...options.words() }, options.asker);
            this.canvas.prepare();
            const flame = await answer;
            this.asked = flame.width[0] > 0 ? new FlameIndex(flame) : null;
            this.empty.textContent = this.asked ? '' : 'nothing to draw: no cost is left';
        } catch (e) {
            this.asked = null;
            this.empty.textContent = whatFailed(e);
        }
        this.show();
    }

    get palette(): Palette {
        if (this.asked?.flame.head.diff) return 'change';
        return this.page.state.colour === 'self' ? 'self' : 'group';
    }

    /** What was asked for, folded or not. */
    private show(): void {
        const { asked, page } = this, able = asked !== null && !asked.flame.head.diff;
        const folded = asked && able && this.folding ? fold(asked, this.palette === 'self') : null;
        this.index = folded ? new FlameIndex(folded.flame) : asked;
        this.names = this.index && new Names(this.index.flame);
        this.words_ = asked && this.index && this.names &&
            new FlameWords(page.engine, asked, this.index, this.names, folded);
        this.folder.setAttribute('aria-pressed', String(folded !== null));
        this.folder.disabled = !able;
        this.element.classList.toggle('flame-none', !asked);
        // What takes room beside it comes first, so that it is measured, and drawn, but once.
        this.told();
        this.legend.show(asked ? [asked.flame] : [], this.palette, page.state.colour);
        this.canvas.show(this.index, this.names, { icicle: this.options.icicle(), palette: this.palette });
        this.follow(false);
        this.canvas.select(page.state.func);
        this.search();
        this.canvas.now();
    }

    private told(): void {
        const { title, notes } = this.asked?.flame.head ?? { title: '', notes: '' };
        // The engine speaks of the flame; an icicle is the other way up.
        const right = !this.options.icicle() ? notes : notes.replace(/callers are (above|below)/,
            (_, up) => 'callers are ' + (up === 'above' ? 'below' : 'above'));
        this.title.textContent = clean(this.options.bare && title ? `${title}; ${right}` : title);
        this.title.title = this.title.textContent;
        this.notes.textContent = right;
    }

    private refold(): void {
        this.folding = !this.folding;
        this.show();
        this.page.announce(this.folding ? 'direct recursion is one box' : 'recursion is shown');
    }

    private search(): void {
        const hits = this.canvas.find(this.page.state.search), { index } = this;
        if (!hits || !index) {
            this.found.textContent = '';
            return;
        }
        const share = percentText(Math.round(hits.width), Math.round(index.total));
        this.found.textContent = `${hits.atLeast ? 'at least ' : ''}${text(hits.n)} ` +
            `${hits.n === 1 ? 'box matches' : 'boxes match'}, ${share} of the picture`;
    }

    // ---- zoom ----

    private follow(ease: boolean): void {
        const { index } = this;
        if (!index) return this.moved();
        const path = this.options.zooms ? this.page.state.zoom : this.path;
        this.canvas.zoomTo(follow(index, path), ease);
        this.breadcrumb();
    }

    zoom(box: number): void {
        if (!this.index) return;
        const path = pathTo(this.index, box), now = this.options.zooms ? this.page.state.zoom : this.path;
        if (path === now) return this.follow(true);
        this.trail.push(now);
        this.to(path);
    }

    /** By a button, which goes with what it leads out of. */
    private zoomFrom(box: number): void {
        this.zoom(box);
        this.focus();
    }

    private to(path: string): void {
        if (this.options.zooms) return this.page.go({ zoom: path }, true);
        this.path = path;
        this.follow(true);
    }

    back(): void {
        const now = this.options.zooms ? this.page.state.zoom : this.path;
        let path = this.trail.pop();
        // The browser's Back may have been there already.
        while (path === now) path = this.trail.pop();
        this.to(path ?? '');
        this.follow(true);
    }

    moved(): void {
        this.all.hidden = this.canvas.whole;
        this.title.hidden = !this.canvas.whole;
        this.crumbs.hidden = !this.canvas.zoomed;
    }

    private breadcrumb(): void {
        const { index } = this, path = index?.path(this.canvas.zoomed).slice(1) ?? [];
        const crumbs = path.slice(-CRUMBS).map(box => {
            const b = button(this.names!.of(box).slice(0, 200), () => this.zoomFrom(box));
            if (box === this.canvas.zoomed) b.setAttribute('aria-current', 'true');
            return b;
        });
        const left = path.length - crumbs.length;
        this.crumbs.replaceChildren(...left > 0 ? [`${left} more \u203a `] : [], ...crumbs);
        this.moved();
    }

    // ---- the canvas asks ----

    select(func: FunctionId | null, _box: number, only = false): void {
        if (func && this.options.choose && !only) this.options.choose(func);
        else this.page.select(func);
    }

    tell(spot: Parameters<Owner['tell']>[0]): void {
        if (spot && this.words_) return this.words_.tell(spot, is => {
            this.page.say([is.facts, is.name, is.where].filter(s => s).join(' · '));
            this.tip.show([is.facts, cut(is.name), is.where]);
        });
        this.words_?.drop();
        this.page.say('');
        this.tip.show([]);
    }

    words(boxes: number[]): Promise<string[]> {
        return this.words_ ? this.words_.of(boxes) : Promise.resolve(boxes.map(() => ''));
    }

    // ---- the view asks ----

    key(e: KeyboardEvent): boolean {
        const on = e.target instanceof Element && e.target.closest('button,select,input,a');
        if (on && /^(Enter| |Arrow.*|Home)$/.test(e.key)) return false;
        if (this.canvas.key(e)) return true;
        if (e.key !== 'r' || e.ctrlKey || e.metaKey || e.altKey || !this.options.folds) return false;
        if (!this.folder.disabled) this.refold();
        return true;
    }

    /** The name of the selected function. */
    copy(): string {
        return this.page.state.func?.function ?? '';
    }

    /** What the engine answered. */
    get flame(): Flame | null {
        return this.asked?.flame ?? null;
    }

    /** The focus is in it. */
    get active(): boolean {
        return this.element.contains(document.activeElement);
    }

    focus(): void {
        this.canvas.focus();
    }

    dispose(): void {
        this.canvas.dispose();
    }
}
