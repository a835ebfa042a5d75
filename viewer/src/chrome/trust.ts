// SPDX-License-Identifier: Apache-2.0
/* What the status line says of how far the figures are to be trusted. */
import type { Check } from '../app';
import { excessText, namesInDoubt } from '../doubts';
import { big, clean, partText, text } from '../format';
import type { Info, Origin, Value } from '../protocol';

/** WARN: it wants to be seen. MORE is the whole story; where the overview folds that away, it is OF. */
export interface Trust { text: string; warn: boolean; more: string; of?: 'infos' | 'notes' }

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** Of what has names, never rounded up to all of it. */
function symbolized(info: Info): Trust | null {
    const { self, self_nameless: nameless } = info.symbols as { self?: Value; self_nameless?: Value };

    if (self === undefined || nameless === undefined || big(self) <= 0n)
        return null;
    const named = (big(self) - big(nameless)).toString();
    return {
        text: `${partText(named, self)} symbolized`,
        warn: big(nameless) * 10n > big(self),
        more: `cost in code that has a name: ${text(named)} of ${text(self)}`,
    };
}

/** Of binaries that are not those that ran, as far as anyone can tell. */
function doubted(info: Info): Trust | null {
    const doubts = namesInDoubt(info);

    return !doubts.length ? null : { text: 'names in doubt', warn: true, more: doubts.join('\n') };
}

function excess(above: number): Trust | null {
    return !above ? null : { text: `${text(above)} above the total`, warn: true, more: excessText(above) };
}

function estimated(info: Info): Trust | null {
    if (info.estimated)
        return { text: 'estimated', warn: true, more: 'figures of this profile are estimates' };
    if (info.shape === 'calls')
        return { text: 'stacks estimated', warn: false,
            more: 'the profile has pairs of caller and callee, not whole stacks: its flame graphs and trees are estimates' };
    if (info.shape === 'places')
        return { text: 'no calls', warn: false, more: 'the profile says where cost was spent, not who called' };
    return null;
}

function findings(check: Check): Trust {
    const { errors, warnings, infos } = check.files[0] ?? { errors: 0, warnings: 0, infos: 0 };
    const folded = !errors && !warnings && infos > 0;
    const words = [errors ? plural(errors, 'error') : '', warnings ? plural(warnings, 'warning') : '']
        .filter(word => word);

    return {
        text: words.join(', ') || (infos ? plural(infos, 'info') : 'no findings'),
        warn: words.length > 0,
        ...folded ? { of: 'infos' as const } : {},
        more: check.findings.slice(0, 5).map(f => clean(f.message)).join('\n') || 'the file was checked, and is sound',
    };
}

function damaged(info: Info, origin: Origin | null): Trust | null {
    if (!info.partial && !origin?.info.partial)
        return null;
    return { text: 'not whole: partly read', warn: true, more: 'not all of the input could be read' };
}

/** What is not in the profile: object and cost, as the profile tells it (docs/record.md). */
export type Gaps = [string, Value][];

const GAPS: Record<string, string> = {
    '[lost]': 'were counted, and their stacks lost',
    '[truncated]': 'have stacks that were cut',
    '[unsampled]': 'were counted by the kernel, and no sample of them taken',
};

function gapsOf(gaps: Gaps): Trust[] {
    const lost = gaps.find(([name]) => name === '[lost]') ?? ['[lost]', 0];
    const rest = gaps.filter(([name, cost]) => name !== '[lost]' && big(cost) !== 0n);

    return [lost as [string, Value], ...rest].map(([name, cost]) => ({
        text: `${text(cost)} ${name.slice(1, -1)}`,
        warn: big(cost) > 0n,
        more: big(cost) > 0n ? `${text(cost)} ${GAPS[name] ?? name}` : 'the profile records nothing as lost',
    }));
}

/** What was said when the page was made: in full where that is short. */
function notes(said: string[]): Trust | null {
    const all = said.join('\n');

    return !all ? null : { text: all.length < 48 ? all : plural(said.length, 'note'), warn: false, more: all, of: 'notes' };
}

/** GAPS: null while nobody knows. ABOVE: functions that cost more than all there is. */
export function trustOf(info: Info, check: Check, origin: Origin | null, gaps: Gaps | null, above = 0): Trust[] {
    const list: (Trust | null)[] = [symbolized(info), doubted(origin?.info ?? info), estimated(info), excess(above),
        ...gaps ? gapsOf(gaps) : []];

    list.push(damaged(info, origin), findings((origin?.check as Check | null | undefined) ?? check));
    list.push(notes((origin?.notes ?? []).map(clean)));
    return list.filter((item): item is Trust => item !== null);
}

/** What wants to be seen of the base. */
export function trustOfBase(info: Info, check: Check, origin: Origin | null): Trust[] {
    return trustOf(info, check, origin, null).filter(t => t.warn).map(t => ({ ...t, text: `base: ${t.text}` }));
}
