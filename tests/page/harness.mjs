// SPDX-License-Identifier: Apache-2.0
/*
 * What the tests of the page share: a browser without a network, TAP, and the program to compare
 * with. PAGE_MODULES is the folder of node_modules (prepare.sh), ASSAY the program; PAGE_BROWSER is
 * firefox, or else it is Chromium.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { equip, focusPage, launchFirefox, touch } from './firefox.mjs';

export const require = createRequire(path.join(process.env.PAGE_MODULES, 'package.json'));
const { chromium } = require('playwright-core');

export const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'assay-page-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

// ---- TAP ----

let count = 0, failed = 0;

/** A test point; what WORK throws is why it failed. */
export async function test(name, work) {
    count++;
    try {
        await work();
        console.log(`ok ${count} - ${name}`);
    } catch (error) {
        failed++;
        console.log(`not ok ${count} - ${name}`);
        for (const line of String(error.stack ?? error).split('\n').slice(0, 12))
            console.log(`# ${line}`);
    }
}

export function skip(name, why) {
    console.log(`ok ${++count} - ${name} # SKIP ${why}`);
}

function finish() {
    console.log(`1..${count}`);
    process.exitCode = failed ? 1 : 0;
}

export function equal(is, should, what) {
    const [a, b] = [JSON.stringify(is), JSON.stringify(should)];
    if (a !== b)
        throw new Error(`${what}: ${a.slice(0, 4000)}, not ${b.slice(0, 400)}`);
}

export function truth(is, what) {
    if (!is)
        throw new Error(what);
}

// ---- the program ----

/** What the program prints; its stderr is not looked at. */
export function assay(...args) {
    return execFileSync(process.env.ASSAY, args,
        { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
}

export function assayJson(...args) {
    return JSON.parse(assay(...args, '-f', 'json'));
}

/** The page of these files, in the scratch folder. */
export function share(name, ...args) {
    const file = path.join(scratch, `${name}.html`);
    assay('share', ...args, '-y', '-o', file);
    return file;
}

// ---- the browser ----

const IN_FIREFOX = process.env.PAGE_BROWSER === 'firefox';

/**
 * Where the browser is; null if there is none. The Chromium without a window and all that belongs to it
 * takes a third of the work for each page.
 */
function findBrowser() {
    const names = IN_FIREFOX ? ['firefox-esr', 'firefox'] : ['chromium-headless-shell', 'chromium', 'chromium-browser'];
    const found = names.map(name => `/usr/bin/${name}`).find(file => fs.existsSync(file));
    return process.env[IN_FIREFOX ? 'FIREFOX' : 'CHROMIUM'] ?? found ?? null;
}

let browser = null;

async function launch() {
    browser = IN_FIREFOX ? await launchFirefox(findBrowser())
        : await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
}

/** The tests that WORK has, with a browser; without one they are skipped. */
export async function inBrowser(work) {
    if (!findBrowser()) {
        console.log(`1..0 # SKIP there is no ${IN_FIREFOX ? 'Firefox' : 'Chromium'} here`);
        return;
    }
    await launch();
    await work();
    await browser.close();
    finish();
}

/** What fails does so after as long as the slowest machine may take; nothing that is right waits for it. */
const PATIENCE = 120_000;

/*
 * In each page, before its own scripts: still() ends once the engine has answered, no timer and no frame
 * waits, and that is so for three frames; a size that changes is heard of within one. Timers that only
 * clean up, or end what never ends, are long.
 */
function watch() {
    const CLEANS_UP = 5000, waits = new Set();
    const { setTimeout: later, clearTimeout: never, requestAnimationFrame: frame, cancelAnimationFrame: noFrame } = window;

    window.setTimeout = (work, ms = 0, ...words) => {
        const id = later(() => {
            waits.delete(`timer ${id}`);
            work(...words);
        }, ms);
        if (ms < CLEANS_UP)
            waits.add(`timer ${id}`);
        return id;
    };
    window.clearTimeout = id => {
        waits.delete(`timer ${id}`);
        never(id);
    };
    window.requestAnimationFrame = work => {
        const id = frame(now => {
            waits.delete(`frame ${id}`);
            work(now);
        });
        waits.add(`frame ${id}`);
        return id;
    };
    window.cancelAnimationFrame = id => {
        waits.delete(`frame ${id}`);
        noFrame(id);
    };
    window.still = () => new Promise(done => {
        let frames = 0;
        const look = () => {
            frames = document.documentElement.dataset.busy || waits.size ? 0 : frames + 1;
            if (frames > 3)
                done();
            else
                frame(() => later(look));
        };
        look();
    });
}

/**
 * A page at FILE#HASH, without a network, or of a server at the URL FILE. OPTIONS are those of a context of
 * playwright's. page.trouble collects requests other than for the file itself, errors and lines of the console.
 */
export async function open(file, { hash = '', width = 1400, height = 850, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...options });
    const served = file.startsWith('http://');

    await context.setOffline(!served);
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript(watch);
    const page = await context.newPage();
    if (IN_FIREFOX)
        await equip(page, fs.mkdtempSync(path.join(scratch, 'kept-')), { ...options, online: served });
    const url = served ? file : pathToFileURL(file).href;
    page.trouble = [];
    page.on('request', request => {
        const to = request.url();
        if (to.split(served ? /[?#]/ : '#')[0] !== url && !to.startsWith('blob:') && !to.startsWith('data:'))
            page.trouble.push(`request: ${to}`);
    });
    page.on('console', message => {
        if (['error', 'warning'].includes(message.type()))
            page.trouble.push(`console: ${message.text()}`);
    });
    page.on('pageerror', error => page.trouble.push(`error: ${error.message}`));
    await page.goto(url + hash);
    return page;
}

/** Tab has left the page for the browser's own buttons, if it has any, and comes back. */
export async function comeBack(page) {
    if (IN_FIREFOX)
        await focusPage(page);
}

/** What fingers do, as the browser sees it: each of STEPS is where they are. WHILE_DOWN is done before they go up. */
export async function fingersGo(page, steps, whileDown) {
    if (IN_FIREFOX)
        return touch(page, steps, whileDown);
    const client = await page.context().newCDPSession(page);
    const points = at => at.map(([x, y], id) => ({ x, y, id }));

    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(steps[0]) });
    for (const at of steps.slice(1))
        await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(at) });
    await whileDown?.();
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

export const along = (from, to, n = 8) => Array.from({ length: n + 1 }, (_, i) => [from[0] + (to[0] - from[0]) * i / n, from[1] + (to[1] - from[1]) * i / n]);

/** A picture to look at, where PAGE_PICTURES names a folder. */
export async function picture(page, name) {
    const folder = process.env.PAGE_PICTURES;
    if (folder)
        await page.screenshot({ path: path.join(folder, `${name}.png`) });
}
