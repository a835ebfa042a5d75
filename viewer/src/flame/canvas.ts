// SPDX-License-Identifier: Apache-2.0
/*
 * A flame graph that is moved in: a canvas for the boxes, one above it for what is under the
 * pointer and the focus, and a tree (twin.ts) for who cannot see them. Nothing is drawn but
 * in an animation frame, however often something changes.
 */
import './canvas.css';
import { Camera, LEVEL, levelAt, levelY } from './camera';
import type { Look } from './camera';
import type { FlameIndex } from './index';
import { listen } from './gestures';
import { Names } from './label';
import { Painter } from './paint';
import { functionOf } from './path';
import { same } from '../names';
import { onPaper } from '../paper';
import { nextHit, search } from './search';
import type { Hits } from './search';
import { readTheme } from './theme';
import type { Palette, Theme } from './theme';
import { Twin } from '../twin';
import type { FunctionId } from '../protocol';

/** What is pointed at: a box, or a run of boxes that are too narrow. */
export interface Spot { box: number; first: number; end: number; level: number }

export interface Owner {
    /** Asks to see BOX in full width: 0 is all. */
    zoom(box: number): void;
    /** Back from there. */
    back(): void;
    select(func: FunctionId | null, box: number, only?: boolean): void;
    /** What is under the pointer, or the focus; null: nothing is. */
    tell(spot: Spot | null): void;
    /** Of boxes: their names and figures. */
    words(boxes: number[]): Promise<string[]>;
    /** What is seen moved. */
    moved(): void;
}

/** Pixels of height: browsers have larger canvases, and no larger paper. */
const PRINTED = 8000;
/** Height of what goes with the rest on a sheet that lies, to its width. */
const LYING = .48;

const enum Stale { None, Over, All }

let ids = 0;

export class FlameCanvas {
    readonly element = document.createElement('div');
    private readonly pane = document.createElement('div');
    private readonly space = document.createElement('div');
    private readonly base = document.createElement('canvas');
    private readonly over = document.createElement('canvas');
    private readonly painter: Painter;
    private readonly camera: Camera;
    private readonly twin: Twin;
    private readonly watch: ResizeObserver;
    private readonly unlisten = onPaper(() => this.print(true), () => this.print(false));
    private readonly forced = matchMedia('(forced-colors: active)');
    private readonly themes = new MutationObserver(() => this.recolour());
    private readonly recolour = () => {
        this.theme = null;
        this.invalidate();
    };
    index: FlameIndex | null = null;
    private names: Names | null = null;
    hits: Hits | null = null;
    zoomed = 0;
    private theme: Theme | null = null;
    private palette: Palette = 'group';
    private selected: FunctionId | null = null;
    private selectedName = -1;
    private focused = 0;
    private spot: Spot | null = null;
    private wide: HTMLCanvasElement | null = null;
    private frame = 0;
    /** What the next frame draws: Over, what is above the boxes; All. */
    private stale = Stale.None;

    constructor(label: string, words: () => [string, string], private readonly owner: Owner) {
        this.twin = new Twin(label, 'flame' + ++ids, words);
        this.element.className = 'flame-canvas';
        this.pane.className = 'flame-pane';
        this.over.className = 'flame-over';
        this.base.setAttribute('aria-hidden', 'true');
        this.over.setAttribute('aria-hidden', 'true');
        this.pane.append(this.base, this.over, this.twin.element);
        this.space.append(this.pane);
        this.element.append(this.space);
        this.painter = new Painter(this.base.getContext('2d', { alpha: false })!);
        this.camera = new Camera(this.element, () => {
            this.invalidate();
            this.owner.moved();
        });
        this.watch = new ResizeObserver(() => this.resize());
        this.watch.observe(this.element);
        this.themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
        this.forced.addEventListener('change', this.recolour);
        this.element.addEventListener('scroll', () => {
            if (this.element.scrollTop !== this.camera.look.top) this.invalidate(); // else it is drawn
        });
        this.twin.element.addEventListener('focus', () => this.focusOn(this.focused, false));
        this.twin.element.addEventListener('blur', () => this.invalidate(Stale.Over));
        this.twin.element.addEventListener('contextmenu', () => this.menu({ box: this.focused, first: 0, end: 0, level: 0 }));
        listen(this.pane, {
            pan: (dx, dy) => this.camera.pan(dx, dy),
            scale: (factor, x) => this.camera.scale(factor, x),
            hover: (x, y) => this.point(this.spotAt(x, y)),
            leave: () => this.point(null),
            click: (x, y) => this.click(this.spotAt(x, y)),
            menu: (x, y) => this.menu(this.spotAt(x, y)),
        });
    }

