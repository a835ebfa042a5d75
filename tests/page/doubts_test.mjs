// SPDX-License-Identifier: Apache-2.0
/*
 * The page, in a browser: what has no name, and what is to be doubted, is told as the program tells
 * it. FIXTURES, ASSAY and PAGE_MODULES: see harness.mjs.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { assayJson, equal, inBrowser, open, picture, scratch, share, test, truth } from './harness.mjs';
import { settled, tab } from './look.mjs';

const fixtures = process.env.FIXTURES;
const demo = path.join(fixtures, 'demo.prof');
const full = path.join(fixtures, 'callgrind.out.demo.full');
const places = path.join(fixtures, '../../src/formats/dcpi/golden/version_006.dcpi');
const bare = ['--symbols', 'none'];

/** A function that costs more than all there is; code of an object without a name, hardly any. */
const odd = path.join(scratch, 'callgrind.out.odd');
fs.writeFileSync(odd, 'positions: instr line\nevents: Ir\nob=/bin/odd\nfl=a.c\nfn=f\n0x10 1 50000\ncfn=g\ncalls=1 0x30 3\n'
    + '0x14 2 100000\nfn=g\n0x30 3 10\nfl=???\nfn=\n0x200 0 7\n');

const words = value => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
const sound = page => page.locator('#view-overview .card.sound');
const status = page => page.locator('footer.status');

async function shown(file, fragment) {
    const page = await open(file, { hash: fragment });
    await settled(page);
    return page;
}

