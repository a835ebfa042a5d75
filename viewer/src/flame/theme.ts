// SPDX-License-Identifier: Apache-2.0
/* Colours of the style sheet as a canvas needs them, and text that can be read on each. */

export type Rgb = [number, number, number];
export interface Paint { fill: string; ink: string }
export type Palette = 'group' | 'self' | 'change';

export interface Theme {
    /** Colours are the user's: boxes are outlines. */
    forced: boolean;
    bg: string;
    fg: string;
    quiet: string;
    line: string;
    accent: string;
    focus: string;
    found: Paint;
    /** Of what is gathered, where there is no room for a hatch: how that looks from afar. */
    thin: string;
    thinFound: string;
    /** By colour of a box; DIM: of boxes below the zoomed one. */
    boxes: Paint[];
    dim: Paint[];
    /** Why a thread does not run. */
    states: string[];
    font: string;
}

function luminance(c: Rgb): number {
    const [r, g, b] = c.map(v => v / 255).map(v =>
        v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG's, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const css = (c: Rgb) => `rgb(${c.join(',')})`;
const mix = (a: Rgb, b: Rgb, part: number): Rgb =>
    [0, 1, 2].map(i => Math.round(a[i] * part + b[i] * (1 - part))) as Rgb;

/** The first of WISHES that can be read on FILL; else black or white. */
export function ink(fill: Rgb, wishes: Rgb[]): Rgb {
    const fine = wishes.find(w => contrast(fill, w) >= 4.5);
    if (fine) return fine;
    return contrast(fill, [0, 0, 0]) >= contrast(fill, [255, 255, 255]) ? [0, 0, 0] : [255, 255, 255];
}

const NAMES: Record<Palette, string[]> = {
    group: Array.from({ length: 13 }, (_, i) => '--c' + i),
    self: ['--c0', ...Array.from({ length: 8 }, (_, i) => '--h' + (i + 1))],
    change: ['--c0', ...[1, 2, 3, 4].map(i => '--m' + i), ...[1, 2, 3, 4].map(i => '--l' + i)],
};

/** The custom property of COLOUR, for a legend. */
export function property(palette: Palette, colour: number): string {
    return NAMES[palette][colour] ?? '--c0';
}

/** As the style sheet has it at ELEMENT now. */
export function readTheme(element: HTMLElement, palette: Palette): Theme {
    const probe = element.appendChild(document.createElement('i'));
    probe.style.setProperty('forced-color-adjust', 'none');
    const rgb = (value: string): Rgb => {
        probe.style.color = '';
        probe.style.color = value;
        const parts = getComputedStyle(probe).color.match(/[\d.]+/g)?.map(Number);
        return parts && parts.length >= 3 ? [parts[0], parts[1], parts[2]] : [128, 128, 128];
    };
    const forced = matchMedia('(forced-colors: active)').matches;
    const v = (name: string, system: string) => rgb(forced ? system : `var(${name})`);
    const bg = v('--bg', 'Canvas'), fg = v('--fg', 'CanvasText');
    const paint = (fill: Rgb): Paint => ({ fill: css(fill), ink: css(ink(fill, [fg, bg])) });
    const fills = NAMES[palette].map(name => v(name, 'Canvas'));
    const theme: Theme = {
        forced, bg: css(bg), fg: css(fg), quiet: css(v('--quiet', 'CanvasText')),
        line: css(v('--line', 'CanvasText')), accent: css(v('--accent', 'Highlight')),
        focus: css(v('--focus', 'Highlight')), found: paint(v('--found', 'Highlight')), thin: '', thinFound: '',
        boxes: fills.map(paint), dim: fills.map(f => paint(mix(f, bg, forced ? 1 : 0.55))),
        states: ['--quiet', '--s2', '--s3', '--s4'].map(name => css(v(name, 'CanvasText'))),
        font: getComputedStyle(element).fontFamily,
    };
    if (forced) theme.found.ink = css(rgb('HighlightText'));
    const afar = (fill: string, line: string): string => css(mix(rgb(line), rgb(fill), forced ? 0.24 : 0.11));
    theme.thin = afar(theme.boxes[0].fill, theme.quiet);
    theme.thinFound = afar(theme.found.fill, theme.found.ink);
    probe.remove();
    return theme;
}

/** What is gathered; of the kind found, what matches is in it; of what is gone, the lines alone. RATIO: device pixels. */
export function hatch(ctx: CanvasRenderingContext2D, theme: Theme, ratio: number, kind: 'hatch' | 'found' | 'gone'): CanvasPattern {
    const r = Math.max(1, Math.round(ratio)), tile = document.createElement('canvas');
    const c = tile.getContext('2d')!;
    tile.width = tile.height = 6 * r;
    c.fillStyle = kind === 'found' ? theme.found.fill : theme.boxes[0].fill;
    if (kind !== 'gone') c.fillRect(0, 0, 6 * r, 6 * r);
    c.strokeStyle = kind === 'found' ? theme.found.ink : theme.quiet;
    c.globalAlpha = theme.forced ? 1 : 0.45;
    c.lineWidth = r;
    for (const o of [-6, 0, 6]) {
        c.moveTo((o - 1) * r, 7 * r);
        c.lineTo((o + 7) * r, -r);
    }
    c.stroke();
    return ctx.createPattern(tile, 'repeat')!;
}
