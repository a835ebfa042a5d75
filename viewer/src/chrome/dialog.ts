// SPDX-License-Identifier: Apache-2.0
/* Dialogs: Esc closes them, and focus goes back to where it was. */
import { el, ICONS, iconButton } from '../dom';

export function dialog(title: string, ...content: (Node | string)[]): HTMLDialogElement {
    const before = document.activeElement as HTMLElement | null;
    const made: HTMLDialogElement = el('dialog', { 'aria-label': title },
        el('header', {}, el('h2', {}, title), iconButton(ICONS.close, 'Close', () => made.close())), ...content);

    made.addEventListener('close', () => {
        made.remove();
        before?.focus();
    });
    made.addEventListener('click', event => {
        if (event.target === made)
            made.close();
    });
    document.body.append(made);
    made.showModal();
    return made;
}
