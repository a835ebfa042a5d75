// SPDX-License-Identifier: Apache-2.0
/* A canvas that is as large as its element, in the colours of the page, and is drawn once a frame. */
import type { Palette, Theme } from '../flame/theme';
import type { Kit } from '../views';

export class Canvas {
    readonly element: HTMLCanvasElement;
    width = 0;
    height = 0;
    private theme: Theme | null = null;
    private stale = false;
    private readonly watch = new ResizeObserver(() => this.resize());
    private readonly themes = new MutationObserver(() => this.recolour());
    private readonly forced = matchMedia('(forced-colors: active)');
    private readonly recolour = (): void => {
        this.theme = null;
        this.invalidate();
    };
    private readonly unlisten: () => void;

    constructor(private readonly kit: Kit, readonly root: HTMLElement, private readonly palette: Palette,
        private readonly paint: (ctx: CanvasRenderingContext2D, theme: Theme) => void) {
        this.element = kit.el('canvas', { 'aria-hidden': 'true' });
        root.append(this.element);
        this.watch.observe(root);
        this.themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
        this.forced.addEventListener('change', this.recolour);
        this.unlisten = kit.onPaper(() => this.print(), () => this.print());
    }

    private print(): void {
        this.theme = null;
        this.draw();
    }

    private resize(): void {
        const { clientWidth, clientHeight } = this.root, ratio = devicePixelRatio || 1;

        this.width = clientWidth;
        this.height = clientHeight;
        this.element.width = Math.round(clientWidth * ratio);
        this.element.height = Math.round(clientHeight * ratio);
        this.draw();
    }

    invalidate(): void {
        if (this.stale)
            return;
        this.stale = true;
        requestAnimationFrame(() => {
            this.stale = false;
            this.draw();
        });
    }

    draw(): void {
        const ctx = this.element.getContext('2d', { alpha: false }) as CanvasRenderingContext2D, ratio = this.element.width / (this.width || 1);

        if (!this.width || !this.height)
            return;
        const theme = this.theme ??= this.kit.readTheme(this.root, this.palette);
        ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
        ctx.fillStyle = theme.bg;
        ctx.fillRect(0, 0, this.width, this.height);
        ctx.font = `11px ${theme.font}`;
        ctx.textBaseline = 'middle';
        this.paint(ctx, theme);
    }

    dispose(): void {
        this.watch.disconnect();
        this.themes.disconnect();
        this.forced.removeEventListener('change', this.recolour);
        this.unlisten();
    }
}
