// SPDX-License-Identifier: Apache-2.0
/*
 * How the page behaves, in a browser: inlined code apart or not, signs of work, keys, failures.
 * FIXTURES, ASSAY and PAGE_MODULES: see harness.mjs.
 */
import fs from 'node:fs';
import path from 'node:path';
import { data as shared } from './data.mjs';
import { recorded } from './demo.mjs';
import { assay, assayJson, equal, inBrowser, open, scratch, share, skip, test, truth } from './harness.mjs';
import { figures, rowsOf, settled, tab, views } from './look.mjs';

const fixture = name => path.join(process.env.FIXTURES, name);

function quiet(page) {
    equal(page.trouble, [], 'requests, errors and lines of the console');
}

async function at(file, hash, work, options = {}) {
    const page = await open(file, { hash, ...options });
    await settled(page);
    await work(page);
    quiet(page);
    await page.context().close();
}

// ---- inlined ----

/** Inlined functions by their names; what was inlined is called by what it stands in. */
function writeInlined() {
    const file = path.join(scratch, 'inlined.folded');
    fs.writeFileSync(file, 'main;outer;inner_[i];deep_[i];callee 30\nmain;outer;inner_[i] 40\nmain;outer 5\n' +
        'main;inner 2\nmain;callee;one_[i] 70\n');
    return file;
}

/** Names and self costs, as the table has them and as the program prints them. */
async function sameTable(page, file, word) {
    const { events, rows } = assayJson('top', file, '-n', '20', '--inline', word);
    const shown = await figures(page, events[0].name);
    equal(shown.slice(0, 20).map(row => row.self.replaceAll(',', '')), rows.map(row => String(row.self[0])), `self costs, --inline ${word}`);
    rows.forEach((row, i) => truth(!row.function || shown[i].name.includes(row.function.slice(0, 30)), `${shown[i].name} is not ${row.function}`));
    return rows;
}

async function switches(file) {
    const rows = word => assayJson('top', file, '-n', '0', '--inline', word).rows.map(row => [row.function, row.self, row.inclusive]);
    truth(JSON.stringify(rows('on')) !== JSON.stringify(rows('off')), 'nothing is inlined');
    await at(share(path.basename(file), file), '#view=table', async page => {
        const box = page.getByRole('checkbox', { name: 'inlined' });
        await box.waitFor();
        await sameTable(page, file, 'on');
        await box.uncheck();
        await settled(page);
        await sameTable(page, file, 'off');
        truth(page.url().includes('inline=off'), `${page.url()} does not say it`);
        await page.goBack();
        await settled(page);
        truth(await box.isChecked() && !page.url().includes('inline='), 'Back is no way back');
        await sameTable(page, file, 'on');
        await page.keyboard.press('Control+k');
        await page.keyboard.type('inlined');
        await page.keyboard.press('Enter');
        await settled(page);
        await sameTable(page, file, 'off');
    });
}

/** What a view shows, or reads out, of the function "deep". */
const tells = panel => panel.evaluate(root => [root.innerText,
    ...[...root.querySelectorAll('[aria-label], text')].map(e => e.getAttribute('aria-label') ?? e.textContent)].join('\n').includes('deep'));

/** `deep` is in a view, or is not, as there are inlined functions or not. */
async function followed(file) {
    const there = [];
    await at(share('inlined-views', file), '#view=overview&func=outer&min=0', async page => {
        const box = page.getByRole('checkbox', { name: 'inlined' });
        await box.waitFor();
        for (const { title, name } of views) {
            await tab(page, title);
            await page.keyboard.press('ArrowDown');
            const panel = page.locator(`#view-${name}`);
            if (await tells(panel))
                there.push(title);
            await box.uncheck();
            await settled(page);
            truth(!await tells(panel), `${title} still has what is inlined`);
            await box.check();
            await settled(page);
        }
        await page.locator('#inspector').getByText('callee', { exact: true }).waitFor({ state: 'detached' });
        await box.uncheck();
        await page.locator('#inspector').getByText('callee', { exact: true }).waitFor();
    });
    for (const title of ['Overview', 'Table', 'Tree', 'Graph'])
        truth(there.includes(title), `${title} has nothing that is inlined: ${there}`);
}

