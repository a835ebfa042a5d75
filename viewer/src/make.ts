// SPDX-License-Identifier: Apache-2.0
/* Elements. Text comes from profiles: it is set as text, never parsed. */

type Attributes = Record<string, string | number | boolean | null | undefined>;

/** An element of class CLS ('' for none) with CHILDREN; a string is text. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, cls = '',
    children: (Node | string)[] | string = [], attributes: Attributes = {}
): HTMLElementTagNameMap[K] {
    const el = document.createElement(tag);

    if (cls)
        el.className = cls;
    for (const [name, value] of Object.entries(attributes))
        if (value !== null && value !== undefined && value !== false)
            el.setAttribute(name, value === true ? '' : String(value));
    el.append(...(typeof children === 'string' ? [children] : children));
    return el;
}

export function button(text: string, does: () => void, cls = '', attributes: Attributes = {}
): HTMLButtonElement {
    const el = make('button', cls, text, { type: 'button', ...attributes });

    el.addEventListener('click', does);
    return el;
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
