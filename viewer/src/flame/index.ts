// SPDX-License-Identifier: Apache-2.0
/*
 * Boxes of a flame graph by level, so that what is in view is found without looking at the rest.
 * Places are boxes level by level, from left to right; what is narrower than a pixel is passed over
 * in runs, whatever their length.
 */
import { BoxKind } from '../protocol';
import type { Flame } from '../protocol';

/** What is to be drawn on a level: one box, or a run of boxes that are all too narrow. */
export interface Sink {
    box(box: number): void;
    /** Places FIRST to END. */
    run(first: number, end: number): void;
}

const FAN = 64;

/** Each number is the largest of FAN numbers of the row before. */
function maxima(step: Float64Array): Float64Array[] {
    const rows = [step];
    for (let row = step; row.length > FAN; ) {
        const next = new Float64Array(Math.ceil(row.length / FAN));
        for (let i = 0; i < row.length; i++) {
            const k = (i / FAN) | 0;
            if (row[i] > next[k]) next[k] = row[i];
        }
        rows.push(next);
        row = next;
    }
    return rows;
}

export class FlameIndex {
    readonly n: number;
    readonly levels: number;
    /** Width of the root. */
    readonly total: number;
    /** Of a box: the one it stands on, -1 of the root; the first box after all that stand on it. */
    readonly parent: Int32Array;
    readonly end: Uint32Array;
    /** Of a level: its first place. Boxes by place, and places of boxes. */
    readonly start: Uint32Array;
    readonly order: Uint32Array;
    readonly place: Uint32Array;
    /** Of all places before one: width, and rows of the profile that boxes stand for. */
    private readonly width: Float64Array;
    private readonly rows: Float64Array;
    private readonly steps: Float64Array[];

    constructor(readonly flame: Flame) {
        const n = this.n = flame.depth.length;
        this.levels = 0;
        for (let i = 0; i < n; i++)
            if (flame.depth[i] >= this.levels) this.levels = flame.depth[i] + 1;
        this.total = n ? flame.width[0] : 0;
        this.parent = new Int32Array(n);
        this.end = new Uint32Array(n);
        this.start = new Uint32Array(this.levels + 1);
        this.order = new Uint32Array(n);
        this.place = new Uint32Array(n);
        this.width = new Float64Array(n + 1);
        this.rows = new Float64Array(n + 1);
        this.relate();
        this.sort();
        this.steps = maxima(this.measure());
    }

    private relate(): void {
        const { depth } = this.flame, open = new Uint32Array(this.levels + 1);
        let top = 0;
        for (let i = 0; i < this.n; i++) {
            const d = depth[i];
            while (top > d) this.end[open[--top]] = i;
            this.parent[i] = d ? open[d - 1] : -1;
            open[top++] = i;
            this.start[d + 1]++;
        }
        while (top) this.end[open[--top]] = this.n;
        for (let d = 0; d < this.levels; d++) this.start[d + 1] += this.start[d];
    }

    private sort(): void {
        const { depth } = this.flame, next = this.start.slice();
        for (let i = 0; i < this.n; i++) {
            const p = next[depth[i]]++;
            this.order[p] = i;
            this.place[i] = p;
        }
    }

    /** Of each place what ends a run: its width, or the gap before it. */
    private measure(): Float64Array {
        const f = this.flame, step = new Float64Array(this.n);
        let level = -1, right = 0;
        for (let p = 0; p < this.n; p++) {
            const i = this.order[p], w = f.width[i];
            this.width[p + 1] = this.width[p] + w;
            this.rows[p + 1] = this.rows[p] + (f.kind[i] === BoxKind.Rest ? f.name[i] : 1);
            const gap = f.depth[i] === level ? f.at[i] - right : Infinity;
            step[p] = Math.max(w, gap);
            level = f.depth[i];
            right = f.at[i] + w;
        }
        return step;
    }

    /** The first place from P on where a run ends that is of what is narrower than PIXEL. */
    private next(p: number, pixel: number): number {
        for (let k = 0; ; ) {
            const row = this.steps[k];
            if (p >= row.length) return this.n;
            if (row[p] >= pixel) {
                if (!k) return p;
                k--;
                p *= FAN;
            } else if (++p % FAN === 0 && k + 1 < this.steps.length) {
                p /= FAN;
                k++;
            }
        }
    }

    /** The first place of LEVEL whose box ends after X. */
    after(level: number, x: number): number {
        const { at, width } = this.flame;
        let lo = this.start[level], hi = this.start[level + 1];
        while (lo < hi) {
            const mid = (lo + hi) >>> 1, i = this.order[mid];
            if (at[i] + width[i] > x) hi = mid;
            else lo = mid + 1;
        }
        return lo;
    }

    /** The first place of LEVEL whose box begins at X or after it. */
    private from(level: number, x: number): number {
        const { at } = this.flame;
        let lo = this.start[level], hi = this.start[level + 1];
        while (lo < hi) {
            const mid = (lo + hi) >>> 1;
            if (at[this.order[mid]] >= x) hi = mid;
            else lo = mid + 1;
        }
        return lo;
    }

    /** All of LEVEL from X0 to X1, where a pixel is PIXEL wide. */
    visit(level: number, x0: number, x1: number, pixel: number, sink: Sink): void {
        const last = this.from(level, x1), { width } = this.flame;
        for (let p = this.after(level, x0); p < last; ) {
            const i = this.order[p];
            if (width[i] >= pixel) {
                sink.box(i);
                p++;
            } else {
                const end = Math.min(this.next(p + 1, pixel), last);
                sink.run(p, end);
                p = end;
            }
        }
    }

    /** What is at X of LEVEL: a place, or -1. NEAR is how far it may be away. */
    find(level: number, x: number, near: number): number {
        if (level < 0 || level >= this.levels) return -1;
        const p = this.after(level, x - near), { at } = this.flame;
        return p < this.start[level + 1] && at[this.order[p]] <= x + near ? p : -1;
    }

    /** What places FIRST to END are wide together. */
    widthOf(first: number, end: number): number {
        return this.width[end] - this.width[first];
    }

    /** For how many rows they stand. */
    rowsOf(first: number, end: number): number {
        return this.rows[end] - this.rows[first];
    }

    /** The box beside BOX on its level; -1: none. */
    beside(box: number, step: -1 | 1): number {
        const p = this.place[box] + step, d = this.flame.depth[box];
        return p >= this.start[d] && p < this.start[d + 1] ? this.order[p] : -1;
    }

    /** What stands on BOX; -1: the root. */
    children(box: number): number[] {
        const all: number[] = [], end = box < 0 ? this.n : this.end[box];
        for (let c = box + 1; c < end; c = this.end[c]) all.push(c);
        return all;
    }

    /** From the root to BOX. */
    path(box: number): number[] {
        const all: number[] = [];
        for (let b = box; b >= 0; b = this.parent[b]) all.push(b);
        return all.reverse();
    }
}
