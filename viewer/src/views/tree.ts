// SPDX-License-Identifier: Apache-2.0
/* Call paths as a tree: from the roots, from the hot functions up, or around the selected one. */
import './views.css';
import type { Diff, DiffRow, Tree, TreeRow, Value } from '../protocol';
import type { Change, State } from '../state';
import type { Page, View, ViewHandle } from '../view';
import type { Words } from '../engine';
import { Column, Grid, Row } from '../rows';
import { choice, make, whatFailed } from '../make';
import { approx, clean, functionId, funcWords, nameOf, percent, plural, same, share, text, Unit, unitsOf,
    where, whole } from '../format';
import { Node, nodes, openHottest, Paths, visible } from './tree_rows';
import { diffColumns, diffLook, DiffLook, diffRow, diffSummary } from './table_diff';

const ASKS: readonly (keyof State)[] = ['event', 'unit', 'filters', 'thread', 'part', 'relative', 'way', 'min',
    'depth', 'inline', 'cycles', 'diff', 'normalize'];
const WAYS: [string, string][] = [['callees', 'top-down'], ['bottom-up', 'bottom-up'],
    ['callers', 'callers of the selected'], ['below', 'callees of the selected']];
const LEAST: [string, string][] = ['5%', '1%', '0.5%', '0.1%', '0.01%', '0.001%', '0'].map(m => [m, m]);
const USUAL = 40;

/* Top-down from the selected function: kept here, as the state has no word for it. */
let fromSelected = false;

type AnyRow = TreeRow | (DiffRow & { address: null; depth: number; kind: string; rows: number });

class TreeView implements ViewHandle {
    private readonly grid: Grid;
    private readonly bar = make('div', 'view-bar');
    private readonly about = make('p', 'about', '', { role: 'status' });
    private readonly paths = new Paths();
    private roots: Node<AnyRow>[] = [];
    private shown: Node<AnyRow>[] = [];
    private open = new Set<number>();
    private tree: Tree | null = null;
    private diff: DiffLook | null = null;
    private event = 0;
    private unit: Unit | null = null;
    private asked = '';
    private loading = 0;

    constructor(private readonly root: HTMLElement, private readonly page: Page) {
        this.grid = new Grid(page, {
            rows: (from, limit) => this.shown.slice(from, from + limit).map(n => this.row(n)),
            open: (_, index) => this.openRest(index),
            toggle: (_, index, expand) => this.toggle(index, expand),
        }, 'call tree', true);
        root.append(this.bar, this.about, this.grid.root);
    }

    async update(state: State, change: Change): Promise<void> {
        const ofSelected = this.ofSelected(state) && change.has('func') && !this.isShown(state);

        if (ASKS.some(key => change.has(key)) || ofSelected)
            await this.load(state);
        if (change.has('search'))
            this.show(this.grid.at);
        if (change.has('func')) {
            this.grid.refresh();
            this.grid.follow();
        }
    }

    private ofSelected(state: State): boolean {
        return state.way === 'callers' || (state.way === 'callees' && fromSelected);
    }

    /* A row of this tree was selected: the tree stays as it is. */
    private isShown(state: State): boolean {
        return this.shown.some(n => state.func !== null && same(functionId(n.row as TreeRow), state.func));
    }

    /* ---- asking ---- */

    private words(state: State): Words | null {
        const { diff: _diff, ...words } = this.page.words();
        const asked: Words = { ...words, way: state.way, min: state.min, depth: state.depth || undefined };

        if (state.diff)
            asked.view = 'tree';
        if (!this.ofSelected(state))
            return asked;
        return state.func ? { ...asked, ...funcWords(state.func) } : null;
    }

    private async load(state: State): Promise<void> {
        const now = ++this.loading, words = this.words(state);

        this.drawBar(state);
        if (!words) {
            this.fail('Select a function, in any view, to see who calls it.');
            return;
        }
        try {
            const answer = await this.page.engine.ask<Tree | Diff>(state.diff ? 'diff' : 'tree', words, 'tree');
            if (now === this.loading)
                this.take(answer, state, words);
        } catch (e) {
            if (now === this.loading)
                this.fail(whatFailed(e));
        }
    }

