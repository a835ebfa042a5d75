// SPDX-License-Identifier: Apache-2.0
/* What stands beside the pointer: figures, then names. It is for eyes only; a view says the same in words. */
import './tip.css';
import { make } from './make';

/** From the pointer, and to the window's edge. */
const GAP = 14, EDGE = 4;

export class Tip {
    readonly element = make('div', 'tip', '', { 'aria-hidden': 'true', hidden: '' });
    private at: { x: number; y: number } | null = null;

    /** Of what the pointer is on in ROOT. Fingers cover it, and keys have no place. */
    constructor(root: HTMLElement) {
        root.addEventListener('pointermove', event => {
            this.at = event.pointerType === 'mouse' && !event.buttons ? { x: event.clientX, y: event.clientY } : null;
            this.place();
        }, true);
        for (const type of ['pointerleave', 'pointerdown', 'keydown'])
            root.addEventListener(type, () => {
                this.at = null;
                this.place();
            });
    }

    /** The first line is the figures; none at all: nothing is shown. */
    show(lines: string[]): void {
        this.element.replaceChildren(...lines.filter(line => line).map(line => make('div', '', line)));
        this.place();
    }

    private place(): void {
        const { element, at } = this;

        element.hidden = !at || !element.childElementCount;
        if (!at || element.hidden)
            return;
        const { width, height } = element.getBoundingClientRect();
        const x = Math.min(at.x + GAP, innerWidth - width - EDGE);
        const y = at.y + GAP + height + EDGE > innerHeight ? at.y - GAP - height : at.y + GAP;
        element.style.left = `${Math.max(EDGE, x)}px`;
        element.style.top = `${Math.max(EDGE, y)}px`;
    }
}
