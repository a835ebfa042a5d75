// SPDX-License-Identifier: Apache-2.0
/* Instructions of the selected function: what each costs, where it jumps, which line it is of. */
import { approx, clean, funcWords, text as cost } from '../../format';
import type { Asm, FunctionId } from '../../protocol';
import type { Page, View } from '../../view';
import { arrange, mostLanes } from './asm_arrows';
import type { Arranged } from './asm_arrows';
import { asmGrid, copyRows, drawArrows, targetNames } from './asm_draw';
import { arrows, byLine, byOrder, jumpRow, merge, syntaxOf } from './asm_rows';
import type { Merged, Row } from './asm_rows';
import { chosen, costColumns } from './code_columns';
import { button, tick } from './code_dom';
import { follow, jump } from './code_jump';
import type { Place } from './code_jump';
import { aboutStretch, factsOf } from './code_top';
import { CodeView } from './code_view';
import { callee } from './source_rows';

const none: Arranged = { lanes: [], width: 0, leftOut: 0 };

class AsmView extends CodeView<Row> {
    private answer: Asm | null = null;
    private merged: Merged = { insns: [], astray: 0, hasText: false };
    private arranged = none;
    private grouped = false;
    private stretch: string[] = [];

    constructor(root: HTMLElement, page: Page) {
        super(root, page, 'asm', 'Assembly');
    }

    protected async ask(func: FunctionId): Promise<void> {
        const { page } = this;
        const answer = await page.engine.ask<Asm>('asm', { ...page.words(), ...funcWords(func) },
            'code');
        const object = answer.functions[0]?.object ?? func.object ?? '', asm = page.code?.asm ?? {};
        const text = Object.prototype.hasOwnProperty.call(asm, object) ? asm[object] : undefined;

        this.stretch = await aboutStretch(answer.functions[0], page);
        this.answer = answer;
        this.merged = merge(answer.instructions.filter(i => i.of === 0), text,
            answer.profile.shape === 'paths');
        if (!this.merged.insns.some(i => i.address !== null))
            throw { error: 'The profile has no addresses of instructions in this function.' };
    }

    protected draw(): void {
        const { answer, func, page, merged } = this;
        if (!answer || !func)
            return;
        const at = chosen(answer.events, page), of = answer.functions[0] ?? func;
        const rows = this.grouped ? byLine(merged.insns, of.file) : byOrder(merged.insns);

        this.arranged = this.grouped ? none : arrange(arrows(rows));
        this.columns = costColumns(answer.events, page, this.all,
            merged.insns.some(i => i.inclusive));
        this.most = merged.insns.reduce((m, i) => Math.max(m, approx(i.self?.[at] ?? 0)), 0);
        this.top.show(of, answer.functions[0] ? factsOf(answer, answer.functions[0], page) : '',
            this.notes(answer));
        this.grid.show(asmGrid({ rows, columns: this.columns, event: at, most: this.most,
            width: this.arranged.width, code: page.code, own: of.function,
            ir: answer.events.findIndex(e => e.name === 'Ir'),
            names: targetNames(page.code?.asm[of.object ?? ''] ?? []) },
        `Assembly of ${this.top.title}`, {
            act: row => this.act(row),
            focus: (_, row) => drawArrows(this.grid, this.arranged, row) }), rows);
        drawArrows(this.grid, this.arranged, this.grid.current);
    }

    private notes(answer: Asm): string[] {
        const { merged, page } = this, notes = [...this.stretch], about = answer.functions[0];

        if (!merged.hasText)
            notes.push('No text, addresses and costs only: ' + (page.code
                ? 'the instructions were not found, or not put in, when this page was made.'
                : 'a profile does not hold instructions. A page made by assay share does, where '
                + 'the binaries are there.'));
        if (about?.note)
            notes.push(clean(about.note));
        if (about?.other_binary || merged.astray)
            notes.push((merged.astray ? `At ${cost(merged.astray)} addresses with costs no `
                + 'instruction of the text begins' : 'Costs lie between instructions')
                + ': this is not the code that ran.');
        if (this.arranged.leftOut)
            notes.push(`${cost(this.arranged.leftOut)} targets of jumps without a line: more than `
                + `${mostLanes} side by side.`);
        if (page.state.diff)
            notes.push('Instructions are not compared: these are the costs of the new profile.');
        return notes;
    }

    protected tools(): HTMLElement[] {
        const { page } = this, syntax = syntaxOf(this.merged.insns);
        const said = document.createElement('span');

        said.className = 'quiet';
        said.textContent = syntax ? `${syntax} syntax, as it was put in` : '';
        return [button('Source', () => this.other(), 'The line of this instruction (a)'),
            tick('By source line', this.grouped, on => {
                this.grouped = on;
                this.draw();
            }),
            ...(page.events.length < 2 ? [] : [tick('All events', this.all, on => {
                this.all = on;
                this.draw();
            })]), said];
    }

    private act(row: Row): void {
        if (row.kind === 'call')
            return follow(this.page, 'asm', callee(row.call));
        const to = row.kind === 'insn' ? jumpRow(this.grid.rows, row.insn) : -1;

        if (to >= 0)
            this.grid.go(to, true);
        else
            this.other();
    }

    protected cost(row: Row): number {
        const at = this.answer ? chosen(this.answer.events, this.page) : 0;

        return row.kind === 'insn' ? approx(row.insn.self?.[at] ?? 0) : 0;
    }

    protected isAt(row: Row, place: Place): boolean {
        return row.kind === 'insn' && row.insn.file === place.file
            && row.insn.line === place.line;
    }

    protected isSelected(row: Row): boolean {
        const { func } = this;

        return this.stretch.length > 0 && row.kind === 'insn' && !!func?.address
            && row.insn.address === BigInt(func.address);
    }

    protected other(): void {
        const row = this.grid.rows[this.grid.current];

        jump(this.page, 'source', row?.kind === 'insn' ? row.insn
            : row?.kind === 'group' ? row : { file: null, line: null });
    }

    copy(): string {
        return copyRows(this.grid.rows, this.columns);
    }
}

export const view: View = {
    name: 'asm',
    title: 'Assembly',
    mount: (root, page) => new AsmView(root, page),
    keys: [{ key: '↑ ↓ PgUp PgDn Home End', does: 'move between rows' },
        { key: 't', does: 'the hottest instruction' },
        { key: 'j k', does: 'next, previous hot instruction' },
        { key: 'a', does: 'the line of source' },
        { key: 'Enter', does: 'follow a call or a jump' }],
};
