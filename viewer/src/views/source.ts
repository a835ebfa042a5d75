// SPDX-License-Identifier: Apache-2.0
/* Source of the selected function: what each line costs, what it calls, what was inlined there. */
import { funcWords, nameOf } from '../format';
import type { Diff, Failure, FunctionId, List } from '../protocol';
import type { Change, State } from '../state';
import type { Page, View, ViewHandle } from '../view';
import { changeColumns, chosen, costColumns } from './code_columns';
import type { CostColumn } from './code_columns';
import { button, el, refusal, tick } from './code_dom';
import { CodeGrid } from './code_grid';
import { follow, jump, takeJump } from './code_jump';
import type { Place } from './code_jump';
import { CodeTop, askForFunction, factsOf } from './code_top';
import { copyRows, drawSource, selfOf, source } from './source_draw';
import { blocks, callee, fromDiff, fromList, isHot, rowsOf } from './source_rows';
import type { Block, CodeLine, Row } from './source_rows';
import { addFile, addedAs, pathFor, textOf } from './source_text';

/* Changes that the last answer is good for. */
const local: (keyof State)[] = ['event', 'unit', 'inline', 'search', 'way', 'icicle', 'colour',
    'zoom', 'by', 'order', 'reverse', 'min', 'depth', 'view'];

class SourceView implements ViewHandle {
    private readonly top = new CodeTop('Source');
    private readonly grid = new CodeGrid<Row>();
    private readonly chooser = el('input', '', { type: 'file', hidden: '' });
    private func: FunctionId | null = null;
    private list: List | null = null;
    private diff: Diff | null = null;
    private blocks: Block[] = [];
    private columns: CostColumn[] = [];
    private most = 0;
    private all = false;
    private open = new Set<string>();
    private flipped = new Set<string>();
    private wanted: string | null = null;
    private said = '';

    constructor(private readonly root: HTMLElement, private readonly page: Page) {
        root.classList.add('code-view');
        this.chooser.addEventListener('change', () => this.added(this.chooser.files));
        root.addEventListener('dragover', this.dragover);
        root.addEventListener('drop', this.drop);
    }

    async update(state: State, change: Change): Promise<void> {
        const asked = (this.list ?? this.diff) && [...change].every(c => local.includes(c))
            && !(state.diff && change.has('event'));

        if (!state.func)
            return askForFunction(this.root, this.page, 'source');
        if (!asked && !await this.ask(state, state.func))
            return;
        this.tools(state);
        this.draw();
        this.show(takeJump());
    }

    /* ---- what is asked ---- */

    private async ask(state: State, func: FunctionId): Promise<boolean> {
        const words = { ...this.page.words(), ...funcWords(func) };

        try {
            const diff = state.diff
                && await this.page.engine.ask<Diff>('diff', { ...words, view: 'list' }, 'code');

            this.list = diff ? null : await this.page.engine.ask<List>('list', words, 'code');
            this.diff = diff || null;
        } catch (e) {
            this.list = this.diff = null;
            refusal(this.root, `No source of ${nameOf(func)}: ${(e as Failure).error ?? e}`);
            return false;
        }
        if (JSON.stringify(func) !== JSON.stringify(this.func)) {
            this.open.clear();
            this.flipped.clear();
            this.grid.current = 0;
            this.said = '';
        }
        this.func = func;
        this.blocks = blocks(this.list ? fromList(this.list.lines.filter(l => l.of === 0))
            : fromDiff((this.diff?.rows ?? []).filter(r => !r.group)));
        return true;
    }

    /* ---- what is drawn ---- */

    private draw(): void {
        const { list, diff, func, page } = this;
        if (!func)
            return;
        const rows = rowsOf(this.blocks, { open: this.open, flipped: this.flipped,
            inline: page.state.inline, text: file => textOf(page.code, file) });

        if (this.root.firstChild !== this.top.root)
            this.root.replaceChildren(this.top.root, this.grid.root, this.chooser);
        this.columns = list
            ? costColumns(list.events, page, this.all, list.lines.some(l => l.inclusive))
            : diff ? changeColumns(diff, page) : [];
        this.top.show(func, this.facts(), this.notes(rows));
        const drawn = drawSource(rows, this.columns, this.event());
        this.most = drawn.most;
        this.grid.show(source(drawn, `Source of ${nameOf(func)}`,
            (row, at) => this.act(row, at)), rows);
    }

    private facts(): string {
        const func = this.list?.functions[0];

        if (this.list && func)
            return factsOf(this.list, func, this.page);
        return this.diff?.estimated ? 'inclusive costs are estimates' : '';
    }

    private event(): number {
        return chosen((this.list ?? this.diff)?.events ?? [], this.page);
    }

    private notes(rows: Row[]): string[] {
        const files = rows.flatMap(r => r.kind === 'file' ? [r] : []), notes: string[] = [];
        const without = files.filter(f => !f.has);

        if (!this.blocks.length)
            notes.push('No line of this function has a cost of its own or a call.');
        else if (without.length)
            notes.push(`${without.length === files.length ? 'No text' : 'No text of some files'}, `
                + `costs only: ${this.why()}`);
        for (const { file } of files)
            notes.push(...this.aboutAdded(file));
        return [...new Set(notes)];
    }

    private why(): string {
        return this.page.code ? 'it was not found, or not put in, when this page was made. '
            + 'A source file can be added: drop it here.'
            : 'a profile does not hold source text. A page made by assay share does where the '
            + 'files are there; or drop a source file here.';
    }

