// SPDX-License-Identifier: Apache-2.0
/* The page begins here: with the profile that is in it, or with a place to drop one on. */
import './style.css';
import { App, Check, Known, Opened } from './app';
import { fromDigits, gunzip } from './bytes';
import { namesOf, Start, startScreen } from './chrome/start';
import { startTheme } from './chrome/theme';
import { el } from './dom';
import { Client } from './engine_client';
import { clean } from './format';
import { frame } from './frame';
import type { Source } from './messages';
import type { Code, EventInfo, Failure, Info, Left, Origin } from './protocol';

const root = document.body.appendChild(el('div', { id: 'page' }));
let busy: Start['busy'] = () => undefined;
let listening = new AbortController();

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';
const client = new Client(textOf('worker'), textOf('engine'), (what, share) => {
    document.documentElement.dataset['busy'] = what; // for who drives the page by a script
    busy(what, share);
});

/** A file that the page was given by `assay share`. */
function embedded(id: string): Source | null {
    const element = document.getElementById(id), data = element?.dataset ?? {};
    return element && { name: data['name'] ?? id, data: element.textContent ?? '',
        file: { name: data['file'] ?? data['name'] ?? id, gzip: data['gzip'] !== undefined } };
}

const brought = embedded('profile');

const unpacked = (text: string): Promise<Uint8Array> => gunzip(new Blob([fromDigits(text)]));

/** The bytes of a file of SOURCE. */
async function fileOf(source: Source): Promise<Blob> {
    if (typeof source.data !== 'string')
        return source.data;
    return new Blob([source.file?.gzip ? fromDigits(source.data) : await unpacked(source.data)]);
}

async function json<T>(id: string): Promise<T | null> {
    const source = embedded(id);
    return source && JSON.parse(new TextDecoder().decode(await unpacked(source.data as string))) as T;
}

/** What listened to the last screen hears nothing any more. */
function fresh(): AbortSignal {
    listening.abort();
    listening = new AbortController();
    return listening.signal;
}

function start(reading: string | null, why: string | null, check: Check | null): void {
    const screen = startScreen(open, reading, why, check, fresh());

    busy = screen.busy;
    document.title = reading === null ? 'assay' : `${reading} - assay`;
    root.replaceChildren(screen.element);
}

/** A base that cannot be read is no base. */
async function baseOf(base: Source): Promise<Opened['base']> {
    try {
        return { check: await client.askBase<Check>('check'), info: await client.askBase<Info>('info') };
    } catch (failure) {
        throw new Error(`${base.name}: ${(failure as Failure).error}`);
    }
}

async function knownOf(): Promise<Known> {
    return { check: await client.ask<Check>('check', {}), info: await client.ask<Info>('info', {}) };
}

/** The profile's events and shape, and how all that is known of it is had. Of Callgrind's a table needs
 *  but a part of the file, and what is known all of it. What filters leave is asked without any: nothing
 *  is worked out for that. */
async function about(origin: Origin | null): Promise<Pick<Opened, 'events' | 'shape' | 'moments' | 'known'>> {
    const { events, profile: head, moments } = await client.ask<Left>('filters', {});
    let known: Promise<Known> | null = null;
    const later = (): Promise<Known> => known ??= knownOf();

    if (origin)
        known = Promise.resolve({ check: origin.check as Check, info: origin.info });
    if (head.format === 'callgrind')
        return { events, shape: head.shape, moments, known: later };
    const info = origin ? await client.ask<Info>('info', {}) : (await later()).info;
    return { events: info.events as EventInfo[], shape: head.shape, moments, known: later };
}

/** Only what the page itself brought has an origin: another file that is dropped is another profile. */
async function load(profile: Source, base: Source | null, own: boolean): Promise<void> {
    try {
        const origin = own ? await json<Origin>('origin') : null;
        await client.open(profile, base);
        const app = new App(client, {
            name: profile.name, baseName: base?.name ?? null, ...await about(origin),
            base: base && await baseOf(base), origin,
            code: own ? await json<Code>('code') : null,
        });
        await app.settle();
        document.title = `${clean(profile.name)} - assay`;
        busy = frame(root, app, profile, open, fileOf, fresh()).busy;
    } catch (failure) {
        const check = await client.ask<Check>('check', {}).catch(() => null);
        start(null, (failure as Failure).error ? `${profile.name}: ${(failure as Failure).error}` : (failure as Error).message, check);
    }
}

function open(profile: Source, base: Source | null): void {
    start(namesOf(profile, base), null, null);
    void load(profile, base, profile === brought);
}

startTheme();
if (brought)
    open(brought, embedded('base'));
else
    start(null, null, null);