// ---- what is said ----

/** Of samples of a period a time is told with its count; of nanoseconds alone, as they are. */
async function units() {
    const pb = path.join(scratch, 'cpu.pb');
    const { events: [samples] } = assayJson('top', fixture('demo.symbolized.prof'), '-n', '1');
    assay('convert', fixture('demo.symbolized.prof'), '-t', 'pprof', '-O', 'default=no', '-o', pb);
    const { events } = assayJson('top', pb, '-n', '1');
    equal(events.map(e => [e.name, e.unit]), [['cpu', 'nanoseconds'], ['samples', 'count']], 'events');
    await at(share('units', pb), '#view=table&func=msort_with_tmp', async page => {
        const total = page.locator('footer.status strong');
        // A profile of pprof's opens with its last event.
        truth((await total.innerText()).endsWith('cpu (ns)'), 'nanoseconds');
        await page.getByLabel('Event').selectOption('samples');
        await settled(page);
        equal(await total.innerText(), `${samples.total} samples`, 'counts');
        truth((await page.getByRole('columnheader').allInnerTexts()).some(head => head.includes('self cpu (ns)')), 'a column of nanoseconds without a unit');
        truth((await page.locator('#inspector').innerText()).includes('cpu (ns)'), 'the inspector says no unit');
        await page.getByLabel('Unit').selectOption('us');
        await settled(page);
        equal(await total.innerText(), `${(events[0].total / 1e3).toFixed(2)}us: ${samples.total} samples`, 'a time of samples');
        await page.getByLabel('Event').selectOption('cpu');
        await settled(page);
        equal(await total.innerText(), `${(events[0].total / 1e3).toFixed(2)}us cpu`, 'a time');
    });
}

async function notCut(page) {
    const cut = await page.locator('#view-table .foot .name bdi').allInnerTexts();
    truth(cut.some(text => /^\[\d+ rows without a match\]$/.test(text)), `the rows below: ${cut}`);
}

/** From the first picture on a page with a profile says whose it is; it never asks for one. */
async function reads(file) {
    const page = await open('/dev/null');
    await page.addInitScript(() => {
        window.seen = [];
        new MutationObserver(() => window.seen.push(document.getElementById('page')?.innerText ?? ''))
            .observe(document, { childList: true, subtree: true });
    });
    await page.goto(`file://${file}`);
    await settled(page);
    const seen = (await page.evaluate(() => window.seen)).filter(text => text);
    truth(seen[0].includes('demo.prof') && seen[0].includes('reading'), `the first picture says ${seen[0]}`);
    truth(!seen.some(text => text.includes('Drop a profile')), 'it asks for a profile');
    await page.context().close();
}

// ---- keys ----

async function escapes(file) {
    await at(file, '#view=table', async page => {
        const all = (await rowsOf(page)).length;
        await page.keyboard.press('/');
        await page.keyboard.type('mix');
        await settled(page);
        truth((await rowsOf(page)).length < all, 'nothing is searched');
        await notCut(page);
        await page.keyboard.press('Escape');
        await settled(page);
        equal([await page.locator('#search').inputValue(), (await rowsOf(page)).length], ['', all], 'after Esc');
        equal(await page.evaluate(() => document.activeElement.id), 'search', 'the first Esc');
        await page.keyboard.press('Escape');
        truth(await page.evaluate(() => document.activeElement.closest('#main') !== null), 'the second Esc is no way to the view');
        await page.keyboard.press('Control+k');
        await page.keyboard.type('no-such-thing-at-all');
        await page.getByText('no command and no function').waitFor();
        await page.keyboard.press('Escape');
        await tab(page, 'Sandwich');
        await page.getByRole('button', { name: /^Hottest/ }).click();
        await settled(page);
        truth(/view=sandwich.*func=|func=.*view=sandwich/.test(page.url()), `the hottest: ${page.url()}`);
    });
}

