// SPDX-License-Identifier: Apache-2.0
/* What source and assembly have in common: a function, its rows in a grid, ways to the hot ones. */
import { cut, nameOf, same } from '../../format';
import { whatFailed } from '../../make';
import type { Failure, FunctionId } from '../../protocol';
import type { Change, State } from '../../state';
import type { Page, ViewHandle } from '../../view';
import type { CostColumn } from './code_columns';
import { refill } from '../../dom';
import { button, refusal } from './code_dom';
import { CodeGrid } from './code_grid';
import { takeJump } from './code_jump';
import type { Place } from './code_jump';
import { CodeTop, askForFunction } from './code_top';
import { isHot } from './source_rows';

/* Changes that the last answer is good for. */
const local: (keyof State)[] = ['event', 'unit', 'search', 'way', 'icicle', 'colour',
    'zoom', 'by', 'order', 'reverse', 'min', 'depth', 'view'];

export abstract class CodeView<R> implements ViewHandle {
    protected readonly grid = new CodeGrid<R>();
    protected func: FunctionId | null = null;
    protected columns: CostColumn[] = [];
    protected most = 0;
    /** All events have columns. */
    protected all = false;
    protected readonly top: CodeTop;
    private answered = false;

    constructor(protected readonly root: HTMLElement, protected readonly page: Page,
        private readonly view: 'source' | 'asm', private readonly title: string) {
        this.top = new CodeTop(title);
    }

    /** Ask for FUNC; rejects with a Failure. */
    protected abstract ask(func: FunctionId, state: State): Promise<void>;
    protected abstract draw(): void;
    protected abstract tools(): HTMLElement[];
    /** How much ROW costs, or has changed. */
    protected abstract cost(row: R): number;
    /** ROW is of the line PLACE. */
    protected abstract isAt(row: R, place: Place): boolean;
    /** ROW is the selected address, where several are shown. */
    protected isSelected(_row: R): boolean { return false; }
    /** The line under the current row, in the other view. */
    protected abstract other(): void;
    /** Another function is shown. */
    protected fresh(): void { /* nothing to forget */ }
    abstract copy(): string;

    async update(state: State, change: Change): Promise<void> {
        const other = !same(state.func, this.func);
        const asked = this.answered && !other && [...change].every(c => local.includes(c))
            && !(state.diff && change.has('event'));

        if (!state.func) {
            this.answered = false;
            return askForFunction(this.root, this.page, this.view);
        }
        if (!asked && !await this.tryAsk(state.func, state))
            return;
        if (other) {
            this.func = state.func;
            this.grid.current = 0;
            this.fresh();
        }
        this.redraw();
        this.begin(takeJump(), other);
    }

    private async tryAsk(func: FunctionId, state: State): Promise<boolean> {
        try {
            await this.ask(func, state);
        } catch (e) {
            refusal(this.root, `No ${this.title.toLowerCase()} of ${cut(nameOf(func))}.`,
                String((e as Failure).error ?? e));
            this.answered = false;
            return false;
        }
        this.answered = true;
        return true;
    }

    protected redraw(): void {
        if (this.root.firstChild !== this.top.root)
            this.root.replaceChildren(this.top.root, this.grid.root);
        refill(this.top.tools,
            button('Hottest', () => this.hottest(), 'Where most is spent (t)'),
            button('‹ Previous', () => this.hot(-1), 'Previous hot one (k)'),
            button('Next ›', () => this.hot(1), 'Next hot one (j)'),
            ...this.tools(), button('Copy as text', () => void this.toClipboard()));
        this.draw();
    }

    /* ---- ways to what is hot ---- */

    /* Where the other view came from, else the hottest row of a function that was not shown. */
    private begin(place: Place | null, other: boolean): void {
        const at = place?.line ? this.best(r => this.isAt(r, place)) : -1;
        const own = this.best(r => this.isSelected(r));

        if (at >= 0) {
            this.grid.go(at, true);
            this.grid.focus();
        } else if (other) {
            this.grid.go(own >= 0 ? own : this.best(() => true), true);
        }
        if (other && this.func)
            this.page.announce(`${this.title} of ${cut(this.top.title)}: ${
                this.grid.rows.filter(r => this.cost(r)).length} rows with costs`);
    }

    /* The most expensive row of which TEST is true; -1: there is none. */
    private best(test: (row: R) => boolean): number {
        const rows = this.grid.rows;

        return rows.reduce((b, r, i) => test(r) && (b < 0 || this.cost(r) > this.cost(rows[b]))
            ? i : b, -1);
    }

    private hottest(): void {
        this.grid.go(this.best(() => true), true);
        this.grid.focus();
    }

    private hot(step: 1 | -1): void {
        if (!this.grid.find(row => isHot(this.cost(row), this.most), step))
            this.page.announce('Nothing here has a cost.');
        this.grid.focus();
    }

    /* ---- what the page asks ---- */

    private async toClipboard(): Promise<void> {
        try {
            await navigator.clipboard.writeText(this.copy());
            this.page.announce('Copied');
        } catch (e) {
            this.page.say(`not copied: ${whatFailed(e)}`);
        }
    }

    key(e: KeyboardEvent): boolean {
        const does: Record<string, () => void> = { t: () => this.hottest(), j: () => this.hot(1),
            k: () => this.hot(-1), a: () => this.other() };

        if (!this.answered || e.ctrlKey || e.altKey || e.metaKey
            || !Object.prototype.hasOwnProperty.call(does, e.key))
            return false;
        does[e.key]();
        return true;
    }

    focus(): void {
        this.grid.focus();
    }

    dispose(): void {
        this.grid.dispose();
        this.root.replaceChildren();
    }
}
