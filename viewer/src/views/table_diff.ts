// SPDX-License-Identifier: Apache-2.0
/* Columns and rows of a comparison: `assay diff`. */
import type { Diff, DiffRow, Difference, FunctionId, Value } from '../protocol';
import type { Cell, Column, Row } from '../rows';
import { approx, baseName, clean, figure, figureDigits, figureMinus, figurePercent, nameOf, plural, text, where } from '../format';

type Shown = 'base' | 'new' | 'difference' | 'percent' | 'verdict';

export interface DiffLook {
    diff: Diff;
    columns: readonly Shown[];
    /** Which event. */
    e: number;
    inclusive: boolean;
    digits: number;
    /** The largest difference of a row, for bars. */
    most: number;
}

export const figureOf = (l: DiffLook, row: DiffRow): Difference | null =>
    (l.inclusive || !row.self ? row.inclusive[l.e] : row.self[l.e]) ?? null;

/* As many as find room. In a tree the mark for noise stands at the difference. */
function shown(room: number, tree: boolean): readonly Shown[] {
    const all: Shown[] = room >= 100 ? ['base', 'new', 'difference', 'percent', 'verdict']
        : room >= 76 ? ['new', 'difference', 'percent', 'verdict'] : ['difference', 'percent', 'verdict'];

    return all.filter(c => c === 'verdict' ? room >= 56 && !tree : c !== 'percent' || room >= 46);
}

/** ROOM in characters. */
export function diffLook(diff: Diff, event: string, inclusive: boolean, room = 200): DiffLook {
    const e = Math.max(0, diff.events.findIndex(ev => ev.name === event));
    const l = { diff, columns: shown(room, diff.view === 'tree'), e, inclusive, digits: 0, most: 0 };
    const rows = diff.rows.map(row => figureOf(l, row)).filter((d): d is Difference => d !== null);
    const total = diff.events[e];

    if (total)
        l.digits = figureDigits(total.unit, [total.base, total.new,
            ...rows.flatMap(d => [d.base, d.new])]);
    l.most = Math.max(0, ...rows.map(d => Math.abs(approx(d.difference))));
    return l;
}

export function diffColumns(l: DiffLook): Column[] {
    const event = l.diff.events[l.e], up = l.diff.way && l.diff.way !== 'callees';
    const what = up ? '' : l.inclusive ? 'incl ' : 'self ';
    const unit = event ? clean(event.unit === 'events' ? event.name : event.unit) : '';
    const number = event ? Math.max(figure(event.base, l.digits).length,
        figure(event.new, l.digits).length, 6) : 6;
    const width = Math.max(what.length + unit.length + 6, number) + 4;
    const all: Record<Shown, Column> = {
        base: { id: 'base', title: `base ${what}${unit}`, width },
        new: { id: 'new', title: `new ${what}${unit}`, width },
        difference: { id: 'difference', title: 'difference', width: Math.max(12, figure(l.most, l.digits).length + 3) + 4,
            sort: l.diff.view === 'top' ? 'descending' : undefined },
        percent: { id: 'percent', title: '%', label: 'percent of base', width: 9 },
        verdict: { id: 'verdict', title: 'verdict', width: 10 },
    };

    return [...l.columns.map(c => all[c]), { id: 'name', title: l.diff.by, width: 0 }];
}

/** What a difference is, in words: noise is none. */
export function verdict(d: Difference): string {
    const way = approx(d.difference) > 0 ? 'more' : 'less';

    if (d.significance === 'same')
        return 'same';
    if (d.significance === 'noise')
        return '≈ same';
    if (d.significance === 'chance')
        return `? ${way}`;
    return d.significance === 'sure' ? way : ''; /* a rest is not judged */
}

/** A difference that tells nothing: it is grey wherever it is drawn. */
export const isNoise = (d: Difference): boolean => d.significance === 'noise' || d.significance === 'same';

const spoken: Record<Difference['significance'], string> = {
    same: 'the same', noise: 'within noise, about the same', chance: 'may be chance', sure: '',
};

/* "≈ " where a difference may be noise, "? " where it may be chance. */
function doubt(l: DiffLook, d: Difference): string {
    if (l.columns.includes('verdict'))
        return '';
    return d.significance === 'noise' ? '≈ ' : d.significance === 'chance' ? '? ' : '';
}

function cells(l: DiffLook, d: Difference | null, about = ''): Cell[] {
    if (!d)
        return l.columns.map(() => ({ text: '-', tone: 'quiet' as const }));
    const sure = d.significance === 'sure' || d.significance === 'chance';
    const of = (v: Value): string => approx(v) ? about : '';
    const tone = !sure ? 'quiet' : approx(d.difference) > 0 ? 'more' : 'less', quiet = sure ? undefined : 'quiet';
    const all: Record<Shown, Cell> = {
        base: { text: of(d.base) + figure(d.base, l.digits) },
        new: { text: of(d.new) + figure(d.new, l.digits) },
        difference: { text: doubt(l, d) + of(d.difference) + figure(d.difference, l.digits, true), tone,
            bar: sure && l.most ? Math.abs(approx(d.difference)) / l.most : 0 },
        percent: { text: figurePercent(d.base, d.difference), tone: quiet },
        verdict: { text: verdict(d), tone: quiet },
    };
    return l.columns.map(c => all[c]);
}

