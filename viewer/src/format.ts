// SPDX-License-Identifier: Apache-2.0
/*
 * Numbers for people, exact: the same digits as the program prints (src/report/kit/show.c, unit.c).
 * A value may be a string where a number would lose digits; nothing here goes through a double
 * that does not fit in one.
 */
import type { EventInfo, Value } from './protocol';

export * from './names';
import { clean } from './names';

const safe = Number.MAX_SAFE_INTEGER;

export function big(v: Value): bigint {
    return BigInt(v);
}

/** As a value goes over the wire: a number where it is exact. */
export function value(b: bigint): Value {
    return b <= BigInt(safe) && b >= -BigInt(safe) ? Number(b) : b.toString();
}

export function compare(a: Value, b: Value): number {
    if (typeof a === 'number' && typeof b === 'number')
        return a < b ? -1 : a > b ? 1 : 0;
    const x = big(a), y = big(b);
    return x < y ? -1 : x > y ? 1 : 0;
}

export function add(a: Value, b: Value): Value {
    if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b))
        return a + b;
    return value(big(a) + big(b));
}

export function subtract(a: Value, b: Value): Value {
    if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a - b))
        return a - b;
    return value(big(a) - big(b));
}

/** Near enough for a position or a length on the screen, never for a digit. */
export function approx(v: Value): number {
    return Number(v);
}

/** How much of TOTAL, 0 to 1: the length of a bar. */
export function share(part: Value, total: Value): number {
    const t = approx(total);

    return t ? Math.max(0, Math.min(1, approx(part) / t)) : 0;
}

/* ---- digits ---- */

