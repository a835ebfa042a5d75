// SPDX-License-Identifier: Apache-2.0
/* The call graph: functions and the calls between them, those that cost enough or those around
 * one. */
import { approx, cut, functionId, nameOf, percentText, same, text as cost, unitsOf, where, whole }
    from '../../format';
import type { Diff, Failure, FunctionId, Graph } from '../../protocol';
import type { Change, State } from '../../state';
import type { Page, View, ViewHandle } from '../../view';
import './graph.css';
import { chosen } from '../code/code_columns';
import { refill } from '../../dom';
import { onPaper } from '../../paper';
import { button, el, refusal, text } from '../code/code_dom';
import { whatFailed } from '../../make';
import { Tip } from '../../tip';
import { asText, describe, drawGraph, facts } from './draw';
import type { Drawing, Subject } from './draw';
import * as model from './model';
import type { Node } from './model';
import { Pan } from './pan';
import { tables } from './table';
import { slider } from './tools';

/** Functions of a picture: more cannot be read. */
const most = 60;
/** Words of min; the slider goes through them. */
const mins = ['0', '0.1%', '0.2%', '0.5%', '1%', '2%', '5%', '10%', '20%'];
const depths = ['1', '2', '3', '4', '5', '6', '8', '10', '15', '0'];
const usual = '0.5%';

class GraphView implements ViewHandle {
    private readonly bar = el('div', 'graph-bar', { role: 'group', 'aria-label': 'Call graph' });
    private readonly note = el('p', 'graph-note');
    private readonly stage = el('div', 'graph-stage');
    private readonly tip = new Tip(this.stage);
    private hovered: Node | undefined;
    private graph: Graph | null = null;
    private diff: Diff | null = null;
    private centre: FunctionId | null = null;
    private radius = 1;
    private asTables = false;
    private subject: Subject | null = null;
    private drawing: Drawing | null = null;
    private pan: Pan | null = null;
    private current: Node | null = null;

    private readonly unlisten = onPaper(() => this.pan?.print(true), () => this.pan?.print(false));

    constructor(private readonly root: HTMLElement, private readonly page: Page) {
        this.stage.addEventListener('pointermove', e => this.hover(this.under(e)));
        this.stage.addEventListener('pointerleave', () => this.hover(undefined));
    }

    async update(state: State, change: Change): Promise<void> {
        const mine: (keyof State)[] = ['func', 'search', 'zoom', 'view', 'by', 'order', 'way',
            'icicle', 'colour', 'reverse'];

        if (this.graph && [...change].every(c => mine.includes(c))) {
            if (change.has('func'))
                this.mark(model.find(this.subject?.part.nodes ?? [], state.func));
            return;
        }
        if (!await this.ask(state))
            return;
        this.show();
    }

    /* ---- what is asked ---- */

    private async ask(state: State): Promise<boolean> {
        const { page } = this, words = page.words();

        try {
            this.graph = await page.engine.ask<Graph>('graph', { ...words, ...(this.centre
                ? { min: '0', nodes: 0 } : { min: state.min || usual, depth: state.depth,
                    nodes: most }) }, 'graph');
            this.diff = state.diff ? await page.engine.ask<Diff>('diff', { ...words, view: 'top',
                by: 'function', limit: 1e6 }, 'graph-diff') : null;
        } catch (e) {
            this.graph = null;
            refusal(this.root, 'No call graph.', String((e as Failure).error ?? e));
            return false;
        }
        return true;
    }

    /* The function FUNC and what is around it; null: all of the graph. */
    private async recentre(func: FunctionId | null): Promise<void> {
        this.centre = func && functionId(func);
        if (this.centre && !same(this.centre, this.page.state.func))
            this.page.select(this.centre);
        if (await this.ask(this.page.state))
            this.show();
        this.page.announce(func ? `Around ${nameOf(func)}` : 'The whole call graph');
    }

    /* ---- what is drawn ---- */

    private part(graph: Graph, event: number): model.Part {
        const node = this.centre && model.find(graph.nodes, this.centre);

        return node ? model.around(graph, node.id, this.radius, most, event) : model.whole(graph);
    }

    private show(): void {
        const { graph, diff, page } = this;
        if (!graph)
            return;
        const event = chosen(graph.events, page), part = this.part(graph, event);
        const had = document.activeElement?.closest('.graph-stage') !== null;

        this.subject = { part, event, events: graph.events, page, diff,
            most: graph.nodes.reduce((m, n) => Math.max(m, approx(n.self[event])), 0),
            rows: diff ? model.joined(part.nodes, diff) : new Map() };
        if (this.root.firstChild !== this.bar)
            this.root.replaceChildren(this.bar, this.note, this.stage, this.tip.element);
        this.drawBar();
        this.note.textContent = this.words(graph, part, event);
        this.drawing = this.pan = null;
        if (!part.nodes.length)
            this.stage.replaceChildren(text('p', 'No function costs as much as that.', 'quiet'));
        else if (this.asTables)
            this.stage.replaceChildren(tables(this.subject, n => page.select(functionId(n))));
        else
            this.picture(this.subject, had);
    }

