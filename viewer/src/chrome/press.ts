// SPDX-License-Identifier: Apache-2.0
/* A long press of a finger is a right click: not all browsers of phones make one of it. */

const LONG = 600;
/** So far a finger may slip. */
const SLIP = 10;

/** In ROOT, until SIGNAL. */
export function listenForPresses(root: HTMLElement, signal: AbortSignal): void {
    let timer = 0, from: PointerEvent | null = null, pressed = false;
    const stop = (): void => {
        clearTimeout(timer);
        from = null;
    };
    const press = (): void => {
        const { target, clientX, clientY } = from!;
        pressed = true;
        target!.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }));
    };
    const how = { signal, capture: true };

    root.addEventListener('pointerdown', event => {
        stop();
        pressed = false;
        if (event.pointerType !== 'touch' || !event.isPrimary)
            return;
        from = event;
        timer = window.setTimeout(press, LONG);
    }, how);
    root.addEventListener('pointermove', event => {
        if (from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > SLIP)
            stop();
    }, how);
    for (const type of ['pointerup', 'pointercancel', 'contextmenu'])
        root.addEventListener(type, stop, how);
    // The finger goes up: that is no tap any more.
    root.addEventListener('click', event => {
        if (pressed)
            event.stopPropagation();
        pressed = false;
    }, how);
}
