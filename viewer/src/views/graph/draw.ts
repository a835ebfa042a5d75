// SPDX-License-Identifier: Apache-2.0
/* A call graph as SVG: boxes by heat, lines by cost. */
import { approx, bound, cut, figure, figureDigits, figurePercent, nameOf, passing, percentText, plural, text as cost,
    unitsOf, whole } from '../../format';
import type { Diff, DiffRow, EventInfo, Value } from '../../protocol';
import type { Page } from '../../view';
import { svg } from '../code/code_dom';
import { place } from './layout';
import type { Place, Placed } from './layout';
import { neighbours, thickness } from './model';
import type { Edge, Node, Part } from './model';
import { changeHeat, heatOf } from '../code/source_rows';
import { isNoise } from '../table_diff';

/** Pixels of a character of the two sizes, of a line, of the longest name. */
const wide = 7.3, narrow = 6.1, longestName = 34;
const boxHeight = 44;

export interface Subject {
    part: Part;
    events: EventInfo[];
    event: number;
    page: Page;
    diff: Diff | null;
    rows: Map<number, DiffRow>;
    /** The largest self cost of all functions that are known. */
    most: number;
}
export interface Drawing {
    root: SVGSVGElement;
    scene: SVGGElement;
    placed: Placed;
    nodes: Map<number, SVGGElement>;
    edges: SVGGElement[];
}

/* ---- words ---- */

function shares(n: Node, s: Subject): string {
    const e = s.events[s.event];
    return `self ${percentText(n.self[s.event], whole(e))} · `
        + `incl ${bound(n)}${percentText(passing(n, s.event) ?? 0, whole(e))}`;
}

function changes(n: Node, s: Subject): string {
    const d = s.rows.get(n.id)?.self?.[s.event];
    const unit = s.diff?.events[s.event]?.unit ?? '';

    if (!d)
        return 'not compared';
    const more = approx(d.base) ? ` (${figurePercent(d.base, d.difference)}\u00a0%)` : approx(d.new) ? ' (new)' : '';
    return `self ${isNoise(d) ? '≈ ' : ''}${figure(d.difference, figureDigits(unit, [d.base, d.new]), true)}${more}`;
}

export function nodeWords(n: Node, s: Subject): string {
    return s.diff ? changes(n, s) : shares(n, s);
}

/** What is said of a node's figures. */
export function facts(n: Node, s: Subject): string[] {
    const unit = unitsOf(s.events, s.page.events, s.page.state.unit)[s.event];
    const e = s.events[s.event], say = (v: Value): string =>
        `${cost(v, unit)}${unit ? '' : ` ${e.name}`}, ${percentText(v, whole(e))}`;

    return [...(s.diff ? [changes(n, s)] : []), `self ${say(n.self[s.event])}`,
        `inclusive ${bound(n)}${say(passing(n, s.event) ?? 0)}`, n.calls === null ? '' : `called ${cost(n.calls)} times`]
        .filter(w => w);
}

/** All of a node, to be read out. */
export function describe(n: Node, s: Subject): string {
    const count = (way: -1 | 1, one: string): string =>
        `${plural(neighbours(s.part, n.id, way, s.event).length, one)} drawn`;

    return [nameOf(n), ...facts(n, s), count(-1, 'caller'), count(1, 'callee'), ...n.recursive ? ['recursive'] : []].join(', ');
}

/** The two lines of a box. */
function boxLines(n: Node, s: Subject): [string, string] {
    return [cut(nameOf(n), longestName) + (n.recursive ? ' ↻' : ''), nodeWords(n, s)];
}

function edgeWords(e: Edge, s: Subject): string {
    return e.calls === null ? percentText(e.inclusive[s.event], whole(s.events[s.event]))
        : `${cost(e.calls)} ×`;
}

/* ---- boxes ---- */

export function heat(n: Node, s: Subject): string {
    if (!s.diff) {
        const h = heatOf(n.self[s.event], s.most);
        return h ? `h${h}` : 'h0';
    }
    const change = (r: DiffRow | undefined): number => {
        const d = r?.self?.[s.event];
        return d && !isNoise(d) ? approx(d.difference) : 0;
    };
    const all = [...s.rows.values()].map(r => Math.abs(change(r)));
    const c = changeHeat(change(s.rows.get(n.id)), Math.max(0, ...all));
    return c > 8 ? `m${c - 8}` : c < 0 ? `l${-c}` : 'h0';
}

function words(x: number, y: number, name: string, s: string): SVGTextElement {
    const e = svg('text', { x: x.toFixed(1), y: y.toFixed(1), class: name });

    e.textContent = s;
    return e;
}

function drawNode(n: Node, at: Place, s: Subject): SVGGElement {
    const lines = boxLines(n, s); // who speaks what is seen must find it in the label
    const g = svg('g', { class: `node ${heat(n, s)}`, role: 'option', id: `graph-${n.id}`,
        'aria-selected': 'false', 'aria-label': `${lines.join(' ')}: ${describe(n, s)}`, 'data-id': String(n.id) });
    const x = at.x - at.width / 2, y = at.y - at.height / 2;
    const e = s.events[s.event], all = approx(whole(e));
    const share = all > 0 ? Math.max(0, Math.min(1, approx(passing(n, s.event) ?? 0) / all)) : 0;
    g.append(svg('rect', { x: x.toFixed(1), y: y.toFixed(1), rx: '5', class: 'box',
        width: at.width.toFixed(1), height: at.height.toFixed(1) }),
    svg('rect', { x: (x + 5).toFixed(1), y: (y + at.height - 6).toFixed(1), height: '3', rx: '1.5',
        width: (share * (at.width - 10)).toFixed(1), class: 'share' }),
    words(at.x, y + 17, 'name', lines[0]), ' ', words(at.x, y + 32, 'cost', lines[1]));
    return g;
}