    private fail(why: string): void {
        this.roots = this.shown = [];
        this.about.textContent = clean(why);
        this.grid.setColumns([{ id: 'name', title: 'function', width: 0 }]);
        this.grid.show(0, []);
    }

    private take(answer: Tree | Diff, state: State, words: Words): void {
        const of = JSON.stringify({ ...words, min: '', view: state.diff });
        const rows = answer.rows.map(r => ({ address: null, ...r })) as AnyRow[];

        this.tree = state.diff ? null : answer as Tree;
        this.diff = state.diff ? diffLook(answer as Diff, state.event, true, this.grid.width()) : null;
        this.event = Math.max(0, answer.events.findIndex(e => e.name === state.event));
        this.unit = this.tree ? unitsOf(this.tree.events, this.page.events, state.unit)[this.event] : null;
        this.roots = nodes(rows, this.paths);
        if (of !== this.asked)
            this.open = openHottest(this.roots, row => this.worth(row), USUAL);
        const at = of === this.asked ? this.grid.at : 0;
        this.asked = of;
        this.grid.setColumns(this.columns());
        this.show(at);
        this.say();
    }

    private say(): void {
        const estimated = this.tree?.profile.estimated || this.diff?.diff.estimated;
        const words = this.diff ? [diffSummary(this.diff)] : [];

        if (!this.roots.length)
            words.push('nothing');
        if (estimated)
            words.push('~ is an estimate: which way cost took was made out of calls');
        words.push('a level adds up; what is small is one row, Enter opens it');
        this.about.textContent = words.join(' · ');
    }

    /* ---- rows ---- */

    private worth(row: AnyRow): number {
        const v = row.inclusive[this.event];

        if (row.kind !== 'function' || v === null)
            return 0;
        return typeof v === 'object' ? Math.abs(approx(v.difference)) : approx(v);
    }

    private columns(): Column[] {
        const event = this.tree?.events[this.event];

        if (this.diff)
            return diffColumns(this.diff);
        if (!event)
            return [];
        const number = text(whole(event), this.unit).length, name = clean(event.name);
        const width = Math.max(number, name.length) + 15;
        const cols: Column[] = [{ id: 'inclusive', title: `${this.tree?.way === 'callees' ? 'incl ' : ''}${name}, %`, width }];

        if (this.tree?.way === 'callees')
            cols.push({ id: 'self', title: `self ${name}, %`, width });
        return [...cols, { id: 'name', title: 'function', width: 0 }];
    }

    private show(at: number): void {
        this.shown = visible(this.roots, this.open);
        this.grid.setDepth(this.shown.reduce((most, n) => Math.max(most, n.row.depth), 0));
        this.grid.show(this.shown.length, [], [], at);
        this.grid.put(0, this.shown.slice(0, 200).map(n => this.row(n)));
    }

    private row(node: Node<AnyRow>): Row {
        const row = this.diff ? this.changeRow(node.row as DiffRow) : this.costRow(node.row as TreeRow);
        const of = node.parent ? node.parent.children.length : this.roots.length;
        const { depth } = node.row;

        return {
            ...row,
            cls: `${row.cls ?? ''} ${node.row.kind === 'function' ? '' : 'rest'} ${this.isFound(node.row) ? 'found' : ''}`,
            label: `${row.label}, level ${depth + 1}`,
            tree: { level: depth + 1, position: node.position, of,
                expanded: node.children.length ? this.open.has(node.path) : null },
        };
    }

    private isFound(row: AnyRow): boolean {
        const pattern = this.page.state.search, field = /^(fn|file|obj):/.exec(pattern)?.[1];
        const texts = { fn: row.function, file: row.file, obj: row.object };

        if (!pattern || row.kind !== 'function')
            return false;
        try {
            const re = new RegExp(field ? pattern.slice(field.length + 1) : pattern,
                /\p{Lu}/u.test(pattern) ? 'u' : 'iu');
            return (field ? [texts[field as 'fn' | 'file' | 'obj']] : Object.values(texts))
                .some(t => t !== null && re.test(t));
        } catch {
            return false;
        }
    }

    private restName(row: AnyRow): string {
        if (row.kind === 'rest')
            return `[${plural(row.rows, 'row')} of little cost]`;
        return '[nobody calls it: paths begin here]';
    }