    dispose(): void {
        this.watch.disconnect();
        this.unlisten();
        this.themes.disconnect();
        this.forced.removeEventListener('change', this.recolour);
        cancelAnimationFrame(this.frame);
    }

    /** What can be done before there is a picture: while the engine works. */
    prepare(): void {
        this.theme ??= readTheme(this.element, this.palette);
        this.painter.setFont(this.theme, devicePixelRatio || 1);
    }

    /** Another picture, seen whole; null: none. It is drawn in the next frame, or by now(). */
    show(index: FlameIndex | null, names: Names | null, how: { icicle: boolean; palette: Palette }): void {
        this.index = index;
        this.names = names;
        this.hits = null;
        this.spot = null;
        this.zoomed = this.focused = 0;
        if (how.palette !== this.palette) this.theme = null;
        this.palette = how.palette;
        this.camera.show(index, how.icicle);
        this.twin.clear();
        this.select(this.selected);
        this.measure();
        this.camera.go(0, index?.total || 1, 0, false);
    }

    find(text: string): Hits | null {
        this.hits = text && this.index ? search(this.index, text) : null;
        this.invalidate();
        return this.hits;
    }

    select(func: FunctionId | null): void {
        this.selected = func;
        this.selectedName = -1;
        const { index } = this;
        for (let i = 0; func && index && i < index.n; i++)
            if (index.flame.name[i] !== this.selectedName && same(functionOf(index.flame, i), func)) {
                this.selectedName = index.flame.name[i];
                break;
            }
        this.invalidate();
    }

    /** BOX as wide as the pane. */
    zoomTo(box: number, ease: boolean): void {
        const { index } = this;
        if (!index || !index.n) return;
        this.zoomed = box;
        this.focused = box;
        this.camera.go(index.flame.at[box], index.flame.width[box], index.flame.depth[box], ease);
        if (document.activeElement === this.twin.element) this.focusOn(box, false);
    }

    /** All is seen. */
    get whole(): boolean {
        return !this.zoomed && this.camera.whole;
    }

    focus(): void {
        this.twin.element.focus({ preventScroll: true });
    }

    // ---- where things are ----

    /** Both canvases are as large as the element. True: they were not, and are empty now. */
    private measure(): boolean {
        const { look } = this.camera;
        if (!this.camera.resize(this.space)) return false;
        const w = Math.max(1, Math.round(look.width * look.ratio)), h = Math.max(1, Math.round(look.height * look.ratio));
        if (this.base.width === w && this.base.height === h) return false;
        this.pane.style.height = look.height + 'px';
        for (const c of [this.base, this.over]) {
            c.width = w;
            c.height = h;
        }
        return true;
    }

    /** What was resized is empty until it is drawn. */
    private resize(): void {
        if (this.measure()) this.now();
    }

    /** All levels, and no empty ones. */
    private print(begins: boolean): void {
        if (!this.element.clientWidth) return;
        const all = ((this.index?.levels ?? 0) + 1) * LEVEL;
        this.element.style.flex = begins ? `0 0 ${Math.min(all, PRINTED)}px` : '';
        this.theme = null;
        this.measure();
        this.now();
        this.wide?.remove();
        this.wide = null;
        if (begins) this.printWide();
    }

    /** On paper that lies, a high picture has its width only if it is drawn wider. The style chooses. */
    private printWide(): void {
        const { look } = this.camera, width = Math.round(look.height / LYING);
        if (width <= look.width || !this.index) return;
        this.wide = document.createElement('canvas');
        this.wide.className = 'flame-wide';
        this.wide.width = Math.round(width * look.ratio);
        this.wide.height = this.base.height;
        this.pane.append(this.wide);
        this.paint(new Painter(this.wide.getContext('2d', { alpha: false })!), { ...look, width });
    }

