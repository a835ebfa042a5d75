// SPDX-License-Identifier: Apache-2.0
/*
 * The pictures that the program writes, in a browser: each is drawn whole, without a request or an
 * error, labels stay in their boxes, and the total on it is that of the table. FIXTURES, ASSAY and
 * PAGE_MODULES: see harness.mjs.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { data } from './data.mjs';
import { along, assay, assayJson, equal, fingersGo, inBrowser, open, picture, scratch, test, truth } from './harness.mjs';

const PLAIN = ['--symbols', 'none'];
const NOTHING = 'nothing is drawn';
const fixtures = process.env.FIXTURES;
const folders = [data, fixtures, path.join(fixtures, '../../src/formats/dcpi/golden')];
const noProfile = /\.(md|tsv|txt|c|h|py|so|sh|json|string|dot)$/;
const nothing = /below 0|no events|who called whom|no graph drawing/;

/** Every profile below FOLDER. */
function profiles(folder) {
    if (!fs.existsSync(folder))
        return [];
    return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1).flatMap(entry => {
        const file = path.join(folder, entry.name);
        if (entry.isDirectory())
            return profiles(file);
        const known = !noProfile.test(file) && spawnSync(process.env.ASSAY, ['info', '-q', file]).status === 0;
        return known ? [file] : [];
    });
}

/** Whether there is a picture of FILE in TO; what has no calls has no graph, and says so. */
function drawn(command, file, to) {
    const run = spawnSync(process.env.ASSAY, [command, ...PLAIN, file, '-y', '-o', to], { encoding: 'utf8' });
    if (run.status === 4 && nothing.test(run.stderr))
        return false;
    equal(run.status, 0, `${command}: ${run.stderr.slice(-300)}`);
    return true;
}

/** What is wrong with the picture as it is laid out, and its words. */
function laidOut(none) {
    const svg = document.querySelector('svg'), all = svg.getBoundingClientRect(), faults = [];
    const inside = (r, s, x = 1, y = 1) => r.left >= s.left - x && r.right <= s.right + x && r.top >= s.top - y && r.bottom <= s.bottom + y;
    const boxes = [...svg.querySelectorAll('.frames > g, g.node')].filter(g => g.style.display !== 'none');
    for (const g of boxes) {
        const drawn = g.querySelector('rect, path, polygon, ellipse'), shape = drawn.getBoundingClientRect();
        const height = text => parseFloat(getComputedStyle(text).fontSize) * shape.width / drawn.getBBox().width;
        const name = g.querySelector('title')?.textContent.slice(0, 60);
        if (!inside(shape, all))
            faults.push(`${name}: outside of the picture`);
        for (const text of g.querySelectorAll('text'))
            // Of letters that nobody can read, below 4 px, the browser rounds the width, and the height to whole pixels.
            if (text.textContent && !inside(text.getBoundingClientRect(), shape, ...height(text) < 4 ? [1 + shape.width / 20, 2] : []))
                faults.push(`${name}: its label leaves its box: ${JSON.stringify([text.getBoundingClientRect(), shape])}`);
        const label = g.querySelector(':scope > text')?.textContent ?? '';
        if (label.includes('\u2026') && label.replace(/[^\p{L}\p{N}_]/gu, '').length < 3)
            faults.push(`${name}: its label says nothing: ${label}`);
    }
    if (!boxes.length)
        faults.push(none);
    if (document.querySelector('parsererror'))
        faults.push('it is not XML');
    return { faults: faults.slice(0, 3), label: svg.getAttribute('aria-label') ?? '', text: svg.textContent };
}

