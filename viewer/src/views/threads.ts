// SPDX-License-Identifier: Apache-2.0
/* Threads, parts and labels: what each costs; one of them filters all views. */
import './views.css';
import type { Parts, Value } from '../protocol';
import type { Change, Filter, State } from '../state';
import type { Page, View, ViewHandle } from '../view';
import type { Words } from '../engine';
import { Cell, Column, Grid, Row } from '../rows';
import { refill } from '../dom';
import { button, choice, make, whatFailed } from '../make';
import { clean, percent, plural, share, subtract, text, Unit, unitsOf, whole } from '../format';

type Part = Parts['rows'][0];
type By = 'thread' | 'part' | 'label';

const ASKS: readonly (keyof State)[] = ['event', 'unit', 'filters', 'thread', 'part', 'relative', 'inline', 'by'];
const BY: [By, string][] = [['thread', 'threads'], ['part', 'parts'], ['label', 'labels']];

type Label = Part['labels'][0];

/** As the filter has it: KEY=VALUE. */
const labelWord = (l: Label): string => `${l.key}=${l.value}${l.unit ?? ''}`;

/** What a row is called, and what else is known of it. */
export function partName(row: Part, by: string): [string, string] {
    const ids = [row.pid !== null && row.pid !== undefined ? `pid ${row.pid}` : '',
        row.tid !== null && row.tid !== undefined ? `thread ${row.tid}` : ''].filter(s => s);

    if (by === 'label') {
        const labels = (row.labels ?? []).map(l => `${l.key}=${l.value}${l.unit ? ' ' + l.unit : ''}`);
        return [labels.length ? clean(labels.join(', ')) : '[no label]', ''];
    }
    const place = [row.command, row.input, by === 'thread' && (row.parts ?? 1) > 1 ? plural(row.parts ?? 1, 'part') : '']
        .filter((s): s is string => !!s).map(clean).join(' · ');
    const number = by === 'part' && row.part !== null ? [`part ${row.part}`] : [];
    const names = [...number, ...(row.thread ? [clean(row.thread)] : []), ...ids];
    return [names.length ? names.join(', ') : '[not named]', place];
}

class Threads implements ViewHandle {
    private readonly grid: Grid;
    private readonly bar = make('div', 'view-bar');
    private readonly about = make('p', 'about', '', { role: 'status' });
    private parts: Parts | null = null;
    private shown: Part[] = [];
    private units: (Unit | null)[] = [];
    /** Those that find room. */
    private events: number[] = [];
    private loading = 0;
    /** Of all labels of the profile; null: not asked for yet. */
    private keys: string[] | null = null;

    /** The table has words of its own here. */
    private get by(): By {
        return BY.find(([by]) => by === this.page.state.by.replace(/:.*/s, ''))?.[0] ?? 'thread';
    }

    /** by=label:KEY: values of one key; '' = all labels. */
    private get labelKey(): string {
        return this.by === 'label' ? this.page.state.by.slice('label:'.length) : '';
    }

    constructor(private readonly root: HTMLElement, private readonly page: Page) {
        this.grid = new Grid(page, {
            rows: (from, limit) => this.shown.slice(from, from + limit).map(p => this.row(p)),
            sort: column => this.page.go({ event: this.parts?.events[Number(column)]?.name ?? '' }, true),
            open: (_, index) => this.choose(this.shown[index]),
        }, 'threads, parts or labels', false);
        root.append(this.bar, this.about, this.grid.root);
    }

    async update(state: State, change: Change): Promise<void> {
        if (ASKS.some(key => change.has(key)))
            await this.load(state);
    }

    /* The one that is chosen stands among the others. */
    private words(): Words {
        const { diff: _diff, normalize: _normalize, thread: _thread, part: _part, label, ...words } = this.page.words();
        const others = this.by === 'label' ? this.filters(false) : label;
        return { ...words, label: others, by: this.by, key: this.labelKey, limit: 0 };
    }

    /** The patterns of filters by labels of the key that is shown, or of the other ones. */
    private filters(shown: boolean): string[] {
        return this.page.state.filters.filter(f => f.kind === 'label' && this.isShown(f) === shown).map(f => f.pattern);
    }

    private isShown(filter: Filter): boolean {
        return filter.kind === 'label' && (!this.labelKey || filter.pattern.startsWith(`${this.labelKey}=`));
    }

    private async findKeys(): Promise<void> {
        const { rows } = await this.page.engine.ask<Parts>('top', { by: 'label', limit: 0 }, 'keys');
        this.keys = [...new Set(rows.flatMap(row => row.labels.map(l => l.key)))].sort();
    }

    private async load(state: State): Promise<void> {
        const now = ++this.loading;

        this.drawBar(state);
        try {
            if (this.by === 'label' && !this.keys) {
                await this.findKeys();
                this.drawBar(state);
            }
            const parts = await this.page.engine.ask<Parts>('top', this.words(), 'threads');
            if (now === this.loading)
                this.show(parts, state);
        } catch (e) {
            if (now !== this.loading)
                return;
            this.parts = null;
            this.shown = [];
            this.about.textContent = clean(whatFailed(e));
            this.grid.show(0, []);
        }
    }

