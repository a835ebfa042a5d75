// SPDX-License-Identifier: Apache-2.0
/* Time: threads, ranges and the heat map, and that all figures are those of --from and --to. */
import fs from 'node:fs';
import path from 'node:path';
import { assay, assayJson, equal, inBrowser, open, picture, scratch, share, test, truth } from './harness.mjs';
import { DARK, FORCED, LIGHT, violations } from './axe.mjs';
import { about, at, drag, lanes, sameAsProgram, state } from './clock.mjs';
import { grid, settled, tab } from './look.mjs';
import { group, quiet } from './steps.mjs';

/** Text of perf script: three threads of two processes, by turns; what they do changes with time. */
function recording() {
    const lines = [];

    for (let i = 0; i < 900; i++)
        lines.push(`${['io <b>&"', 'w1', 'w2'][i % 3]}  ${i % 3 ? 7 : 6}/${8 + i % 3}   ${(i / 300).toFixed(6)}: ${1000 + i} cycles: `,
            `\t  5${i % 7} leaf${i % 7}+0x1 (/bin/prog)`, `\t  90 step${Math.floor(i / 200)}+0x1 (/bin/prog)`, '\t  10 main+0x1 (/bin/prog)', '');
    const file = path.join(scratch, 'perf.txt');
    fs.writeFileSync(file, lines.join('\n'));
    return file;
}

async function threads(file, data) {
    const page = await at(file, '#view=time');
    const { rows } = assayJson('timeline', data, '-n', '0'), shown = await lanes(page).getByRole('option').evaluateAll(all => all.map(e => e.innerText.replace(/\n/g, ', ')));
    const pids = [7, 6], wanted = pids.flatMap(pid => rows.filter(row => row.pid === pid));

    equal(shown.length, wanted.length, 'threads');
    wanted.forEach((row, i) => truth(shown[i].startsWith(`${row.thread}, pid ${row.pid}, thread ${row.tid}, ${group(row.self[0])},`), `thread ${i}: ${shown[i]}, not ${JSON.stringify(row)}`));
    quiet(page);
    await picture(page, 'time-lanes');
    await page.context().close();
}