/** Each file that is dropped asks anew, in the same dialog. */
async function drops(file) {
    await at(file, '', async page => {
        const drop = name => page.evaluate(to => {
            const data = new DataTransfer();
            data.items.add(new File(['a;b 1\n'], to));
            document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        }, name);
        await drop('one.folded');
        await drop('two.folded');
        equal(await page.getByRole('dialog').count(), 1, 'dialogs');
        truth((await page.getByRole('dialog').getByRole('combobox').first().textContent()).includes('two.folded'), 'the last one is not offered');
    });
}

/** Questions of a view that is left, of a picture that is gone, of a function that is not there. */
async function fails(file) {
    await at(file, '#view=flame', async page => {
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Control+c');
        for (let i = 0; i < 20; i++)
            await page.evaluate(n => {
                location.hash = ['#view=overview', '#view=table&func=fib', '#view=source&func=no-such-function', '#view=asm&event=none',
                    '#view=flame&focus=no-such-function', '#view=sandwich&func=fib'][n % 6];
            }, i);
        await settled(page);
        // None is selected, and there is none to offer.
        for (const view of ['source', 'sandwich', 'asm', 'flame']) {
            await page.evaluate(to => { location.hash = `#view=${to}&focus=no-such-function`; }, view);
            await settled(page);
        }
        truth((await page.locator('nav.filters').innerText()).includes('matches nothing'), 'nobody says why nothing is left');
        for (const { title } of views)
            await tab(page, title);
    });
}

/** A filter that takes too long is cancelled: what was shown before is shown again. */
async function cancels() {
    const file = path.join(scratch, 'long.folded');

    fs.writeFileSync(file, `main;${'a'.repeat(40)}b 5\nmain;other 7\n`);
    await at(share('long', file), '#view=table', async page => {
        const before = await rowsOf(page), cancel = page.getByRole('button', { name: 'Cancel', exact: true });

        equal(await cancel.isVisible(), false, 'there is nothing to cancel');
        await page.evaluate(() => { // the page does not give up by itself
            const later = window.setTimeout;
            window.setTimeout = (work, ms, ...words) => ms >= 5000 ? 0 : later(work, ms, ...words);
        });
        await page.locator('#filter').fill('^(a+)+$');
        await page.locator('#filter').press('Enter');
        await cancel.click();
        await settled(page);
        equal(await rowsOf(page), before, 'rows');
        equal([await page.locator('.chip').count(), page.url().includes('focus=')], [0, false], 'filters');
        equal(await cancel.isVisible(), false, 'it is over');
        truth(!(await page.locator('main').innerText()).includes('cancelled'), 'a view says so for good');
    });
}

await inBrowser(async () => {
    const inlined = writeInlined(), real = path.join(shared, 'gperftools/real/prof/pie_realtime_1000hz.prof');
    const demo = share('demo', recorded());
    await test('inlined functions apart or not: the program\'s table', () => switches(inlined));
    if (fs.existsSync(real) && assayJson('top', real, '-n', '0').rows.length !== assayJson('top', real, '-n', '0', '--inline', 'off').rows.length)
        await test('the same of a real profile that is named', () => switches(real));
    else
        skip('the same of a real profile that is named', 'the shared data, or their binaries, are not there');
    await test('all views follow', () => followed(inlined));
    await test('a profile without such has no switch', () => at(share('plain', fixture('callgrind.out.demo')), '', async page =>
        equal(await page.getByRole('checkbox', { name: 'inlined' }).count(), 0, 'switches')));
    await test('costs with their units', units);
    await test('what is read is named', () => reads(demo));
    await test('Esc, and what finds nothing', () => escapes(demo));
    await test('files that are dropped one after the other', () => drops(demo));
    await test('a filter that takes too long is cancelled', cancels);
    await test('failures that nobody waits for', () => fails(demo));
});
