// SPDX-License-Identifier: Apache-2.0
/* Patterns of filters and of the search: JavaScript's, smart case, perhaps behind fn:, file: or obj:. */
import { baseName, isGap } from './names';
import type { FunctionId } from './protocol';
import type { Page } from './view';

/** A pattern, and what it chooses where that is more than the function: all of its object, of its file. */
export interface Choice { pattern: string; of: '' | 'object' | 'file' }

export function escape(text: string): string {
    return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** What chooses this function: its name, or, of code without one, what tables call its address. Calls lead
 *  to no addresses (docs/filters.md). '': nothing does. */
export function choiceOf(func: FunctionId, shape: Page['shape']): Choice {
    const object = func.object ?? '';

    if (func.function)
        return { pattern: `fn:^${escape(func.function)}$`, of: '' };
    if (func.address && !isGap(object) && shape !== 'calls')
        return { pattern: `fn:^${escape(`[${baseName(object)}${object && '+'}${func.address}]`)}$`, of: '' };
    if (object)
        return { pattern: `obj:^${escape(object)}$`, of: isGap(object) ? '' : 'object' };
    return func.file ? { pattern: `file:^${escape(func.file)}$`, of: 'file' } : { pattern: '', of: '' };
}

/** A pattern as people read it: the name that it was made of, or what they typed. */
export function shownPattern(pattern: string): string {
    const exact = /^(fn|file|obj):\^(.*)\$$/s.exec(pattern);

    return !exact ? pattern : { fn: '', file: 'file ', obj: 'object ' }[exact[1]] + exact[2].replace(/\\(.)/gs, '$1');
}

/** What is wrong with what filters by labels are given: [KEY=]PATTERN,... or a range of numbers. */
export function wrongTag(text: string): string | null {
    const what = text.slice(text.indexOf('=') + 1);

    if (/^:?[-+]?\d+[a-z]*(:|$)/i.test(what))
        return null;
    return what.split(',').map(wrong).find(why => why !== null) ?? null;
}

/** What is wrong with a pattern, or null. */
export function wrong(pattern: string): string | null {
    try {
        new RegExp(pattern.replace(/^(fn|file|obj):/, '').replace(/^\(\?-?i\)/, ''));
        return null;
    } catch (error) {
        return (error as Error).message.replace(/^Invalid regular expression: /, '');
    }
}