    private changeRow(row: DiffRow): Row {
        const made = diffRow(this.diff as DiffLook, row);

        if (row.kind === 'function')
            return made;
        const name = this.restName(row as AnyRow);
        return { ...made, func: null, name, place: '', mark: undefined, label: `${name}${made.label.slice(made.name.length)}` };
    }

    private costRow(row: TreeRow): Row {
        const event = this.tree?.events[this.event], all = event ? whole(event) : 0;
        const named = row.kind === 'function', e = row.evidence ?? 'exact';
        const cell = (v: Value, tone: 'self' | 'inclusive', sure: boolean): Row['cells'][0] =>
            ({ text: (sure ? '' : '~ ') + text(v, this.unit), part: percent(v, all), bar: share(v, all), tone });
        const cells = [cell(row.inclusive[this.event], 'inclusive', e !== 'estimated')];
        const name = named ? nameOf(row) : this.restName(row);
        const words = [name, `${percent(row.inclusive[this.event], all)} percent, ${text(row.inclusive[this.event], this.unit)}`];

        if (row.self && this.tree?.way === 'callees') {
            cells.push(cell(row.self[this.event], 'self', e === 'exact'));
            words.push(`self ${percent(row.self[this.event], all)} percent`);
        }
        if (row.recursive)
            words.push('recursive');
        if (e !== 'exact')
            words.push(e === 'estimated' ? 'estimated' : 'self cost estimated');
        return { func: named ? functionId(row) : null, name, place: named ? where(row) : '', cells,
            mark: row.recursive ? '↻' : undefined, label: words.join(', ') };
    }

    /* ---- opening ---- */

    private toggle(index: number, expand: boolean): void {
        this.open[expand ? 'add' : 'delete'](this.shown[index].path);
        this.show(index);
    }

    /* What is behind a rest is asked for with a tenth of the least cost. */
    private openRest(index: number): boolean {
        const node = this.shown[index], least = parseFloat(this.page.state.min);

        if (!node || node.row.kind === 'function')
            return false;
        if (node.row.kind === 'rest' && least > 0) {
            if (node.parent)
                this.open.add(node.parent.path);
            const next = Number((least / 10).toPrecision(2));
            this.page.go({ min: next < 0.0005 ? '0' : `${next}${this.page.state.min.endsWith('%') ? '%' : ''}` }, true);
        }
        return true;
    }

    private drawBar(state: State): void {
        const way = state.way === 'callees' && fromSelected ? 'below' : state.way;
        const least = LEAST.some(([m]) => m === state.min) ? LEAST : [...LEAST, [state.min, state.min] as [string, string]];
        const focused = this.bar.contains(document.activeElement)
            ? [...this.bar.querySelectorAll('select')].indexOf(document.activeElement as HTMLSelectElement) : -1;

        this.bar.replaceChildren(
            choice('Way', WAYS, way, v => {
                const now = v === 'below', was = fromSelected;
                fromSelected = now;
                const next = (now ? 'callees' : v) as State['way'];
                if (next === this.page.state.way && now !== was)
                    void this.load(this.page.state);
                else
                    this.page.go({ way: next }, true);
            }),
            choice('Rows of at least', least, state.min, v => this.page.go({ min: v }, true)));
        this.bar.querySelectorAll('select')[focused]?.focus();
    }

    copy(): string {
        const { func } = this.page.state;

        return func ? nameOf(func) : this.shown.map(n => {
            const row = this.row(n);
            return [...row.cells.map(c => `${c.text}\t${c.part ?? ''}`), '  '.repeat(n.row.depth) + row.name].join('\t');
        }).join('\n') + '\n';
    }

    focus(): void {
        this.grid.root.focus();
    }

    dispose(): void {
        this.loading++;
        this.grid.dispose();
        this.root.replaceChildren();
    }
}

export const tree: View = {
    name: 'tree',
    title: 'Tree',
    refuses: page => page.shape !== 'places' ? null
        : 'This profile says where cost arose, not who called whom: there is no tree of calls.',
    mount: (root, page) => new TreeView(root, page),
    keys: [
        { key: '↑ ↓ PgUp PgDn Home End', does: 'move between rows' },
        { key: '→ ←', does: 'open a row, close it or go to the row above' },
        { key: 'Enter', does: 'source; what is behind a row of little cost' },
    ],
};
