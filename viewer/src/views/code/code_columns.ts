// SPDX-License-Identifier: Apache-2.0
/* The numbers beside lines and instructions: which columns there are, and what stands in them. */
import { figure, figureDigits, figurePercent, percent, text, unitsOf, whole } from '../../format';
import type { Diff, Difference, EventInfo, Value } from '../../protocol';
import type { Page } from '../../view';

export interface Costed {
    self: Value[] | null;
    inclusive: Value[] | null;
    /** Calls inside a recursion: part of the cost of others, so no share of the total. */
    inner?: boolean;
    change?: { in: string; self?: Difference[]; inclusive: (Difference | null)[] } | null;
}
export interface CostColumn {
    name: string;
    title: string;
    get(row: Costed): string;
}

/** Which of EVENTS is chosen. */
export function chosen(events: { name: string }[], page: Page): number {
    return Math.max(0, events.findIndex(e => e.name === page.state.event));
}

function cost(v: Value | undefined, unit: ReturnType<typeof unitsOf>[number]): string {
    return v === undefined ? '' : String(v) === '0' ? '·' : text(v, unit);
}

function share(v: Value | undefined, event: EventInfo): string {
    return v === undefined ? '' : String(v) === '0' ? '·' : percent(v, whole(event));
}

/** Self and inclusive of the chosen event, with percentages; ALL: self of the others, too. */
export function costColumns(events: EventInfo[], page: Page, all: boolean, inclusive: boolean):
    CostColumn[] {
    const at = chosen(events, page), e = events[at];
    const units = unitsOf(events, page.events, page.state.unit);
    const columns: CostColumn[] = [
        { name: 'self', title: `self ${e.name}`, get: r => cost(r.self?.[at], units[at]) },
        { name: 'share', title: '%', get: r => share(r.self?.[at], e) }];

    if (inclusive)
        columns.push(
            { name: 'incl', title: `incl ${e.name}`, get: r => cost(r.inclusive?.[at], units[at]) },
            { name: 'share2', title: '%', get: r => r.inner ? '-' : share(r.inclusive?.[at], e) });
    if (all)
        events.forEach((other, i) => i !== at && columns.push({ name: `other o${i}`,
            title: other.name, get: r => cost(r.self?.[i], units[i]) }));
    return columns;
}

function word(d: Difference | null | undefined, side: string): string {
    if (!d)
        return '';
    if (side === 'new' || side === 'base')
        return side === 'new' ? 'appeared' : 'vanished';
    return d.significance === 'same' || d.significance === 'noise' ? d.significance
        : (d.difference > 0 ? 'more' : 'less') + (d.significance === 'chance' ? '?' : '');
}

/** Base, new, difference, and what it is worth. */
export function changeColumns(answer: Diff, page: Page): CostColumn[] {
    const at = chosen(answer.events, page), e = answer.events[at];
    const figures = answer.rows.flatMap(r => [r.self?.[at], r.inclusive[at]])
        .flatMap(d => d ? [d.base, d.new] : []);
    const digits = figureDigits(e.unit, figures);
    const of = (get: (d: Difference) => string, which: 'self' | 'inclusive' = 'self') =>
        (r: Costed): string => {
            const d = r.change?.[which]?.[at];

            return d ? get(d) : '';
        };

    return [
        { name: 'base', title: `base ${e.unit}`, get: of(d => figure(d.base, digits)) },
        { name: 'new', title: `new ${e.unit}`, get: of(d => figure(d.new, digits)) },
        { name: 'self', title: 'difference',
            get: of(d => figure(d.difference, digits, true)) },
        { name: 'share', title: '%', get: of(d => figurePercent(d.base, d.difference)) },
        { name: 'incl', title: 'incl difference',
            get: of(d => figure(d.difference, digits, true), 'inclusive') },
        { name: 'worth', title: 'verdict', get: r => word(r.change?.self?.[at], r.change?.in ?? '') }];
}

/** Width of a column, of grid-template-columns. Narrow windows have no room for shares (code.css). */
export function track(column: CostColumn, rows: Costed[]): string {
    const most = rows.reduce((n, r) => Math.max(n, column.get(r).length), column.title.length);

    return /^share/.test(column.name) ? `calc(var(--shares) * ${most + 2}ch)` : `${most + 2}ch`;
}
