// SPDX-License-Identifier: Apache-2.0
/* What the profile is, whether it can be believed, what is hot, and what to look at next. */
import './views.css';
import './overview.css';
import type { Diff, Difference, EventInfo, FunctionId, Info, Parts, Top, TopRow, Value } from '../protocol';
import type { Change, State } from '../state';
import type { Page, View, ViewHandle } from '../view';
import type { Words } from '../engine';
import { refill } from '../dom';
import { button, make, whatFailed } from '../make';
import { approx, baseName, bound, clean, functionId, cut, levels, nameOf, passing, percentText, plural, share, text,
    Unit, unitOf, unitsOf, where, whole } from '../format';
import { advice, ALLOCATORS, Evidence, LOCKS } from './overview_advice';
import { diffFunction, diffLook, diffSummary, spokenDifference } from './table_diff';
import { partName } from './threads';
import { about, Findings, soundness } from './overview_facts';

/** Lines of that many are not summed up for one sentence. */
const MANY_ROWS = 2_000_000;
const ASKS: readonly (keyof State)[] = ['event', 'unit', 'filters', 'thread', 'part', 'relative', 'inline', 'cycles',
    'diff', 'normalize'];

/* The overview that is there, and what is to be opened in it once it is drawn. */
let mounted: Overview | null = null, wanted: string | null = null;

/** Go to what is said of whether the profile is sound; OF is folded there: 'infos', 'notes'. */
export function tellMore(page: Page, of = ''): void {
    wanted = of;
    page.go({ view: 'overview' }, true);
    mounted?.reveal();
}

/** A line of a list: a share, a link. */
interface Item { cost: string; share: number; link: HTMLElement; more?: string }

class Overview implements ViewHandle {
    private readonly body = make('div', 'cards');
    private loading = 0;
    private drawn = false;

    constructor(private readonly root: HTMLElement, private readonly page: Page) {
        root.append(this.body);
        mounted = this;
    }

    reveal(): void {
        const card = this.drawn && wanted !== null ? this.body.querySelector<HTMLElement>('.sound') : null;
        const part = card?.querySelector<HTMLDetailsElement>(`details[data-of="${wanted}"]`);

        if (!card || this.page.state.view !== 'overview')
            return;
        wanted = null;
        if (part)
            part.open = true;
        (part?.querySelector('summary') ?? card).focus();
    }

    async update(state: State, change: Change): Promise<void> {
        if (!ASKS.some(key => change.has(key)))
            return;
        const now = ++this.loading;
        this.drawn = false;
        try {
            const cards = await this.cards(state);
            if (now !== this.loading)
                return;
            refill(this.body, ...cards);
            this.drawn = true;
            this.reveal();
        } catch (e) {
            if (now === this.loading)
                this.body.replaceChildren(make('p', 'failed', clean(whatFailed(e))));
        }
    }

    private words(): Words {
        const { diff: _diff, normalize: _normalize, ...words } = this.page.words();
        return words;
    }

    private top(more: Words): Promise<Top> {
        return this.page.engine.ask<Top>('top', { ...this.words(), ...more });
    }

    private async cards(state: State): Promise<HTMLElement[]> {
        const { engine, origin, shape } = this.page, calls = shape !== 'places';
        const self = await this.top({ order: 'self', limit: 5 });
        const inclusive = calls ? await this.top({ order: 'inclusive', limit: 40, 'with-cycles': 1 }) : null;
        const objects = await this.top({ by: 'object', limit: 5 });
        const hot = [this.functions('Hottest by self cost', self, false), this.functions('Hottest by total cost (inclusive)', inclusive, true)];
        if (!this.body.childElementCount)
            this.body.append(...hot.filter((c): c is HTMLElement => c !== null));
        const { info, check } = await this.page.known();
        const { all, above } = await this.page.everything();
        const threads = await engine.ask<Parts>('top', { ...this.words(), by: 'thread' }).catch(() => null);
        const evidence: Evidence = { info, dropped: !origin, self, inclusive,
            line: Number(info.counts['cost_rows']) < MANY_ROWS ? await this.top({ by: 'line', limit: 1 }).catch(() => null) : null,
            allocators: await this.top({ match: ALLOCATORS, limit: 1 }).catch(() => null),
            locks: await this.top({ match: LOCKS, limit: 1 }).catch(() => null) };
        const changes = state.diff ? this.changes(await engine.ask<Diff>('diff',
            { ...this.page.words(), view: 'top', by: 'function', limit: 500 })) : [];
        const cards = [...changes, ...hot, this.next(evidence), soundness(info, check as Findings, origin, above),
            this.totals(info, self), this.objects(objects), this.threads(threads), about(info, all)];

        return cards.filter((c): c is HTMLElement => c !== null);
    }

