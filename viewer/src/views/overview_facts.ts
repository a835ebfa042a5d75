// SPDX-License-Identifier: Apache-2.0
/* Cards of the overview that are about the file: what it is, whether it is sound, what else it says. */
import type { Info, Origin } from '../protocol';
import { excessText, namesInDoubt } from '../doubts';
import { make } from '../make';
import { clean, cut, partText, plural, text } from '../format';

/** assay.check/1 */
export interface Findings {
    files: { name: string; readable: boolean; errors: number; warnings: number; infos: number;
        omitted: { code: string; count: number }[] }[];
    findings: { severity: 'error' | 'warning' | 'info'; code: string; file: string; line: number | null;
        offset: number | null; message: string }[];
}

function card(title: string, children: (Node | string)[], cls = ''): HTMLElement {
    return make('section', `card ${cls}`, [make('h2', '', title), ...children], { tabindex: -1 });
}

const shapes: Record<string, string> = {
    places: 'Places only: where cost arose, without callers and callees.',
    calls: 'Calls: callers, callees and what each call cost. Whole stacks are estimates made of these.',
    paths: 'Whole stacks: callers and callees are exact.',
};

const formats: Record<string, string> = { callgrind: 'Callgrind', gperf: 'gperftools', dcpi: 'DCPI' };

/** What it is: format, program, when, how much. FUNCTIONS: rows of the table of all of it. */
export function about(info: Info, functions: number): HTMLElement {
    const more = info as Info & { pid: number | null; epoch: string | null; duration: number | null };
    const line = [info.producer, more.pid !== null && more.pid !== undefined ? `pid ${more.pid}` : null, more.epoch,
        more.duration ? `took ${text(more.duration, { each: 1n, scale: 1000000000n, suffix: 's' })}` : null]
        .filter((s): s is string => !!s).map(clean).join(' · ');
    const { files, objects, parts } = info.counts;
    const counts = [plural(functions, 'function'), plural(files ?? 0, 'file'), plural(objects ?? 0, 'object'),
        ...(parts > 1 ? [plural(parts, 'part')] : [])].join(', ');

    return card(`${formats[info.format] ?? info.format ?? 'merged'} profile`, [
        ...(info.command ? [make('p', '', [make('bdi', 'command', cut(clean(info.command)))])] : []),
        ...(line ? [make('p', 'quiet', [make('bdi', '', line)])] : []),
        make('p', '', shapes[info.shape] ?? ''), make('p', 'quiet', counts),
        ...(info.estimated ? [make('p', 'failed', 'Estimated: its stacks were made out of calls.')] : []),
        facts(info),
    ]);
}

/* With the place, where it has one. */
function findingText(f: Findings['findings'][0]): string {
    const place = f.line !== null ? `line ${text(f.line)}: ` : f.offset ? `byte ${text(f.offset)}: ` : '';

    return `${f.severity}: ${place}${clean(f.message)}`;
}

/* One line for those of a kind; what is only worth knowing stands behind a click. */
function findingLists(found: Findings['findings'], omitted: { code: string; count: number }[]): HTMLElement[] {
    const kinds = new Map<string, Findings['findings']>();

    for (const f of found)
        kinds.set(f.code, [...kinds.get(f.code) ?? [], f]);
    const line = (of: Findings['findings']): HTMLElement => {
        const more = of.length - 1 + (omitted.find(o => o.code === of[0].code)?.count ?? 0);
        return make('li', of[0].severity === 'error' ? 'failed' : '', [make('bdi', '', cut(findingText(of[0]))),
            ...(more ? [make('span', 'quiet', ` and ${text(more)} more like it`)] : [])]);
    };
    const all = [...kinds.values()], out: HTMLElement[] = [];
    const odd = all.filter(of => of[0].severity !== 'info'), infos = all.filter(of => of[0].severity === 'info');
    if (odd.length)
        out.push(make('ul', '', odd.map(line)));
    if (infos.length)
        out.push(make('details', '', [make('summary', '', `${plural(infos.length, 'thing')} worth knowing`),
            make('ul', '', infos.map(line))], { 'data-of': 'infos' }));
    return out;
}

