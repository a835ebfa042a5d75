// SPDX-License-Identifier: Apache-2.0
/* A slider through words. */
import { el, text } from '../code/code_dom';

/** LABEL and one of WORDS; SHOWN is how a word is told. CHOSEN is called when the hand lets go. */
export function slider(label: string, words: string[], value: string,
    chosen: (word: string) => void, shown = (word: string): string => word): HTMLLabelElement {
    const all = words.includes(value) ? words : [value, ...words];
    const input = el('input', '', { type: 'range', min: '0', max: String(all.length - 1),
        step: '1', value: String(all.indexOf(value)) });
    const told = text('output', shown(value)), box = el('label', 'graph-slider');
    const show = (): void => {
        told.textContent = shown(all[Number(input.value)]);
        input.setAttribute('aria-valuetext', told.textContent);
    };

    input.addEventListener('input', show);
    input.addEventListener('change', () => chosen(all[Number(input.value)]));
    show();
    box.append(text('span', label), input, told);
    return box;
}