    private card(title: string, children: (Node | string)[], cls = ''): HTMLElement {
        return make('section', `card ${cls}`, [make('h2', '', title), ...children]);
    }

    private link(name: string, title: string, go: () => void): HTMLElement {
        const out = button('', go, 'link', { title: title || null });

        out.append(make('bdi', '', name));
        return out;
    }

    private function_(func: FunctionId): HTMLElement {
        return this.link(cut(levels(nameOf(func))[1]), where(func), () => this.page.select(func));
    }

    private list(items: Item[]): HTMLElement {
        return make('ol', 'shares', items.map(item => {
            const bar = make('span', 'bar', '', { 'aria-hidden': 'true' });
            bar.style.width = `${(100 * item.share).toFixed(2)}%`;
            return make('li', '', [bar, make('span', 'what', [item.link,
                ...(item.more ? [make('span', 'quiet', ' ' + item.more)] : [])]), make('span', 'cost', item.cost)]);
        }));
    }

    /* ---- cards ---- */

    private next(evidence: Evidence): HTMLElement | null {
        const event = this.page.state.event || this.page.events[0]?.name || '';
        const found = advice(evidence, event);

        return !found.length ? null : this.card('What to look at next', [make('ul', 'advice', found.map(a =>
            make('li', '', [make('bdi', '', cut(a.text) + ' '),
                this.link(`Show ${a.link}`, '', () => this.page.go(a.go, true))])))]);
    }

    private unit(e: EventInfo): Unit | null {
        const { events, state } = this.page;
        return unitsOf([e], events, state.unit)[0];
    }

    private totals(info: Info, top: Top): HTMLElement {
        const rows = top.events.map(e => {
            const known = info.events.find(k => k.name === e.name), auto = this.auto(e, known);
            const chosen = e.name === (this.page.state.event || top.events[0].name);
            const pick = this.link(clean(e.name), known?.title ? clean(known.title) : '',
                () => this.page.go({ event: e.name }, true));

            pick.setAttribute('aria-current', String(chosen));
            const part = e.whole !== undefined ? [make('td', '', `${percentText(e.total, e.whole)} of ${text(e.whole, this.unit(e))}`)] : [];
            return make('tr', chosen ? 'chosen' : '', [make('th', '', [pick], { scope: 'row' }),
                make('td', 'number', text(e.total, this.unit(e))), make('td', 'quiet', auto),
                make('td', 'quiet', known?.title ? clean(known.title) : ''), ...part]);
        });
        const head = ['event', 'total', '', '', ...(top.events.some(e => e.whole !== undefined) ? ['after filters'] : [])];

        return this.card('Totals', [make('div', 'wide', [make('table', '', [make('thead', '', [make('tr', '',
            head.map(h => make(h ? 'th' : 'td', '', h, h ? { scope: 'col' } : {})))]), make('tbody', '', rows)])])]);
    }

    /* "= 3.12s: one is 10,000 microseconds" */
    private auto(e: EventInfo, known: Info['events'][0] | undefined): string {
        const more = { ...e, period: known?.period, period_unit: known?.period_unit };
        const told = text(e.total, unitOf(more, 'auto', e.total)), words: string[] = [];

        if (told !== text(e.total, this.unit(e)))
            words.push(`= ${told}`);
        if (known?.period)
            words.push(`one is ${text(known.period)} ${clean(known.period_unit ?? '')}`);
        else if (e.unit && told === text(e.total))
            words.push(clean(e.unit));
        return words.join(', ');
    }

