// SPDX-License-Identifier: Apache-2.0
/* Times as people read and type them, and where the marks of an axis stand. All are nanoseconds. */

const UNITS: [string, number][] = [['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]];

/** Exact, as --from and --to take it: "1.25s", "300ms". */
export function timeText(ns: number): string {
    const [suffix, unit] = UNITS.find(([, u]) => ns >= u && u > 1 && ns % Math.max(1, u / 1e6) === 0) ?? UNITS[3];

    return ns === 0 ? '0s' : `${ns / unit}${suffix}`;
}

/** To about four digits, for eyes. */
export function roughTime(ns: number): string {
    const grain = Math.max(1, tenth(ns) / 1000);
    return timeText(Math.round(ns / grain) * grain);
}

/** What was typed; null: it is no time. */
export function timeOf(text: string): number | null {
    const found = /^(\d+(?:\.\d+)?)(ns|us|ms|s|m|h|d|w)?$/.exec(text.trim());
    const unit: Record<string, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9, d: 86400e9, w: 604800e9 };

    return found && Math.round(Number(found[1]) * unit[found[2] ?? 's']);
}

/** The power of ten that is not larger. */
export function tenth(v: number): number {
    return 10 ** Math.floor(Math.log10(Math.max(v, 1)));
}

/** About N marks of [FROM, TO], 1, 2 or 5 apart. */
export function marks(from: number, to: number, n: number): number[] {
    const rough = Math.max(1, (to - from) / n), ten = tenth(rough);
    const step = [1, 2, 5, 10].map(k => k * ten).find(s => s >= rough) ?? 10 * ten;
    const all: number[] = [];

    for (let i = Math.ceil(from / step); i * step <= to && all.length < 1000; i++)
        all.push(i * step);
    return all;
}

/** A window over [START, END], zoomed by FACTOR about AT. */
export function zoomed(from: number, to: number, at: number, factor: number, start: number, end: number): [number, number] {
    const length = Math.min(end - start, Math.max(10, (to - from) * factor));
    const left = Math.max(start, Math.min(end - length, at - (at - from) / (to - from) * length));

    return [left, left + length];
}
