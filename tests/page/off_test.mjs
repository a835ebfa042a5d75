// SPDX-License-Identifier: Apache-2.0
/* Time: when threads did not run, and why; the figures are those of --from and --to. */
import fs from 'node:fs';
import path from 'node:path';
import { assay, assayJson, equal, inBrowser, picture, scratch, share, test, truth } from './harness.mjs';
import { DARK, FORCED, LIGHT, violations } from './axe.mjs';
import { about, at, drag, lanes, sameAsProgram, state } from './clock.mjs';
import { settled, tab } from './look.mjs';
import { group, quiet } from './steps.mjs';

/** As make_off_cpu.py has it: "worker" waits first from 5 to 12 ms; "idle" from 10 ms on for 400 ms and 3 ns. */
const data = path.join(process.env.FIXTURES, 'off_cpu.pb.gz'), WHY = ['waiting', 'runnable', 'blocked', 'stopped'], IDLE = 2;
const AXIS = 22, ROW = 30, BAND = 5;
const said = page => page.locator('[aria-live=polite]').last().innerText();
const tip = (page, text) => page.locator('.time-lanes .tip').filter({ hasText: text }).waitFor();

/** What the page says of each state is what the program does, of the chosen range. */
async function sameSums(page) {
    const { rows } = assayJson('top', data, '-e', 'off-cpu', '--by', 'label:state', '-n', '0', '--from', state(page).from, '--to', state(page).to);
    const text = await about(page), is = WHY.map(why => new RegExp(`${why} ([\\d.]+)(s|ms|us|ns)\\b`).exec(text) ?? [text]);

    equal(is.map(([, v, unit]) => Math.round(v * { s: 1e9, ms: 1e6, us: 1e3, ns: 1 }[unit])),
        WHY.map(why => rows.find(row => row.labels[0]?.value === why)?.self[0] ?? 0), text);
}

/** When the first moment is, and when the last ends, in milliseconds. */
function span(page) {
    return page.locator('#time-to').getAttribute('placeholder').then(text => Number(/([\d.]+)ms/.exec(text)[1]));
}

/** How much of LANE's band has COLOUR, a property of the style. */
function shareOf(page, lane, colour) {
    return page.locator('.time-plot canvas').evaluate((canvas, [bottom, band, name]) => {
        const { width, height, clientHeight } = canvas, scale = height / clientHeight, copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        Object.assign(copy.canvas, { width, height });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, width, height);
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = `var(${name})`;
        const rgb = getComputedStyle(probe).color.match(/\d+/g).map(Number);
        let n = 0, all = 0;
        probe.remove();
        for (let y = Math.round((bottom - band) * scale); y < Math.round(bottom * scale); y++)
            for (let x = 0; x < width; x++, all++)
                n += rgb.every((c, j) => Math.abs(c - data[4 * (y * width + x) + j]) < 3) ? 1 : 0;
        return n / all;
    }, [AXIS + ROW * (lane + 1) - 1, BAND, colour]);
}

async function point(page, lane, ms) {
    const box = await page.locator('.time-plot').boundingBox();
    await page.mouse.move(box.x + box.width * ms / await span(page), box.y + AXIS + ROW * (lane + 1) - 3);
}

/** Threads, the legend, and how much of the band is of each colour, far away. */
async function seen(file) {
    for (const how of [LIGHT, DARK, FORCED]) {
        const page = await at(file, '#view=time', how), all = await span(page);
        equal(await lanes(page).getByRole('option').evaluateAll(list => list.map(e => e.innerText.split(',')[0])), ['worker', 'io', 'idle'], 'threads');
        truth((await about(page)).includes('grey: waiting · amber: runnable · red: blocked · green: stopped'), await about(page));
        if (how !== FORCED)
            for (const [lane, colour, wanted] of [[0, '--quiet', 140.006], [1, '--s3', 240.243], [IDLE, '--quiet', 400], [IDLE, '--s4', 100]]) {
                const is = await shareOf(page, lane, colour);
                truth(Math.abs(is - wanted / all) < .06, `${is} of the band of thread ${lane} is ${colour}, not ${wanted} of ${all} ms`);
            }
        truth(how === FORCED || await shareOf(page, 0, '--s2') > .02, 'what is rare cannot be seen');
        quiet(page);
        equal(await violations(page), [], `what axe-core found, ${JSON.stringify(how)}`);
        await picture(page, `off-${Object.values(how)[0]}`);
        await page.context().close();
    }
}

