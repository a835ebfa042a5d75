// SPDX-License-Identifier: Apache-2.0
/* A map of boxes in boxes on a canvas, and a tree (twin.ts) of them. The engine has laid them out. */
import './treemap_canvas.css';
import { fit } from '../flame/label';
import { compare } from '../format';
import { hatch, readTheme } from '../flame/theme';
import type { Palette, Theme } from '../flame/theme';
import { baseName, clean, functionId, levels, nameOf, same } from '../names';
import type { FunctionId, TreemapBox } from '../protocol';
import { onPaper } from '../paper';
import { Twin } from '../twin';
import type { Family } from '../twin';

const TEXT = 11, PAD = 6; // beside names, and above those of groups, is room for the ring of the focus
const RANK = { object: 0, file: 1, function: 2, small: 2 };

export interface Owner {
    select(func: FunctionId): void;
    /** Shown for its figures: what is under the pointer, or the focus. */
    tell(box: TreemapBox | null): void;
    words(box: TreemapBox): string;
    /** It is so large now. */
    sized(width: number, height: number): void;
}

/** Boxes come after the box that they are in. */
class Nest implements Family {
    readonly parent: number[] = [];

    constructor(readonly boxes: TreemapBox[]) {
        const open: number[] = [];
        boxes.forEach((b, i) => {
            while (open.length && !this.holds(boxes[open[open.length - 1]], b)) open.pop();
            this.parent.push(open.length ? open[open.length - 1] : -1);
            if (b.kind === 'object' || b.kind === 'file') open.push(i);
        });
    }

    private holds(a: TreemapBox, b: TreemapBox): boolean {
        const x = b.x + b.w / 2, y = b.y + b.h / 2;
        return (RANK[a.kind] < RANK[b.kind] || b.kind === 'small') &&
            a.x <= x && x <= a.x + a.w && a.y <= y && y <= a.y + a.h;
    }

    /** The most expensive first; of -1: those that are in no other. */
    children(box: number): number[] {
        const { boxes } = this;
        return boxes.map((_, i) => i).filter(i => this.parent[i] === box)
            .sort((a, b) => compare(boxes[b].cost, boxes[a].cost) || a - b);
    }

    path(box: number): number[] {
        const all: number[] = [];
        for (let b = box; b >= 0; b = this.parent[b]) all.push(b);
        return all.reverse();
    }
}

/** What a box is called. */
export function treemapName(b: TreemapBox): string {
    if (b.kind === 'small') return `+${b.n} small`;
    if (b.kind === 'function') return nameOf(functionId(b));
    const path = (b.kind === 'object' ? b.object : b.file) ?? '';
    return clean(baseName(path)) || '[unknown]';
}

export class TreemapCanvas {
    readonly element = document.createElement('div');
    private readonly base = document.createElement('canvas');
    private readonly twin = new Twin('tree map', 'treemap', () => ['box in it', 'boxes in it']);
    private readonly watch = new ResizeObserver(() => this.resize());
    private readonly forced = matchMedia('(forced-colors: active)');
    private readonly themes = new MutationObserver(() => this.recolour());
    private readonly recolour = () => {
        this.theme = null;
        this.invalidate();
    };
    private readonly unlisten = onPaper(() => this.print(), () => this.print());
    private nest = new Nest([]);
    private theme: Theme | null = null;
    private palette: Palette = 'group';
    private hatch: CanvasPattern | null = null;
    private re: RegExp | null = null;
    private selected: FunctionId | null = null;
    private focused = 0;
    private hovered = -1;
    private stale = false;
    private size = { width: 0, height: 0, ratio: 1 };