/** Of the function of a row. Objects have no folders there. */
export function diffFunction(row: DiffRow): FunctionId {
    return { function: row.function, file: row.file, object: row.object, address: null };
}

const sides: Record<DiffRow['in'], string> = { both: '', new: 'only in new', base: 'only in base' };

export function diffName(row: DiffRow, by: string): [string, string] {
    if (by === 'file' || by === 'object') {
        const path = (by === 'file' ? row.file : row.object) ?? '';
        return path ? [clean(baseName(path)), clean(path.slice(0, -baseName(path).length))] : ['[unknown]', ''];
    }
    return [nameOf({ ...row, address: null }), where(row, row.line)];
}

export function spokenDifference(l: DiffLook, d: Difference): string {
    return `${figure(d.base, l.digits)} to ${figure(d.new, l.digits)}, `
        + figure(d.difference, l.digits, true)
        + (approx(d.base) ? `, ${figurePercent(d.base, d.difference)} percent` : '')
        + (spoken[d.significance] ? `, ${spoken[d.significance]}` : '');
}

export function diffRow(l: DiffLook, row: DiffRow): Row {
    const [name, place] = diffName(row, l.diff.by), d = figureOf(l, row);
    const side = sides[row.in] ?? '';

    return {
        func: l.diff.by === 'function' || l.diff.by === 'line' ? diffFunction(row) : null,
        name, place,
        mark: row.in === 'new' ? '+ appeared' : row.in === 'base' ? '− vanished' : undefined,
        cells: cells(l, d, row.evidence === 'estimated' ? '~ ' : ''),
        cls: d && d.significance !== 'sure' && d.significance !== 'chance' ? 'noise' : '',
        label: [name, side, d ? spokenDifference(l, d) : 'not known', row.evidence === 'estimated' ? 'estimated' : '', place].filter(s => s).join(', '),
    };
}

/** Of totals and rests, which nobody judges. */
function sum(l: DiffLook, name: string, base: Value, new_: Value, cls: string, judged: Difference | null
): Row {
    const d: Difference = judged ?? { base, new: new_, difference: figureMinus(new_, base), significance: 'sure',
        interval: null, p: null };
    const made = cells(l, d);

    return {
        func: null, name, cls,
        cells: made.map((c, i) => l.columns[i] === 'verdict' && !judged ? { text: '' } : { ...c, bar: 0 }),
        label: `${name}, ${spokenDifference(l, d)}`,
    };
}

/** What the search hides, as far as the answer has all it found; what filters took; the total. */
export function diffLastRows(l: DiffLook): Row[] {
    const { diff } = l, total = diff.events[l.e], rows: Row[] = [];
    const found = diff.found ?? diff.rows.length, all = diff.all ?? found;
    const rest = diff.rest?.self[l.e];

    if (!total)
        return rows;
    if (rest && !l.inclusive && found < all && diff.rows.length === found)
        rows.push(sum(l, `[${plural(all - found, 'row')} without a match]`, rest.base, rest.new, 'rest', null));
    if (total.whole)
        rows.push(sum(l, '[filtered out]', figureMinus(total.whole.base, total.base),
            figureMinus(total.whole.new, total.new),
            'rest', null));
    rows.push(total.whole ? sum(l, 'total', total.whole.base, total.whole.new, 'total', null)
        : sum(l, 'total', total.base, total.new, 'total', total));
    return rows;
}

/** What was done to counts before they were compared. */
export function scaleWords(event: Diff['events'][0]): string {
    const words: Record<string, string> = { none: event.sampled ? 'compared as sampled, not scaled' : 'compared as counted',
        total: 'scaled to the base\u2019s total: only shares differ', time: 'compared as time' };

    return words[event.normalize] ?? event.normalize;
}

/** What is compared, and how. */
export function diffSummary(l: DiffLook): string {
    const { diff } = l, event = diff.events[l.e], words: string[] = [];
    words.push(`${clean(diff.new.files.map(baseName).join(', '))} − ${clean(diff.base.files.map(baseName).join(', '))}: + is more`);
    if (event)
        words.push(scaleWords(event));
    if (diff.found !== undefined && diff.all !== undefined && diff.found < diff.all)
        words.push(`${text(diff.found)} of ${plural(diff.all, 'row')} match`);
    words.push(`${diff.appeared} appeared, ${diff.vanished} vanished`);
    if (event?.missed_rate)
        words.push('the periods cannot be believed: compare shares');
    if (diff.estimated && diff.view !== 'tree') /* there each row says it */
        words.push('estimated');
    if (diff.not_compared.length)
        words.push(`not compared: ${clean(diff.not_compared.join(', '))}`);
    return words.join(' · ');
}

export function diffTsv(l: DiffLook, rows: DiffRow[]): string {
    const lines = rows.map(row => {
        const d = figureOf(l, row);
        return [d?.base ?? '', d?.new ?? '', d?.difference ?? '', d?.significance ?? '', row.in,
            clean(row.function ?? ''), clean(row.file ?? ''), row.line ?? '', clean(row.object ?? '')];
    });
    const event = l.diff.events[l.e];

    if (event)
        lines.push([event.base, event.new, event.difference, event.significance, 'both', '[total]', '', '', '']);
    return [['base', 'new', 'difference', 'significance', 'in', 'function', 'file', 'line', 'object'],
        ...lines].map(line => line.map(v => String(v).replace(/[\t\r\n]/g, ' ')).join('\t')).join('\n') + '\n';
}