async function chosen(file) {
    const page = await at(file, '#view=time');
    const marked = await drag(page, 0.2, 0.6);

    truth(marked.includes('off the CPU: waiting '), `while dragging: ${marked}`);
    await sameSums(page);
    await sameAsProgram(page, data);
    await page.locator('#time-from').fill('7.123456ms');
    await page.locator('#time-to').fill('33ms');
    await page.getByRole('button', { name: 'Choose' }).click();
    await settled(page);
    await sameSums(page);
    await page.getByRole('button', { name: 'Zoom to it' }).click();
    await settled(page);
    await picture(page, 'off-near');
    await page.locator('#view-time .view-bar select').selectOption('heat');
    await settled(page);
    await sameAsProgram(page, data);
    quiet(page);
    await page.context().close();
}

/** A stretch says what it is; a click on it chooses it, and can be undone; the file that is saved has it. */
async function clicked(file) {
    const page = await at(file, '#view=time');

    await point(page, IDLE, 200);
    await tip(page, 'waiting for 400ms from 10ms on');
    await tip(page, 'epoll_wait');
    await page.mouse.down();
    await page.mouse.up();
    await settled(page);
    equal([state(page).from, state(page).to], ['10ms', '410.000003ms'], 'the stretch');
    await sameSums(page);
    await sameAsProgram(page, data);
    await page.keyboard.press('z');
    await settled(page);
    equal(state(page).from, undefined, 'undone');
    await page.goForward();
    await settled(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the profile' }).click()]);
    const kept = path.join(scratch, 'off.pb.gz'), [one, two] = [data, kept].map(name => () => assay('timeline', name, '-e', 'off-cpu', '-f', 'csv'));
    fs.copyFileSync(await download.path(), kept);
    equal(two(), one(), 'what was saved');
    quiet(page);
    await page.context().close();
}

/** By keys: said at the cursor, chosen by Enter; and in a list, the longest first. */
async function byKeys(file) {
    const page = await at(file, '#view=time');

    await lanes(page).focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Home', ...Array(20).fill('ArrowRight')])
        await page.keyboard.press(key);
    truth(/main › pool › epoll_wait; waiting for 400ms from 10ms on; epoll_wait$/.test(await said(page)), `said: ${await said(page)}`);
    await page.keyboard.press('Enter');
    await settled(page);
    equal([state(page).from, state(page).to], ['10ms', '410.000003ms'], 'chosen by Enter');
    await lanes(page).focus();
    await page.keyboard.press('Backspace');
    await settled(page);
    await lanes(page).focus();
    await page.keyboard.press('ArrowUp');
    const list = page.locator('.time-marks').filter({ hasText: 'did not run' });
    await list.locator('summary').press('Enter');
    await settled(page);
    const texts = await list.getByRole('button').allInnerTexts(), long = texts.map(text => Number(/^blocked for ([\d.]+)ms from [\d.]+(us|ms) on: io_schedule$/.exec(text)[1]));
    equal([long.length, long], [80, [...long].sort((a, b) => b - a)], 'the longest first');
    equal(await violations(page), [], 'what axe-core found');
    await picture(page, 'off-list');
    await list.getByRole('button').first().press('Enter');
    await settled(page);
    truth((await about(page)).includes('(5.00') && state(page).from && state(page).to, await about(page));
    await sameAsProgram(page, data);
    quiet(page);
    await page.context().close();
}

/** Close by are the stacks that wait, apart from those that ran; and the event itself is a load as any. */
async function near(file) {
    const page = await at(file, '#view=time&from=5ms&to=12ms');

    await page.getByRole('button', { name: 'Zoom to it' }).click();
    await settled(page);
    const box = await page.locator('.time-stacks').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + AXIS + 17 * 3.5);
    truth((await page.locator('footer').innerText()).includes('futex_wait, waiting, 5ms to 12ms'), await page.locator('footer').innerText());
    await page.mouse.down();
    await page.mouse.up();
    await settled(page);
    equal(state(page).func, 'futex_wait', 'the function that waits');
    await picture(page, 'off-stacks');
    await page.context().close();
    const alone = await at(file, '#view=time&event=off-cpu'), { rows } = assayJson('timeline', data, '-e', 'off-cpu', '-n', '0');
    const shown = await lanes(alone).getByRole('option').evaluateAll(list => list.map(e => e.innerText.replace(/\n/g, ', ')));
    rows.forEach(row => truth(shown.some(text => text.startsWith(`${row.thread}, `) && text.includes(`, ${group(row.self[0])},`)), `${row.thread}: ${shown.join(' | ')}`));
    await tab(alone, 'Table');
    await tab(alone, 'Time');
    quiet(alone);
    await alone.context().close();
}

await inBrowser(async () => {
    const file = share('off', data);

    await test('why threads did not run is seen', () => seen(file));
    await test('sums of a range', () => chosen(file));
    await test('a stretch by pointer', () => clicked(file));
    await test('a stretch by keys, and in a list', () => byKeys(file));
    await test('stacks that wait', () => near(file));
});