async function closed(page) {
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

const named = row => `[${path.basename(row.object)}+${row.address}]`;
const selected = row => `func-object=${encodeURIComponent(row.object)}&func-address=${row.address}`;

/** The most expensive code without a name: its row, and what is listed around it. */
function nameless(file) {
    const { rows: [row], events: [event] } = assayJson('top', file, ...bare);
    const { functions: [listed] } = assayJson('list', named(row), file, ...bare);
    truth(row.function === null && listed.self[0] > row.self[0], `${named(row)} is but a part of what is listed`);
    return { row, listed, event };
}

/** The sum has the name of all its addresses, and says what the selected one has of it. */
async function listedTogether(name, file) {
    const { row, listed } = nameless(file);
    const page = await shown(share(name, file, ...bare), `#view=source&${selected(row)}`);
    for (const title of ['Source', 'Assembly']) {
        await tab(page, title);
        const view = page.locator(`#view-${title === 'Source' ? 'source' : 'asm'}`);
        const text = await view.locator('.code-top').innerText();
        equal(await view.locator('h2').innerText(), `[${path.basename(row.object)}+${listed.from} to ${listed.to}]`, `${title}: the title`);
        truth(text.includes(`self ${words(listed.self[0])}`), `${title}: ${text}: not all of ${listed.self[0]}`);
        truth(text.includes(`The selected ${named(row)} is a part of it: self ${words(row.self[0])}`), `${title}: ${text}`);
        await picture(page, `${name}-${title}`);
    }
    const current = page.locator('#view-asm [role=row].current');
    truth((await current.innerText()).includes(row.address), 'the selected address is not the current row');
    await closed(page);
}

/** What is left is what the selected row costs, and not what its object does. */
async function filtered(name, file) {
    const { row, event } = nameless(file);
    const cost = (row.inclusive ?? row.self)[0], share_ = `${(100 * cost / event.total).toFixed(1)}\u00a0% of the whole`;
    const page = await shown(share(name, file, ...bare), `#view=table&${selected(row)}`);
    await page.locator('#main').focus();
    await page.keyboard.press('f');
    await settled(page);
    equal(await page.locator('nav.filters .chip').allInnerTexts(), [`focus ${named(row)}`], 'chips');
    equal(await page.locator('nav.filters .left').innerText(), share_, 'what is left');
    await page.keyboard.press('z');
    await settled(page);
    await page.locator('#inspector').getByRole('button', { name: 'Ignore', exact: true }).click();
    await settled(page);
    const rest = `${(100 * (event.total - cost) / event.total).toFixed(1)}\u00a0% of the whole`;
    equal(await page.locator('nav.filters .left').innerText(), rest, 'what is left without it');
    await closed(page);
}

/** Calls lead to no addresses: what is done with all of the object is called so. */
async function byObject() {
    const page = await shown(share('by-object', odd), `#view=table&${selected({ object: '/bin/odd', address: '0x200' })}`);
    for (const name of ['Focus', 'Ignore', 'Hide', 'Show from'])
        truth(await page.locator('#inspector').getByRole('button', { name: `${name} its object`, exact: true }).isVisible(), `no ${name} its object`);
    await page.locator('#main').focus();
    await page.keyboard.press('.');
    const items = await page.getByRole('menuitem').allInnerTexts();
    equal(items.filter(item => item.includes('its object')).length, 6, `items of the menu that say so: ${items}`);
    await page.keyboard.press('Escape');
    await page.locator('#main').focus();
    await page.keyboard.press('d');
    await settled(page);
    equal(await page.locator('nav.filters .chip').allInnerTexts(), ['ignore object /bin/odd'], 'chips');
    await closed(page);
}

/** The warning of the program, in its words. */
async function aboveTheTotal() {
    const { stderr } = spawnSync(process.env.ASSAY, ['top', '-n', '0', odd], { encoding: 'utf8' });
    const [, warned, n] = /warning: ((\d+) functions? ha\w+ inclusive costs above the total): the calls in/.exec(stderr);
    const page = await shown(share('above', odd), '#view=overview');
    truth((await status(page).innerText()).includes(`${n} above the total`), `status: ${await status(page).innerText()}`);
    const text = await sound(page).innerText();
    truth(text.includes(warned) && !text.includes('nothing odd'), `not as the program warns, ${warned}: ${text}`);
    await closed(page);
}

/** Those that the program doubts. */
async function namesInDoubt() {
    const { symbols } = assayJson('info', demo);
    const doubted = symbols.objects.filter(o => o.state === 'named' && o.note);
    const page = await shown(share('names', demo), '#view=overview');
    const text = await sound(page).innerText();
    equal((await status(page).innerText()).includes('names in doubt'), doubted.length > 0, 'the status line doubts names');
    equal(text.includes('nothing odd'), doubted.length === 0, 'nothing is odd');
    for (const { object, note } of doubted)
        truth(text.includes(`${object}: ${note}`), `nothing of ${object}: ${text}`);
    await closed(page);
}

/** A click on the status line opens what it is about, in whatever view, and once more. */
async function clicked() {
    const page = await shown(share('clicked', odd), '#view=table');
    const about = sound(page).locator('details[data-of=infos]');
    for (let round = 0; round < 2; round++) {
        await status(page).getByRole('button', { name: /info/ }).click();
        await settled(page);
        truth(await about.locator('li').first().isVisible(), 'what is worth knowing is folded');
        truth(await about.locator('summary').evaluate(e => e === document.activeElement), 'it has no focus');
        await about.locator('summary').click();
        truth(!await about.locator('li').first().isVisible(), 'it cannot be folded');
    }
    await status(page).getByRole('button', { name: /above/ }).click();
    truth(await sound(page).evaluate(e => e === document.activeElement), 'the card has no focus');
    await closed(page);
}

/** One number of functions, wherever it stands. */
async function counted(name, file, ...options) {
    const { rows } = assayJson('top', '-n', '0', file, ...options);
    const page = await shown(share(name, file, ...options), '#view=overview');
    const said = `${words(rows.length)} functions`;
    truth((await page.locator('header.toolbar .facts').innerText()).includes(said), `the header does not say ${said}`);
    const text = await page.locator('#view-overview').innerText();
    equal([...new Set(text.match(/[\d,]+ functions\b/g))], [said], 'what the overview counts');
    await closed(page);
}

async function hardlyAny() {
    const page = await shown(share('hardly', odd), '#view=overview');
    truth((await status(page).innerText()).includes('>\u00a099.9\u00a0% symbolized'), `status: ${await status(page).innerText()}`);
    truth((await sound(page).innerText()).includes('<\u00a00.1\u00a0% of the cost is in code without a name'), await sound(page).innerText());
    await closed(page);
}

await inBrowser(async () => {
    for (const [name, file] of [['stacks', demo], ['places', places]]) {
        await test(`${name}: addresses that are shown together are named together`, () => listedTogether(name, file));
        await test(`${name}: code without a name is filtered by its address`, () => filtered(`${name}-filtered`, file));
    }
    await test('calls: code without a name is filtered by its object, and that is said', byObject);
    await test('inclusive costs above the total', aboveTheTotal);
    await test('names of another binary', namesInDoubt);
    await test('the status line tells more', clicked);
    await test('functions are counted once', async () => {
        await counted('counted-calls', full, ...bare);
        await counted('counted-places', places, ...bare);
    });
    await test('hardly any is not nothing', hardlyAny);
});