function symbolized(info: Info): string {
    const { self, self_nameless: none } = info.symbols;

    return !self || none === undefined ? '' : none === 0 ? 'All cost is in code with names.'
        : `${partText(none, self)} of the cost is in code without a name.`;
}

/** What is odd, of a profile that is read as it is meant. */
function verdict(found: Findings['findings'], doubts: string[], above: number): string {
    const odd = above > 0 || found.some(f => f.severity === 'warning');

    if (odd)
        return `${above ? 'Self costs add up.' : 'Sound: the costs add up.'} Something is odd:`;
    return `Sound: ${doubts.length ? '' : 'nothing odd, and '}the costs add up.${doubts.length ? ' Names are in doubt:' : ''}`;
}

/** Damage first; then what is odd, what names lack, and what was said where the page was made. ABOVE: functions
 *  that cost more than all there is. */
export function soundness(info: Info, check: Findings, origin: Origin | null, above: number): HTMLElement {
    const lines: HTMLElement[] = [], [file] = check.files;
    const order = { error: 0, warning: 1, info: 2 };
    const found = [...check.findings].sort((a, b) => order[a.severity] - order[b.severity]);
    const doubts = [...namesInDoubt(origin?.info ?? info),
        ...(origin?.base ? namesInDoubt(origin.base.info) : []).map(line => `base: ${line}`)];
    const bad = info.partial || check.files.some(f => !f.readable || f.errors > 0);

    if (info.partial)
        lines.push(make('p', 'failed', 'Not all of the input could be read: this is what could. Totals are too small.'));
    else if (bad)
        lines.push(make('p', 'failed', 'Something in the file is wrong; figures may be, too.'));
    else
        lines.push(make('p', doubts.length || above ? '' : 'good', verdict(found, doubts, above)));
    if (doubts.length || above)
        lines.push(make('ul', 'failed', [...above ? [excessText(above)] : [], ...doubts].map(line =>
            make('li', '', [make('bdi', '', cut(line))]))));
    lines.push(...findingLists(found, file?.omitted ?? []), make('p', '', symbolized(info)));
    const notes = [...origin?.notes ?? [], ...(origin?.base?.notes ?? []).map(note => `base: ${note}`)];
    if (notes.length)
        lines.push(make('details', '', [make('summary', '', `${plural(notes.length, 'note')} of when this page was made`),
            make('ul', '', notes.map(note => make('li', '', [make('bdi', '', clean(note))])))], { 'data-of': 'notes' }));
    return card(bad ? 'Not sound' : 'Is it sound?', lines, bad ? 'sound bad' : 'sound');
}

/** What the file says that the page has no use for, and how much there is of everything: behind a click. */
function facts(info: Info): HTMLElement {
    const out: HTMLElement[] = [];
    const pairs = (rows: [string, string][]): HTMLElement => make('dl', 'pairs', rows.flatMap(([term, what]) =>
        [make('dt', '', [make('bdi', '', clean(term))]), make('dd', '', [make('bdi', '', cut(clean(what)))])]));
    const counts = Object.entries(info.counts).filter(([, n]) => n).map(([what, n]): [string, string] =>
        [what.replace(/_/g, ' '), text(n)]);

    if (info.metadata.length)
        out.push(make('h3', '', 'Its own words'), pairs(info.metadata.slice(0, 40).map(m => [m.key ?? '', m.text])),
            ...(info.metadata.length > 40 ? [make('p', 'quiet', `and ${plural(info.metadata.length - 40, 'more line')}`)] : []));
    out.push(make('h3', '', 'Records'), pairs(counts));
    return make('details', '', [make('summary', '', 'More of the file'), ...out], { 'data-of': 'file' });
}
