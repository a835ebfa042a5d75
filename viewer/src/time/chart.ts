// SPDX-License-Identifier: Apache-2.0
/* The stacks of one thread in order of time. */
import type { Theme } from '../flame/theme';
import type { FunctionId } from '../protocol';
import type { Kit } from '../views';
import { Canvas } from './canvas';
import { Lane, loadOf, Moments, STATES } from './moments';
import { axis, AXIS } from './lanes';
import { gapOf, momentAt, pathOf, Stack, stacksOf } from './stacks';
import type { Sight } from './sight';
import { roughTime } from './scale';

const LEVEL = 17, LEVELS = 400;

export class Chart {
    readonly element: HTMLElement;
    private readonly inner: HTMLElement;
    private readonly canvas: Canvas;
    private lane: Lane | null = null;
    private moments: Moments | null = null;
    private gap = 1;
    private boxes: Stack[] = [];
    private colours: Uint8Array = new Uint8Array(0);
    private selected: FunctionId | null = null;

    constructor(private readonly kit: Kit, private readonly sight: Sight, private readonly say: (text: string) => void,
        select: (func: FunctionId) => void) {
        this.inner = kit.el('div', { class: 'time-stacks' });
        this.element = kit.el('div', { class: 'time-chart' }, this.inner);
        this.canvas = new Canvas(kit, this.inner, 'group', (ctx, theme) => this.paint(ctx, theme));
        sight.brush(this.inner, () => this.canvas.width, () => undefined);
        this.inner.addEventListener('wheel', event => {
            if (event.ctrlKey || event.shiftKey || event.deltaX)
                this.sight.wheel(event, this.inner);
        }, { passive: false });
        this.inner.addEventListener('pointermove', event => this.say(this.wordsOf(this.at(event))));
        this.inner.addEventListener('pointerleave', () => this.say(''));
        for (const type of ['click', 'contextmenu'])
            this.inner.addEventListener(type, event => {
                const func = this.funcOf(this.at(event as MouseEvent));
                if (func)
                    select(func);
            }, true);
    }

    show(moments: Moments, lane: Lane | undefined): void {
        this.moments = moments;
        this.lane = lane ?? null;
        this.gap = lane ? gapOf(loadOf(lane)) : 1;
        this.colours = Uint8Array.from(moments.functions, f => {
            let hash = 7;
            for (const c of `${f.function}${f.object}`)
                hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
            return 1 + hash % 12;
        });
        this.draw();
    }

    mark(selected: FunctionId | null): void {
        this.selected = selected;
        this.canvas.invalidate();
    }

    draw(): void {
        this.canvas.invalidate();
    }

    private at(event: MouseEvent): Stack | undefined {
        const box = this.inner.getBoundingClientRect(), t = this.sight.timeAt(event.clientX - box.left, box.width);
        const depth = Math.floor((event.clientY - box.top - AXIS) / LEVEL);

        return this.boxes.find(b => b.depth === depth && b.from <= t && t < b.to);
    }

    private funcOf(box: Stack | undefined): FunctionId | undefined {
        return box && this.moments?.functions[this.moments.func[box.node]];
    }

    private wordsOf(box: Stack | undefined): string {
        const func = this.funcOf(box);
        return box && func ? `${this.kit.nameOf(func)}, ${box.state ? `${STATES[box.state - 1]}, ` : ''}${roughTime(box.from)} to ${roughTime(box.to)}` : '';
    }

    /** The stack at time T, in words. */
    stackAt(t: number): string {
        const { lane, moments } = this, i = lane ? momentAt(lane, t) : -1;

        if (!lane || !moments || i < 0)
            return 'nothing';
        return pathOf(moments.parent, lane.node[i]).slice(-8).map(n => this.kit.nameOf(moments.functions[moments.func[n]])).join(' › ') || 'no stack';
    }

    private paint(ctx: CanvasRenderingContext2D, theme: Theme): void {
        const { lane, moments, sight } = this, { width } = this.canvas;

        this.boxes = lane && moments ? stacksOf(lane, moments.parent, sight.from, sight.to, Math.max(1, Math.floor(width)), this.gap) : [];
        const deep = this.boxes.reduce((d, b) => Math.max(d, b.depth + 1), 1), height = `${AXIS + LEVEL * Math.min(LEVELS, deep) + 4}px`;
        if (this.inner.style.minHeight !== height)
            this.inner.style.minHeight = height; // it is drawn again when it has that
        axis(ctx, theme, sight, width);
        for (const box of this.boxes)
            this.box(ctx, theme, box, width);
    }

    private box(ctx: CanvasRenderingContext2D, theme: Theme, box: Stack, width: number): void {
        const { kit, moments } = this, [a, b] = this.sight.x(box, width), x = Math.max(0, a), w = Math.max(1, Math.min(width, b) - x);
        const y = AXIS + box.depth * LEVEL, func = (moments as Moments).func[box.node], id = (moments as Moments).functions[func];
        const chosen = this.selected && kit.same(id, this.selected);
        const some = box.state ? theme.dim : theme.boxes, paint = chosen ? theme.found : some[this.colours[func]] ?? some[0];

        ctx.fillStyle = paint.fill;
        ctx.fillRect(x, y, w > 2 ? w - 1 : w, LEVEL - 1);
        if (theme.forced && w > 3) {
            ctx.strokeStyle = theme.fg;
            ctx.strokeRect(x + 0.5, y + 0.5, w - 2, LEVEL - 2);
        }
        if (box.state) {
            ctx.fillStyle = theme.states[box.state - 1];
            ctx.fillRect(x, y + LEVEL - 3, w > 2 ? w - 1 : w, 2);
        }
        if (w < 24)
            return;
        ctx.fillStyle = paint.ink;
        ctx.fillText(kit.fit(kit.nameOf(id), Math.floor((w - 6) / 6.5)), x + 3, y + LEVEL / 2, w - 5);
    }

    dispose(): void { this.canvas.dispose(); }
}
