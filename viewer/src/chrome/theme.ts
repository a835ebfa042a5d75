// SPDX-License-Identifier: Apache-2.0
/* Light, dark, or as the system has it; paper is light. :root has data-theme="light" or "dark". */

export type Theme = 'auto' | 'light' | 'dark';
const KEY = 'assay.theme', ALONE = 'assay.alone';
const system = matchMedia('(prefers-color-scheme: dark)');
let chosen: Theme = 'auto';

/** A page that was opened from a file may have no storage. */
export function stored(key: string, value?: string): string | null {
    try {
        if (value !== undefined)
            localStorage.setItem(key, value);
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

function show(paper: boolean): void {
    const dark = !paper && (chosen === 'dark' || (chosen === 'auto' && system.matches));
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

export function theme(): Theme {
    return chosen;
}

export function setTheme(to: Theme): void {
    chosen = to;
    stored(KEY, to);
    show(false);
}

/** The view has the whole width, or what is known of the selected function stands beside it: what is so now. */
export function turnSide(): string {
    const alone = document.documentElement.toggleAttribute('data-alone');

    stored(ALONE, alone ? 'yes' : 'no');
    return alone ? 'the view alone' : 'the selected function beside the view';
}

export function startTheme(): void {
    const last = stored(KEY);

    document.documentElement.toggleAttribute('data-alone', stored(ALONE) === 'yes');
    chosen = last === 'light' || last === 'dark' ? last : 'auto';
    system.addEventListener('change', () => show(false));
    addEventListener('beforeprint', () => show(true));
    addEventListener('afterprint', () => show(false));
    show(false);
}
