// SPDX-License-Identifier: Apache-2.0
/* Patterns of filters and of the search: JavaScript's, smart case, perhaps behind fn:, file: or obj:. */
import type { FunctionId } from './protocol';

export function escape(text: string): string {
    return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The pattern that matches this function; one without a name is known by its object. */
export function patternOf(func: FunctionId): string {
    if (func.function)
        return `fn:^${escape(func.function)}$`;
    if (func.object)
        return `obj:^${escape(func.object)}$`;
    return func.file ? `file:^${escape(func.file)}$` : '';
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