async function byPointer(file, data) {
    const page = await at(file, '#view=time');
    const marked = await drag(page, 0.2, 0.6);

    truth(marked.startsWith('marked: '), `while dragging: ${marked}`);
    equal((await about(page)).replace('chosen', 'marked'), marked, 'the sum of what was marked');
    await sameAsProgram(page, data);
    const first = state(page).from;
    await drag(page, 0.7, 0.3);
    truth(state(page).from !== first, 'another range takes its place');
    equal((page.url().match(/[#&]from=/g) ?? []).length, 1, 'ranges');
    await sameAsProgram(page, data);
    await page.keyboard.press('z');
    await settled(page);
    equal(state(page).from, first, 'undone');
    await page.keyboard.press('Shift+Z');
    await settled(page);
    truth(state(page).from !== first, 'done again');
    await page.locator('.chip', { hasText: 'from' }).getByRole('button').click();
    await settled(page);
    await sameAsProgram(page, data);
    await page.getByRole('button', { name: 'Whole time' }).click();
    await settled(page);
    equal([state(page).from, state(page).to], [undefined, undefined], 'the whole time');
    await page.goBack();
    await settled(page);
    truth(state(page).to, 'Back brings it back');
    quiet(page);
    await page.context().close();
}

async function byKeys(file, data) {
    const page = await at(file, '#view=table');

    await page.keyboard.press('t');
    await settled(page);
    equal(state(page).view, 'time', 'the key t');
    await lanes(page).focus();
    await page.keyboard.press('Home');
    for (let i = 0; i < 30; i++)
        await page.keyboard.press('ArrowRight');
    truth((await page.locator('[aria-live=polite]').last().innerText()).includes('main › step'), 'the stack at the cursor is said');
    for (let i = 0; i < 25; i++)
        await page.keyboard.press('Shift+ArrowRight');
    truth((await about(page)).startsWith('marked: '), await about(page));
    await page.keyboard.press('Enter');
    await settled(page);
    await sameAsProgram(page, data);
    await lanes(page).focus();
    const before = await page.locator('#time-of').innerText();
    await page.keyboard.press('ArrowDown');
    truth(await page.locator('#time-of').innerText() !== before, 'another thread');
    const drawn = () => page.locator('.time-plot canvas').evaluate(canvas => canvas.toDataURL());
    for (const key of ['+', '-', 'PageDown', 'PageUp', 'End']) {
        const was = await drawn();
        if (key.startsWith('Page'))
            await page.keyboard.press('+');
        await page.keyboard.press(key);
        await settled(page);
        truth(await drawn() !== was, `${key} changes nothing`);
    }
    await page.keyboard.press('Backspace');
    await settled(page);
    equal(state(page).from, undefined, 'the whole time');
    quiet(page);
    await page.context().close();
}

async function byNumbers(file, data) {
    const page = await at(file, '#view=time');

    await page.locator('#time-from').fill('0.5');
    await page.locator('#time-to').fill('1250ms');
    await page.getByRole('button', { name: 'Choose' }).click();
    await settled(page);
    equal([state(page).from, state(page).to], ['500ms', '1.25s'], 'what was typed');
    await sameAsProgram(page, data);
    await page.locator('#time-to').fill('nonsense');
    await page.getByRole('button', { name: 'Choose' }).click();
    await settled(page);
    equal(state(page).to, '1.25s', 'what is no time changes nothing');
    await page.getByLabel('Kind of filter').selectOption('from');
    await page.locator('#filter').fill('1s');
    await page.locator('#filter').press('Enter');
    await settled(page);
    equal([state(page).from, state(page).to], ['1s', '1.25s'], 'as a filter of the row');
    await sameAsProgram(page, data);
    quiet(page);
    await page.context().close();
}

async function begins(data) {
    const page = await at(share('begins', data, '--from', '0.4s', '--to', '900ms', '--view', 'time'), '');

    equal(await page.locator('#time-from').inputValue(), '0.4s', 'where it begins');
    const { events } = assayJson('top', data, '-n', '1', '--from', '0.4s', '--to', '900ms');
    truth((await about(page)).includes(`: ${group(events[0].total)}, `), await about(page));
    quiet(page);
    await page.context().close();
}

async function heatMap(file, data) {
    const page = await at(file, '#view=time');

    await page.locator('#view-time .view-bar select').selectOption('heat');
    await settled(page);
    const map = page.getByRole('application', { name: 'Heat map' });
    await map.focus();
    await page.keyboard.press('Home');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'Enter', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'Enter'])
        await page.keyboard.press(key);
    await settled(page);
    // A column of 50 ms, of which a fiftieth is 1 ms: from the second cell of the third to the third of the sixth.
    equal([state(page).from, state(page).to], ['101ms', '253ms'], 'from cell to cell');
    await sameAsProgram(page, data);
    await picture(page, 'time-heat');
    const box = await map.boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.4, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    truth(state(page).from !== '101ms', 'by the pointer');
    await sameAsProgram(page, data);
    quiet(page);
    await page.context().close();
}

/** Two ranges, beside the two files that the program makes of them. */
async function compares(file, data) {
    const page = await at(file, '#view=time&from=0.2s&to=0.7s'), parts = [['0.2s', '0.7s'], ['1.5s', '2.5s']].map(([from, to], i) => {
        const part = path.join(scratch, `part${i}.pb.gz`);
        assay('filter', data, '--from', from, '--to', to, '-o', part, '-y');
        return part;
    });

    await page.getByRole('button', { name: 'Compare others with it' }).click();
    await settled(page);
    await page.locator('#time-from').fill('1.5s');
    await page.locator('#time-to').fill('2.5s');
    await page.getByRole('button', { name: 'Choose' }).click();
    await settled(page);
    equal([state(page)['base-from'], state(page)['base-to'], state(page).diff], ['200ms', '700ms', '1'], 'in the URL');
    const diff = assayJson('diff', ...parts);
    for (const title of ['Flame', 'Tree', 'Sandwich', 'Treemap', 'Graph', 'Overview', 'Table'])
        await tab(page, title);
    const rows = await grid(page).locator('.body [role=row]').evaluateAll(all => all.map(row => row.innerText.replace(/\s+/g, ' ')));
    for (const row of diff.rows.slice(0, 5)) {
        const text = rows.find(line => line.includes(row.function));
        truth(text?.includes(group(Math.abs(Math.round(row.self[0].difference * 10) / 10))), `${row.function}: ${text}, not ${JSON.stringify(row.self[0])}`);
    }
    await tab(page, 'Time');
    await page.getByRole('button', { name: 'End the comparison' }).click();
    await settled(page);
    equal([state(page)['base-from'], state(page).diff], [undefined, undefined], 'ended');
    quiet(page);
    await page.context().close();
}

/** The file that is saved has it all; and dropped on a page without a profile it shows it. */
async function savedAndDropped(file, data) {
    const page = await at(file, '#view=time');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the profile' }).click()]);
    const kept = path.join(scratch, 'saved.pb.gz');

    fs.copyFileSync(await download.path(), kept);
    await page.context().close();
    const [one, two] = [data, kept].map(name => assay('timeline', name, '-f', 'csv', '-b', '50'));
    equal(two, one, 'timeline of what was saved');
    const empty = await open(process.env.PAGE);
    const [chooser] = await Promise.all([empty.waitForEvent('filechooser'), empty.getByRole('button', { name: /choose a file/i }).click()]);
    await chooser.setFiles(kept);
    await settled(empty);
    await tab(empty, 'Time');
    equal(await lanes(empty).getByRole('option').count(), 3, 'threads of a file that was dropped');
    quiet(empty);
    await empty.context().close();
}

/** It is not there for others, and costs them nothing. */
async function others() {
    const file = share('others', path.join(process.env.FIXTURES, 'demo.prof')), text = fs.readFileSync(file, 'utf8');
    const page = await at(file, '#view=time&from=1s');

    truth(!text.includes('timeView=') && !text.includes('@when@'), 'the script of times is in a page without any');
    equal(await page.getByRole('tab', { name: 'Time' }).count(), 0, 'tabs');
    await page.keyboard.press('t');
    truth((await page.locator('footer').innerText()).includes('does not say when'), 'the key says why');
    await page.context().close();
}

/** Where a function runs is seen in the strips; on paper names stand beside these. */
async function marks(file) {
    const page = await at(file, '#view=time'), drawn = () => page.locator('.time-plot canvas').evaluate(canvas => canvas.toDataURL());
    const before = await drawn();

    const box = await page.locator('.time-stacks').boundingBox();
    await page.mouse.click(box.x + box.width * 0.35, box.y + 22 + 17 * 1.5);
    await settled(page);
    equal(state(page).func, 'step1', 'the function under the pointer');
    truth(await drawn() !== before, 'the selected function is not marked');
    await picture(page, 'time-marked');
    const sizes = () => page.evaluate(() => [...document.querySelectorAll('.time-names [role=option]')].map(e => Math.round(e.getBoundingClientRect().top - document.querySelector('.time-plot').getBoundingClientRect().top)));
    const screen = await sizes(), height = await page.locator('.time-plot').evaluate(e => e.clientHeight);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    equal(await sizes(), screen, 'names on paper');
    equal(await page.locator('.time-plot').evaluate(e => e.clientHeight), height, 'strips on paper');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: null });
    quiet(page);
    await page.context().close();
}

