// SPDX-License-Identifier: Apache-2.0
/* Moving over a drawing that is larger than its frame: pointer, wheel, keys. */

const least = .08, largest = 3;

export class Pan {
    private x = 0;
    private y = 0;
    private scale = 1;
    private grip: { x: number; y: number; id: number } | null = null;
    /** The pointer went further than a click does. */
    moved = false;

    constructor(private readonly root: SVGSVGElement, private readonly scene: SVGGElement,
        private readonly size: { width: number; height: number }) {
        root.addEventListener('wheel', e => this.wheel(e), { passive: false });
        root.addEventListener('pointerdown', e => this.down(e));
        root.addEventListener('pointermove', e => this.move(e));
        root.addEventListener('pointerup', () => this.grip = null);
        root.addEventListener('pointercancel', () => this.grip = null);
    }

    private apply(): void {
        this.scene.setAttribute('transform',
            `translate(${this.x.toFixed(1)} ${this.y.toFixed(1)}) scale(${this.scale.toFixed(4)})`);
    }

    /** All of it in sight; not smaller than SMALLEST, then its top and middle. */
    fit(smallest = least): void {
        const { width, height } = this.root.getBoundingClientRect();
        const all = Math.min(width / this.size.width, height / this.size.height, 1.25);

        this.scale = Math.max(all || 1, smallest);
        this.x = (width - this.size.width * this.scale) / 2;
        this.y = Math.max(0, (height - this.size.height * this.scale) / 2);
        this.apply();
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

    /** The point is in sight, with some room around it; MIDDLE: in the middle. */
    show(x: number, y: number, middle = false): void {
        const { width, height } = this.root.getBoundingClientRect();
        const px = this.x + x * this.scale, py = this.y + y * this.scale;
        const room = Math.min(100, width / 4, height / 4);

        if (middle || px < room || py < room || px > width - room || py > height - room)
            this.by(middle ? width / 2 - px : Math.max(room, Math.min(width - room, px)) - px,
                middle ? height / 2 - py : Math.max(room, Math.min(height - room, py)) - py);
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
        this.grip = { x: e.clientX, y: e.clientY, id: e.pointerId };
        this.moved = false;
    }

    private move(e: PointerEvent): void {
        if (!this.grip || e.pointerId !== this.grip.id)
            return;
        const dx = e.clientX - this.grip.x, dy = e.clientY - this.grip.y;
        if (!this.moved && Math.hypot(dx, dy) < 4)
            return;
        this.moved = true;
        this.root.setPointerCapture(e.pointerId);
        this.grip = { ...this.grip, x: e.clientX, y: e.clientY };
        this.by(dx, dy);
    }
}
