// SPDX-License-Identifier: Apache-2.0
/*
 * Jumps as lines in a gutter (src/report/listing/asm_arrows.c). All that lead to one instruction share a
 * line; short ones are inside. A line that finds no room among the lanes is left out.
 */

export const mostLanes = 10;

export interface Arrow { from: number; to: number }
export interface Lane {
    to: number;
    from: number[];
    low: number;
    high: number;
    /** 0 is the innermost; null: no room. */
    lane: number | null;
}
export interface Arranged { lanes: Lane[]; width: number; leftOut: number }

function groups(arrows: Arrow[]): Lane[] {
    const all = new Map<number, Lane>();

    for (const { from, to } of [...arrows].sort((a, b) => a.to - b.to || a.from - b.from)) {
        const group = all.get(to) ?? { to, from: [], low: to, high: to, lane: null };

        group.from.push(from);
        group.low = Math.min(group.low, from);
        group.high = Math.max(group.high, from);
        all.set(to, group);
    }
    return [...all.values()];
}

export function arrange(arrows: Arrow[]): Arranged {
    const lanes = groups(arrows).sort((a, b) => a.high - a.low - (b.high - b.low)
        || a.to - b.to);
    let width = 0, leftOut = 0;

    lanes.forEach((group, i) => {
        const taken = new Set(lanes.slice(0, i).filter(o => o.low <= group.high
            && o.high >= group.low).map(o => o.lane));
        let lane = 0;

        while (taken.has(lane))
            lane++;
        if (lane < mostLanes)
            group.lane = lane;
        else
            leftOut++;
        width = Math.max(width, group.lane === null ? 0 : lane + 1);
    });
    return { lanes, width, leftOut };
}

/* ---- as a path ---- */

const step = 7, head = 5, corner = 3;

/** Pixels that so many lanes take. */
export function gutter(width: number): number {
    return width ? width * step + head + 4 : 0;
}

/** Path of GROUP for rows of HEIGHT, and that of its head; the gutter of WIDTH lanes is at 0. */
export function drawn(group: Lane, width: number, height: number): { line: string; head: string } {
    const right = gutter(width) - 2, x = right - head - 1 - (group.lane ?? 0) * step - step / 2;
    const y = (row: number): number => (row + .5) * height;
    const ends = [...new Set([...group.from, group.to])].sort((a, b) => a - b);
    const to = y(group.to), tip = `M${right} ${to}l${-head} -3v6z`;

    if (group.low === group.high)
        return { line: `M${right} ${to - 4}H${x + corner}a4 4 0 0 0 0 8H${right - head}`,
            head: `M${right} ${to + 4}l${-head} -3v6z` };
    const line = ends.map(end => {
        const edge = end === group.to ? right - head : right;
        const down = end === group.low ? 1 : -1;

        return end !== group.low && end !== group.high ? `M${edge} ${y(end)}H${x}`
            : `M${edge} ${y(end)}H${x + corner}q${-corner} 0 ${-corner} ${down * corner}`;
    });
    return { line: `${line.join('')}M${x} ${y(group.low) + corner}V${y(group.high) - corner}`,
        head: tip };
}