    private spotAt(x: number, y: number): Spot | null {
        const { index } = this, { look } = this.camera, level = levelAt(look, y), pixel = look.span / look.width;
        if (!index || !index.n) return null;
        const at = look.at + x * pixel, p = index.find(level, at, pixel);
        if (p < 0) return null;
        let spot: Spot | null = null;
        const { flame } = index;
        index.visit(level, look.at, look.at + look.span, pixel, {
            box: box => {
                if (flame.at[box] <= at && at < flame.at[box] + flame.width[box])
                    spot = { box, first: 0, end: 0, level };
            },
            run: (first, end) => {
                const a = index.order[first], b = index.order[end - 1];
                const right = Math.max(flame.at[b] + flame.width[b], flame.at[a] + pixel);
                if (!spot && flame.at[a] - pixel <= at && at < right + pixel)
                    spot = { box: end - first === 1 ? a : -1, first, end, level };
            },
        });
        return spot;
    }

    /** Left and right edge of a box or a run. */
    private edges(spot: Spot): [number, number] {
        const { flame, order } = this.index!;
        const a = spot.box >= 0 ? spot.box : order[spot.first], b = spot.box >= 0 ? spot.box : order[spot.end - 1];
        return [flame.at[a], flame.at[b] + flame.width[b]];
    }

    // ---- drawing ----

    invalidate(what: Stale = Stale.All): void {
        if (!this.stale)
            this.frame = requestAnimationFrame(now => {
                const all = this.stale === Stale.All;
                this.stale = Stale.None;
                this.camera.step(now);
                this.draw(all);
            });
        if (what > this.stale) this.stale = what;
    }

    /** Draw at once what would be drawn in the next frame. */
    now(): void {
        cancelAnimationFrame(this.frame);
        this.stale = Stale.None;
        this.draw(true);
    }

    private draw(all: boolean): void {
        const { index, names } = this, { look } = this.camera;
        if (!look.width || !look.height) return;
        look.top = this.element.scrollTop;
        this.theme ??= readTheme(this.element, this.palette);
        if (!index || !names) return;
        if (!all) return this.drawOver(this.theme);
        this.paint(this.painter, look);
        this.drawOver(this.theme);
    }

    private paint(painter: Painter, look: Look): void {
        const { at, width, depth } = this.index!.flame, z = this.zoomed;
        const inside = look.at >= at[z] && look.at + look.span <= (at[z] + width[z]) * (1 + 1e-9);
        painter.draw({ index: this.index!, names: this.names!, look, theme: this.theme!, hits: this.hits,
            selected: this.selectedName, dim: inside ? depth[z] : 0 });
    }

    private drawOver(theme: Theme): void {
        const ctx = this.over.getContext('2d')!, { look } = this.camera;
        ctx.setTransform(look.ratio, 0, 0, look.ratio, 0, 0);
        ctx.clearRect(0, 0, look.width, look.height);
        this.drawMore(ctx, theme);
        // OUT: how far outside of the box, so that its words can be read.
        const ring = (spot: Spot, colour: string, line: number, out: number) => {
            const [x, w] = this.camera.extent(...this.edges(spot)), y = levelY(look, spot.level);
            const left = Math.max(x - out, 0) + line / 2, right = Math.min(x + w - 1 + out, look.width) - line / 2;
            ctx.strokeStyle = colour;
            ctx.lineWidth = line;
            ctx.strokeRect(left, y - out + line / 2, right - left, LEVEL - 1 + 2 * out - line);
        };
        if (this.spot) ring(this.spot, theme.fg, 1, 0);
        if (document.activeElement !== this.twin.element || !this.index?.n) return;
        const box = this.focused, spot = { box, first: 0, end: 0, level: this.index.flame.depth[box] };
        ring(spot, theme.bg, 4, 2);
        ring(spot, theme.focus, 2, 2);
    }

    /** At the far end, how many levels are beyond it: a scroll bar may not be seen. */
    private drawMore(ctx: CanvasRenderingContext2D, theme: Theme): void {
        const { look } = this.camera, more = Math.floor((look.icicle ? look.all - look.height - look.top : look.top) / LEVEL);
        if (more < 1) return;
        const words = `${look.icicle ? '\u25be' : '\u25b4'} ${more} more`, y = look.icicle ? look.height - LEVEL : 0;
        ctx.font = `11px ${theme.font}`;
        const width = ctx.measureText(words).width + 12;
        ctx.fillStyle = theme.bg;
        ctx.fillRect(look.width - width, y, width, LEVEL);
        ctx.fillStyle = theme.fg;
        ctx.fillText(words, look.width - width + 6, y + 13);
    }