    constructor(private readonly owner: Owner) {
        this.element.className = 'treemap-canvas';
        this.base.setAttribute('aria-hidden', 'true');
        this.element.append(this.base, this.twin.element);
        this.watch.observe(this.element);
        this.themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
        this.forced.addEventListener('change', this.recolour);
        this.twin.element.addEventListener('focus', () => this.focusOn(this.focused));
        this.twin.element.addEventListener('blur', () => this.invalidate());
        const at = (e: MouseEvent) => {
            const r = this.element.getBoundingClientRect();
            return this.boxAt(e.clientX - r.left, e.clientY - r.top);
        };
        this.element.addEventListener('pointermove', e => this.hover(at(e)));
        this.element.addEventListener('pointerleave', () => this.hover(-1));
        this.element.addEventListener('click', e => this.choose(at(e)));
        // By a key it is of the tree that has the focus, which no pointer meets.
        this.element.addEventListener('contextmenu', e =>
            this.choose(e.target === this.twin.element ? this.focused : at(e)));
    }

    dispose(): void {
        this.watch.disconnect();
        this.unlisten();
        this.themes.disconnect();
        this.forced.removeEventListener('change', this.recolour);
    }

    focus(): void {
        this.twin.element.focus({ preventScroll: true });
    }

    show(boxes: TreemapBox[], palette: Palette): void {
        if (palette !== this.palette) this.theme = null;
        this.palette = palette;
        const before = this.nest.boxes[this.focused];
        this.nest = new Nest(boxes);
        const again = before ? boxes.findIndex(b => b.kind === before.kind &&
            same(functionId(b), functionId(before))) : -1;
        this.focused = again >= 0 ? again : this.nest.children(-1)[0] ?? 0;
        this.hovered = -1;
        this.twin.clear();
        if (document.activeElement === this.twin.element) this.focusOn(this.focused);
        this.invalidate();
    }

    mark(search: RegExp | null, selected: FunctionId | null): void {
        this.re = search;
        this.selected = selected;
        this.invalidate();
    }

    private resize(): void {
        const { clientWidth: width, clientHeight: height } = this.element;
        if (!width || !height) return;
        this.size = { width, height, ratio: devicePixelRatio || 1 };
        this.base.width = Math.round(width * this.size.ratio);
        this.base.height = Math.round(height * this.size.ratio);
        this.draw();
        this.owner.sized(width, height);
    }

    // ---- drawing ----

    /** In the colours of paper, and back. */
    private print(): void {
        this.theme = null;
        this.draw();
    }

    private invalidate(): void {
        if (this.stale) return;
        this.stale = true;
        requestAnimationFrame(() => {
            this.stale = false;
            this.draw();
        });
    }

    private draw(): void {
        const { width, height, ratio } = this.size, ctx = this.base.getContext('2d', { alpha: false })!;
        if (!width) return;
        if (!this.theme) {
            this.theme = readTheme(this.element, this.palette);
            this.hatch = hatch(ctx, this.theme, ratio, 'hatch');
        }
        const theme = this.theme;
        ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
        ctx.fillStyle = theme.bg;
        ctx.fillRect(0, 0, width, height);
        ctx.font = `bold ${TEXT}px ${theme.font}`;
        ctx.textBaseline = 'middle';
        ctx.direction = 'ltr';
        const cell = ctx.measureText('MMMMMMMMMM').width / 10;
        for (const b of this.nest.boxes) this.box(ctx, theme, b, cell);
        const { boxes } = this.nest, here = document.activeElement === this.twin.element;
        for (const b of boxes)
            if (b.kind === 'function' && same(functionId(b), this.selected)) outline(ctx, b, theme.accent, 3);
        if (boxes[this.hovered]) outline(ctx, boxes[this.hovered], theme.fg, 1);
        if (here && boxes[this.focused]) {
            outline(ctx, boxes[this.focused], theme.bg, 5);
            outline(ctx, boxes[this.focused], theme.focus, 3);
        }
    }