/** What a thread waited, by events of their own, is a grey line below its load: as wide as they took. */
async function waits() {
    const data = path.join(process.env.FIXTURES, '../../src/formats/jfr/golden/two_chunks.jfr');
    const page = await at(share('waits', data), '#view=time&event=jdk.ExecutionSample');

    equal(await lanes(page).getByRole('option').evaluateAll(all => all.map(e => e.innerText.split('\n')[0])), ['main, thread 4711', 'worker, thread 4712'], 'threads');
    truth((await about(page)).includes('grey: waiting'), await about(page));
    // The grey of the lines is that of the words below the names.
    const grey = await page.locator('.time-plot canvas').evaluate(canvas => {
        const { width, height, clientHeight } = canvas, { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
        const colour = getComputedStyle(document.querySelector('.time-names .quiet')).color.match(/\d+/g).map(Number);
        return [0, 1].map(lane => {
            const y = Math.round((22 + 30 * (lane + 1) - 3) * height / clientHeight);
            const is = x => colour.every((c, j) => Math.abs(c - data[4 * (y * width + x) + j]) < 3);
            return Array.from({ length: width }, (_, x) => x).filter(is).length / width;
        });
    });
    const [main, worker] = assayJson('timeline', data, '-e', 'jdk.JavaMonitorEnter.duration').rows.map(row => row.self[0]);
    // From half a millisecond on to the end of the last wait.
    truth(Math.abs(grey[0] - main / 3999.5e6) < .01, `${grey[0]} of the first strip is grey, not ${main} of 3999.5 ms`);
    truth(worker === 7000 && grey[1] > 0 && grey[1] < .01, `${grey[1]} of the second strip is grey, for ${worker} ns`);
    quiet(page);
    await picture(page, 'time-waits');
    await page.context().close();
}

/** Of the program's moments of markers of PART: when each began, and how long it was, in milliseconds. */
function markerTimes(data, part) {
    const lines = assay('dump', data).split('\n'), sample = /^sample (\d+) /, nodes = [];

    for (const [, time, , duration] of lines.map(line => /^moment (\d+) (\d+) "markers": 1(?: duration=(\d+))?$/.exec(line) ?? []))
        if (time)
            nodes.push([Number(time) / 1e6, Number(duration ?? 0) / 1e6]);
    truth(lines.some(line => sample.test(line)), 'the dump has samples');
    return part === undefined ? nodes : nodes.filter(part);
}

/** Markers stand above the load of their thread, where they were, and in a list. */
async function markers() {
    const data = path.join(process.env.FIXTURES, '../../src/formats/firefox/golden/markers.json'), file = share('markers', data);
    const page = await at(file, '#view=time'), marks = page.locator('.time-marks').filter({ hasText: 'marker' });
    const worker = [2.5, 3], times = markerTimes(data).sort((a, b) => a[0] - b[0]);
    // Two at 2.5 and two at 3 ms: of each the points are the worker's, and main's other one of 3 ms is a point as well.
    const main = times.filter(([time, long], i) => !(worker.includes(time) && !long && times.findIndex(other => other[0] === time && !other[1]) === i));

    equal([times.length, main.length], [11, 9], 'what the program has');
    truth((await about(page)).includes('above: markers'), await about(page));
    equal(await marks.locator('summary').innerText(), '9 markers of this thread in sight', 'how many');
    const [from, to] = [times[0][0], 9.000001], covered = await page.locator('.time-plot canvas').evaluate(canvas => {
        const { width, height, clientHeight } = canvas, { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
        const y = Math.floor((22 + 1.5) * height / clientHeight), ink = getComputedStyle(document.body).color.match(/\d+/g).map(Number);
        return Array.from({ length: width }, (_, x) => ink.every((c, j) => Math.abs(c - data[4 * (y * width + x) + j]) < 3));
    });
    const near = (time, long) => covered.slice(...[time, time + long].map((t, i) => Math.round((t - from) / (to - from) * covered.length) + (i ? 2 : -2)).map(x => Math.max(0, x)));
    for (const [time, long] of main)
        truth(near(time, long).filter(is => is).length >= near(time, long).length - 6, `nothing is drawn from ${time} for ${long}`);
    truth(!near(6.4, 0.4).some(is => is) && !near(8.5, 0.3).some(is => is), 'something is drawn where nothing was');
    await lanes(page).focus();
    await page.keyboard.press('End');
    const said = await page.locator('[aria-live=polite]').last().innerText();
    truth(said.endsWith('; marker script, 9ms'), `said: ${said}`);
    const box = await page.locator('.time-plot').boundingBox();
    await page.mouse.move(box.x + box.width * (1.25 - from + 0.05) / (to - from), box.y + 40);
    await page.locator('.time-lanes .tip').filter({ hasText: 'work, 1.25ms, for 3.5ms' }).waitFor();
    await lanes(page).focus();
    await page.keyboard.press('ArrowDown');
    equal(await marks.locator('summary').innerText(), '2 markers of this thread in sight', 'of the other thread');
    await page.keyboard.press('ArrowUp');
    await marks.locator('summary').press('Enter');
    await settled(page);
    const listed = await marks.getByRole('button').allInnerTexts();
    equal(listed.map(text => /, ([\d.]+)(ms|us)(?:, for ([\d.]+)(ms|us))?$/.exec(text).slice(1).map(x => x === 'us' ? 1e3 : x === 'ms' ? 1 : Number(x ?? 0)))
        .map(([time, unit, long, of]) => [time / unit, long / (of || 1)]), main.map(([time, long]) => [time, Math.round(long * 1e3) / 1e3]), 'times in the list');
    equal(await violations(page), [], 'what axe-core found');
    await picture(page, 'time-markers');
    await marks.getByRole('button', { name: 'work, 1.25ms' }).press('Enter');
    await settled(page);
    truth((await marks.locator('summary').innerText()).startsWith('8 markers'), `zoomed: ${await marks.locator('summary').innerText()}`);
    quiet(page);
    await page.context().close();
    const alone = await at(file, '#view=time&event=markers'), [row] = assayJson('timeline', data, '-e', 'markers').rows;
    truth((await lanes(alone).getByRole('option').first().innerText()).includes(`${row.self[0]} markers`) || (await lanes(alone).getByRole('option').first().innerText()).includes('9, '), 'as an event');
    equal(await alone.locator('.time-marks').filter({ hasText: 'marker' }).isVisible(), false, 'they are not beside themselves');
    quiet(alone);
    await alone.context().close();
}

async function everybody(file) {
    for (const how of [LIGHT, DARK, FORCED]) {
        const page = await at(file, '#view=time&from=0.2s&to=0.7s', how), all = [];
        for (const value of ['lanes', 'heat']) {
            await page.locator('#view-time .view-bar select').selectOption(value);
            await settled(page);
            all.push(...await violations(page));
            await picture(page, `time-${value}-${Object.values(how)[0]}`);
        }
        equal(all, [], `what axe-core found, ${JSON.stringify(how)}`);
        await page.context().close();
    }
    const small = await at(file, '#view=time', { width: 420, height: 700 });
    const wide = await small.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    truth(wide <= 0, `the page is ${wide} pixels wider than the window`);
    await picture(small, 'time-small');
    await small.context().close();
}

await inBrowser(async () => {
    const data = recording(), file = share('time', data);

    await test('threads, and what they cost', () => threads(file, data));
    await test('a range by pointer', () => byPointer(file, data));
    await test('a range by keys', () => byKeys(file, data));
    await test('a range by numbers', () => byNumbers(file, data));
    await test('the range of share --from --to', () => begins(data));
    await test('the heat map', () => heatMap(file, data));
    await test('two ranges are compared', () => compares(file, data));
    await test('saved, and dropped', () => savedAndDropped(file, data));
    await test('a profile without moments', others);
    await test('the selected function, and paper', () => marks(file));
    await test('what was waited', waits);
    await test('markers', markers);
    await test('for everybody', () => everybody(file));
});