    private functions(title: string, top: Top | null, inclusive: boolean): HTMLElement | null {
        if (!top)
            return null;
        const e = Math.max(0, top.events.findIndex(x => x.name === this.page.state.event));
        const all = whole(top.events[e]), unit = this.unit(top.events[e]);
        const cost = (row: TopRow): Value | null => inclusive ? passing(row, e) : row.self[e];
        const rows = top.rows.filter(row => cost(row) !== null).slice(0, 5);
        const items = rows.map((row): Item => {
            const v = cost(row) ?? 0;
            return { share: share(v, all), cost: `${inclusive ? bound(row) : ''}${text(v, unit)}, ${percentText(v, all)}`,
                link: this.function_(functionId(row)), more: `${row.recursive ? '↻ ' : ''}${where(row)}` };
        });

        if (!items.length)
            return null;
        return this.card(title, [this.list(items), this.link(`All ${plural(top.all, 'function')}`, '',
            () => this.page.go({ view: 'table', by: 'function', order: inclusive ? 'inclusive' : 'self',
                reverse: false, search: '' }, true))]);
    }

    private objects(top: Top): HTMLElement {
        const e = Math.max(0, top.events.findIndex(x => x.name === this.page.state.event));
        const all = whole(top.events[e]), unit = this.unit(top.events[e]);

        return this.card('Objects', [this.list(top.rows.map((row): Item => ({
            share: share(row.self[e], all), cost: `${text(row.self[e], unit)}, ${percentText(row.self[e], all)}`,
            link: this.link(clean(baseName(row.object ?? '') || '[unknown]'), row.object ?? '', () => this.page.go(
                { view: 'table', by: 'object', order: 'self', reverse: false, search: '' }, true)) }))),
        this.link('Files', '', () => this.page.go({ view: 'table', by: 'file', order: 'self', reverse: false, search: '' }, true))]);
    }

    private threads(parts: Parts | null): HTMLElement | null {
        if (!parts || parts.rows.length < 2)
            return null;
        const e = Math.max(0, parts.events.findIndex(x => x.name === this.page.state.event));
        const all = whole(parts.events[e]), unit = this.unit(parts.events[e]);
        const rows = parts.rows.slice(0, 5);

        return this.card('Threads', [this.list(rows.map((row): Item => ({
            share: share(row.self[e], all), cost: `${text(row.self[e], unit)}, ${percentText(row.self[e], all)}`,
            link: this.link(partName(row, 'thread')[0], '', () => this.page.go({ view: 'threads' }, true)) }))),
        this.link(`All ${plural(parts.rows.length + parts.rest.rows, 'thread')}`, '',
            () => this.page.go({ view: 'threads' }, true))]);
    }

    /* ---- a comparison ---- */

    private changes(diff: Diff): HTMLElement[] {
        const l = diffLook(diff, this.page.state.event, false), event = diff.events[l.e];
        const list = (title: string, up: boolean): HTMLElement | null => {
            const rows = diff.rows.map(row => ({ row, d: row.self?.[l.e] as Difference }))
                .filter(({ d }) => d && (up ? d.difference > 0 : d.difference < 0)
                    && (d.significance === 'sure' || d.significance === 'chance')).slice(0, 5);
            return !rows.length ? null : this.card(title, [this.list(rows.map(({ row, d }): Item => ({
                share: l.most ? Math.abs(approx(d.difference)) / l.most : 0, link: this.function_(diffFunction(row)),
                cost: spokenDifference(l, d), more: row.in === 'both' ? '' : row.in === 'new' ? 'appeared' : 'vanished' })))],
            up ? 'more' : 'less');
        };
        const all = this.card('What changed', [make('p', '', diffSummary(l)),
            ...(event ? [make('p', 'total', `${clean(event.name)}: ${spokenDifference(l, event)}`)] : []),
            this.link('All rows', '', () => this.page.go({ view: 'table', by: 'function', search: '' }, true))]);

        return [all, list('What became more', true), list('What became less', false)]
            .filter((c): c is HTMLElement => c !== null);
    }

    copy(): string {
        return this.page.state.func ? nameOf(this.page.state.func) : this.body.innerText;
    }

    dispose(): void {
        if (mounted === this)
            mounted = null;
        this.loading++;
        this.root.replaceChildren();
    }
}

export const overview: View = {
    name: 'overview',
    title: 'Overview',
    mount: (root, page) => new Overview(root, page),
};