function group(digits: string): string {
    return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** "-1,234,567" */
function grouped(v: Value): string {
    const s = String(v);

    return s[0] === '-' ? '-' + group(s.slice(1)) : group(s);
}

/** How counts of an event are told: one is EACH nanoseconds or bytes, of which SCALE make a SUFFIX. */
export interface Unit {
    each: bigint;
    scale: bigint;
    suffix: string;
}

/** A cost in full: "378,195,168", "3.12s", "<0.01s" for what is not nothing. */
export function text(v: Value | null, unit?: Unit | null): string {
    if (v === null)
        return '-';
    if (!unit)
        return grouped(v);
    let all = big(v) * unit.each;
    const sign = all < 0n ? '-' : '';
    if (all < 0n)
        all = -all;
    if (all > 1n << 120n)
        return grouped(v);
    const rest = (all % unit.scale * 100n + unit.scale / 2n) / unit.scale;
    const whole = all / unit.scale + rest / 100n;
    if (all && !whole && rest % 100n === 0n && unit.scale > 1n)
        return `${sign}<0.01${unit.suffix}`;
    if (unit.scale === 1n)
        return sign + group(whole.toString()) + unit.suffix;
    return `${sign}${group(whole.toString())}.${(rest % 100n).toString().padStart(2, '0')}`
        + unit.suffix;
}

/** "1 row", "2,345 rows" */
export function plural(n: Value, word: string): string {
    return `${text(n)} ${word}${String(n) === '1' ? '' : word.endsWith('s') ? 'es' : 's'}`;
}

/** About four digits: "378.2 M". */
export function rough(v: Value): string {
    const b = big(v), u = b < 0n ? -b : b, sign = b < 0n ? '-' : '';
    let tenths = u / 100n + (u % 100n >= 50n ? 1n : 0n), step = 0;

    if (u < 10000n)
        return sign + group(u.toString());
    while (tenths >= 10000n && step < 9) {
        tenths = tenths / 1000n + (tenths % 1000n >= 500n ? 1n : 0n);
        step++;
    }
    return `${sign}${tenths / 10n}.${tenths % 10n} ${'kMGTPEZYRQ'[step]}`;
}

function tenthsText(tenths: bigint | number, negative: boolean): string {
    const s = tenths.toString().padStart(2, '0');

    return (negative && s !== '00' ? '-' : '') + s.slice(0, -1) + '.' + s.slice(-1);
}

/** "63.8"; "-" where there is nothing to be a part of. */
export function percent(part: Value, whole: Value): string {
    if (typeof part === 'number' && typeof whole === 'number' && part >= 0 && whole > 0
        && part * 1000 + whole < safe)
        return tenthsText(Math.floor((part * 1000 + Math.floor(whole / 2)) / whole), false);
    let p = big(part), w = big(whole);
    const negative = p < 0n !== w < 0n;
    p = p < 0n ? -p : p;
    w = w < 0n ? -w : w;
    if (!w)
        return '-';
    const tenths = (p * 1000n + w / 2n) / w;
    return tenths > 0xffffffffn ? '-' : tenthsText(tenths, negative);
}

/* What passes through a function: exact, or of a member of a cycle, of which less is known, the most
 * that may. */
interface Passes { inclusive: (Value | null)[] | null; inclusive_at_most?: Value[] }

export function passing(row: Passes, event: number): Value | null {
    return row.inclusive_at_most?.[event] ?? row.inclusive?.[event] ?? null;
}

/** What stands before such a figure. */
export function bound(row: Passes): string {
    return row.inclusive_at_most ? '≤\u00a0' : '';
}

/** "63.8 %" */
export function percentText(part: Value, whole: Value): string {
    const s = percent(part, whole);

    return s === '-' ? s : s + '\u00a0%';
}

/** The share of a part that is told from nothing and from all: "< 0.1 %", "> 99.9 %", "100 %". */
export function partText(part: Value, all: Value): string {
    const s = percent(part, all);

    if (s === '0.0' && big(part) !== 0n)
        return '<\u00a00.1\u00a0%';
    if (s === '100.0')
        return compare(part, all) === 0 ? '100\u00a0%' : compare(part, all) < 0 ? '>\u00a099.9\u00a0%' : percentText(part, all);
    return percentText(part, all);
}

/** Of which percentages are: all of the profile, where filters left a part. */
export function whole(event: EventInfo): Value {
    return event.whole ?? event.total;
}

/* ---- units ---- */

type Kind = 'time' | 'size';
const second = 1000000000n;

/* What may be asked for, from small to large: kind, nanoseconds or bytes, and whether it is
 * chosen by itself. */
const scales: Record<string, [Kind, bigint, boolean]> = {
    ns: ['time', 1n, true], us: ['time', 1000n, true], ms: ['time', 1000000n, true],
    s: ['time', second, true], min: ['time', 60n * second, false],
    h: ['time', 3600n * second, false],
    B: ['size', 1n, true], KiB: ['size', 1n << 10n, true], MiB: ['size', 1n << 20n, true],
    GiB: ['size', 1n << 30n, true],
};

/* What profiles call units. */
const named: Record<string, [Kind, bigint]> = {
    nanoseconds: ['time', 1n], ns: ['time', 1n], microseconds: ['time', 1000n],
    us: ['time', 1000n], milliseconds: ['time', 1000000n], ms: ['time', 1000000n],
    seconds: ['time', second], s: ['time', second], bytes: ['size', 1n], byte: ['size', 1n],
    kilobytes: ['size', 1n << 10n], megabytes: ['size', 1n << 20n],
};

/* Of a name that a profile made up, "constructor" too. */
function get<T>(table: Record<string, T>, name: string | null | undefined): T | undefined {
    return name && Object.prototype.hasOwnProperty.call(table, name) ? table[name] : undefined;
}

/* What a count of EVENT is: of its unit, or of its period. */
function standsFor(event: EventInfo): [Kind, bigint] | undefined {
    const is = get(named, event.unit), period = event.period ?? 0;

    if (is || !big(period))
        return is;
    const of = get(named, event.period_unit);
    return of && of[1] * big(period) < 1n << 64n ? [of[0], of[1] * big(period)] : undefined;
}

/** What plain counts of EVENT are: "samples", "cpu (ns)". */
export function counted(event: EventInfo): string {
    const is = get(named, event.unit);
    const short = is && Object.keys(scales).find(word => scales[word][0] === is[0] && scales[word][1] === is[1]);

    return clean(event.name) + (is ? ` (${short ?? clean(event.unit ?? '')})` : '');
}

/** The words of --unit that say something about EVENT, "count" first. */
export function unitWords(event: EventInfo): string[] {
    const is = standsFor(event);

    if (!is)
        return ['count'];
    return ['count', 'auto', ...Object.keys(scales).filter(word => scales[word][0] === is[0])];
}

/** The unit WORD for counts of EVENT; LARGEST chooses where the word does not. Null: as counts. */
export function unitOf(event: EventInfo, word: string, largest: Value): Unit | null {
    const is = standsFor(event), want = get(scales, word);

    if (!is || !(want || ['auto', 'time', 'bytes'].includes(word)))
        return null;
    if ((want && want[0] !== is[0]) || (word === 'time' && is[0] !== 'time')
        || (word === 'bytes' && is[0] !== 'size'))
        return null;
    if (want)
        return { each: is[1], scale: want[1], suffix: word };
    let all = big(largest) * is[1], best: Unit | null = null;
    all = all < 0n ? -all : all;
    for (const [suffix, [kind, scale, usual]] of Object.entries(scales))
        if (usual && kind === is[0] && (!best || all >= scale))
            best = { each: is[1], scale, suffix };
    return best;
}

/** Units of the events of an answer. KNOWN, page.events, says their periods. */
export function unitsOf(events: EventInfo[], known: EventInfo[], word: string): (Unit | null)[] {
    return events.map(e => {
        const more = known.find(k => k.name === e.name);

        return unitOf({ ...more, ...e, period: more?.period, period_unit: more?.period_unit },
            word, whole(e));
    });
}

/* ---- figures of a comparison: decimals ---- */

/** Without an exponent: the engine's figures have up to nine decimals. */
function plain(v: Value): string {
    return typeof v === 'number' && !Number.isInteger(v) ? v.toFixed(9).replace(/0+$/, '') : String(v);
}

/** V as a whole number of 10^-DIGITS; what is beyond that is rounded. */
function places(v: string, digits: number): bigint {
    const [whole, part = ''] = v.replace('-', '').split('.');
    const size = BigInt(whole + part.slice(0, digits).padEnd(digits, '0')) + ((part[digits] ?? '0') >= '5' ? 1n : 0n);

    return v[0] === '-' ? -size : size;
}

/** Digits behind the point. */
function decimals(v: Value): number {
    return plain(v).split('.')[1]?.length ?? 0;
}

/** Decimals of figures in UNIT, as `assay diff` shows them. */
export function figureDigits(unit: string, figures: Value[]): number {
    return unit === 's' ? 3 : figures.some(f => decimals(f)) ? 1 : 0;
}

/** "+1,234.5" */
export function figure(x: Value, digits: number, sign = false): string {
    const all = typeof x === 'string' ? places(x, digits).toString().replace('-', '').padStart(digits + 1, '0') : '';
    const s = typeof x === 'number' ? Math.abs(x).toFixed(digits)
        : digits ? `${all.slice(0, -digits)}.${all.slice(-digits)}` : all;

    if (!/^\d+(\.\d+)?$/.test(s))
        return String(x);
    const dot = s.indexOf('.') < 0 ? s.length : s.indexOf('.');
    const mark = !/[1-9]/.test(s) ? '' : approx(x) < 0 ? '-' : sign ? '+' : '';
    return mark + group(s.slice(0, dot)) + s.slice(dot);
}

/** A - B, where either may be too long for a number. */
export function figureMinus(a: Value, b: Value): Value {
    if (typeof a === 'number' && typeof b === 'number')
        return a - b;
    const digits = Math.max(decimals(a), decimals(b));
    const all = places(plain(a), digits) - places(plain(b), digits);
    const s = (all < 0n ? -all : all).toString().padStart(digits + 1, '0');
    return (all < 0n ? '-' : '') + (digits ? `${s.slice(0, -digits)}.${s.slice(-digits)}` : s);
}

/** "+12.4", of the base; "-" where that is 0. */
export function figurePercent(base: Value, difference: Value): string {
    if (!approx(base))
        return '-';
    if (typeof base === 'string' || typeof difference === 'string') {
        const digits = Math.max(decimals(base), decimals(difference));
        const b = places(plain(base), digits);
        const s = percent(value(places(plain(difference), digits)), value(b < 0n ? -b : b));
        return (approx(difference) > 0 && s !== '-' ? '+' : '') + s;
    }
    const tenths = Math.round(Math.abs(difference / base) * 1000);

    if (!Number.isSafeInteger(tenths) || tenths > 0xffffffff)
        return '-';
    return (difference > 0 ? '+' : '') + tenthsText(tenths, difference < 0);
}
