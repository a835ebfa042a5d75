// SPDX-License-Identifier: Apache-2.0
/*
 * Time: when each thread was busy, its stacks in order of time, and a heat map. A range of time is a
 * filter as any other. This is a script of its own: a page of a profile without moments lacks it, and
 * with it what is imported here as a type only (../views.ts, Kit).
 */
import type { Left } from '../protocol';
import type { Change, Filter, State } from '../state';
import type { Kit } from '../views';
import type { Page, View, ViewHandle } from '../view';
import { Chart } from './chart';
import { heatOf } from './heat';
import { HeatMap } from './heatmap';
import { Lanes, stretchOf } from './lanes';
import { isWaiting, Lane, lanesOf, loadOf, longest, Marker, markersIn, markersOf, Moments, momentsOf, nodesOf, spanOf, STATES, WHY } from './moments';
import { roughTime, timeOf, timeText } from './scale';
import { Range, Sight } from './sight';

const CHOOSES: readonly (keyof State)[] = ['filters', 'thread', 'part', 'inline', 'cycles', 'event', 'unit'];

const NEAR = 2 ** 50;

/** Of markers in sight, and of stretches, so many are listed. */
const LISTED = 200;

class Time implements ViewHandle {
    private readonly bar: HTMLElement;
    private readonly about: HTMLElement;
    private readonly body: HTMLElement;
    private readonly sight: Sight;
    private readonly lanesView: Lanes;
    private readonly chart: Chart;
    private readonly heat: HeatMap;
    private moments: Moments | null = null;
    private lanes: Lane[] = [];
    private markers: Marker[][] = [];
    private readonly list: HTMLDetailsElement;
    private readonly offList: HTMLDetailsElement;
    private asked = '';
    private event = '';
    private loading = 0;
    /** Of the body, on the screen. */
    private height = 300;
    private readonly unlisten: () => void;
    private map = false;
    private waits = false;
    /** What the chosen range costs. */
    private exact = '';

    constructor(private readonly kit: Kit, private readonly root: HTMLElement, private readonly page: Page) {
        const { make } = kit, marked = (range: Range | null): void => this.choose(range);

        this.bar = make('div', 'view-bar');
        this.about = make('p', 'about', '', { role: 'status' });
        this.body = make('div', 'time-body');
        this.sight = new Sight({ moved: () => this.moved(), marked });
        this.lanesView = new Lanes(kit, this.sight, { name: lane => this.nameOf(lane), marker: marker => this.markerText(marker), off: (lane, i) => this.offText(lane, i), cost: lane => this.costText(lane.total),
            most: (value, width) => `the highest column is ${this.text(value)} in ${roughTime(Math.max(1, width))}` }, () => this.showChart());
        this.chart = new Chart(kit, this.sight, text => page.say(text), func => page.select(func));
        this.heat = new HeatMap(kit, v => this.costText(v), (text, aloud) => (aloud ? page.announce(text) : page.say(text)), marked);
        const list = (): HTMLDetailsElement => kit.el('details', { class: 'time-marks', ontoggle: () => this.listAll() }, make('summary', ''), make('ol', ''));
        this.list = list();
        this.offList = list();
        root.append(this.bar, this.about, this.body);
        // On paper nothing is drawn anew for another height: names stand beside their strips.
        this.unlisten = kit.onPaper(() => this.fix(`${this.height}px`), () => this.fix(''));
    }

    private fix(height: string): void {
        this.body.style.flex = height && 'none';
        this.body.style.height = height;
    }

    /* ---- words ---- */

    private get info(): Moments['events'][0] | undefined {
        return this.moments?.events.find(e => e.name === this.event) ?? this.moments?.events[0];
    }

    /** Sums here are doubles: of large ones it is said that they are near. The engine's are exact. */
    private text(v: number): string {
        const known = this.page.events.find(e => e.name === this.info?.name), event = known ?? this.info;
        return event ? (Math.abs(v) < NEAR ? '' : '≈ ') + this.kit.text(Math.round(v), this.kit.unitOf(event, this.page.state.unit, this.kit.whole(event))) : '';
    }

    private costText(v: number): string {
        const all = this.info;
        return all ? `${this.text(v)}, ${this.kit.percentText(Math.round(v), this.kit.whole(all))}` : '';
    }

    private nameOf(lane: Lane): string {
        const { pid, tid, thread, command, input } = lane.part;
        const ids = [pid === null ? '' : `pid ${pid}`, tid === null ? '' : `thread ${tid}`].filter(x => x).join(', ');
        return this.kit.clean([thread ?? command ?? input ?? '', ids].filter(x => x).join(', ')) || '[not named]';
    }

