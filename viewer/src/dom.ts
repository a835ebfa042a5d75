// SPDX-License-Identifier: Apache-2.0
/* Elements. What comes from a profile goes in as text or as an attribute, never as HTML. */

type Value = string | number | boolean | null | undefined | ((event: never) => void);
type Child = Node | string | null;

/** An element: "onclick" listens, true is an attribute without a value, null and false are none. */
export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Record<string, Value> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);

    for (const [name, value] of Object.entries(attributes))
        if (typeof value === 'function')
            made.addEventListener(name.slice(2), value as EventListener);
        else if (value !== null && value !== undefined && value !== false)
            made.setAttribute(name, value === true ? '' : String(value));
    made.append(...children.filter((child): child is Node | string => child !== null));
    return made;
}

const CONTROLS = 'a[href], button, input, select, summary, [tabindex="0"]';

/** What tells a control from those beside it, whatever its value. */
function nameOf(control: HTMLElement): string {
    const words = [...(control.closest('label') ?? control).childNodes].filter(n => !/^(OUTPUT|SELECT)$/.test(n.nodeName));

    return [control.tagName, control.getAttribute('aria-label'), control.title, ...words.map(n => n.textContent)].join('\n');
}

/** Other children in ROOT. The focus stays on the control of the same name; where there is none, on ROOT,
 *  so that Tab goes on from there. */
export function refill(root: HTMLElement, ...children: (Node | string)[]): void {
    const had = document.activeElement as HTMLElement | null;
    const inside = had !== null && had !== root && root.contains(had);
    const was = inside ? nameOf(had) : '';

    root.replaceChildren(...children);
    if (!inside)
        return;
    const same = [...root.querySelectorAll<HTMLElement>(CONTROLS)].find(e => nameOf(e) === was);
    if (!same && !root.hasAttribute('tabindex'))
        root.tabIndex = -1;
    (same ?? root).focus();
}

/** Lines of a drawing of 16 by 16. */
export function icon(path: string): SVGElement {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');

    svg.setAttribute('viewBox', '0 0 16 16');
    svg.setAttribute('class', 'icon');
    svg.setAttribute('aria-hidden', 'true');
    line.setAttribute('d', path);
    svg.append(line);
    return svg;
}

export const ICONS = {
    close: 'M4 4l8 8M12 4l-8 8',
    undo: 'M6 3L3 6l3 3M3 6h6a4 4 0 010 8H7',
    redo: 'M10 3l3 3-3 3M13 6H7a4 4 0 000 8h2',
    search: 'M7 2a5 5 0 100 10A5 5 0 007 2M10.5 10.5L14 14',
    save: 'M8 2v8M5 7l3 3 3-3M3 13h10',
    keys: 'M1.5 4h13v8h-13zM4 6.5h1M7.5 6.5h1M11 6.5h1M4 9.5h8',
    side: 'M2 3h12v10H2zM10 3v10',
    theme: 'M8 2a6 6 0 100 12zM8 2a6 6 0 010 12',
    link: 'M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 014 4L11 9M9 11l-1.500 1.500a2.500 2.500 0 01-4-4L5 7',
    open: 'M2 13V3h4l1.500 2H14v8z',
    warn: 'M8 2l6.500 12h-13zM8 6.500v4M8 12v.5',
};

/** A button that is a drawing; LABEL is read out, and shown beside the pointer. */
export function iconButton(path: string, label: string, onclick: () => void): HTMLButtonElement {
    return el('button', { type: 'button', class: 'bare', title: label, 'aria-label': label, onclick }, icon(path));
}

/** Fill SELECT with OPTIONS, value and text; VALUE is chosen, where it is one of them. */
export function fill(select: HTMLSelectElement, options: [string, string][], value: string): void {
    const same = select.options.length === options.length
        && options.every(([v, t], i) => select.options[i].value === v && select.options[i].text === t);

    if (!same)
        select.replaceChildren(...options.map(([v, t]) => el('option', { value: v }, t)));
    select.value = value;
}

/** Labelled select of the toolbar. */
export function menu(label: string, onchange: (value: string) => void): [HTMLLabelElement, HTMLSelectElement] {
    const select: HTMLSelectElement = el('select', { onchange: () => onchange(select.value) });
    return [el('label', { class: 'menu' }, el('span', {}, label), select), select];
}