    // ---- pointing, keys ----

    private point(spot: Spot | null): void {
        const a = this.spot, same = a === spot || (a && spot && a.box === spot.box &&
            a.first === spot.first && a.end === spot.end && a.level === spot.level);
        if (same) return;
        this.spot = spot;
        this.pane.style.cursor = spot ? 'pointer' : '';
        this.owner.tell(spot);
        this.invalidate(Stale.Over);
    }

    private click(spot: Spot | null): void {
        const { index } = this;
        this.focus();
        if (!spot || !index) return;
        if (spot.box < 0) {
            const [a, b] = this.edges(spot);
            this.camera.go(a, b - a, null, true);
            return;
        }
        const again = this.focused === spot.box;
        this.focusOn(spot.box, false);
        const func = functionOf(index.flame, spot.box);
        if (again || !func) this.owner.zoom(spot.box);
        if (func) this.owner.select(func, spot.box);
    }

    /** The page opens a menu of what is selected. */
    private menu(spot: Spot | null): void {
        const func = spot && spot.box >= 0 && this.index ? functionOf(this.index.flame, spot.box) : null;
        if (!func || !spot) return;
        this.focusOn(spot.box, false);
        this.owner.select(func, spot.box, true);
    }

    /** The focus goes to BOX; SEE: so that it is seen. */
    focusOn(box: number, see: boolean): void {
        const { index } = this;
        if (!index || !index.n) return;
        this.focused = box;
        if (see) this.camera.see(box);
        void this.twin.show(index, box, b => same(functionOf(index.flame, b), this.selected),
            boxes => this.owner.words(boxes));
        this.owner.tell({ box, first: 0, end: 0, level: index.flame.depth[box] });
        this.invalidate(Stale.Over);
    }

    private toward(e: KeyboardEvent): number {
        const { index, focused } = this, up = (e.key === 'ArrowUp') !== this.camera.look.icicle;
        switch (e.key) {
        case 'ArrowUp':
        case 'ArrowDown':
            if (!up) return index!.parent[focused];
            return focused + 1 < index!.end[focused] ? focused + 1 : -1;
        case 'ArrowLeft':
            return index!.beside(focused, -1);
        default:
            return index!.beside(focused, 1);
        }
    }

    private arrow(e: KeyboardEvent): void {
        const step = { ArrowUp: [0, 60], ArrowDown: [0, -60], ArrowLeft: [80, 0], ArrowRight: [-80, 0] }[e.key]!;
        if (e.shiftKey) return this.camera.pan(step[0], step[1]);
        const box = document.activeElement === this.twin.element ? this.toward(e) : this.focused;
        this.focus();
        if (box >= 0) this.focusOn(box, true);
    }

    /** True: taken. */
    key(e: KeyboardEvent): boolean {
        const { index, camera } = this;
        if (!index?.n || e.ctrlKey || e.metaKey || e.altKey) return false;
        if (e.key.startsWith('Arrow')) {
            this.arrow(e);
            return true;
        }
        const here = document.activeElement === this.twin.element;
        switch (e.key) {
        case '+': case '=': camera.scale(0.8, camera.look.width / 2); return true;
        case '-': camera.scale(1.25, camera.look.width / 2); return true;
        case 'Home': this.owner.zoom(0); return true;
        case 'Escape':
            if (this.whole) return false;
            this.owner.back();
            return true;
        case 'n': case 'N': return this.hop(e.key === 'n' ? 1 : -1);
        case 'Enter':
            if (here) this.owner.zoom(this.focused);
            return here;
        case ' ':
            if (here) this.owner.select(functionOf(index.flame, this.focused), this.focused);
            return here;
        default: return false;
        }
    }

    private hop(step: -1 | 1): boolean {
        const box = this.hits ? nextHit(this.hits, this.focused, step) : -1;
        if (box < 0) return false;
        this.focus();
        this.focusOn(box, true);
        return true;
    }
}
