// SPDX-License-Identifier: Apache-2.0
/*
 * A flame graph that is moved in: a canvas for the boxes, one above it for what is under the
 * pointer and the focus, and a tree (flame_twin.ts) for who cannot see them. Nothing is drawn but
 * in an animation frame, however often something changes.
 */
import './flame_canvas.css';
import { FlameIndex } from './flame_index';
import { listen } from './flame_gestures';
import { Names } from './flame_label';
import { LEVEL, Painter, levelAt, levelY } from './flame_paint';
import type { Look } from './flame_paint';
import { functionOf } from './flame_path';
import { same } from './names';
import { nextHit, search } from './flame_search';
import type { Hits } from './flame_search';
import { readTheme } from './flame_theme';
import type { Palette, Theme } from './flame_theme';
import { Twin } from './flame_twin';
import type { FunctionId } from './protocol';

/** What is pointed at: a box, or a run of boxes that are too narrow. */
export interface Spot { box: number; first: number; end: number; level: number }

export interface Owner {
    /** Asks to see BOX in full width: 0 is all. */
    zoom(box: number): void;
    /** Back from there. */
    back(): void;
    select(func: FunctionId | null, box: number): void;
    /** What is under the pointer, or the focus; null: nothing is. */
    tell(spot: Spot | null): void;
    /** Of boxes: their names and figures. */
    words(boxes: number[]): Promise<string[]>;
    /** What is seen moved. */
    moved(): void;
}

const EASE = 160;
let ids = 0;

export class FlameCanvas {
    readonly element = document.createElement('div');
    private readonly pane = document.createElement('div');
    private readonly space = document.createElement('div');
    private readonly base = document.createElement('canvas');
    private readonly over = document.createElement('canvas');
    private readonly painter: Painter;
    private readonly twin: Twin;
    private readonly watch: ResizeObserver;
    private readonly queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map(q => matchMedia(q));
    private readonly recolour = () => this.colours();
    index: FlameIndex | null = null;
    private names: Names | null = null;
    hits: Hits | null = null;
    zoomed = 0;
    private look: Look = { at: 0, span: 1, width: 0, height: 0, top: 0, all: 0, icicle: false, ratio: 1 };
    private theme: Theme | null = null;
    private palette: Palette = 'group';
    private selected: FunctionId | null = null;
    private selectedName = -1;
    private focused = 0;
    private spot: Spot | null = null;
    private frame = 0;
    private stale = false;
    private move: { from: Move; to: Move; begin: number } | null = null;

    constructor(label: string, private readonly owner: Owner) {
        this.twin = new Twin(label, 'flame' + ++ids);
        this.element.className = 'flame-canvas';
        this.pane.className = 'flame-pane';
        this.over.className = 'flame-over';
        this.base.setAttribute('aria-hidden', 'true');
        this.over.setAttribute('aria-hidden', 'true');
        this.pane.append(this.base, this.over, this.twin.element);
        this.space.append(this.pane);
        this.element.append(this.space);
        this.painter = new Painter(this.base.getContext('2d', { alpha: false })!);
        this.watch = new ResizeObserver(() => this.resize());
        this.watch.observe(this.element);
        this.queries.forEach(q => q.addEventListener('change', this.recolour));
        this.element.addEventListener('scroll', () => this.invalidate());
        this.twin.element.addEventListener('focus', () => this.focusOn(this.focused, false));
        this.twin.element.addEventListener('blur', () => this.invalidate());
        listen(this.pane, {
            pan: (dx, dy) => this.pan(dx, dy),
            scale: (factor, x) => this.scale(factor, x),
            hover: (x, y) => this.point(this.spotAt(x, y)),
            leave: () => this.point(null),
            click: (x, y) => this.click(this.spotAt(x, y)),
            menu: (x, y) => this.menu(this.spotAt(x, y), x, y),
        });
    }

    dispose(): void {
        this.watch.disconnect();
        this.queries.forEach(q => q.removeEventListener('change', this.recolour));
        cancelAnimationFrame(this.frame);
    }

    /** The style sheet says something else now. */
    colours(): void {
        this.theme = null;
        this.invalidate();
    }

    /** Another picture, seen whole; null: none. */
    show(index: FlameIndex | null, names: Names | null, how: { icicle: boolean; palette: Palette }): void {
        this.index = index;
        this.names = names;
        this.hits = null;
        this.spot = null;
        this.move = null;
        this.zoomed = this.focused = 0;
        this.look.icicle = how.icicle;
        if (how.palette !== this.palette) this.theme = null;
        this.palette = how.palette;
        this.look.at = 0;
        this.look.span = index?.total || 1;
        this.twin.clear();
        this.select(this.selected);
        this.resize();
        this.element.scrollTop = this.topOf(0);
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
        this.glide({ at: index.flame.at[box], span: index.flame.width[box] || index.total,
            top: this.topOf(box) }, ease);
        if (document.activeElement === this.twin.element) this.focusOn(box, false);
    }