function drawEdge(e: Edge, at: Placed['edges'][number], most: number, s: Subject): SVGGElement {
    const g = svg('g', { class: e.inner ? 'edge inner' : 'edge', 'aria-hidden': 'true' });
    const w = e.inner ? 1 : thickness(e, most, s.event);

    g.append(svg('path', { d: at.path, 'stroke-width': w.toFixed(2), class: 'line',
        'marker-end': `url(#graph-tip${w > 3 ? 's' : ''})` }),
    words(at.x, at.y + 4, 'calls', edgeWords(e, s)));
    return g;
}

function drawCycle(cycle: Part['cycles'][number], at: Place): SVGGElement {
    const g = svg('g', { class: 'cycle', 'aria-hidden': 'true' });
    const x = at.x - at.width / 2, y = at.y - at.height / 2;
    const more = cycle.more_members ? `, ${cost(cycle.more_members)} more of it not drawn` : '';

    g.append(svg('rect', { x: x.toFixed(1), y: y.toFixed(1), width: at.width.toFixed(1),
        height: at.height.toFixed(1), rx: '9' }), words(x + 8, y + 13, 'cycle-name',
        `cycle ${cycle.cycle}${more}`));
    return g;
}

/* Heads of lines, of thin and of thick ones. */
function tips(): SVGDefsElement {
    const defs = svg('defs');

    for (const [id, size] of [['graph-tip', '9'], ['graph-tips', '17']]) {
        const marker = svg('marker', { id, viewBox: '0 0 8 8', refX: '7', refY: '4',
            markerWidth: size, markerHeight: size, orient: 'auto', markerUnits: 'userSpaceOnUse' });

        marker.append(svg('path', { d: 'M0 .5L8 4L0 7.5z', class: 'arrow' }));
        defs.append(marker);
    }
    return defs;
}

export function drawGraph(s: Subject): Drawing {
    const { part } = s;
    const most = part.edges.reduce((m, e) =>
        e.inner ? m : Math.max(m, approx(e.inclusive[s.event] ?? 0)), 0);
    const byId = new Map(part.nodes.map(n => [n.id, n]));
    const placed = place(part, {
        node: id => {
            const n = byId.get(id), name = n ? cut(nameOf(n), longestName).length + 2 : 0;
            const under = n ? nodeWords(n, s).length : 0;

            return { height: boxHeight,
                width: Math.max(90, name * wide, under * narrow) + 14 };
        },
        label: i => ({ width: edgeWords(part.edges[i], s).length * narrow + 4, height: 13 }),
    });
    const root = svg('svg', { class: 'graph', role: 'listbox', tabindex: '0',
        'aria-label': 'Call graph' }), scene = svg('g', { role: 'presentation' });
    const nodes = new Map<number, SVGGElement>();
    const edges = part.edges.map((e, i) => drawEdge(e, placed.edges[i], most, s));

    for (const n of part.nodes) {
        const at = placed.nodes.get(n.id);
        if (at)
            nodes.set(n.id, drawNode(n, at, s));
    }
    scene.append(...part.cycles.flatMap((c, i) => placed.cycles[i].place
        ? [drawCycle(c, placed.cycles[i].place)] : []), ...edges, ...nodes.values());
    root.append(tips(), scene);
    return { root, scene, placed, nodes, edges };
}

/* ---- a picture of its own ---- */

const kept = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size',
    'font-weight', 'text-anchor', 'paint-order', 'opacity'];

/* As it looks now, without the page: colours and letters become attributes. */
function freeze(from: Element, to: Element): void {
    const style = getComputedStyle(from), label = from.getAttribute('aria-label');

    for (const name of kept)
        to.setAttribute(name, style.getPropertyValue(name));
    for (const name of [...to.getAttributeNames()])
        if (/^(class|role|tabindex|aria-.*|data-.*)$/.test(name))
            to.removeAttribute(name);
    [...from.children].forEach((child, i) => freeze(child, to.children[i]));
    if (label) {
        const title = svg('title');

        title.textContent = label;
        to.prepend(title);
    }
}

export function asText(d: Drawing): string {
    const copy = d.root.cloneNode(true) as SVGSVGElement;
    const { width, height } = d.placed, style = getComputedStyle(document.body);

    freeze(d.root, copy);
    copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
    copy.setAttribute('width', String(Math.ceil(width)));
    copy.setAttribute('height', String(Math.ceil(height)));
    copy.lastElementChild?.removeAttribute('transform');
    copy.insertBefore(svg('rect', { width: '100%', height: '100%',
        fill: style.backgroundColor }), copy.firstChild);
    return new XMLSerializer().serializeToString(copy) + '\n';
}