    private picture(subject: Subject, focus: boolean): void {
        const drawing = drawGraph(subject), { root } = drawing;

        this.drawing = drawing;
        this.stage.replaceChildren(root);
        this.pan = new Pan(root, drawing.scene, drawing.placed);
        const all = this.pan.begin();
        root.addEventListener('click', e => this.click(e));
        root.addEventListener('contextmenu', e => this.menu(e));
        root.addEventListener('dblclick', e => this.click(e, true));
        root.addEventListener('keydown', e => this.down(e));
        root.addEventListener('focus', () => this.mark(this.current ?? subject.part.nodes[0]));
        const node = model.find(subject.part.nodes, this.page.state.func);
        this.current = null;
        if (!all)
            this.seen(node ?? model.hottest(subject.part.nodes, subject.event), true);
        if (node)
            this.mark(node, this.centre !== null);
        if (focus)
            root.focus({ preventScroll: true });
    }

    /* What is not in the picture. */
    private words(graph: Graph, part: model.Part, event: number): string {
        const e = graph.events[event], said: string[] = [];
        const unit = unitsOf(graph.events, this.page.events, this.page.state.unit)[event];
        const self = graph.rest.self[event] ?? 0, n = cost(graph.rest.nodes);

        if (this.centre && part.nodes.length)
            said.push(`${cost(part.nodes.length)} of ${cost(graph.nodes.length)} functions: those `
                + `up to ${this.radius === 1 ? 'one call' : `${this.radius} calls`} away`
                + (part.leftOut ? `, ${cost(part.leftOut)} of them left out` : ''));
        else if (graph.rest.nodes)
            said.push(`${n} more function${n === '1' ? '' : 's'} left out, with ${cost(self, unit)}`
                + ` of self cost (${percentText(self, whole(e))})`);
        if (graph.rest.edges && !this.centre)
            said.push(`${cost(graph.rest.edges)} more calls between those that are drawn`);
        if (graph.profile.estimated)
            said.push('inclusive costs are estimates');
        if (this.diff)
            said.push(...this.compared(this.diff, part));
        return said.join(' · ');
    }

    private compared(diff: Diff, part: model.Part): string[] {
        const gone = diff.rows.filter(r => r.in === 'base').length;
        const without = part.nodes.length - (this.subject?.rows.size ?? 0);

        return ['the graph is that of the new profile, coloured by the difference of self cost',
            ...(gone ? [`functions of the base alone, not in it: ${cost(gone)}`] : []),
            ...(without ? [`without a row of their own in the comparison: ${cost(without)}`] : [])];
    }

    private drawBar(): void {
        const { page } = this, { state } = page, min = state.min || usual;
        const first = this.centre
            ? [button('‹ Whole graph', () => void this.recentre(null)),
                text('span', `around ${nameOf(this.centre)}`, 'graph-centre'),
                slider('calls away', ['1', '2', '3', '4'], String(this.radius), v => {
                    this.radius = Number(v);
                    this.show();
                })]
            : [slider('at least', mins, min, v => page.go({ min: v }), v => v === '0' ? 'all' : v),
                slider('depth', depths, String(state.depth), v => page.go({ depth: Number(v) }),
                    v => v === '0' ? 'all' : v),
                button('Around selected', () => void this.recentre(this.current ?? state.func),
                    'Callers and callees of the selected function (Enter)')];

        refill(this.bar, ...first, el('span', 'graph-gap'),
            button('−', () => this.pan?.zoom(1 / 1.3), 'Smaller (-)'),
            button('+', () => this.pan?.zoom(1.3), 'Larger (+)'),
            button('Fit', () => this.pan?.fit(), 'All of it (Home)'),
            this.tablesButton(),
            button('Copy SVG', () => void this.toClipboard()),
            button('Save SVG', () => this.save()));
    }

    /* ---- the current node ---- */

    private mark(node: Node | null | undefined, middle = false): void {
        const { drawing, subject } = this;
        if (!drawing || !subject)
            return;
        this.current = node ?? null;
        for (const [id, g] of drawing.nodes) {
            g.classList.toggle('current', id === node?.id);
            g.setAttribute('aria-selected', String(id === node?.id));
        }
        subject.part.edges.forEach((e, i) => drawing.edges[i].classList.toggle('on',
            node !== null && (e.from === node?.id || e.to === node?.id)));
        if (!node) {
            drawing.root.removeAttribute('aria-activedescendant');
            return;
        }
        drawing.root.setAttribute('aria-activedescendant', `graph-${node.id}`);
        this.seen(node, middle);
        this.page.say(describe(node, subject));
    }

    private seen(node: Node, middle = false): void {
        const at = this.drawing?.placed.nodes.get(node.id);

        if (at && middle)
            this.pan?.centre(at.x, at.y);
        else if (at)
            this.pan?.show(at.x, at.y);
    }

