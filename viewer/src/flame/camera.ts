// SPDX-License-Identifier: Apache-2.0
/* Which part of a flame graph is seen: across by its own measure, up and down by a scroll bar. */
import type { FlameIndex } from './index';

/** Pixels of a level, with the gap to the next one. */
export const LEVEL = 18;
/** Milliseconds of a zoom. */
const EASE = 160;
/** The narrowest part of the whole that can be seen. */
const LEAST = 1e-9;

/** What is seen. All but AT and SPAN in pixels of CSS. */
export interface Look {
    /** Of the picture: the left edge, and the width. */
    at: number;
    span: number;
    width: number;
    height: number;
    /** How far it is scrolled; the height of all. */
    top: number;
    all: number;
    icicle: boolean;
    /** Device pixels. */
    ratio: number;
}

export function levelY(look: Look, level: number): number {
    return (look.icicle ? level * LEVEL : look.all - (level + 1) * LEVEL) - look.top;
}

export function levelAt(look: Look, y: number): number {
    const from = y + look.top;
    return Math.floor((look.icicle ? from : look.all - from) / LEVEL);
}

interface Move { at: number; span: number; top: number }

export class Camera {
    readonly look: Look = { at: 0, span: 1, width: 0, height: 0, top: 0, all: 0, icicle: false, ratio: 1 };
    private index: FlameIndex | null = null;
    private move: { from: Move; to: Move; begin: number } | null = null;

    constructor(private readonly scroller: HTMLElement, private readonly moved: () => void) {}

    /** All of INDEX, from its root on. */
    show(index: FlameIndex | null, icicle: boolean): void {
        this.index = index;
        this.move = null;
        Object.assign(this.look, { at: 0, span: this.total, icicle });
    }

    private get total(): number {
        return this.index?.total || 1;
    }

    get whole(): boolean {
        return this.look.span >= this.total;
    }

    /** As large as the element is now; what is near the root stays in sight. False: nobody sees it. */
    resize(space: HTMLElement): boolean {
        const { look, scroller } = this, root = look.icicle ? look.top : look.all - look.height - look.top;
        if (!scroller.clientWidth || !scroller.clientHeight) return false;
        look.width = scroller.clientWidth;
        look.height = scroller.clientHeight;
        look.ratio = devicePixelRatio || 1;
        look.all = Math.max(look.height, ((this.index?.levels ?? 0) + 1) * LEVEL);
        space.style.height = look.all + 'px';
        scroller.scrollTop = look.icicle ? root : look.all - look.height - root;
        return true;
    }

    /** How far to scroll so that LEVEL is near the root's end. */
    private topOf(level: number): number {
        const { look } = this;
        const off = Math.max(0, Math.min((level - 3) * LEVEL, look.all - look.height));
        return look.icicle ? off : look.all - look.height - off;
    }

    private set(at: number, span: number): void {
        const { look, total } = this;
        look.span = Math.max(total * LEAST, Math.min(span, total));
        look.at = Math.max(0, Math.min(at, total - look.span));
        this.moved();
    }

    pan(dx: number, dy: number): void {
        const { look } = this;
        this.move = null;
        if (dy) this.scroller.scrollTop -= dy;
        if (dx) this.set(look.at - dx * look.span / look.width, look.span);
    }

    /** FACTOR below 1: closer. What is at X stays there. */
    scale(factor: number, x: number): void {
        const { look } = this, fixed = look.at + x * look.span / look.width;
        const span = Math.min(look.span * factor, this.total);
        this.move = null;
        this.set(fixed - x * span / look.width, span);
    }

    /** From AT on, SPAN wide; LEVEL, if it is told, is brought near the root's end. */
    go(at: number, span: number, level: number | null, ease: boolean): void {
        const { look } = this, top = level === null ? this.scroller.scrollTop : this.topOf(level);
        const to = { at, span: Math.max(span, this.total * LEAST), top };
        this.move = null;
        if (ease && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
            this.move = { from: { at: look.at, span: look.span, top: this.scroller.scrollTop }, to,
                begin: performance.now() };
            this.moved();
        } else {
            this.scroller.scrollTop = to.top;
            this.set(to.at, to.span);
        }
    }

    /** A part of the way there. */
    step(now: number): void {
        if (!this.move) return;
        const { from, to, begin } = this.move, t = Math.min(1, Math.max(0, now - begin) / EASE);
        const part = 1 - (1 - t) ** 3, mid = (a: number, b: number) => a + (b - a) * part;
        if (t >= 1) this.move = null;
        this.scroller.scrollTop = mid(from.top, to.top);
        this.set(mid(from.at, to.at), mid(from.span, to.span));
    }

    /** Move as little as brings BOX in sight. */
    see(box: number): void {
        const { look } = this, { at, width, depth } = this.index!.flame, y = levelY(look, depth[box]);
        if (y < 0) this.scroller.scrollTop += y - LEVEL;
        else if (y + LEVEL > look.height) this.scroller.scrollTop += y + 2 * LEVEL - look.height;
        if (at[box] + width[box] <= look.at || at[box] >= look.at + look.span)
            this.go(at[box] + width[box] / 2 - look.span / 2, look.span, null, true);
    }

    /** Of what is from A to B: left edge and width in pixels of the pane, as far as they are seen. */
    extent(a: number, b: number): [number, number] {
        const { look } = this, scale = look.width / look.span, x = Math.max(-4, (a - look.at) * scale);
        return [x, Math.max(3, Math.min((b - look.at) * scale, look.width + 4) - x)];
    }
}
