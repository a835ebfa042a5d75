// SPDX-License-Identifier: Apache-2.0
/* Elements of the views of code and of the graph. Text goes in as text only. */
import { el as element } from '../../dom';

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, name = '',
    attributes: Record<string, string> = {}): HTMLElementTagNameMap[K] {
    return element(tag, { class: name || null, ...attributes });
}

export function text<K extends keyof HTMLElementTagNameMap>(tag: K, s: string, name = ''):
    HTMLElementTagNameMap[K] {
    const e = el(tag, name);

    e.textContent = s;
    return e;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K,
    attributes: Record<string, string> = {}): SVGElementTagNameMap[K] {
    const e = document.createElementNS('http://www.w3.org/2000/svg', tag);

    for (const [key, value] of Object.entries(attributes))
        e.setAttribute(key, value);
    return e;
}

export function button(label: string, act: () => void, title = ''): HTMLButtonElement {
    const e = el('button', 'code-button', { type: 'button' });

    e.textContent = label;
    if (title)
        e.title = title;
    e.addEventListener('click', act);
    return e;
}

/** A box to tick, with its words. */
export function tick(label: string, on: boolean, act: (on: boolean) => void): HTMLLabelElement {
    const box = el('input', '', { type: 'checkbox' }), all = el('label', 'code-tick');

    box.checked = on;
    box.addEventListener('change', () => act(box.checked));
    all.append(box, label);
    return all;
}

/** What stands where a view has nothing to show. */
export function refusal(root: HTMLElement, sentence: string, more = ''): void {
    const box = el('div', 'code-refusal', { role: 'status' });

    box.append(text('p', sentence));
    if (more)
        box.append(text('p', more, 'quiet'));
    root.replaceChildren(box);
}