    private markerText({ func, from, to }: Marker): string {
        return `${this.kit.nameOf((this.moments as Moments).functions[func])}, ${roughTime(from)}${to > from ? `, for ${roughTime(to - from)}` : ''}`;
    }

    /** Why it did not run, and for what: two lines. */
    private offText(lane: Lane, i: number): string[] {
        const { functions, func } = this.moments as Moments, node = lane.node[i];
        return [`${STATES[(lane.state[i] & WHY) - 1]} for ${roughTime(lane.value[i])} from ${roughTime(lane.time[i])} on`, node ? this.kit.nameOf(functions[func[node]]) : 'no stack'];
    }

    private offSums(range: Range): string {
        return this.lanesView.offIn(range).map((sum, s) => sum === null ? '' : `, ${STATES[s]} ${sum < NEAR ? '' : '≈ '}${timeText(sum)}`).join('').replace(',', ' · off the CPU:');
    }

    private listAll(): void {
        const { sight, offList, kit } = this, [head, rows] = offList.children as unknown as [HTMLElement, HTMLElement], lane = this.lanes[this.lanesView.lane];

        this.listMarkers();
        offList.hidden = !lane?.state.some(why => why & WHY);
        head.textContent = 'The longest stretches of this thread in sight that it did not run';
        if (lane && offList.open)
            kit.refill(rows, ...longest(lane, sight.from, sight.to, LISTED).map(i =>
                kit.el('li', {}, kit.button(this.offText(lane, i).join(': '), () => this.choose(stretchOf(lane, i))))));
    }

    /** Those of the chosen thread that are in sight, where that is open: each leads to its time. */
    private listMarkers(): void {
        const { sight, list, kit } = this, [head, rows] = list.children as unknown as [HTMLElement, HTMLElement];
        const some = markersIn(this.markers[this.lanesView.lane] ?? [], sight.from, sight.to);

        list.hidden = !this.markers.some(all => all.length);
        head.textContent = `${kit.plural(some.length, 'marker')} of this thread in sight${some.length > LISTED ? `; the first ${LISTED}` : ''}`;
        if (list.open)
            kit.refill(rows, ...some.slice(0, LISTED).map(marker => kit.el('li', {}, kit.button(this.markerText(marker), () => {
                const { from, to } = marker, side = to - from || (sight.to - sight.from) / 8;
                sight.cursor = from;
                sight.show({ from: from - side, to: to + side });
            }))));
    }

    /* ---- what is asked ---- */

    async update(state: State, change: Change): Promise<void> {
        this.chart.mark(state.func);
        if (!CHOOSES.some(key => change.has(key))) {
            if (change.has('func'))
                this.mark();
            return;
        }
        this.take(state);
        await this.load();
    }

    /** What of the load is the selected function's, and what waiting. */
    private mark(): void {
        const { moments } = this, { func } = this.page.state;

        if (!moments)
            return;
        this.waits = moments.functions.some(isWaiting);
        this.lanesView.mark(this.waits ? nodesOf(moments, isWaiting) : null, func && nodesOf(moments, f => this.kit.same(f, func)));
    }

    /** Ranges as the filters have them. */
    private take(state: State): void {
        const of = (kind: Filter['kind']): number | null => timeOf(state.filters.find(f => f.kind === kind)?.pattern ?? '');
        const range = (from: number | null, to: number | null): Range | null =>
            from === null && to === null ? null : { from: from ?? 0, to: to ?? this.sight.end };

        this.exact = '';
        this.sight.chosen = range(of('from'), of('to'));
        this.sight.base = range(of('base-from'), of('base-to'));
        this.heat.mark(this.sight.chosen);
    }

    private async load(): Promise<void> {
        const now = ++this.loading;
        const { 'time-from': _from, 'time-to': _to, 'base-time-from': _since, 'base-time-to': _until, diff: _diff, normalize: _normalize, sort, ...words } = this.page.words();
        const asked = JSON.stringify(words);

        this.event = String(sort ?? '');
        try {
            if (asked !== this.asked || !this.moments) {
                const bytes = await this.page.engine.bytes('moments', words, 'time');
                if (now !== this.loading)
                    return;
                this.moments = momentsOf(bytes);
                this.asked = asked;
            }
            this.show();
        } catch (e) {
            if (now !== this.loading)
                return;
            this.moments = null;
            this.asked = '';
            this.body.replaceChildren();
            this.about.textContent = this.kit.clean(this.kit.whatFailed(e));
        }
    }