    /** All is seen. */
    get whole(): boolean {
        return !this.index || (!this.zoomed && this.look.span >= this.index.total);
    }

    focus(): void {
        this.twin.element.focus({ preventScroll: true });
    }

    // ---- where things are ----

    /** How far to scroll so that BOX is near the root's end. */
    private topOf(box: number): number {
        const { look, index } = this, level = index?.flame.depth[box] ?? 0;
        const off = Math.max(0, Math.min((level - 3) * LEVEL, look.all - look.height));
        return look.icicle ? off : look.all - look.height - off;
    }

    private resize(): void {
        const { look } = this, root = look.icicle ? look.top : look.all - look.height - look.top;
        look.width = this.element.clientWidth;
        look.height = this.element.clientHeight;
        look.ratio = devicePixelRatio || 1;
        look.all = Math.max(look.height, ((this.index?.levels ?? 0) + 1) * LEVEL);
        this.space.style.height = look.all + 'px';
        this.pane.style.height = look.height + 'px';
        this.element.scrollTop = look.icicle ? root : look.all - look.height - root;
        for (const c of [this.base, this.over]) {
            c.width = Math.max(1, Math.round(look.width * look.ratio));
            c.height = Math.max(1, Math.round(look.height * look.ratio));
        }
        // At once: what was resized is empty until it is drawn.
        this.draw();
    }

