// SPDX-License-Identifier: Apache-2.0
/* Source of the selected function: what each line costs, what it calls, what was inlined there. */
import { clean, funcWords } from '../../format';
import type { Diff, FunctionId, List } from '../../protocol';
import type { State } from '../../state';
import type { Page, View } from '../../view';
import { changeColumns, chosen, costColumns } from './code_columns';
import { button, el, tick } from './code_dom';
import { follow, jump } from './code_jump';
import type { Place } from './code_jump';
import { aboutStretch, factsOf } from './code_top';
import { CodeView } from './code_view';
import { copyRows, drawSource, selfOf, source } from './source_draw';
import { blocks, callee, fromDiff, fromList, rowsOf } from './source_rows';
import type { Block, Row } from './source_rows';
import { addFile, addedAs, pathFor, textOf } from './source_text';

class SourceView extends CodeView<Row> {
    private readonly chooser = el('input', '', { type: 'file', hidden: '' });
    private list: List | null = null;
    private diff: Diff | null = null;
    private blocks: Block[] = [];
    private open = new Set<string>();
    private flipped = new Set<string>();
    private wanted: string | null = null;
    private stretch: string[] = [];

    constructor(root: HTMLElement, page: Page) {
        super(root, page, 'source', 'Source');
        this.chooser.addEventListener('change', () => void this.added(this.chooser.files));
        root.addEventListener('dragover', this.dragover);
        root.addEventListener('drop', this.drop);
    }

    protected async ask(func: FunctionId, state: State): Promise<void> {
        const words = { ...this.page.words(), ...funcWords(func) }, { engine } = this.page;
        const diff = state.diff
            ? await engine.ask<Diff>('diff', { ...words, view: 'list' }, 'code') : null;

        const list = diff ? null : await engine.ask<List>('list', words, 'code');

        this.stretch = await aboutStretch(list?.functions[0], this.page);
        this.list = list;
        this.diff = diff;
        this.blocks = blocks(this.list ? fromList(this.list.lines.filter(l => l.of === 0))
            : fromDiff((diff?.rows ?? []).filter(r => !r.group)));
    }

    protected fresh(): void {
        this.open.clear();
        this.flipped.clear();
    }

    /* ---- what is drawn ---- */

    protected draw(): void {
        const { list, diff, func, page } = this;
        const rows = rowsOf(this.blocks, { open: this.open, flipped: this.flipped,
            inline: page.state.inline, text: file => textOf(page.code, file) });

        if (!func)
            return;
        this.columns = list
            ? costColumns(list.events, page, this.all, list.lines.some(l => l.inclusive))
            : diff ? changeColumns(diff, page) : [];
        this.top.show(list?.functions[0] ?? func, this.facts(), this.notes(rows));
        const drawn = drawSource(rows, this.columns, this.event());
        this.most = drawn.most;
        this.grid.show(source(drawn, `Source of ${this.top.title}`,
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
        const files = rows.flatMap(r => r.kind === 'file' ? [r] : []), notes = [...this.stretch];
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
            : 'a profile does not hold source text. A page made by assay share does, where the '
            + 'files are there; or drop a source file here.';
    }

    private aboutAdded(file: string | null): string[] {
        const name = addedAs(file), last = textOf(this.page.code, file)?.last ?? 0;
        const beyond = this.blocks.some(b => b.file === file
            && b.lines.some(n => (n.line.line ?? 0) > last));

        if (name === null)
            return [];
        return beyond
            ? [`${clean(name)} is another version: there are costs on lines that it does not have.`]
            : [`${clean(name)} was added by hand: nothing says that it is what was profiled.`];
    }

    protected tools(): HTMLElement[] {
        const { page } = this;

        return [button('Assembly', () => this.other(), 'Instructions of this line (a)'),
            ...(this.diff || page.events.length < 2 ? [] : [tick('All events', this.all, on => {
                this.all = on;
                this.draw();
            })]), this.chooser];
    }

    /* ---- what is done ---- */

    private act(row: Row, at: number): void {
        if (row.kind === 'gap' && row.known)
            this.open.add(row.id);
        else if (row.kind === 'line' && row.inner && !this.flipped.delete(row.id))
            this.flipped.add(row.id);
        else if (row.kind === 'line' && !row.inner)
            return jump(this.page, 'asm', row.line);
        else if (row.kind === 'call')
            return follow(this.page, 'source', callee(row.call));
        else if (row.kind === 'file' && row.file !== null && !row.has)
            return this.choose(row.file);
        this.draw();
        this.grid.go(at);
    }

    protected cost(row: Row): number {
        return Math.abs(selfOf(row, this.event()));
    }

    protected isAt(row: Row, place: Place): boolean {
        return row.kind === 'line' && row.line.file === place.file && row.line.line === place.line;
    }

    protected other(): void {
        const row = this.grid.rows[this.grid.current];

        jump(this.page, 'asm', row?.kind === 'line' ? row.line : { file: null, line: null });
    }

    /* ---- text by hand ---- */

    private choose(path: string): void {
        this.wanted = path;
        this.chooser.click();
    }

    private paths(): string[] {
        return this.blocks.flatMap(b => b.file === null ? [] : [b.file]);
    }

    private async added(files: FileList | null): Promise<void> {
        for (const file of [...files ?? []]) {
            const path = this.wanted ?? pathFor(file.name, this.paths());
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

    /* A file of another name is the page's: a profile to open. */
    private readonly drop = (e: DragEvent): void => {
        const files = e.dataTransfer?.files;

        if (!files || ![...files].some(f => pathFor(f.name, this.paths())))
            return;
        e.preventDefault();
        e.stopPropagation();
        void this.added(files);
    };

    copy(): string {
        return copyRows(this.grid.rows, this.columns);
    }

    dispose(): void {
        this.root.removeEventListener('dragover', this.dragover);
        this.root.removeEventListener('drop', this.drop);
        super.dispose();
    }
}

export const view: View = {
    name: 'source',
    title: 'Source',
    mount: (root, page) => new SourceView(root, page),
    keys: [{ key: '↑ ↓ PgUp PgDn Home End', does: 'move between rows' },
        { key: 't', does: 'the hottest line' }, { key: 'j k', does: 'next, previous hot line' },
        { key: 'a', does: 'instructions of the line' },
        { key: 'Enter', does: 'follow a call, open a gap, fold inlined code' }],
};
