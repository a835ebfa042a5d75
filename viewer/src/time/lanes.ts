// SPDX-License-Identifier: Apache-2.0
/* A strip for each thread: its load over time, and in a band below why it did not run. What is marked on it is a range. */
import type { Theme } from '../flame/theme';
import type { Kit } from '../views';
import { Canvas } from './canvas';
import { Lane, LOAD, loadOf, Marker, markersIn, offAt, partOf, processOf, STATES, WHY } from './moments';
import { Pyramid } from './pyramid';
import { marks, timeText } from './scale';
import type { Range, Sight } from './sight';

export const ROW = 30, AXIS = 22, MARK = 3, BAND = 5, SEEN = 2;

export interface LaneWords { name(lane: Lane): string; marker(marker: Marker): string; off(lane: Lane, i: number): string[]; cost(lane: Lane): string; most(value: number, width: number): string }

/** What of each lane is added up when it is first asked for. */
interface Layer { is(lane: Lane, i: number): boolean; pyramids: Map<number, Pyramid> }

export class Lanes {
    readonly element: HTMLElement;
    private readonly list: HTMLElement;
    private readonly plot: HTMLElement;
    private readonly canvas: Canvas;
    private lanes: Lane[] = [];
    private pyramids: Pyramid[] = [];
    /** By STATES; null: nobody was off the CPU for that. */
    private off: (Layer | null)[] = [];
    private markers: Marker[][] = [];
    private readonly tip: { element: HTMLElement; show(lines: string[]): void };
    private active = 0;
    private top = 0;
    private readonly sums = new Map<number, Float64Array>();
    private span: [number, number] = [0, 1];
    /** Parts of the load: time that was waited, and the selected function's. */
    private waiting: Layer | null = null;
    private selected: Layer | null = null;
    /** What the highest column is, in words. */
    scale = '';

    constructor(private readonly kit: Kit, private readonly sight: Sight, private readonly words: LaneWords,
        private readonly chosen: (lane: number) => void) {
        const { el } = kit;

        this.list = el('div', { class: 'time-names', role: 'listbox', tabindex: 0, 'aria-label': 'Threads: up and down between them, left and right in time' });
        this.plot = el('div', { class: 'time-plot' });
        this.tip = new kit.Tip(this.plot);
        this.element = el('div', { class: 'time-lanes' }, this.list, this.plot, this.tip.element);
        this.plot.addEventListener('pointermove', ({ clientX, clientY }) => {
            const box = this.plot.getBoundingClientRect(), at = Math.floor((clientY - box.top - AXIS) / ROW) + this.top;
            const t = sight.timeAt(clientX - box.left, box.width), off = this.offAt(at, t);
            this.tip.show([...this.markersAt(at, t), ...off < 0 ? [] : words.off(this.lanes[at], off)]);
        });
        this.canvas = new Canvas(kit, this.plot, 'self', (ctx, theme) => this.paint(ctx, theme));
        this.element.addEventListener('wheel', event => this.wheel(event), { passive: false });
        this.list.addEventListener('click', event => {
            const row = (event.target as HTMLElement).closest<HTMLElement>('[role=option]');
            if (row)
                this.choose(Number(row.dataset['lane']));
        });
        sight.brush(this.plot, () => this.canvas.width, (y, x) => {
            const at = Math.floor((y - AXIS) / ROW) + this.top, low = (y - AXIS) % ROW >= ROW - 2 * BAND;
            const range = low ? this.stretchAt(at, sight.timeAt(x, this.canvas.width)) : null;
            this.choose(at);
            if (range)
                sight.choose(range);
        });
    }

    show(lanes: Lane[], markers: Marker[][], from: number, to: number): void {
        this.lanes = lanes;
        this.markers = markers;
        this.off = STATES.map((_, s) => lanes.some(lane => lane.state.some(why => (why & WHY) === s + 1)) ?
            { is: (lane, i) => (lane.state[i] & WHY) === s + 1, pyramids: new Map<number, Pyramid>() } : null);
        this.pyramids = lanes.map(lane => new Pyramid(loadOf(lane), from, to));
        this.span = [from, to];
        this.waiting = this.selected = null;
        this.active = Math.min(this.active, Math.max(0, lanes.length - 1));
        this.top = 0;
        this.draw();
    }

    /** Nodes of waiting, and of the selected function; null: none. */
    mark(waiting: Uint8Array | null, selected: Uint8Array | null): void {
        const layer = (nodes: Uint8Array | null): Layer | null => nodes && { is: (lane, i) => (lane.state[i] & LOAD && nodes[lane.node[i]]) > 0, pyramids: new Map() };
        this.waiting = layer(waiting);
        this.selected = layer(selected);
        this.canvas.invalidate();
    }