    private walk(key: string): void {
        const { subject, drawing, current } = this;
        if (!subject || !drawing)
            return;
        const { part, event } = subject, where = (id: number): { x: number; y: number } =>
            drawing.placed.nodes.get(id) ?? { x: 0, y: 0 };
        const to = !current ? part.nodes[0]?.id
            : key === 'ArrowUp' ? model.neighbours(part, current.id, -1, event)[0]
            : key === 'ArrowDown' ? model.neighbours(part, current.id, 1, event)[0]
            : model.beside(part, current.id, key === 'ArrowLeft' ? -1 : 1, where) ?? undefined;
        const node = part.nodes.find(n => n.id === to);

        if (node) {
            this.mark(node);
            this.page.announce(describe(node, subject));
        } else {
            this.page.announce(key === 'ArrowUp' ? 'No caller here' : key === 'ArrowDown'
                ? 'No callee here' : 'Nothing beside it');
        }
    }

    private under(e: MouseEvent): Node | undefined {
        const id = (e.target as Element).closest<SVGElement>('.node')?.dataset['id'];

        return this.subject?.part.nodes.find(n => String(n.id) === id);
    }

    private hover(node: Node | undefined): void {
        const { subject } = this;

        if (node === this.hovered || !subject)
            return;
        this.hovered = node;
        const lines = node ? [facts(node, subject).join(' · '), nameOf(node), where(node)] : [];
        this.page.say(lines.filter(line => line).join(' · '));
        this.tip.show(lines.map(line => cut(line)));
    }

    /* The page shows its menu of what is selected: under the pointer, or the current one by a key. */
    private menu(e: MouseEvent): void {
        const node = this.under(e) ?? (e.button === 2 ? null : this.current);

        if (node)
            this.page.select(functionId(node));
    }

    private click(e: MouseEvent, twice = false): void {
        const node = this.under(e);

        if (!node || this.pan?.moved)
            return;
        if (twice)
            void this.recentre(functionId(node));
        else
            this.page.select(functionId(node));
    }

    private down(e: KeyboardEvent): void {
        const step: Record<string, [number, number]> = { ArrowLeft: [60, 0], ArrowRight: [-60, 0],
            ArrowUp: [0, 60], ArrowDown: [0, -60] };

        if (e.ctrlKey || e.altKey || e.metaKey)
            return;
        if (e.shiftKey && e.key in step)
            this.pan?.by(...step[e.key]);
        else if (e.key in step)
            this.walk(e.key);
        else if (e.key === 'Enter' && this.current)
            void this.recentre(functionId(this.current));
        else if (e.key === ' ' && this.current)
            this.page.select(functionId(this.current));
        else
            return;
        e.preventDefault();
        e.stopPropagation();
    }

    key(e: KeyboardEvent): boolean {
        if (e.key === '+' || e.key === '=')
            this.pan?.zoom(1.3);
        else if (e.key === '-')
            this.pan?.zoom(1 / 1.3);
        else if (e.key === 'Home')
            this.pan?.fit();
        else if (e.key === 'v')
            this.drawTables();
        else if (e.key === 'Escape' && this.centre)
            void this.recentre(null);
        else
            return false;
        return true;
    }

    private tablesButton(): HTMLButtonElement {
        const made = button('Tables', () => this.drawTables(), 'The same as tables (v)');

        made.setAttribute('aria-pressed', String(this.asTables));
        return made;
    }

    private drawTables(): void {
        this.asTables = !this.asTables;
        this.show();
        this.page.announce(this.asTables ? 'As tables' : 'As a picture');
    }

    /* ---- out of the page ---- */

    private svg(): string {
        if (!this.drawing && this.subject) {
            this.asTables = false;
            this.show();
        }
        return this.drawing ? asText(this.drawing) : '';
    }

    private async toClipboard(): Promise<void> {
        try {
            await navigator.clipboard.writeText(this.svg());
        } catch (e) {
            this.page.say(`not copied: ${whatFailed(e)}`);
            return;
        }
        this.page.announce('Copied');
    }

    private save(): void {
        const url = URL.createObjectURL(new Blob([this.svg()], { type: 'image/svg+xml' }));
        const link = el('a', '', { href: url, download: 'graph.svg' });

        link.click();
        setTimeout(() => URL.revokeObjectURL(url), 10000);
    }

    copy(): string {
        return this.current ? nameOf(this.current) : '';
    }

    focus(): void {
        (this.drawing?.root ?? this.bar.querySelector('button'))?.focus();
    }

    dispose(): void {
        this.unlisten();
        this.root.replaceChildren();
    }
}

export const view: View = {
    name: 'graph',
    title: 'Graph',
    refuses: page => page.shape === 'places'
        ? 'This profile knows places only, not who called whom: there is no call graph.' : null,
    mount: (root, page) => new GraphView(root, page),
    keys: [{ key: '↑ ↓', does: 'caller, callee that costs most' },
        { key: '← →', does: 'function beside it' }, { key: 'Enter', does: 'what is around it' },
        { key: 'Esc', does: 'the whole graph' }, { key: 'v', does: 'as tables' },
        { key: 'Shift \u2190 \u2191 \u2193 \u2192', does: 'move the picture' },
        { key: '+ -', does: 'larger, smaller' }, { key: 'Home', does: 'all of it' }],
};
