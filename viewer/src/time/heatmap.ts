// SPDX-License-Identifier: Apache-2.0
/* The heat map on a canvas: from one cell to another is a range of time. */
import type { Theme } from '../flame/theme';
import type { Kit } from '../views';
import { Canvas } from './canvas';
import { Heat, heatLevel, ROWS } from './heat';
import { timeText } from './scale';
import type { Range } from './sight';

const LEFT = 70, BOTTOM = 22;

export class HeatMap {
    readonly element: HTMLElement;
    private readonly canvas: Canvas;
    private heat: Heat | null = null;
    private chosen: Range | null = null;
    private cursor = 0;
    private anchor: number | null = null;

    constructor(kit: Kit, private readonly words: (sum: number) => string, private readonly say: (text: string, aloud: boolean) => void,
        private readonly marked: (range: Range | null) => void) {
        this.element = kit.el('div', { class: 'time-heat', tabindex: 0, role: 'application', 'aria-roledescription': 'heat map',
            'aria-label': 'Heat map of the whole run: arrows move between cells, Enter begins and ends a range' });
        this.canvas = new Canvas(kit, this.element, 'self', (ctx, theme) => this.paint(ctx, theme));
        this.element.addEventListener('pointerdown', event => {
            this.cursor = this.at(event);
            this.anchor = this.cursor;
            this.element.setPointerCapture(event.pointerId);
            this.canvas.invalidate();
        });
        this.element.addEventListener('pointermove', event => {
            if (event.buttons && this.anchor !== null)
                this.cursor = this.at(event);
            this.tell(this.at(event), false);
            this.canvas.invalidate();
        });
        this.element.addEventListener('pointerup', () => this.end());
        this.element.addEventListener('focus', () => this.canvas.invalidate());
        this.element.addEventListener('blur', () => this.canvas.invalidate());
    }

    show(heat: Heat): void {
        this.heat = heat;
        this.cursor = Math.min(this.cursor, heat.sums.length - 1);
        this.anchor = null;
        this.canvas.invalidate();
    }

    mark(chosen: Range | null): void {
        this.chosen = chosen;
        this.canvas.invalidate();
    }

    private rangeOf(a: number, b: number): Range {
        const heat = this.heat as Heat, at = (cell: number): number => Math.max(0, Math.round(heat.start + cell * heat.cell));
        return { from: at(Math.min(a, b)), to: at(Math.max(a, b) + 1) };
    }

    private end(): void {
        if (this.anchor === null || !this.heat)
            return;
        const range = this.rangeOf(this.anchor, this.cursor);
        this.anchor = null;
        this.marked(range);
    }

    private get size(): [number, number] {
        const heat = this.heat as Heat;
        return [Math.max(1, Math.min(24, (this.canvas.width - LEFT) / heat.columns)), (this.canvas.height - BOTTOM) / ROWS];
    }

    private at(event: MouseEvent): number {
        const box = this.element.getBoundingClientRect(), [w, h] = this.size, heat = this.heat as Heat;
        const column = Math.max(0, Math.min(heat.columns - 1, Math.floor((event.clientX - box.left - LEFT) / w)));
        const row = Math.max(0, Math.min(ROWS - 1, Math.floor((this.canvas.height - BOTTOM - (event.clientY - box.top)) / h)));
        return column * ROWS + row;
    }

    private tell(cell: number, aloud: boolean): void {
        const heat = this.heat as Heat, { from, to } = this.rangeOf(cell, cell);
        this.say(`${timeText(from)} to ${timeText(to)}: ${this.words(heat.sums[cell])}`, aloud);
    }

    /** True: taken. */
    key(event: KeyboardEvent): boolean {
        const step = { ArrowUp: 1, ArrowDown: -1, ArrowRight: ROWS, ArrowLeft: -ROWS }[event.key], heat = this.heat;

        if (!heat || document.activeElement !== this.element)
            return false;
        if (step !== undefined || event.key === 'Home' || event.key === 'End') {
            const to = step === undefined ? event.key === 'Home' ? 0 : heat.sums.length - 1 : this.cursor + step;
            this.cursor = Math.max(0, Math.min(heat.sums.length - 1, to));
            this.tell(this.cursor, true);
        } else if (event.key === 'Enter' && this.anchor === null) {
            this.anchor = this.cursor;
            this.say('the range begins here; Enter again ends it', true);
        } else if (event.key === 'Enter') {
            this.end();
        } else if (event.key === 'Backspace' || event.key === 'Delete') {
            this.marked(null);
        } else {
            return false;
        }
        this.canvas.invalidate();
        return true;
    }

    private paint(ctx: CanvasRenderingContext2D, theme: Theme): void {
        const { heat, anchor } = this;

        if (!heat)
            return;
        const [w, h] = this.size, bottom = this.canvas.height - BOTTOM, marked = anchor === null ? this.chosen : this.rangeOf(anchor, this.cursor);
        for (let i = 0; i < heat.sums.length; i++) {
            const level = heatLevel(heat.sums[i], heat.most), x = LEFT + Math.floor(i / ROWS) * w, y = bottom - (i % ROWS + 1) * h;
            if (!level)
                continue;
            ctx.fillStyle = theme.forced ? theme.fg : theme.boxes[level].fill;
            ctx.globalAlpha = theme.forced ? level / 8 : 1;
            ctx.fillRect(x, y, w > 3 ? w - 1 : w, h > 3 ? h - 1 : h);
        }
        ctx.globalAlpha = 1;
        this.outline(ctx, theme, w, h, bottom, marked);
        ctx.fillStyle = theme.quiet;
        for (let c = 0, step = Math.ceil(80 / w); c < heat.columns; c += step)
            ctx.fillText(timeText(heat.start + c * heat.column), LEFT + c * w, bottom + BOTTOM / 2);
        for (let r = 0; r < ROWS; r += 10)
            ctx.fillText(`+${timeText(r * heat.cell)}`, 2, bottom - r * h - 6);
        if (document.activeElement === this.element) {
            ctx.strokeStyle = theme.focus;
            ctx.lineWidth = 2;
            ctx.strokeRect(LEFT + Math.floor(this.cursor / ROWS) * w - 1, bottom - (this.cursor % ROWS + 1) * h - 1, Math.max(4, w + 1), Math.max(4, h + 1));
        }
    }

    /** What is chosen: a part of its first column, columns, a part of the last. */
    private outline(ctx: CanvasRenderingContext2D, theme: Theme, w: number, h: number, bottom: number, range: Range | null): void {
        const heat = this.heat as Heat;

        if (!range)
            return;
        const first = (range.from - heat.start) / heat.cell, end = Math.min(heat.sums.length, (range.to - heat.start) / heat.cell);
        ctx.fillStyle = theme.found.fill;
        for (let c = Math.floor(Math.max(0, first) / ROWS); c * ROWS < end; c++) {
            const low = Math.max(0, first - c * ROWS), high = Math.min(ROWS, end - c * ROWS), x = LEFT + c * w;
            ctx.fillRect(x, bottom - high * h, 1, (high - low) * h);
            if (w > 2)
                ctx.fillRect(x + w - 1, bottom - high * h, 1, (high - low) * h);
        }
    }

    dispose(): void { this.canvas.dispose(); }
}
