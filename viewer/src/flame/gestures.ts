// SPDX-License-Identifier: Apache-2.0
/* Mouse, wheel and fingers on a pane, as what they mean. Positions are pixels of the pane. */

export interface Gestures {
    /** DX, DY: how far what is seen moves. */
    pan(dx: number, dy: number): void;
    /** FACTOR below 1: closer, X stays where it is. */
    scale(factor: number, x: number): void;
    hover(x: number, y: number): void;
    leave(): void;
    click(x: number, y: number): void;
    menu(x: number, y: number): void;
}

/** So far a pointer may slip in a click. */
const SLIP = 4;

function wheel(pane: HTMLElement, g: Gestures, e: WheelEvent): void {
    const unit = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 1;
    if (e.ctrlKey) {
        const x = e.clientX - pane.getBoundingClientRect().left;
        g.scale(Math.exp(Math.max(-120, Math.min(120, e.deltaY * unit)) / 250), x);
    } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        g.pan(-(e.deltaX || e.deltaY) * unit, 0);
    } else {
        return; // the scroll bar's
    }
    e.preventDefault();
}

export function listen(pane: HTMLElement, g: Gestures): void {
    const down = new Map<number, { x: number; y: number }>();
    let moved = 0;
    const at = (e: MouseEvent) => {
        const r = pane.getBoundingClientRect();
        return { x: e.clientX - r.left, y: e.clientY - r.top };
    };
    const pinch = (id: number, to: { x: number; y: number }) => {
        const [other] = [...down].filter(([k]) => k !== id).map(([, p]) => p), from = down.get(id)!;
        const before = Math.abs(from.x - other.x), after = Math.abs(to.x - other.x);
        if (before > 8 && after > 8) g.scale(before / after, (to.x + other.x) / 2);
    };
    pane.addEventListener('wheel', e => wheel(pane, g, e), { passive: false });
    pane.addEventListener('pointerdown', e => {
        if (e.button !== 0) return;
        if (!down.size) moved = 0;
        down.set(e.pointerId, at(e));
    });
    pane.addEventListener('pointermove', e => {
        const from = down.get(e.pointerId), to = at(e);
        if (!from) return g.hover(to.x, to.y);
        const dx = to.x - from.x, dy = to.y - from.y;
        moved += Math.abs(dx) + Math.abs(dy);
        if (down.size > 1) pinch(e.pointerId, to);
        else if (moved > SLIP) g.pan(dx, e.pointerType === 'touch' ? 0 : dy);
        if (moved > SLIP) pane.setPointerCapture(e.pointerId);
        down.set(e.pointerId, to);
    });
    const up = (e: PointerEvent) => {
        if (!down.delete(e.pointerId)) return;
        const { x, y } = at(e);
        if (e.type === 'pointerup' && moved <= SLIP && !down.size) g.click(x, y);
    };
    pane.addEventListener('pointerup', up);
    pane.addEventListener('pointercancel', up);
    pane.addEventListener('pointerleave', () => g.leave());
    pane.addEventListener('contextmenu', e => {
        const { x, y } = at(e);
        down.clear(); // a long press is no click
        // By a key it is of the tree that has the focus, which no pointer meets.
        if ((e.target as Element).getAttribute('role') !== 'tree') g.menu(x, y);
    });
}