    private pyramid(layer: Layer, i: number): Pyramid {
        let pyramid = layer.pyramids.get(i);

        if (!pyramid)
            layer.pyramids.set(i, pyramid = new Pyramid(partOf(this.lanes[i], k => layer.is(this.lanes[i], k)), ...this.span));
        return pyramid;
    }

    /** What of lane I is of LAYER, in as many columns. */
    private part(layer: Layer, i: number, columns: number): Float64Array {
        return this.pyramid(layer, i).pixels(this.sight.from, this.sight.to, columns);
    }

    get lane(): number { return this.active; }

    private get pixel(): number { return (this.sight.to - this.sight.from) / Math.max(1, this.canvas.width); }

    /** The longest stretch off the CPU of LANE within a pixel of T; -1: there is none. */
    offAt(lane: number, t: number): number {
        return this.lanes[lane] ? offAt(this.lanes[lane], t - this.pixel / 2, t + this.pixel / 2) : -1;
    }

    stretchAt(lane: number, t: number): Range | null {
        const i = this.offAt(lane, t);
        return i < 0 ? null : stretchOf(this.lanes[lane], i);
    }

    /** By STATES, whether anybody was off the CPU for that. */
    get why(): boolean[] { return this.off.map(layer => layer !== null); }

    /** By STATES, what all threads were off the CPU in RANGE; null: none ever was for that. */
    offIn(range: Range): (number | null)[] {
        return this.off.map(layer => layer && this.lanes.reduce((sum, _, i) => sum + this.pyramid(layer, i).sum(range.from, range.to), 0));
    }

    /** The first markers of LANE within some pixels of T, in words. */
    markersAt(lane: number, t: number): string[] {
        const near = this.pixel * MARK;
        return markersIn(this.markers[lane] ?? [], t - near, t + near).slice(0, 8).map(m => this.words.marker(m));
    }

    /** What is in RANGE, of all threads, or of one. */
    sum(range: Range, lane?: number): number {
        const all = lane === undefined ? this.pyramids : this.pyramids.slice(lane, lane + 1);
        return all.reduce((sum, pyramid) => sum + pyramid.sum(range.from, range.to), 0);
    }

    private get rows(): number { return Math.max(1, Math.floor((this.plot.clientHeight - AXIS) / ROW)); }

    choose(lane: number): void {
        if (!this.lanes[lane])
            return;
        this.active = lane;
        this.top = Math.max(Math.min(this.top, lane), lane - this.rows + 1);
        this.draw();
        this.chosen(lane);
    }

    private scroll(by: number): void {
        this.top = Math.max(0, Math.min(this.lanes.length - this.rows, this.top + by));
        this.draw();
    }

    private wheel(event: WheelEvent): void {
        const names = this.list.contains(event.target as Node);

        if (!names && this.sight.wheel(event, this.plot))
            return;
        if (this.lanes.length > this.rows) {
            event.preventDefault();
            this.scroll(Math.sign(event.deltaY));
        }
    }

    draw(): void {
        this.names();
        this.canvas.invalidate();
    }

    private names(): void {
        const { el } = this.kit, rows = this.lanes.slice(this.top, this.top + this.rows + 1);

        this.list.replaceChildren(...rows.map((lane, i) => {
            const at = this.top + i, name = this.words.name(lane), cost = this.words.cost(lane);
            const first = !at || processOf(lane.part) !== processOf(this.lanes[at - 1].part);
            return el('div', { role: 'option', id: `lane-${at}`, 'data-lane': at, 'aria-selected': at === this.active, class: first && at ? 'first' : null,
                'aria-posinset': at + 1, 'aria-setsize': this.lanes.length, title: `${name}, ${cost}` },
            el('span', { class: 'clip' }, name), el('span', { class: 'quiet clip' }, cost));
        }));
        if (rows.length)
            this.list.setAttribute('aria-activedescendant', `lane-${this.active}`);
    }

    private paint(ctx: CanvasRenderingContext2D, theme: Theme): void {
        const { width, height } = this.canvas, { from, to } = this.sight, columns = Math.max(1, Math.floor(width));
        let most = 0;

        for (let i = 0; i <= this.rows; i++) {
            const pyramid = this.pyramids[this.top + i];
            if (!pyramid)
                break;
            let out = this.sums.get(i);
            if (!out || out.length !== columns)
                this.sums.set(i, out = new Float64Array(columns));
            for (const v of pyramid.pixels(from, to, columns, out))
                most = v > most ? v : most;
        }
        this.shade(ctx, theme, height);
        for (let i = 0; i <= this.rows && this.lanes[this.top + i]; i++)
            this.strip(ctx, theme, i, most, columns);
        this.edges(ctx, theme, height);
        axis(ctx, theme, this.sight, width);
        this.scale = this.words.most(most, (to - from) / columns);
    }

