// SPDX-License-Identifier: Apache-2.0
/* What of the run is in sight, what of it is marked, and how both are changed by pointer and keys. */
import { tenth, zoomed } from './scale';

export interface Range { from: number; to: number }

const NOTCH = 1.25, DRAG = 4;

export interface Owner {
    /** Something of it changed: draw. */
    moved(): void;
    /** A range was marked, or none. */
    marked(range: Range | null): void;
}

export class Sight {
    start = 0;
    end = 1;
    from = 0;
    to = 1;
    /** Where keys are. */
    cursor = 0;
    private anchor: number | null = null;
    /** What is being marked; else what is chosen; and what that is compared with. */
    marking: Range | null = null;
    chosen: Range | null = null;
    base: Range | null = null;

    constructor(private readonly owner: Owner) {}

    reset(start: number, end: number): void {
        const same = start === this.start && end === this.end;

        this.start = start;
        this.end = end;
        if (same)
            return;
        this.from = start;
        this.to = end;
        this.cursor = (start + end) / 2;
    }

    choose(range: Range): void { this.owner.marked(range); }

    get shown(): Range | null { return this.marking ?? this.chosen; }

    /** Where a range is drawn, on whole pixels. */
    x(range: Range, width: number): [number, number] {
        const at = (t: number): number => Math.round((t - this.from) / (this.to - this.from) * width);
        return [at(range.from), at(range.to)];
    }

    timeAt(x: number, width: number): number {
        return this.from + Math.max(0, Math.min(1, x / width)) * (this.to - this.from);
    }

    /** To few digits: no more than pixels tell. */
    private rounded(t: number, width: number): number {
        const grain = Math.max(1, tenth((this.to - this.from) / width));
        return Math.max(0, Math.round(t / grain) * grain);
    }

    private range(a: number, b: number, width: number): Range {
        const from = this.rounded(Math.min(a, b), width), to = this.rounded(Math.max(a, b), width);
        return { from, to: Math.max(to, from + 1) };
    }

    zoom(at: number, factor: number): void {
        [this.from, this.to] = zoomed(this.from, this.to, at, factor, this.start, this.end);
        this.owner.moved();
    }

    pan(by: number): void {
        const length = this.to - this.from, left = Math.max(this.start, Math.min(this.end - length, this.from + by));
        this.from = left;
        this.to = left + length;
        this.owner.moved();
    }

    show(range: Range): void {
        this.from = Math.max(this.start, range.from);
        this.to = Math.min(this.end, Math.max(range.to, this.from + 10));
        this.owner.moved();
    }

    /** False: it is not for us. Ctrl, as fingers on a touchpad do, or nothing zooms; Shift and sideways pan. */
    wheel(event: WheelEvent, plot: HTMLElement): boolean {
        const box = plot.getBoundingClientRect(), length = this.to - this.from;
        const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;

        event.preventDefault();
        if (sideways && Math.abs(sideways) >= Math.abs(event.shiftKey ? 0 : event.deltaY))
            this.pan(sideways / box.width * length);
        else
            this.zoom(this.timeAt(event.clientX - box.left, box.width), event.deltaY > 0 ? NOTCH : 1 / NOTCH);
        return true;
    }

    /** Dragging on PLOT marks; with Shift, or the middle button, it pans. A click is told by its place. */
    brush(plot: HTMLElement, width: () => number, click: (y: number, x: number) => void): void {
        let from: { x: number; y: number; pan: boolean } | null = null;
        const at = (event: PointerEvent): number => event.clientX - plot.getBoundingClientRect().left;

        plot.addEventListener('pointerdown', event => {
            if (event.button > 1)
                return;
            from = { x: at(event), y: event.clientY - plot.getBoundingClientRect().top, pan: event.shiftKey || event.button === 1 };
            plot.setPointerCapture(event.pointerId);
        });
        plot.addEventListener('pointermove', event => {
            if (!from)
                return;
            if (from.pan) {
                this.pan((from.x - at(event)) / width() * (this.to - this.from));
                from.x = at(event);
            } else if (this.marking || Math.abs(at(event) - from.x) >= DRAG) {
                this.marking = this.range(this.timeAt(from.x, width()), this.timeAt(at(event), width()), width());
                this.owner.moved();
            }
        });
        const up = (event: PointerEvent): void => {
            const was = from;

            from = null;
            if (!was || was.pan)
                return;
            if (this.marking && event.type === 'pointerup')
                this.mark();
            else if (!this.marking)
                click(was.y, was.x);
            this.marking = null;
            this.owner.moved();
        };
        plot.addEventListener('pointerup', up);
        plot.addEventListener('pointercancel', up);
        plot.addEventListener('dblclick', () => this.show(this.chosen ?? { from: this.start, to: this.end }));
    }

    private mark(): void {
        const range = this.marking;

        this.marking = this.anchor = null;
        if (range)
            this.owner.marked(range);
    }

    /** Left and right by a hundredth of what is in sight, with Shift marking; true: taken. */
    key(event: KeyboardEvent, width: number): boolean {
        const length = this.to - this.from, step = { ArrowLeft: -length / 100, ArrowRight: length / 100, PageUp: -length / 2, PageDown: length / 2 }[event.key];

        if (step !== undefined || event.key === 'Home' || event.key === 'End')
            this.move(step === undefined ? event.key === 'Home' ? this.start : this.end : this.cursor + step, event.shiftKey, width);
        else if (event.key === '+' || event.key === '=')
            this.zoom(this.cursor, 1 / NOTCH / NOTCH);
        else if (event.key === '-')
            this.zoom(this.cursor, NOTCH * NOTCH);
        else if (event.key === 'Enter' && this.marking)
            this.mark();
        else if (event.key === 'Backspace' || event.key === 'Delete')
            this.owner.marked(null);
        else
            return false;
        return true;
    }

    private move(to: number, marks: boolean, width: number): void {
        const was = this.cursor;

        this.cursor = Math.max(this.start, Math.min(this.end, to));
        this.anchor = marks ? this.anchor ?? was : null;
        this.marking = this.anchor === null ? null : this.range(this.anchor, this.cursor, width);
        if (this.cursor < this.from || this.cursor > this.to)
            this.pan(this.cursor - (this.from + this.to) / 2);
        this.owner.moved();
    }
}