    private show(): void {
        const moments = this.moments as Moments, event = Math.max(0, moments.events.findIndex(e => e.name === this.event));
        const lanes = lanesOf(moments, event), { el } = this.kit;
        const markers = markersOf(moments, event, lanes);
        let [start, end] = spanOf(lanes);

        for (const { from, to } of markers.flat()) {
            start = Math.min(start, from);
            end = Math.max(end, to + 1);
        }
        this.lanes = lanes;
        this.markers = markers;
        this.sight.reset(start, end);
        this.take(this.page.state);
        this.drawBar();
        if (!lanes.length) {
            this.body.replaceChildren();
            this.about.textContent = 'no moment is of this event';
            return;
        }
        this.lanesView.show(lanes, markers, start, end);
        this.mark();
        this.heat.show(heatOf(lanes.map(loadOf), start, end));
        const shown = this.map ? [this.heat.element] : [this.lanesView.element, el('h2', { class: 'time-of', id: 'time-of' }), this.chart.element, this.list, this.offList];
        if (this.body.firstChild !== shown[0])
            this.body.replaceChildren(...shown);
        this.showChart();
        this.moved();
        void this.tell();
    }

    private showChart(): void {
        const lane = this.lanes[this.lanesView.lane], of = this.body.querySelector('#time-of');

        if (this.moments && lane)
            this.chart.show(this.moments, lane);
        this.listAll();
        if (of && lane)
            of.textContent = `Stacks of ${this.nameOf(lane)}, in order of time`;
    }

    /* ---- ranges ---- */

    private choose(range: Range | null): void {
        const filters = this.page.state.filters.filter(f => f.kind !== 'from' && f.kind !== 'to');
        const times: Filter[] = range ? [{ kind: 'from', pattern: timeText(range.from) }, { kind: 'to', pattern: timeText(range.to) }] : [];

        this.page.go({ filters: [...filters, ...times] }, true);
        this.page.announce(range ? `only ${this.wordsOf(range)}` : 'the whole time');
    }

    /** What is chosen becomes what others are compared with; null: nothing is. */
    private compareWith(range: Range | null): void {
        const filters = this.page.state.filters.filter(f => !/^(base-)?(from|to)$/.test(f.kind));
        const times: Filter[] = range ? [{ kind: 'base-from', pattern: timeText(range.from) }, { kind: 'base-to', pattern: timeText(range.to) }] : [];

        this.page.go({ filters: [...filters, ...times], ...(range ? { diff: true } : {}) }, true);
        this.page.announce(range ? 'choose another range: all views compare it with this one' : 'nothing is compared');
    }

    /** What was chosen is the engine's figure. */
    private async tell(): Promise<void> {
        const range = this.sight.chosen, now = this.loading;

        if (!range)
            return;
        try {
            const { sort: _sort, ...words } = this.page.words(), left = await this.page.engine.ask<Left>('filters', words, 'time-sum');
            const event = left.events.find(e => e.name === this.info?.name);
            if (!event || now !== this.loading || this.sight.marking || this.sight.chosen !== range)
                return;
            const unit = this.kit.unitOf({ ...this.page.events.find(e => e.name === event.name), ...event }, this.page.state.unit, this.kit.whole(event));
            this.exact = `${this.kit.text(event.total, unit)}, ${this.kit.percentText(event.total, this.kit.whole(event))}`;
            this.drawAbout();
        } catch {
            // The filters' line says why.
        }
    }

    private wordsOf(range: Range): string {
        const length = timeText(range.to - range.from), exact = range === this.sight.chosen ? this.exact : '';
        return `${timeText(range.from)} to ${timeText(range.to)} (${length}): ${exact || this.costText(this.lanesView.sum(range))}${this.offSums(range)}`;
    }

    private drawBar(): void {
        const { kit, page } = this, { el, button } = kit, { chosen, base } = this.sight;
        const input = (id: string, label: string, value: string): HTMLInputElement => {
            const made = el('input', { type: 'text', id, value, size: 10, spellcheck: 'false', autocomplete: 'off', placeholder: id === 'time-from' ? '0s' : roughTime(this.sight.end) });
            made.setAttribute('aria-label', label);
            return made;
        };
        const given = (kind: string): string => page.state.filters.find(f => f.kind === kind)?.pattern ?? '';
        const from = input('time-from', 'From, a time after the beginning', given('from')), to = input('time-to', 'To, a time after the beginning', given('to'));
        const apply = (event: Event): void => {
            event.preventDefault();
            this.typed(from, to);
        };
        const form = el('form', { class: 'group', onsubmit: apply }, el('label', {}, 'From ', from), el('label', {}, 'to ', to), el('button', { type: 'submit' }, 'Choose'));

        kit.refill(this.bar,
            kit.choice('Show', [['lanes', 'threads'], ['heat', 'heat map']], this.map ? 'heat' : 'lanes', value => {
                this.map = value === 'heat';
                this.show();
            }),
            form,
            ...(chosen ? [button('Whole time', () => this.choose(null)), button('Zoom to it', () => this.sight.show(chosen)),
                button('Compare others with it', () => this.compareWith(chosen))] : []),
            ...(base ? [button('End the comparison', () => this.compareWith(null))] : []),
            ...(this.map ? [] : [button('Zoom out', () => this.sight.show({ from: this.sight.start, to: this.sight.end }))]));
    }

