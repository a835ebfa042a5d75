// SPDX-License-Identifier: Apache-2.0
/* A thread's stacks in order of time as boxes: those of neighbours that begin alike are one as far as they do. */
import { between, isStretch, Lane, place, WHY } from './moments';

/** STATE: of a thread that did not run, as in Lane. */
export interface Stack { node: number; from: number; to: number; depth: number; state: number }
/** What the tree of paths is made of: of each node its parent; the root is 0. */
export type Parents = ArrayLike<number>;

/** How long a sample is taken to last where the next one is late: twice what most are apart. */
export function gapOf(lane: Lane): number {
    const { time } = lane, step = Math.max(1, Math.floor(time.length / 1000)), gaps: number[] = [];

    for (let i = 0; i + 1 < time.length; i += step)
        gaps.push(time[i + 1] - time[i]);
    gaps.sort((a, b) => a - b);
    return 2 * (gaps[gaps.length >> 1] ?? 1);
}

/** From the root to NODE, without the root. */
export function pathOf(parent: Parents, node: number): number[] {
    const path: number[] = [];

    for (let n = node; n; n = parent[n])
        path.push(n);
    return path.reverse();
}

/** The moment that is going on at T, or the last before it; -1: there is none. */
export function momentAt(lane: Lane, t: number): number {
    return Math.min(place(lane.time, t + 1), lane.time.length) - 1;
}

/** Of [FROM, TO), which is WIDTH pixels wide: where there are more moments than pixels, one of each pixel. */
export function stacksOf(lane: Lane, parent: Parents, from: number, to: number, width: number, gap: number): Stack[] {
    const pixel = (to - from) / width, done: Stack[] = [], [first, end] = between(lane, from - gap, to);
    const few = end - first <= 2 * width;
    let open: Stack[] = [];
    const add = (i: number, a: number, b: number): void => {
        const path = pathOf(parent, lane.node[i]), state = lane.state[i] & WHY;
        const gone = open.length && (a > open[0].to + pixel / 2 || state !== open[0].state);
        let same = 0;

        while (!gone && same < path.length && open[same]?.node === path[same])
            same++;
        done.push(...open.slice(same));
        open.length = same;
        for (const box of open)
            box.to = Math.max(box.to, b);
        for (let depth = same; depth < path.length; depth++)
            open.push({ node: path[depth], from: a, to: b, depth, state });
    };
    const lasts = (i: number): number => isStretch(lane, i) ? lane.time[i] + lane.value[i]
        : Math.min(lane.time[i] + gap, i + 1 < lane.time.length ? lane.time[i + 1] : Infinity);

    if (few)
        for (let i = first; i < end; i++)
            add(i, lane.time[i], lasts(i));
    else
        for (let x = 0; x < width; x++) {
            const i = momentAt(lane, from + (x + 1) * pixel - 1);
            if (i >= 0 && lasts(i) > from + x * pixel)
                add(i, from + x * pixel, from + (x + 1) * pixel);
        }
    done.push(...open);
    open = [];
    return done.filter(box => box.to > from && box.from < to);
}
