// SPDX-License-Identifier: Apache-2.0
/*
 * Sums over stretches of time of one length, and of twice that, and so on: a lane is drawn at any zoom
 * by about as many sums as it has pixels, however many moments there are.
 */
import { between, clipped, isStretch, Lane } from './moments';

const LEAST = 1 << 10, MOST = 1 << 19, EACH = 4;

export class Pyramid {
    /** Of the first, stretches of length WIDTH; of each other, of twice that of the one before. */
    private readonly levels: Float64Array[] = [];
    private readonly width: number;

    constructor(private readonly lane: Lane, private readonly start: number, end: number) {
        let n = LEAST;
        while (n < MOST && n * EACH < lane.time.length)
            n *= 2;
        this.width = (end - start) / n;
        this.levels.push(this.lowest(n));
        for (let below = this.levels[0]; below.length > 1; below = this.levels[this.levels.length - 1])
            this.levels.push(Float64Array.from({ length: below.length / 2 }, (_, i) => below[2 * i] + below[2 * i + 1]));
    }

    private lowest(n: number): Float64Array {
        const sums = new Float64Array(n), { lane, start, width } = this, { time, value } = lane;
        const at = (t: number): number => Math.max(0, Math.min(n - 1, Math.floor((t - start) / width)));

        for (let i = 0; i < time.length; i++) {
            let k = at(time[i]);
            if (!isStretch(lane, i)) {
                sums[k] += value[i];
                continue;
            }
            for (const last = at(time[i] + value[i]); k <= last; k++)
                sums[k] += clipped(lane, i, k ? this.edge(k) : -Infinity, k < n - 1 ? this.edge(k + 1) : Infinity);
        }
        return sums;
    }

    /** When stretch K begins: one rule for all, so that no moment is in two, or in none. */
    private edge(k: number): number {
        return this.start + k * this.width;
    }

    /** What is in each of N pixels from FROM to TO. Of a stretch that is in two of them each gets a share. */
    pixels(from: number, to: number, n: number, out = new Float64Array(n)): Float64Array {
        const pixel = (to - from) / n;
        let level = 0, width = this.width;

        out.fill(0);
        if (pixel < width)
            return this.near(from, to, n, out);
        while (level + 1 < this.levels.length && 2 * width <= pixel) {
            level++;
            width *= 2;
        }
        const sums = this.levels[level], { start } = this;
        const first = Math.max(0, Math.floor((from - start) / width)), end = Math.min(sums.length, Math.ceil((to - start) / width));
        for (let i = first; i < end; i++) {
            const x = (start + i * width - from) / pixel, left = Math.floor(x), share = Math.min(1, (left + 1 - x) * pixel / width);
            if (left >= 0 && left < n)
                out[left] += sums[i] * share;
            if (share < 1 && left + 1 >= 0 && left + 1 < n)
                out[left + 1] += sums[i] * (1 - share);
        }
        return out;
    }

    /** Moment by moment: there are few in sight. */
    private near(from: number, to: number, n: number, out: Float64Array): Float64Array {
        const { lane } = this, pixel = (to - from) / n, [first, end] = between(lane, from, to);
        const at = (t: number): number => Math.max(0, Math.min(n - 1, Math.floor((t - from) / pixel)));

        for (let i = first; i < end; i++) {
            const { time, value } = lane;
            if (!isStretch(lane, i)) {
                if (time[i] >= from)
                    out[at(time[i])] += value[i];
                continue;
            }
            for (let k = at(time[i]), last = at(time[i] + value[i]); k <= last; k++)
                out[k] += clipped(lane, i, from + k * pixel, from + (k + 1) * pixel);
        }
        return out;
    }

    /** All that is in [FROM, TO). */
    sum(from: number, to: number): number {
        const { start, width } = this, sums = this.levels[0], { lane } = this;
        const first = Math.max(0, Math.ceil((from - start) / width) + 1), end = Math.min(sums.length, Math.floor((to - start) / width) - 1);
        const edge = (a: number, b: number): number => {
            const [i, n] = between(lane, a, b);
            let all = 0;
            for (let k = i; k < n; k++)
                all += clipped(lane, k, a, b);
            return all;
        };

        if (first >= end)
            return Math.round(edge(from, to));
        let all = edge(from, this.edge(first)) + edge(this.edge(end), to);
        for (let i = first; i < end; i++)
            all += sums[i];
        return Math.round(all); // parts of nanoseconds, of what passed
    }
}