    private show(parts: Parts, state: State): void {
        const e = Math.max(0, parts.events.findIndex(x => x.name === state.event));

        this.parts = parts;
        this.units = unitsOf(parts.events, this.page.events, state.unit);
        this.shown = parts.rows;
        const cols = parts.events.map((event, i): Column => ({
            id: String(i), title: `${clean(event.name)}, %`, sort: i === e ? 'descending' : 'none',
            width: Math.max(event.name.length + 5, text(whole(event), this.units[i]).length + 7) + 4,
        }));
        let room = this.grid.width() - 40 - cols[e].width;
        this.events = cols.map((_, i) => i).filter(i => i === e || (room -= cols[i].width) >= 0);
        this.grid.setColumns([...this.events.map(i => cols[i]), { id: 'name', title: this.labelKey ? clean(this.labelKey) : this.by, width: 0 }]);
        this.grid.show(this.shown.length, this.last(parts));
        this.grid.put(0, this.shown.slice(0, 200).map(p => this.row(p)));
        const chosen = this.by === 'label' ? this.filters(true).join(', ') : state[this.by];
        this.about.textContent = plural(parts.rows.length + parts.rest.rows, this.by)
            + (state.diff ? ' of the new profile' : '')
            + (this.shown.length < 2 ? '' : chosen ? ` · all views show ${this.by} ${clean(chosen)} only`
                : ' · Enter, or a double click: all views show this one only');
    }

    private cell(v: Value, i: number): Cell {
        const all = whole((this.parts as Parts).events[i]);
        return { text: text(v, this.units[i]), part: percent(v, all), bar: share(v, all), tone: 'self' };
    }

    private row(p: Part): Row {
        const [name, place] = partName(p, this.by), parts = this.parts as Parts;
        const costs = this.events.map(i => `${clean(parts.events[i].name)} ${
            percent(p.self[i], whole(parts.events[i]))} percent, ${text(p.self[i], this.units[i])}`);

        return { func: null, name, place, cells: this.events.map(i => this.cell(p.self[i], i)),
            mark: this.isChosen(p) ? '▶' : undefined,
            label: [name, ...(this.isChosen(p) ? ['chosen'] : []), ...costs, place].filter(s => s).join(', ') };
    }

    private last(parts: Parts): Row[] {
        const sum = (name: string, self: Value[], cls: string): Row => ({ func: null, name, cls,
            cells: this.events.map(i => ({ ...this.cell(self[i], i), bar: 0 })),
            label: [name, ...this.events.map(i => text(self[i], this.units[i]))].join(', ') });
        const out: Row[] = [], filtered = parts.events.map(e => subtract(whole(e), e.total));

        if (parts.rest.rows)
            out.push(sum(`[${plural(parts.rest.rows, 'more row')}]`, parts.rest.self, 'rest'));
        if (filtered.some(v => v !== 0))
            out.push(sum('[filtered out]', filtered, 'rest'));
        return [...out, sum('total', parts.events.map(whole), 'total')];
    }

    /* ---- choosing ---- */

    private word(p: Part): string {
        if (this.by === 'thread')
            return p.tid !== null && p.tid !== undefined ? String(p.tid) : p.thread ?? '';
        return this.by === 'part' && p.part !== null ? String(p.part) : '';
    }

    private isChosen(p: Part): boolean {
        if (this.by === 'label')
            return p.labels.some(l => this.filters(true).includes(labelWord(l)));
        const { thread, part } = this.page.state, word = this.word(p);

        return word !== '' && (this.by === 'thread' ? thread === word || thread === p.thread : part === word);
    }

    private choose(p: Part | undefined): boolean {
        const word = p ? this.word(p) : '';

        if (this.by === 'label' && p)
            this.chooseLabel(p);
        else if (p && word)
            this.page.go({ [this.by]: this.isChosen(p) ? '' : word }, true);
        else
            this.page.say('it has no number or name to choose it by');
        return true;
    }

    private chooseLabel(p: Part): void {
        const [label, ...more] = p.labels, { filters } = this.page.state;

        if (!label || more.length || label.key.includes('=')) {
            this.page.say(label && !this.labelKey ? 'it has several labels; choose a key to see the values of that alone'
                : label ? 'it has no single value to choose it by' : 'it has no label to choose it by');
            return;
        }
        const others = filters.filter(f => !this.isShown(f));
        this.page.go({ filters: this.isChosen(p) ? others : [...others, { kind: 'label', pattern: labelWord(label) }] }, true);
    }

    private drawBar(state: State): void {
        const labels = state.filters.some(f => f.kind === 'label'), chosen = state.thread || state.part || labels;
        const keys = this.by === 'label' && this.keys ? this.keys : [];

        refill(this.bar,
            choice('Rows', BY, this.by, by => this.page.go({ by }, true)),
            ...(keys.length > 1 || this.labelKey ? [choice('Key', [['', 'all'], ...keys.map((key): [string, string] => [key, clean(key)])], this.labelKey,
                key => this.page.go({ by: key ? `label:${key}` : 'label' }, true))] : []),
            ...(chosen ? [button('Show all again', () => this.page.go({ thread: '', part: '',
                ...(labels ? { filters: state.filters.filter(f => f.kind !== 'label') } : {}) }, true))] : []));
    }

    copy(): string {
        return this.shown.map(p => [...p.self, ...partName(p, this.by)].join('\t')).join('\n') + '\n';
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

export const threads: View = {
    name: 'threads',
    title: 'Threads',
    mount: (root, page) => new Threads(root, page),
    keys: [{ key: '↑ ↓ PgUp PgDn Home End', does: 'move between rows' },
        { key: 'Enter', does: 'only this thread, part or label, in all views; again: all' }],
};
