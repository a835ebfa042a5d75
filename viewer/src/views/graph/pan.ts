// SPDX-License-Identifier: Apache-2.0
/* Moving over a drawing that is larger than its frame: pointer, fingers, wheel, keys. */

const least = .08, largest = 3;
/** Below that its words cannot be read; where not all of it finds room it begins at that one. */
const readable = .6, comfortable = .85;

interface Point { x: number; y: number }

export class Pan {
    private x = 0;
    private y = 0;
    private scale = 1;
    private readonly fingers = new Map<number, Point>();
    /** The pointer went further than a click does. */
    moved = false;

    constructor(private readonly root: SVGSVGElement, private readonly scene: SVGGElement,
        private readonly size: { width: number; height: number }) {
        root.addEventListener('wheel', e => this.wheel(e), { passive: false });
        root.addEventListener('pointerdown', e => this.down(e));
        root.addEventListener('pointermove', e => this.move(e));
        root.addEventListener('pointerup', e => this.fingers.delete(e.pointerId));
        root.addEventListener('pointercancel', e => this.fingers.delete(e.pointerId));
    }

    private apply(): void {
        this.scene.setAttribute('transform',
            `translate(${this.x.toFixed(1)} ${this.y.toFixed(1)}) scale(${this.scale.toFixed(4)})`);
    }

    /** At which all of it is in sight. */
    private get whole(): number {
        const { width, height } = this.root.getBoundingClientRect();

        return Math.min(width / this.size.width, height / this.size.height, 1.25) || 1;
    }

    private middle(scale: number): void {
        const { width, height } = this.root.getBoundingClientRect();

        this.scale = scale;
        this.x = (width - this.size.width * scale) / 2;
        this.y = Math.max(0, (height - this.size.height * scale) / 2);
        this.apply();
    }

    /** All of it in sight. */
    fit(): void {
        this.middle(Math.max(least, this.whole));
    }

    /** All of it if it can be read then; false: a part that can be. */
    begin(): boolean {
        const { whole } = this, all = whole >= readable;

        this.middle(all ? whole : comfortable);
        return all;
    }

    /** On paper all of it is seen. */
    print(begins: boolean): void {
        const { width, height } = this.size;

        if (!begins) {
            this.root.removeAttribute('viewBox');
            this.root.style.maxWidth = '';
            return this.apply();
        }
        this.scene.removeAttribute('transform');
        this.root.setAttribute('viewBox', `0 0 ${width} ${height}`);
        this.root.style.maxWidth = `${width}px`;
    }

    zoom(factor: number, x?: number, y?: number): void {
        const box = this.root.getBoundingClientRect(), cx = x ?? box.width / 2;
        const cy = y ?? box.height / 2, old = this.scale;

        this.scale = Math.max(least, Math.min(largest, old * factor));
        this.x = cx - (cx - this.x) * this.scale / old;
        this.y = cy - (cy - this.y) * this.scale / old;
        this.apply();
    }

    by(dx: number, dy: number): void {
        this.x += dx;
        this.y += dy;
        this.apply();
    }

    /** The point is in sight, with some room around it. */
    show(x: number, y: number): void {
        const { width, height } = this.root.getBoundingClientRect();
        const px = this.x + x * this.scale, py = this.y + y * this.scale;
        const room = Math.min(100, width / 4, height / 4);

        this.by(Math.max(room, Math.min(width - room, px)) - px,
            Math.max(room, Math.min(height - room, py)) - py);
    }

    /** The point is in the middle, as far as the drawing goes on around it. */
    centre(x: number, y: number): void {
        const { width, height } = this.root.getBoundingClientRect(), { scale, size } = this;
        const begin = (at: number, room: number, all: number): number => all < room ? (room - all) / 2
            : Math.max(room - all, Math.min(0, room / 2 - at));

        this.x = begin(x * scale, width, size.width * scale);
        this.y = begin(y * scale, height, size.height * scale);
        this.apply();
    }

    private wheel(e: WheelEvent): void {
        const box = this.root.getBoundingClientRect();

        e.preventDefault();
        this.zoom(Math.exp(-e.deltaY * (e.deltaMode ? .03 : .0015)), e.clientX - box.left,
            e.clientY - box.top);
    }

    private down(e: PointerEvent): void {
        if (e.button)
            return;
        if (!this.fingers.size)
            this.moved = false;
        this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    }

    private move(e: PointerEvent): void {
        const from = this.fingers.get(e.pointerId), to = { x: e.clientX, y: e.clientY };
        if (!from || !this.moved && Math.hypot(to.x - from.x, to.y - from.y) < 4)
            return;
        const other = [...this.fingers].find(([id]) => id !== e.pointerId)?.[1];

        this.moved = true;
        this.root.setPointerCapture(e.pointerId);
        this.fingers.set(e.pointerId, to);
        if (other)
            this.pinch(from, to, other);
        else
            this.by(to.x - from.x, to.y - from.y);
    }

    /* What is between the fingers stays there. */
    private pinch(from: Point, to: Point, other: Point): void {
        const apart = (p: Point): number => Math.max(8, Math.hypot(p.x - other.x, p.y - other.y));
        const box = this.root.getBoundingClientRect();

        this.zoom(apart(to) / apart(from), (to.x + other.x) / 2 - box.left, (to.y + other.y) / 2 - box.top);
        this.by((to.x - from.x) / 2, (to.y - from.y) / 2);
    }
}
