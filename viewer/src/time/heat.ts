// SPDX-License-Identifier: Apache-2.0
/* A heat map of the whole run: a column for each second, or what fits, and a row for each fiftieth of it. */
import { clipped, isStretch, Lane } from './moments';

export const ROWS = 50;
const COLUMNS = 400;

export interface Heat {
    start: number;
    /** Nanoseconds of a column, and of a cell of it. */
    column: number;
    cell: number;
    columns: number;
    /** By column, in each from its first fiftieth on. */
    sums: Float64Array;
    most: number;
}

/** As FlameScope has it, a second; of a short or a long run 1, 2 or 5 of a power of ten. */
function columnOf(span: number): number {
    const steps: number[] = [];

    for (let ten = ROWS; ten < 1e18; ten *= 10)
        steps.push(ten, 2 * ten, 5 * ten);
    const seconds = span / 1e9;
    return seconds >= 20 && seconds <= COLUMNS ? 1e9 : steps.find(s => span / s <= COLUMNS / 4) ?? 1e18;
}

export function heatOf(lanes: Lane[], from: number, to: number): Heat {
    const column = columnOf(to - from), cell = column / ROWS, start = Math.floor(from / column) * column;
    const columns = Math.floor((to - 1 - start) / column) + 1, sums = new Float64Array(columns * ROWS);
    const at = (t: number): number => Math.min(sums.length - 1, Math.floor((t - start) / cell));
    let most = 0;

    for (const lane of lanes)
        for (let i = 0; i < lane.time.length; i++) {
            let k = at(lane.time[i]);
            if (!isStretch(lane, i)) {
                sums[k] += lane.value[i];
                continue;
            }
            for (const last = at(lane.time[i] + lane.value[i]); k <= last; k++)
                sums[k] += clipped(lane, i, start + k * cell, start + (k + 1) * cell);
        }
    for (const v of sums)
        most = Math.max(most, v);
    return { start, column, cell, columns, sums, most };
}

/** 0: nothing; 1 to 8, by the root, so that little is seen, too. */
export function heatLevel(v: number, most: number): number {
    return v > 0 && most > 0 ? Math.max(1, Math.ceil(8 * Math.sqrt(v / most))) : 0;
}
