// SPDX-License-Identifier: Apache-2.0
/* Where there is no profile yet, or another one is wanted: files are dropped, chosen or pasted. */
import { clean } from '../format';
import { el, fill } from '../dom';
import type { Check } from '../app';
import type { Source } from '../messages';

export type Open = (profile: Source, base: Source | null) => void;

const FORMATS = 'Callgrind and Cachegrind, gperftools, pprof, folded stacks, DCPI; gzip of any of them';

/** What the page's engine names, and only the program reads (page_formats in src/formats/meson.build). */
const BY_PROGRAM = /compressed with zstd|perf\.data|Flight Recorder|gmon\.out|(heap|contention|thread) profile|OpenTelemetry/;

const READING = 'reading\u2026';

export const sourceOf = (file: File): Source => ({ name: file.name, data: file });

function pasted(event: ClipboardEvent): Source[] {
    const files = Array.from(event.clipboardData?.files ?? [], sourceOf);
    const text = event.clipboardData?.getData('text/plain') ?? '';

    return files.length || !text ? files : [{ name: 'pasted text', data: new Blob([text]) }];
}

/** The browser's own dialog for files. */
export function chooseFiles(got: (sources: Source[]) => void): void {
    const input: HTMLInputElement = el('input', { type: 'file', multiple: true, hidden: true, onchange: () => {
        got(Array.from(input.files ?? [], sourceOf));
        input.remove();
    } });

    document.body.append(input);
    input.click();
}

/** Files that are dropped or pasted anywhere on the page, until SIGNAL. */
export function listenForFiles(got: (sources: Source[]) => void, signal: AbortSignal): void {
    const over = (on: boolean) => (event: DragEvent): void => {
        event.preventDefault();
        document.documentElement.classList.toggle('dropping', on);
    };

    document.addEventListener('dragover', over(true), { signal });
    document.addEventListener('dragleave', over(false), { signal });
    document.addEventListener('drop', event => {
        over(false)(event);
        got(Array.from(event.dataTransfer?.files ?? [], sourceOf));
    }, { signal });
    document.addEventListener('paste', event => {
        const sources = event.target instanceof HTMLInputElement ? [] : pasted(event);
        if (sources.length) {
            event.preventDefault();
            got(sources);
        }
    }, { signal });
}

/** Which of several files is the profile, and which its base. KEEP is the one that is open. */
export function chooser(sources: Source[], keep: Source | null, open: Open): HTMLElement {
    const all = keep ? [...sources, keep] : sources;
    const options = all.map((source, i): [string, string] => [String(i), clean(source.name)]);
    const profile = el('select', { id: 'profile-file' }), base = el('select', { id: 'base-file' });

    fill(profile, options, '0');
    fill(base, [['', 'nothing'], ...options], all.length === 2 && !keep ? '1' : '');
    return el('form', { class: 'chooser', onsubmit: (event: Event) => {
        event.preventDefault();
        open(all[Number(profile.value)], base.value && base.value !== profile.value ? all[Number(base.value)] : null);
    } }, el('label', {}, 'Show', profile), el('label', {}, 'compared with', base),
    sources.length > 1 ? el('p', { class: 'quiet' }, 'Two of them at most: threads, parts or runs are added up by `assay share FILE... -o OUT.html`.') : null, el('button', { type: 'submit', class: 'main' }, 'Open'));
}

export interface Start { element: HTMLElement; busy(what: string, share: number | null): void }

/** What the page is about while it reads it. */
export const namesOf = (profile: Source, base: Source | null): string =>
    clean(profile.name) + (base ? ` against ${clean(base.name)}` : '');

/** READING: what is being opened; else WHY the last file could not be, and what was found in it. */
export function startScreen(open: Open, reading: string | null, why: string | null, check: Check | null, signal: AbortSignal): Start {
    const work = el('p', { role: 'status' }, reading === null ? '' : READING), bar = el('progress', { max: 1, hidden: reading === null, 'aria-label': 'Reading' });
    const choice = el('div');
    const got = (sources: Source[]): void => {
        if (sources.length === 1)
            open(sources[0], null);
        else if (sources.length)
            choice.replaceChildren(chooser(sources, null, open));
    };

    listenForFiles(got, signal);
    const bad = why === null ? null : el('div', { class: 'failed', role: 'alert' }, el('p', {}, clean(why)),
        BY_PROGRAM.test(why) ? el('p', {}, 'The program reads it: `assay share FILE` makes a page of it.') : null,
        el('ul', {}, ...(check?.findings ?? []).filter(f => !why?.includes(f.message)).slice(0, 10).map(f => el('li', {}, clean(f.message)))));
    return {
        element: el('main', { class: 'start', id: 'main', tabindex: -1 }, ...reading !== null ? [el('h1', { class: 'clip' }, reading)]
            : [el('h1', {}, 'assay'), el('p', {}, 'shows CPU profiles. Nothing that you open here leaves this page.'), bad,
            el('div', { class: 'drop' }, el('p', {}, 'Drop a profile here, or paste it'),
                el('button', { type: 'button', class: 'main', onclick: () => chooseFiles(got) }, 'Choose a file\u2026'),
                el('p', { class: 'quiet' }, FORMATS), el('p', { class: 'quiet' }, 'Two files are compared with each other.'))],
            choice, bar, work),
        busy: (what, share) => {
            work.textContent = what ? `${what}\u2026` : reading === null ? '' : READING;
            bar.hidden = !what && reading === null;
            if (share === null)
                bar.removeAttribute('value');
            else
                bar.value = share;
        },
    };
}