    private typed(from: HTMLInputElement, to: HTMLInputElement): void {
        const a = from.value.trim() ? timeOf(from.value) : 0, b = to.value.trim() ? timeOf(to.value) : Math.ceil(this.sight.end);

        from.setCustomValidity(a === null ? 'a time after the beginning, as in 2.5s, 300ms or 1m' : '');
        to.setCustomValidity(b === null ? 'a time after the beginning, as in 2.5s, 300ms or 1m' : a !== null && b <= a ? 'it ends before it begins' : '');
        if (from.reportValidity() && to.reportValidity() && a !== null && b !== null)
            this.choose({ from: a, to: b });
    }

    /** What is in sight, or marked, is another: draw, and say how much that is. */
    private moved(): void {
        if (!this.lanes.length)
            return;
        this.height = this.body.clientHeight;
        this.lanesView.draw();
        this.chart.draw();
        this.listAll();
        this.drawAbout();
    }

    private legend(): string {
        const { why } = this.lanesView;
        return ['grey', 'amber', 'red', 'green'].map((colour, s) => why[s] || !s && this.waits ? `${colour}: ${STATES[s]} · ` : '').join('');
    }

    private drawAbout(): void {
        const { sight } = this, range = sight.shown;

        this.about.textContent = range ? `${sight.marking ? 'marked' : 'chosen'}: ${this.wordsOf(range)}${sight.base ? `, compared with ${this.wordsOf(sight.base)}` : ''}`
            : `${this.kit.plural(this.lanes.length, 'thread')} in ${roughTime(sight.end - sight.start)} · ${this.legend()}${this.list.hidden ? '' : 'above: markers · '}drag, or Shift and arrows, chooses a time for all views`;
    }

    /* ---- keys, text ---- */

    key(event: KeyboardEvent): boolean {
        const { lanesView, sight } = this, here = lanesView.element.contains(document.activeElement);

        if (event.ctrlKey || event.metaKey || event.altKey || !this.lanes.length)
            return false;
        if (this.map)
            return this.heat.key(event);
        if (!here)
            return false;
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            lanesView.choose(lanesView.lane + (event.key === 'ArrowUp' ? -1 : 1));
            return true;
        }
        const off = event.key === 'Enter' && !sight.marking && lanesView.stretchAt(lanesView.lane, sight.cursor);
        if (off) {
            this.choose(off);
            return true;
        }
        if (!sight.key(event, lanesView.element.clientWidth))
            return false;
        if (/^(Arrow|Page|Home|End)/.test(event.key))
            this.page.announce(sight.marking ? this.wordsOf(sight.marking) : this.wordsAt(sight.cursor));
        return true;
    }

    private wordsAt(t: number): string {
        const { lanesView, lanes } = this, { lane } = lanesView, off = lanesView.offAt(lane, t);
        return [[`${roughTime(t)}: ${this.chart.stackAt(t)}`, ...off < 0 ? [] : this.offText(lanes[lane], off)].join('; '), ...lanesView.markersAt(lane, t)].join('; marker ');
    }

    copy(): string {
        return this.lanes.map(lane => [this.nameOf(lane), lane.total, ...(this.sight.chosen ? [this.lanesView.sum(this.sight.chosen, this.lanes.indexOf(lane))] : [])].join('\t')).join('\n') + '\n';
    }

    focus(): void {
        if (this.map)
            this.heat.element.focus();
        else
            this.lanesView.focus();
    }

    dispose(): void {
        this.loading++;
        this.lanesView.dispose();
        this.chart.dispose();
        this.heat.dispose();
        this.unlisten();
        this.root.replaceChildren();
    }
}

(globalThis as { timeView?: (kit: Kit) => View }).timeView = kit => ({
    name: 'time',
    title: 'Time',
    refuses: page => page.hasMoments ? null : 'The profile does not say when its samples were counted.',
    mount: (root, page) => new Time(kit, root, page),
    keys: [
        { key: '← →', does: 'move in time; with Shift: mark a range' },
        { key: 'Enter', does: 'only the range that is marked, or the stretch without the CPU, in all views; in the heat map: begin a range, end it' },
        { key: 'Backspace', does: 'the whole time again' },
        { key: '↑ ↓', does: 'another thread' },
        { key: '+ -', does: 'zoom' },
        { key: 'PgUp PgDn', does: 'half of what is in sight' },
        { key: 'Home End', does: 'the beginning, the end' },
    ],
});