    private strip(ctx: CanvasRenderingContext2D, theme: Theme, i: number, most: number, columns: number): void {
        const sums = this.sums.get(i) as Float64Array, bottom = AXIS + (i + 1) * ROW - 1, band = this.why.includes(true) ? BAND + 1 : 0;
        const room = ROW - 4 - band, base = bottom - band;

        if (this.top + i === this.active) {
            ctx.strokeStyle = theme.focus;
            ctx.lineWidth = 1;
            ctx.strokeRect(0.5, bottom - ROW + 1.5, columns - 1, ROW - 1);
        }
        const bars = (values: Float64Array, fill: string, least: number): void => {
            ctx.fillStyle = fill;
            ctx.beginPath();
            for (let x = 0; x < columns; x++)
                if (values[x] > 0) {
                    const h = Math.max(least, values[x] / most * room);
                    ctx.rect(x, base - h, 1, h);
                }
            ctx.fill();
        };
        const waited = this.waiting && this.part(this.waiting, this.top + i, columns), colour = theme.forced ? theme.fg : theme.accent;
        bars(sums, waited && !theme.forced ? theme.boxes[0].fill : colour, 1);
        if (waited)
            bars(sums.map((v, x) => v - waited[x]), colour, 0);
        if (this.selected)
            bars(this.part(this.selected, this.top + i, columns), theme.found.fill, 1);
        this.band(ctx, theme, this.top + i, bottom, columns);
        ctx.fillStyle = theme.line;
        ctx.fillRect(0, bottom, columns, 1);
        ctx.fillStyle = theme.fg;
        let done = 0; // pixels that have one
        for (const marker of markersIn(this.markers[this.top + i], this.sight.from, this.sight.to)) {
            const [a, b] = this.sight.x(marker, columns), x = Math.max(a, done), end = Math.min(columns, Math.max(a + 1, b - 1));
            if (end > x)
                ctx.fillRect(x, bottom - ROW + 1, end - x, MARK);
            done = Math.max(done, end);
        }
    }

    /** Of each column the share that was off the CPU, by why: what is rare stands at the bottom, and can be seen. */
    private band(ctx: CanvasRenderingContext2D, theme: Theme, i: number, bottom: number, columns: number): void {
        const used = new Uint8Array(columns), { pixel } = this;

        for (let s = STATES.length - 1; s >= 0; s--) {
            const layer = this.off[s];
            ctx.fillStyle = theme.states[s];
            if (layer)
                this.part(layer, i, columns).forEach((v, x) => {
                    const h = v && Math.min(BAND - used[x], Math.max(SEEN, Math.round(v / pixel * BAND)));
                    ctx.fillRect(x, bottom - used[x] - h, 1, h);
                    used[x] += h;
                });
        }
    }

    private shade(ctx: CanvasRenderingContext2D, theme: Theme, height: number): void {
        for (const [range, fill] of [[this.sight.base, theme.boxes[3]?.fill], [this.sight.shown, theme.boxes[2]?.fill]] as const)
            if (range) {
                const [a, b] = this.sight.x(range, this.canvas.width);
                ctx.fillStyle = theme.forced ? theme.bg : fill ?? theme.line;
                ctx.fillRect(a, AXIS, Math.max(1, b - a), height - AXIS);
            }
    }

    /** Above the load: where ranges begin and end, and the cursor. */
    private edges(ctx: CanvasRenderingContext2D, theme: Theme, height: number): void {
        for (const range of [this.sight.base, this.sight.shown])
            if (range)
                for (const x of this.sight.x(range, this.canvas.width)) {
                    ctx.fillStyle = theme.bg;
                    ctx.fillRect(x - 2, AXIS, 3, height - AXIS);
                    ctx.fillStyle = theme.fg;
                    ctx.fillRect(x - 1, AXIS, 1, height - AXIS);
                }
        const [x] = this.sight.x({ from: this.sight.cursor, to: this.sight.cursor }, this.canvas.width);
        ctx.fillStyle = theme.quiet;
        if (this.element.contains(document.activeElement))
            ctx.fillRect(x, AXIS - 4, 1, height);
    }

    focus(): void { this.list.focus(); }

    dispose(): void { this.canvas.dispose(); }
}

export function stretchOf({ time, value }: Lane, i: number): Range {
    return { from: time[i], to: time[i] + value[i] };
}

export function axis(ctx: CanvasRenderingContext2D, theme: Theme, sight: Sight, width: number): void {
    ctx.fillStyle = theme.quiet;
    for (const at of marks(sight.from, sight.to, width / 110)) {
        const [x] = sight.x({ from: at, to: at }, width);
        ctx.fillRect(x, AXIS - 5, 1, 5);
        ctx.fillText(timeText(at), x + 3, AXIS / 2);
    }
}