    private aboutAdded(file: string | null): string[] {
        const name = addedAs(file), last = textOf(this.page.code, file)?.last ?? 0;
        const beyond = this.blocks.some(b => b.file === file
            && b.lines.some(n => (n.line.line ?? 0) > last));

        if (name === null)
            return [];
        return beyond
            ? [`${name} is another version: there are costs on lines that it does not have.`]
            : [`${name} was added by hand: nothing says that it is what was profiled.`];
    }

    private tools(state: State): void {
        const { page } = this;

        this.top.tools.replaceChildren(
            button('Hottest', () => this.hottest(), 'The most expensive line (t)'),
            button('‹ Previous', () => this.hot(-1), 'Previous hot line (k)'),
            button('Next ›', () => this.hot(1), 'Next hot line (j)'),
            button('Assembly', () => this.assembly(), 'Instructions of this line (a)'),
            tick('Inlined code', state.inline, inline => page.go({ inline })),
            ...(state.diff || page.events.length < 2 ? [] : [tick('All events', this.all, on => {
                this.all = on;
                this.draw();
            })]),
            button('Copy as text', () => void this.toClipboard()));
    }

    /* ---- what is done ---- */

    private act(row: Row, at: number): void {
        if (row.kind === 'gap' && row.known)
            this.open.add(row.id);
        else if (row.kind === 'line' && row.inner)
            this.flipped.has(row.id) ? this.flipped.delete(row.id) : this.flipped.add(row.id);
        else if (row.kind === 'line')
            return jump(this.page, 'asm', row.line);
        else if (row.kind === 'call')
            return follow(this.page, 'source', callee(row.call));
        else if (row.kind === 'file' && row.file !== null && !row.has)
            return this.choose(row.file);
        else
            return;
        this.draw();
        this.grid.go(at);
    }

    private cost(row: Row): number {
        return Math.abs(selfOf(row, this.event()));
    }

    private hottest(): void {
        const rows = this.grid.rows;
        const best = rows.reduce((b, r, i) => this.cost(r) > this.cost(rows[b]) ? i : b, 0);

        this.grid.go(best, true);
        this.grid.focus();
    }

    private hot(step: 1 | -1): void {
        if (!this.grid.find(row => isHot(this.cost(row), this.most), step))
            this.page.announce('No line costs anything.');
        this.grid.focus();
    }

    private line(): CodeLine | null {
        const row = this.grid.rows[this.grid.current];

        return row?.kind === 'line' ? row.line : null;
    }

    private assembly(): void {
        jump(this.page, 'asm', this.line() ?? { file: null, line: null });
    }

    /* Where Assembly came from, else the hottest line of a function that is shown first. */
    private show(place: Place | null): void {
        const at = place?.line ? this.grid.rows.findIndex(r => r.kind === 'line'
            && r.line.file === place.file && r.line.line === place.line) : -1;

        if (at >= 0) {
            this.grid.go(at, true);
            this.grid.focus();
        } else if (!this.said) {
            this.grid.go(this.grid.rows.reduce((b, r, i) =>
                this.cost(r) > this.cost(this.grid.rows[b]) ? i : b, 0), true);
        }
        const n = this.grid.rows.filter(r => r.kind === 'line').length;
        if (!this.said && this.func)
            this.page.announce(`${nameOf(this.func)}: ${n} lines with costs`);
        this.said = 'yes';
    }

    /* ---- text by hand ---- */

    private choose(path: string): void {
        this.wanted = path;
        this.chooser.click();
    }

    private async added(files: FileList | null): Promise<void> {
        const paths = this.blocks.flatMap(b => b.file === null ? [] : [b.file]);

        for (const file of files ?? []) {
            const path = this.wanted ?? pathFor(file.name, paths);
            const wrong = path === null
                ? `${file.name} is none of the files of this function.`
                : await addFile(path, file);

            this.page.say(wrong ?? '');
            this.page.announce(wrong ?? `${file.name} added`);
        }
        this.wanted = null;
        this.chooser.value = '';
        this.draw();
    }

    private readonly dragover = (e: DragEvent): void => {
        if (this.func && e.dataTransfer?.types.includes('Files'))
            e.preventDefault();
    };

    private readonly drop = (e: DragEvent): void => {
        const paths = this.blocks.flatMap(b => b.file === null ? [] : [b.file]);
        const files = e.dataTransfer?.files;

        if (!files || ![...files].some(f => pathFor(f.name, paths)))
            return;
        e.preventDefault();
        e.stopPropagation();
        void this.added(files);
    };

    /* ---- what the page asks ---- */

    private async toClipboard(): Promise<void> {
        await navigator.clipboard.writeText(this.copy());
        this.page.announce('Copied');
    }

    copy(): string {
        return copyRows(this.grid.rows, this.columns);
    }

    key(e: KeyboardEvent): boolean {
        const does: Record<string, () => void> = { t: () => this.hottest(), j: () => this.hot(1),
            k: () => this.hot(-1), a: () => this.assembly() };

        if (!this.columns.length || e.ctrlKey || e.altKey || e.metaKey
            || !Object.prototype.hasOwnProperty.call(does, e.key))
            return false;
        does[e.key]();
        return true;
    }

    focus(): void {
        this.grid.focus();
    }

    dispose(): void {
        this.root.removeEventListener('dragover', this.dragover);
        this.root.removeEventListener('drop', this.drop);
        this.root.classList.remove('code-view');
        this.grid.dispose();
        this.root.replaceChildren();
    }
}

export const view: View = {
    name: 'source',
    title: 'Source',
    mount: (root, page) => new SourceView(root, page),
    keys: [{ key: 't', does: 'the hottest line' }, { key: 'j k', does: 'next, previous hot line' },
        { key: 'a', does: 'instructions of the line' },
        { key: 'Enter', does: `follow a call, open a gap, fold inlined code` }],
};
