// SPDX-License-Identifier: Apache-2.0
/* Draws boxes: first all of one colour, then of the next, so the canvas seldom changes its mind. */
import { BoxFlag, BoxKind } from '../protocol';
import { LEVEL, levelAt, levelY } from './camera';
import type { Look } from './camera';
import type { FlameIndex } from './index';
import type { Hits } from './search';
import { hatch } from './theme';
import type { Theme } from './theme';
import { fit, gathered } from './label';
import type { Names } from './label';

/** Pixels of text, and of what is left free beside it. */
const TEXT = 11;
const PAD = 4;
/** What is gathered has a hatch if it is wider: there are thousands of narrow ones, and patterns are slow. */
const THIN = 3;

export interface Scene {
    index: FlameIndex;
    names: Names;
    look: Look;
    theme: Theme;
    hits: Hits | null;
    /** Boxes of this function have an outline; -1: of none. */
    selected: number;
    /** Levels below this one are dimmed. */
    dim: number;
}

interface Label { box: number; rows: number; x: number; y: number; w: number; ink: string }

/** Patterns for what is gathered and what is estimated; made once for each theme. */
class Patterns {
    private made = new Map<string, CanvasPattern>();
    private theme: Theme | null = null;
    private ratio = 0;

    get(ctx: CanvasRenderingContext2D, scene: Scene, kind: 'hatch' | 'found' | 'gone' | 'dash' | 'rise'): CanvasPattern {
        if (this.theme !== scene.theme || this.ratio !== scene.look.ratio) this.made.clear();
        this.theme = scene.theme;
        this.ratio = scene.look.ratio;
        let pattern = this.made.get(kind);
        if (!pattern) this.made.set(kind, pattern = this.make(ctx, scene.theme, kind));
        return pattern;
    }

    private make(ctx: CanvasRenderingContext2D, theme: Theme, kind: string): CanvasPattern {
        const r = Math.max(1, Math.round(this.ratio));
        if (kind === 'hatch' || kind === 'found' || kind === 'gone') return hatch(ctx, theme, r, kind);
        const tile = document.createElement('canvas'), c = tile.getContext('2d')!;
        tile.width = tile.height = 6 * r;
        // Of an outline, a part is taken away.
        c.fillStyle = theme.forced ? theme.bg : theme.fg;
        c.fillRect(0, 0, (kind === 'dash' ? 3 : 6) * r, (kind === 'dash' ? 6 : 3) * r);
        return ctx.createPattern(tile, 'repeat')!;
    }
}

export class Painter {
    private readonly patterns = new Patterns();
    /** Rectangles by fill: x, y, width. */
    private fills = new Map<string | CanvasPattern, number[]>();
    private labels: Label[] = [];
    private dashed: number[] = [];
    private outlined: number[] = [];
    private risen: number[] = [];
    private gone: number[] = [];
    private cell = 0;
    private font = '';
    /** Rectangles and labels of the last picture, for measurements. */
    drawn = 0;

    constructor(private readonly ctx: CanvasRenderingContext2D) {}

    draw(scene: Scene): void {
        const { ctx } = this, { look, theme } = scene;
        ctx.setTransform(1, 0, 0, 1, 0, 0);
        ctx.fillStyle = theme.bg;
        ctx.fillRect(0, 0, ctx.canvas.width, ctx.canvas.height);
        for (const list of this.fills.values()) list.length = 0;
        this.labels.length = this.dashed.length = this.outlined.length = this.risen.length = this.gone.length = 0;
        const a = levelAt(look, 0), b = levelAt(look, look.height);
        const last = Math.min(Math.max(a, b), scene.index.levels - 1);
        for (let level = Math.max(0, Math.min(a, b)); level <= last; level++) this.level(scene, level);
        this.rectangles(scene);
        this.edges(scene);
        this.text(scene);
    }

    private level(scene: Scene, level: number): void {
        const { index, look, theme, hits } = scene, { flame } = index, r = look.ratio;
        const scale = look.width * r / look.span, y = Math.round(levelY(look, level) * r);
        const right = Math.round(look.width * r);
        const rect = (from: number, to: number): [number, number] => {
            const x = Math.max(-2, Math.round((from - look.at) * scale));
            const end = Math.min(right + 2, Math.round((to - look.at) * scale));
            return [x, Math.max(end - x, Math.ceil(r))];
        };
        const put = (fill: string | CanvasPattern, x: number, w: number) => {
            let list = this.fills.get(fill);
            if (!list) this.fills.set(fill, list = []);
            list.push(x, y, w);
        };
        const box = (i: number) => {
            const [x, w] = rect(flame.at[i], flame.at[i] + flame.width[i]);
            const rest = flame.kind[i] === BoxKind.Rest;
            const paints = level < scene.dim ? theme.dim : theme.boxes;
            const paint = hits?.hit[i] ? theme.found : paints[flame.colour[i]] ?? paints[0];
            put(rest ? this.gathered(scene, w, false) : paint.fill, x, w);
            if (flame.flags[i] & BoxFlag.Gone) this.gone.push(x, y, w);
            if (w > 5 * r) {
                if (flame.flags[i] & BoxFlag.Estimated) this.dashed.push(x, y, w);
                if (flame.flags[i] & BoxFlag.New) this.risen.push(x, y, w);
            }
            if (scene.selected >= 0 && flame.name[i] === scene.selected &&
                flame.kind[i] === BoxKind.Func) this.outlined.push(x, y, w);
            this.label(scene, { box: i, rows: 0, x, y, w, ink: rest ? theme.boxes[0].ink : paint.ink });
        };
        const run = (first: number, end: number) => {
            const a = index.order[first], b = index.order[end - 1];
            const [x, w] = rect(flame.at[a], flame.at[b] + flame.width[b]);
            const found = hits !== null && hits.before[end] > hits.before[first];
            put(this.gathered(scene, w, found), x, w);
            const rows = index.rowsOf(first, end);
            this.label(scene, { box: -1, rows, x, y, w,
                ink: found ? theme.found.ink : theme.boxes[0].ink });
        };
        index.visit(level, look.at, look.at + look.span, look.span / look.width, { box, run });
    }

