// SPDX-License-Identifier: Apache-2.0
/* The menu of the selected function. */
import type { App } from '../app';
import { el } from '../dom';
import { fit, nameOf } from '../names';
import { ACTIONS, doesTo } from './functions';

function near(menu: HTMLElement, x: number, y: number): void {
    const { width, height } = menu.getBoundingClientRect();

    menu.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
}

/** Open it at a place of the window. False: no function is selected. */
export function openMenu(app: App, x: number, y: number): boolean {
    const func = app.state.func, before = document.activeElement as HTMLElement | null;

    if (!func)
        return false;
    const menu = el('div', { role: 'menu', class: 'context', 'aria-label': nameOf(func) });
    const close = (): void => {
        menu.remove();
        removeEventListener('pointerdown', outside, true);
        before?.focus();
    };
    const outside = (event: Event): void => {
        if (!menu.contains(event.target as Node))
            close();
    };
    const items = ACTIONS.map(action => el('button', { type: 'button', role: 'menuitem', tabindex: -1, onclick: () => {
        close();
        action.run(app, func);
    } }, el('span', {}, doesTo(app, action, func)), el('kbd', { 'aria-hidden': true }, action.key)));
    menu.append(el('p', { class: 'name', role: 'presentation' }, fit(nameOf(func), 40)), ...items);
    menu.addEventListener('keydown', event => {
        const at = items.indexOf(document.activeElement as HTMLButtonElement), n = items.length;
        const to = { ArrowDown: (at + 1) % n, ArrowUp: (at + n - 1) % n, Home: 0, End: n - 1 }[event.key];
        const action = ACTIONS.findIndex(a => a.key === event.key);

        event.stopPropagation();
        if (to !== undefined)
            items[to].focus();
        else if (action >= 0)
            items[action].click();
        else if (event.key === 'Escape' || event.key === 'Tab')
            close();
        else
            return;
        event.preventDefault();
    });
    (document.getElementById('main') ?? document.body).append(menu);
    near(menu, x, y);
    items[0].focus();
    addEventListener('pointerdown', outside, true);
    return true;
}