    private box(ctx: CanvasRenderingContext2D, theme: Theme, b: TreemapBox, cell: number): void {
        const name = treemapName(b), group = b.kind === 'object' || b.kind === 'file';
        const found = b.kind === 'function' && this.re?.test(name);
        const paint = found ? theme.found : theme.boxes[b.colour] ?? theme.boxes[0];
        const [x, y, w, h] = snapped(b, this.size.ratio);
        ctx.fillStyle = theme.forced ? theme.fg : theme.bg;
        ctx.fillRect(x, y, w, h);
        const gap = 1 / this.size.ratio;
        ctx.fillStyle = b.kind === 'small' ? this.hatch! : paint.fill;
        if (w > gap && h > gap) ctx.fillRect(x, y, w - gap, h - gap);
        if (theme.forced && !found && w > 2 && h > 2) {
            ctx.fillStyle = theme.fg;
            ctx.fillRect(x, y, w, gap);
            ctx.fillRect(x, y, gap, h);
        }
        if (w < 20 || h < TEXT + (group ? PAD : 2)) return;
        const whole = b.kind === 'function' ? levels(name.slice(0, 500)) : [name];
        const short = fit(whole, Math.floor((w - 2 * PAD) / cell));
        ctx.font = `${b.kind === 'object' ? 'bold ' : ''}${TEXT}px ${theme.font}`;
        ctx.fillStyle = b.kind === 'small' ? theme.boxes[0].ink : paint.ink;
        ctx.fillText(short, x + PAD, group ? y + TEXT / 2 + PAD - 1 : y + h / 2, w - 2 * PAD);
    }

    // ---- pointing, keys ----

    private boxAt(x: number, y: number): number {
        const { boxes } = this.nest;
        for (let i = boxes.length - 1; i >= 0; i--) {
            const b = boxes[i];
            if (b.x <= x && x < b.x + b.w && b.y <= y && y < b.y + b.h) return i;
        }
        return -1;
    }

    private hover(box: number): void {
        if (box === this.hovered) return;
        this.hovered = box;
        this.owner.tell(this.nest.boxes[box] ?? null);
        this.invalidate();
    }

    private choose(box: number): void {
        const b = this.nest.boxes[box];
        this.focus();
        if (!b) return;
        this.focusOn(box);
        if (b.kind === 'function') this.owner.select(functionId(b));
    }

    private focusOn(box: number): void {
        const { boxes } = this.nest;
        if (!boxes[box]) return;
        this.focused = box;
        this.owner.tell(boxes[box]);
        const chosen = (b: number) => boxes[b].kind === 'function' && same(functionId(boxes[b]), this.selected);
        void this.twin.show(this.nest, box, chosen, async all => all.map(b => this.owner.words(boxes[b])));
        this.invalidate();
    }

    /** Left and right among boxes of one box, by cost; up to it, and down into one. */
    private toward(key: string): number {
        const { nest, focused } = this, parent = nest.parent[focused];
        const beside = nest.children(parent), here = beside.indexOf(focused);
        switch (key) {
        case 'ArrowUp': return parent;
        case 'ArrowDown': return nest.children(focused)[0] ?? -1;
        case 'ArrowLeft': return beside[here - 1] ?? -1;
        case 'ArrowRight': return beside[here + 1] ?? -1;
        case 'Home': return nest.children(-1)[0] ?? -1;
        default: return -1;
        }
    }

    /** True: taken. */
    key(e: KeyboardEvent): boolean {
        const here = document.activeElement === this.twin.element;
        if (e.ctrlKey || e.metaKey || e.altKey || !this.nest.boxes.length) return false;
        if (e.key.startsWith('Arrow') || e.key === 'Home') {
            const box = here ? this.toward(e.key) : this.focused;
            this.focus();
            if (box >= 0) this.focusOn(box);
            return true;
        }
        if (!here || (e.key !== 'Enter' && e.key !== ' ')) return false;
        this.choose(this.focused);
        return true;
    }
}

/** Edges between pixels of the device. */
function snapped(b: TreemapBox, ratio: number): [number, number, number, number] {
    const at = (v: number) => Math.round(v * ratio) / ratio, x = at(b.x), y = at(b.y);
    return [x, y, at(b.x + b.w) - x, at(b.y + b.h) - y];
}

function outline(ctx: CanvasRenderingContext2D, b: TreemapBox, colour: string, line: number): void {
    ctx.strokeStyle = colour;
    ctx.lineWidth = line;
    ctx.strokeRect(b.x + line / 2, b.y + line / 2, Math.max(b.w - line, 1), Math.max(b.h - line, 1));
}