    private spotAt(x: number, y: number): Spot | null {
        const { index, look } = this, level = levelAt(look, y), pixel = look.span / look.width;
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

    /** Of a box or a run: left edge and width in pixels of the pane. */
    private extent(spot: Spot): [number, number] {
        const { index, look } = this, { at, width } = index!.flame, scale = look.width / look.span;
        const a = spot.box >= 0 ? spot.box : index!.order[spot.first];
        const b = spot.box >= 0 ? spot.box : index!.order[spot.end - 1];
        const x = Math.max(-4, (at[a] - look.at) * scale);
        return [x, Math.max(3, Math.min((at[b] + width[b] - look.at) * scale, look.width + 4) - x)];
    }

    // ---- moving ----

    private clamp(at: number, span: number): void {
        const { look } = this, total = this.index?.total || 1;
        look.span = Math.max(total * 1e-9, Math.min(span, total));
        look.at = Math.max(0, Math.min(at, total - look.span));
        this.invalidate();
        this.owner.moved();
    }

    pan(dx: number, dy: number): void {
        this.move = null;
        if (dy) this.element.scrollTop -= dy;
        if (dx) this.clamp(this.look.at - dx * this.look.span / this.look.width, this.look.span);
    }

    scale(factor: number, x: number): void {
        const { look } = this, fixed = look.at + x * look.span / look.width;
        this.move = null;
        const span = Math.min(look.span * factor, this.index?.total || 1);
        this.clamp(fixed - x * span / look.width, span);
    }

    private glide(to: Move, ease: boolean): void {
        const { look } = this;
        if (ease && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
            this.move = { from: { at: look.at, span: look.span, top: look.top }, to, begin: performance.now() };
        } else {
            this.move = null;
            this.element.scrollTop = to.top;
            this.clamp(to.at, to.span);
        }
        this.invalidate();
    }

    private step(now: number): void {
        if (!this.move) return;
        const { from, to, begin } = this.move, t = Math.min(1, Math.max(0, now - begin) / EASE);
        const part = 1 - (1 - t) ** 3, mid = (a: number, b: number) => a + (b - a) * part;
        this.element.scrollTop = mid(from.top, to.top);
        this.clamp(mid(from.at, to.at), mid(from.span, to.span));
        if (t >= 1) this.move = null;
        else this.invalidate();
    }

    // ---- drawing ----

    invalidate(): void {
        if (this.stale) return;
        this.stale = true;
        this.frame = requestAnimationFrame(now => {
            this.stale = false;
            this.step(now);
            this.draw();
        });
    }

    private draw(): void {
        const { look, index, names } = this;
        if (!look.width || !look.height) return;
        look.top = this.element.scrollTop;
        this.theme ??= readTheme(this.element, this.palette);
        if (!index || !names) return;
        const { at, width, depth } = index.flame, z = this.zoomed;
        const inside = look.at >= at[z] && look.at + look.span <= (at[z] + width[z]) * (1 + 1e-9);
        this.painter.draw({ index, names, look, theme: this.theme, hits: this.hits,
            selected: this.selectedName, dim: inside ? depth[z] : 0 });
        this.drawOver(this.theme);
    }

    private drawOver(theme: Theme): void {
        const ctx = this.over.getContext('2d')!, { look } = this;
        ctx.setTransform(look.ratio, 0, 0, look.ratio, 0, 0);
        ctx.clearRect(0, 0, look.width, look.height);
        const ring = (spot: Spot, colour: string, line: number) => {
            const [x, w] = this.extent(spot);
            ctx.strokeStyle = colour;
            ctx.lineWidth = line;
            ctx.strokeRect(x + line / 2, levelY(look, spot.level) + line / 2, w - line - 1, LEVEL - 1 - line);
        };
        if (this.spot) ring(this.spot, theme.fg, 1);
        if (document.activeElement !== this.twin.element || !this.index?.n) return;
        const box = this.focused, spot = { box, first: 0, end: 0, level: this.index.flame.depth[box] };
        ring(spot, theme.bg, 5);
        ring(spot, theme.focus, 3);
    }

    // ---- pointing, keys ----

    private point(spot: Spot | null): void {
        const a = this.spot, same = a === spot || (a && spot && a.box === spot.box &&
            a.first === spot.first && a.end === spot.end && a.level === spot.level);
        if (same) return;
        this.spot = spot;
        this.pane.style.cursor = spot ? 'pointer' : '';
        this.owner.tell(spot);
        this.invalidate();
    }

    private click(spot: Spot | null): void {
        const { index } = this;
        this.focus();
        if (!spot || !index) return;
        if (spot.box < 0) {
            const a = index.flame.at[index.order[spot.first]], b = index.order[spot.end - 1];
            const span = Math.max(index.flame.at[b] + index.flame.width[b] - a, index.total * 1e-9);
            this.glide({ at: a, span, top: this.element.scrollTop }, true);
            return;
        }
        const again = this.focused === spot.box;
        this.focusOn(spot.box, false);
        const func = functionOf(index.flame, spot.box);
        if (again || !func) this.owner.zoom(spot.box);
        if (func) this.owner.select(func, spot.box);
    }

    private menu(spot: Spot | null, x: number, y: number): void {
        const func = spot && spot.box >= 0 && this.index ? functionOf(this.index.flame, spot.box) : null;
        if (!func) return;
        const r = this.pane.getBoundingClientRect();
        this.pane.dispatchEvent(new CustomEvent('assay-menu', { bubbles: true,
            detail: { func, x: r.left + x, y: r.top + y } }));
    }

    /** The focus goes to BOX; SEE: so that it is seen. */
    focusOn(box: number, see: boolean): void {
        const { index, look } = this;
        if (!index || !index.n) return;
        this.focused = box;
        const level = index.flame.depth[box], y = levelY(look, level);
        if (see) {
            const at = index.flame.at[box], w = index.flame.width[box];
            if (y < 0) this.element.scrollTop += y - LEVEL;
            else if (y + LEVEL > look.height) this.element.scrollTop += y + 2 * LEVEL - look.height;
            if (at + w <= look.at || at >= look.at + look.span)
                this.glide({ at: at + w / 2 - look.span / 2, span: look.span, top: this.element.scrollTop }, true);
        }
        void this.twin.show(index, box, b => same(functionOf(index.flame, b), this.selected),
            boxes => this.owner.words(boxes));
        this.owner.tell({ box, first: 0, end: 0, level });
        this.invalidate();
    }

    private toward(e: KeyboardEvent): number {
        const { index, focused, look } = this;
        const up = (e.key === 'ArrowUp') !== look.icicle;
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
        if (e.shiftKey) return this.pan(step[0], step[1]);
        const box = document.activeElement === this.twin.element ? this.toward(e) : this.focused;
        this.focus();
        if (box >= 0) this.focusOn(box, true);
    }

    /** True: taken. */
    key(e: KeyboardEvent): boolean {
        const { index, look } = this;
        if (!index?.n || e.ctrlKey || e.metaKey || e.altKey) return false;
        if (e.key.startsWith('Arrow')) {
            this.arrow(e);
            return true;
        }
        const here = document.activeElement === this.twin.element;
        switch (e.key) {
        case '+': case '=': this.scale(0.8, look.width / 2); return true;
        case '-': this.scale(1.25, look.width / 2); return true;
        case '0': case 'Home': this.owner.zoom(0); return true;
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
        case '.': case 'ContextMenu': {
            const spot = { box: this.focused, first: 0, end: 0, level: index.flame.depth[this.focused] };
            if (here) this.menu(spot, this.extent(spot)[0] + 8, levelY(look, spot.level) + LEVEL);
            return here;
        }
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

interface Move { at: number; span: number; top: number }
