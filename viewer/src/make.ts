// SPDX-License-Identifier: Apache-2.0
/* Elements of a class, with children: dom.ts in the order that tables and cards are written in. */
import { el } from './dom';

type Attributes = Record<string, string | number | boolean | null | undefined>;

/** An element of class CLS ('' for none) with CHILDREN; a string is text. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, cls = '',
    children: (Node | string)[] | string = [], attributes: Attributes = {}
): HTMLElementTagNameMap[K] {
    return el(tag, { class: cls || null, ...attributes }, ...(typeof children === 'string' ? [children] : children));
}

export function button(text: string, does: () => void, cls = '', attributes: Attributes = {}
): HTMLButtonElement {
    const made = make('button', cls, text, { type: 'button', ...attributes });

    made.addEventListener('click', does);
    return made;
}

/** A labelled choice of one of OPTIONS, value and text. */
export function choice(label: string, options: [string, string][], value: string,
    chosen: (value: string) => void): HTMLLabelElement {
    const select = make('select', '', options.map(([v, text]) =>
        make('option', '', text, { value: v, selected: v === value })));

    select.addEventListener('change', () => chosen(select.value));
    return make('label', 'choice', [label + ' ', select]);
}

/** What a Failure, or an error, says. */
export function whatFailed(e: unknown): string {
    const f = e as { error?: unknown; message?: unknown } | null;

    return String(f?.error ?? f?.message ?? e);
}