/** As the table has it, in groups of three; JSON's numbers are read as text, for some are large. */
function totalOf(file) {
    const [, total] = assay('top', '-n', '1', ...PLAIN, '-f', 'json', file).match(/"total": ?"?(-?\d+)/);
    return total.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

async function renders(page, command, file) {
    const to = path.join(scratch, 'picture.svg');
    if (!drawn(command, file, to))
        return;
    const url = pathToFileURL(to).href;
    await page.goto(url);
    const { faults, label, text } = await page.evaluate(laidOut, NOTHING);
    const total = totalOf(file);
    equal(faults.filter(fault => total !== '0' || fault !== NOTHING), [], command);
    truth(`${label} ${text}`.includes(`: ${total}`), `${command}: ${total} is not in ${label}`);
    equal(page.trouble.splice(0).filter(line => line !== `request: ${url}`), [], `${command}: requests, errors and lines of the console`);
}

// ---- a flame graph is used ----

const detail = page => page.locator('.status').textContent();
const boxOf = (page, name) => page.locator('.frames > g').filter({ has: page.locator('title', { hasText: new RegExp(`^${name}\\n`) }) }).first();
const width = box => box.locator('rect').evaluate(rect => Number(rect.getAttribute('width')));

/** The share that the search tells is that of the program's. */
async function searched(page, file, name) {
    await page.keyboard.press('/');
    await page.keyboard.type(`^${name}$`);
    await page.keyboard.press('Enter');
    const { rows, events: [{ total }] } = assayJson('top', '-n', '0', ...PLAIN, file);
    const row = rows.find(r => r.function === name);
    truth((await detail(page)).includes(`${(100 * row.inclusive[0] / total).toFixed(1)} %`), `search: ${await detail(page)}`);
}

async function used(file, form, name) {
    const to = path.join(scratch, `flame.${form}`);
    assay('flame', ...PLAIN, '--min', '1', file, '-y', '-o', to);
    const page = await open(to);
    const whole = await width(page.locator('.frames > g').first()), own = await width(boxOf(page, name));
    truth(own < whole / 2, `${name} is ${own} wide of ${whole}`);
    await searched(page, file, name);
    await boxOf(page, name).click();
    equal(await width(boxOf(page, name)), whole, 'the width of what is zoomed to');
    await page.reload();
    equal(await width(boxOf(page, name)), whole, 'its width after reloading');
    await picture(page, `flame-${form}`);
    await page.keyboard.press('Escape');
    equal(await width(boxOf(page, name)), own, 'its width among all');
    // The arrows go from box to box, and each is named.
    const at = () => page.evaluate(() => document.activeElement?.closest('[role=treeitem]')?.getAttribute('aria-label') ?? '');
    for (let stops = 0; stops < 3 && !await at(); stops++) // the buttons come before the boxes
        await page.keyboard.press('Tab');
    const down = await at();
    await page.keyboard.press('ArrowUp');
    const up = await at();
    truth(down && up && up !== down, `the arrow leads from "${down}" to "${up}"`);
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

// ---- it is as wide as the window ----

/** How wide the window, the picture and its letters are, and what of the picture the window has no room for. */
function sizes() {
    const root = document.documentElement, svg = document.querySelector('svg'), all = svg.getBoundingClientRect();
    const scale = all.width / svg.viewBox.baseVal.width, room = (svg.parentElement ?? svg).clientWidth;
    const right = Math.max(...[...svg.querySelectorAll('.button, .status, .frames > g > rect, .axis > *')].map(e => e.getBoundingClientRect().right));
    return { picture: Math.round(all.width - room), scale, right: Math.round(all.right - right), beyond: Math.max(0, root.scrollWidth - root.clientWidth) };
}

/** Names that have room in their boxes and are not whole there. */
function shortened() {
    return [...document.querySelectorAll('.frames > g')].filter(g => g.style.display !== 'none').flatMap(g => {
        const name = g.querySelector('title').textContent.split('\n')[0], room = Math.floor((Number(g.querySelector('rect').getAttribute('width')) - 4) / 6.7);
        return name.length > 2 && name.length <= room && g.querySelector('text')?.textContent !== name ? [name] : [];
    });
}

/** In the window, without its edge, which Firefox counts. */
const boxWidth = box => box.locator('rect').evaluate(rect => Number(rect.getAttribute('width')) * rect.getScreenCTM().a);

async function fitted(file, form, name, ...options) {
    const to = path.join(scratch, `fitted.${form}`), chart = options.includes('--chart');
    assay('flame', ...PLAIN, ...options, file, '-y', '-o', to);
    const page = await open(to, { width: 1900 }), shares = [], widths = [];
    for (const windowWidth of [1900, 900, 1300, 1900]) {
        await page.setViewportSize({ width: windowWidth, height: 700 });
        await page.waitForFunction(width => innerWidth === width, windowWidth);
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        const { picture: off, scale, right, beyond } = await page.evaluate(sizes);
        equal([off, beyond], [0, 0], `at ${windowWidth}, the picture and the window`);
        truth(Math.abs(scale - Math.min(1, (windowWidth - (form === 'html' ? 16 : 0)) / 1200)) < .02, `at ${windowWidth} letters are ${scale} times as large`);
        truth(right >= 0 && right <= 11, `at ${windowWidth} there are ${right} pixels at its right`);
        equal((await page.evaluate(laidOut, NOTHING)).faults, [], `layout at ${windowWidth}`);
        equal(await page.evaluate(shortened), [], `names that have room at ${windowWidth}`);
        await page.keyboard.press('/');
        await page.keyboard.type(`^${name}$`);
        await page.keyboard.press('Enter');
        shares.push((await detail(page)).replace(/.*\$ */, ''));
        const box = boxOf(page, name), whole = await boxWidth(page.locator('.frames > g').first());
        widths.push((await boxWidth(box) / whole).toFixed(3));
        await box.click();
        truth(Math.abs(await boxWidth(box) - whole) < .1, `at ${windowWidth} it is zoomed to`);
        equal((await page.evaluate(laidOut, NOTHING)).faults, [], `layout at ${windowWidth}, zoomed`);
        await page.keyboard.press('Escape');
        if (!chart)
            truth(Math.abs(whole - scale * await page.locator('svg').evaluate(svg => svg.viewBox.baseVal.width - 20)) < 1, `at ${windowWidth} the widest box is ${whole}`);
        await page.keyboard.press('/');
        await page.keyboard.press('Escape');
    }
    equal([...new Set(shares)].length, 1, `shares: ${shares}`);
    equal([...new Set(widths)].length, 1, `widths: ${widths}`);
    truth(/\d %/.test(shares[0]), `a share: ${shares[0]}`);
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

/** With -w the picture is that of the default, and stays as wide. */
async function asWide() {
    const to = path.join(scratch, 'wide.svg'), file = path.join(fixtures, 'callgrind.out.demo.full');
    assay('flame', ...PLAIN, '-w', '1200', file, '-y', '-o', to);
    equal(fs.readFileSync(to, 'utf8') === assay('flame', ...PLAIN, '-f', 'svg', file).replace('"assay fits"', '"assay"'), true, 'the same boxes');
    const page = await open(to, { width: 1900 });
    for (const windowWidth of [1900, 900]) {
        await page.setViewportSize({ width: windowWidth, height: 700 });
        equal(await page.locator('svg').evaluate(svg => [svg.getBoundingClientRect().width, svg.getAttribute('viewBox').split(' ')[2]]), [1200, '1200'], 'its width');
        equal(await width(page.locator('.frames > g').first()), 1180, 'of the widest box');
    }
    await page.context().close();
}

// ---- a high one is scrolled, and printed ----

const LEVELS = 90, WIDE = 300;

/** Paths of LEVELS calls, and functions that all call what is too small for a box of its own. */
function high() {
    const file = path.join(scratch, 'high.folded'), main = 'main', lines = [];
    for (let i = 0; i < LEVELS; i++)
        lines.push(`${[main, ...Array.from({ length: i }, (_, k) => `level${k}`)].join(';')} 2000`);
    for (let i = 0; i < WIDE; i++)
        lines.push(`${main};wide${i} 900`, ...['a', 'b'].map(name => `${main};wide${i};small_${name} 120`));
    fs.writeFileSync(file, lines.join('\n') + '\n');
    return file;
}

/** What of the head is not in sight, or under something. */
function outOfSight() {
    const parts = ['.title', '.quiet', '.head rect.c1, .head rect.c0', '.search'];
    return parts.filter(what => {
        const r = document.querySelector(what).getBoundingClientRect(), x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
        return !(r.top >= 0 && r.bottom <= innerHeight && document.elementFromPoint(x, y)?.closest('.head'));
    });
}

/** Whether the box with the focus is covered by the head or the line below. */
function covered() {
    const r = document.activeElement.querySelector('rect').getBoundingClientRect();
    const head = document.querySelector('.head').getBoundingClientRect(), bar = document.querySelector('.bar').getBoundingClientRect();
    return r.top < head.bottom - 1 || r.bottom > bar.top + 1;
}

async function scrolled(options) {
    const to = path.join(scratch, 'high.svg');
    assay('flame', ...PLAIN, '--color', 'object', ...options, high(), '-y', '-o', to);
    const page = await open(to, { height: 600 });
    for (const at of [null, 0, 300, 700, 100000]) {
        if (at !== null)
            await page.evaluate(y => new Promise(done => { scrollTo(0, y); requestAnimationFrame(() => requestAnimationFrame(done)); }), at);
        equal(await page.evaluate(outOfSight), [], `out of sight at ${at}`);
    }
    // At its ends nothing of the picture is covered: it is all to be had.
    await page.evaluate(() => document.querySelector('.frames > g').focus());
    const [onto, back] = options.length ? ['ArrowDown', 'ArrowUp'] : ['ArrowUp', 'ArrowDown'];
    for (const key of [...Array(LEVELS).fill(onto), ...Array(LEVELS).fill(back)]) {
        await page.keyboard.press(key);
        equal(await page.evaluate(covered), false, `covered after ${key}`);
    }
    // Half of a low window is not given to the head.
    await page.setViewportSize({ width: 1400, height: 120 });
    await page.evaluate(() => scrollTo(0, 400));
    await page.waitForFunction(() => document.querySelector('.head').getBoundingClientRect().bottom < 0);
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

/** A hatch is a bitmap for each box there: megabytes. */
async function printed() {
    const to = path.join(scratch, 'high.svg');
    assay('flame', ...PLAIN, high(), '--min', '500', '-y', '-o', to);
    const page = await open(to);
    truth(await page.locator('.frames .r').count() > WIDE / 2, 'there are small boxes');
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 720, height: 1000 });
    equal(await page.locator('svg').evaluate(svg => svg.getBoundingClientRect().width), 720, 'its width on paper of 720');
    const fill = await page.locator('.frames .r rect').first().evaluate(e => [getComputedStyle(e).fill, getComputedStyle(e).stroke]);
    equal(fill, ['none', 'rgb(119, 119, 119)'], 'small boxes in print');
    await page.emulateMedia({ media: null });
    const size = (await page.pdf({ printBackground: true })).length;
    truth(size < 1000000, `the PDF has ${size} bytes`);
    await page.context().close();
}

// ---- a graph is moved and zoomed ----

/** Where the whole graph is in the window, without the breadth of its lines, which browsers count or don't. */
const graphAt = page => page.locator('g.graph').evaluate(g => {
    const { x, y, width, height } = g.getBBox(), m = g.getScreenCTM();
    return { x: m.a * x + m.e, y: m.d * y + m.f, width: m.a * width, height: m.d * height };
});

function near(is, should, what) {
    truth(Object.keys(should).every(key => Math.abs(is[key] - should[key]) < 1.5), `${what}: ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);
}

/** SCALE times as large, and what was at X, Y of the window is there still. */
const zoomedAt = (was, scale, x, y) => ({ x: x + (was.x - x) * scale, y: y + (was.y - y) * scale, width: was.width * scale, height: was.height * scale });

async function graphMoves() {
    const to = path.join(scratch, 'graph.svg'), size = { width: 500, height: 400 };
    assay('graph', ...PLAIN, path.join(fixtures, 'callgrind.out.demo.full'), '-y', '-o', to);
    const page = await open(to, { ...size, hasTouch: true });
    const all = await graphAt(page);
    truth(all.x > -.01 && all.y > -.01 && all.x + all.width < size.width + .01 && all.y + all.height < size.height + .01, `it does not fit: ${JSON.stringify(all)}`);
    const [x, y] = [all.x + all.width / 2 + 20, all.y + all.height / 2 + 30];
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -400);
    await page.waitForFunction(was => document.querySelector('g.graph').getBoundingClientRect().width > was, all.width * 1.5);
    const wheeled = await graphAt(page);
    near(wheeled, zoomedAt(all, Math.exp(.6), x, y), 'after the wheel');
    await page.mouse.down();
    await page.mouse.move(x - 40, y + 25, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(x, y); // the button is up: nothing moves any more
    near(await graphAt(page), { ...wheeled, x: wheeled.x - 40, y: wheeled.y + 25 }, 'after the pointer');
    for (const [key, should] of [['0', all], ['+', zoomedAt(all, 1.25, size.width / 2, size.height / 2)], ['-', all]]) {
        await page.keyboard.press(key);
        near(await graphAt(page), should, `after ${key}`);
    }
    for (const [key, dx, dy] of [['ArrowLeft', 60, 0], ['ArrowDown', 0, -60], ['ArrowRight', -60, 0], ['ArrowUp', 0, 60]]) {
        const was = await graphAt(page);
        await page.keyboard.press(key);
        near(await graphAt(page), { ...was, x: was.x + dx, y: was.y + dy }, `after ${key}`);
    }
    const [mx, my] = [size.width / 2, size.height / 2];
    await fingersGo(page, along([mx - 30, my], [mx - 90, my]).map((p, i) => [p, along([mx + 30, my], [mx + 90, my])[i]]));
    near(await graphAt(page), zoomedAt(all, 3, mx, my), 'after two fingers');
    await fingersGo(page, along([mx, my], [mx + 40, my]).map(p => [p]));
    near(await graphAt(page), { ...zoomedAt(all, 3, mx, my), x: zoomedAt(all, 3, mx, my).x + 40 }, 'after one finger');
    // Printed is all of it.
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    near(await graphAt(page), all, 'on paper');
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

// ---- pictures of time ----

const threads = path.join(fixtures, '../../src/formats/uftrace/golden/two_threads.uftrace');

/** A chart is searched, and zoomed to a frame of one thread. */
async function charted(form) {
    const to = path.join(scratch, `chart.${form}`);
    assay('flame', '--chart', ...PLAIN, threads, '-y', '-o', to);
    const page = await open(to);
    equal((await page.evaluate(laidOut, NOTHING)).faults, [], 'layout');
    const frame = boxOf(page, 'work'), own = await width(frame), whole = await width(page.locator('.frames > g').first());
    await page.keyboard.press('/');
    await page.keyboard.type('^sort$');
    await page.keyboard.press('Enter');
    truth((await detail(page)).includes('20.0 %, 4 frames'), `search: ${await detail(page)}`); // of what both threads ran
    const axis = page.locator('.axis'), strips = page.locator('.frames > g[data-level="1"]');
    truth(await axis.isVisible() && await strips.nth(1).isVisible(), 'all of it is shown');
    await frame.click();
    equal(await width(frame), whole, 'the width of what is zoomed to');
    equal(await page.locator('.frames > g:visible').allTextContents().then(all => all.map(text => text.split('\n')[0])),
        ['all', 'two_threads.uftrace, thread 7, process 7', 'main', 'work', 'sort'], 'what is shown then');
    truth(!await axis.isVisible(), 'times of another stretch are shown');
    await picture(page, `chart-${form}`);
    await page.keyboard.press('Escape');
    equal(await width(frame), own, 'its width among all');
    truth(await axis.isVisible(), 'no times');
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

/** Lanes stand in the picture, names beside them. */
async function laned() {
    const to = path.join(scratch, 'lanes.svg');
    fs.writeFileSync(to, assay('timeline', threads, '-f', 'svg'));
    const page = await open(to);
    equal(await page.evaluate(() => {
        const all = document.querySelector('svg').getBoundingClientRect();
        return [...document.querySelectorAll('.lane')].map(lane => {
            const bars = [...lane.querySelectorAll('rect')].map(bar => bar.getBoundingClientRect());
            const names = [...lane.querySelectorAll('text')].map(text => text.getBoundingClientRect().right);
            return bars.length > 0 && bars.every(r => r.left > Math.max(...names) && r.right <= all.right && r.bottom <= all.bottom);
        });
    }), [true, true], 'lanes');
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

await inBrowser(async () => {
    const blank = path.join(scratch, 'blank.html');
    fs.writeFileSync(blank, '<!DOCTYPE html><title>blank</title>');
    const page = await open(blank);
    for (const folder of folders)
        for (const file of profiles(folder))
            for (const command of ['flame', 'treemap', 'graph'])
                await test(`${path.relative(folder, file)}: ${command}`, () => renders(page, command, file));
    for (const form of ['svg', 'html'])
        await test(`a flame graph as ${form} is searched, zoomed and walked`, () => used(path.join(fixtures, 'callgrind.out.demo.full'), form, 'sort_phase'));
    for (const form of ['svg', 'html'])
        await test(`a flame graph as ${form} is as wide as the window, with the same figures`, () => fitted(path.join(fixtures, 'callgrind.out.demo.full'), form, 'sort_phase'));
    await test('so is a chart', () => fitted(threads, 'svg', 'work', '--chart'));
    await test('one with -w is as wide as it says', asWide);
    await test('a high flame graph shows its head wherever it is scrolled', () => scrolled([]));
    await test('so does an icicle', () => scrolled(['--icicle']));
    await test('a flame graph is printed in little space', printed);
    for (const form of ['svg', 'html'])
        await test(`a chart as ${form} is searched and zoomed`, () => charted(form));
    await test('lanes of threads stand beside their names', laned);
    await test('a graph fits its window, is moved and zoomed', graphMoves);
});