    /** The fill of what is gathered. */
    private gathered(scene: Scene, w: number, found: boolean): string | CanvasPattern {
        const { theme, look } = scene;
        if (w <= THIN * look.ratio) return found ? theme.thinFound : theme.thin;
        return this.patterns.get(this.ctx, scene, found ? 'found' : 'hatch');
    }

    private label(scene: Scene, label: Label): void {
        if (label.w > 3 * TEXT * scene.look.ratio) this.labels.push(label);
    }

    private rectangles(scene: Scene): void {
        const { ctx } = this, r = scene.look.ratio, gap = Math.max(1, Math.round(r)), { theme } = scene;
        const h = Math.round(LEVEL * r) - gap;
        this.drawn = 0;
        for (const [fill, list] of this.fills) {
            ctx.fillStyle = fill;
            for (let i = 0; i < list.length; i += 3) {
                const w = list[i + 2];
                if (theme.forced && w > 2 * gap) {
                    ctx.fillStyle = theme.fg;
                    ctx.fillRect(list[i], list[i + 1], w, h + gap);
                    ctx.fillStyle = fill;
                    ctx.fillRect(list[i] + gap, list[i + 1] + gap, w - 2 * gap, h - gap);
                } else {
                    ctx.fillRect(list[i], list[i + 1], w > 2 * gap ? w - gap : w, h);
                }
            }
            this.drawn += list.length / 3;
            if (!list.length) this.fills.delete(fill);
        }
    }

    /** Lines through what is gone, dashes above and beside what is estimated, a bar at the left of what is new, lines around the selected. */
    private edges(scene: Scene): void {
        const { ctx } = this, { theme, look } = scene, t = Math.max(1, Math.round(look.ratio));
        const h = Math.round(LEVEL * look.ratio) - t;
        ctx.fillStyle = this.patterns.get(ctx, scene, 'gone');
        each(this.gone, (x, y, w) => ctx.fillRect(x, y, w > 2 * t ? w - t : w, h));
        if (this.dashed.length) {
            ctx.globalAlpha = theme.forced ? 1 : 0.55;
            ctx.fillStyle = this.patterns.get(ctx, scene, 'dash');
            each(this.dashed, (x, y, w) => ctx.fillRect(x, y, w - t, t));
            ctx.fillStyle = this.patterns.get(ctx, scene, 'rise');
            each(this.dashed, (x, y, w) => ctx.fillRect(x + w - 2 * t, y, t, h));
            ctx.globalAlpha = 1;
        }
        ctx.fillStyle = theme.accent;
        each(this.risen, (x, y) => ctx.fillRect(x, y, 3 * t, h));
        ctx.strokeStyle = theme.accent;
        ctx.lineWidth = 2 * t;
        each(this.outlined, (x, y, w) =>
            ctx.strokeRect(x + t, y + t, Math.max(w - 3 * t, t), h - 2 * t));
    }

    private text(scene: Scene): void {
        const { ctx, labels } = this, { look, theme } = scene, r = look.ratio;
        this.setFont(theme, r);
        const base = Math.round((LEVEL - 1) * r / 2), right = look.width * r;
        for (const l of labels) {
            const x = Math.max(l.x, 0) + PAD * r, room = Math.min(l.x + l.w, right) - x - (PAD - 1) * r;
            const words = l.box < 0 ? gathered(l.rows) : scene.names.shorter(l.box);
            const short = fit(words, Math.floor(room / this.cell));
            if (!short) continue;
            ctx.fillStyle = l.ink;
            // Letters outside of ASCII may be wider than a cell.
            if (/^[\x20-\x7e\u2026]*$/.test(short)) ctx.fillText(short, x, l.y + base);
            else ctx.fillText(short, x, l.y + base, room);
        }
        this.drawn += labels.length;
    }

    /** How wide its letters are is measured once: the first time takes long. */
    setFont(theme: Theme, ratio: number): void {
        const font = `${TEXT * ratio}px ${theme.font}`;
        this.ctx.font = font;
        this.ctx.textBaseline = 'middle';
        this.ctx.direction = 'ltr';
        if (font === this.font) return;
        this.font = font;
        this.cell = this.ctx.measureText('MMMMMMMMMM').width / 10;
    }
}

function each(list: number[], act: (x: number, y: number, w: number) => void): void {
    for (let i = 0; i < list.length; i += 3) act(list[i], list[i + 1], list[i + 2]);
}
