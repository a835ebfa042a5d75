// SPDX-License-Identifier: Apache-2.0
/*
 * The page, in a browser: what it shows is what the program prints, nothing leaves it, and it can
 * be used by everybody. FIXTURES, ASSAY and PAGE_MODULES: see harness.mjs.
 */
import { assayJson, equal, inBrowser, open, share, test, truth } from './harness.mjs';
import { accessible, DARK, LIGHT } from './axe.mjs';
import { columns, labels } from './chosen.mjs';
import { group, quiet, sameRows, subjectTests } from './steps.mjs';
import { compared, hostile, subjects, writeHostile, writeLarge } from './subjects.mjs';
import { figures, rowsOf, settled, tab, views } from './look.mjs';

async function byKeys(page) {
    await page.locator('#main').focus();
    for (const [i, { name }] of views.entries()) {
        await page.keyboard.press(String((i + 1) % 10));
        await settled(page);
        truth(page.url().includes(`view=${name}`), `key ${i + 1}: ${page.url()}`);
    }
    await page.goBack();
    await settled(page);
    truth(page.url().includes('view=treemap'), `Back: ${page.url()}`);
    await page.keyboard.press('?');
    truth(await page.getByRole('dialog').isVisible(), 'no list of keys');
    await page.keyboard.press('Escape');
    equal(await page.getByRole('dialog').count(), 0, 'dialogs after Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('table');
    await page.keyboard.press('Enter');
    await settled(page);
    truth(page.url().includes('view=table'), `the palette's: ${page.url()}`);
}

async function hostileNames() {
    const page = await open(share('hostile', writeHostile()), { hash: '#view=table' });
    let alerts = 0;
    page.on('dialog', dialog => { alerts++; void dialog.dismiss(); });
    await settled(page);
    const rows = await rowsOf(page);
    for (const [name] of hostile.slice(0, 3))
        truth(rows.some(row => row.includes(name.slice(0, 20))), `no row has ${name}`);
    for (const { title } of views)
        await tab(page, title);
    equal(alerts, 0, 'alerts');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    truth(wide <= 0, `the page is ${wide} pixels wider than the window`);
    quiet(page);
    await page.context().close();
}

async function compares() {
    const page = await open(share('compared', compared[0], '--base', compared[1]), { hash: '#view=table&diff=1' });
    await settled(page);
    const diff = assayJson('diff', compared[1], compared[0]);
    const rows = await rowsOf(page);
    for (const row of diff.rows.slice(0, 4)) {
        const text = rows.find(line => line.includes(row.function));
        truth(text, `no row of ${row.function}`);
        truth(text.includes(group(Math.abs(row.self[0].difference))), `${text}: the difference is ${row.self[0].difference}`);
    }
    for (const { title } of views)
        await tab(page, title);
    await tab(page, 'Treemap');
    await mapCompares(page, diff.rows.find(row => row.in === 'both' && row.self[0].difference));
    quiet(page);
    await page.context().close();
}

/** The box of ROW's function says what it was and is. */
async function mapCompares(page, row) {
    await page.locator('#view-treemap [role=tree]').focus();
    const seen = [];
    for (let steps = 0; steps < 40 && !seen.some(words => words.startsWith(row.function)); steps++) {
        await page.keyboard.press(steps < 2 ? 'ArrowDown' : 'ArrowRight');
        await settled(page);
        seen.push(...await page.locator('#view-treemap [role=treeitem]').evaluateAll(list => list.map(e => e.getAttribute('aria-label') ?? e.innerText)));
    }
    const words = seen.find(w => w.startsWith(row.function));
    truth(words?.includes(`${group(row.self[0].base)} to ${group(row.self[0].new)}`), `the map says of ${row.function}: ${words ?? seen.join('; ')}`);
}

/* Each side by hand: old_check cost 900 and is gone; both levels one are the totals. */
async function comparesUpwards() {
    const file = share('compared_up', compared[0], '--base', compared[1]);
    const page = await open(file, { hash: '#view=flame&way=bottom-up&func=old_check' });
    await settled(page);
    const pressed = page.locator('.flame-choice button', { hasText: 'bottom-up' });
    equal(await pressed.getAttribute('aria-pressed'), 'true', 'bottom-up is pressed');
    truth(await pressed.isEnabled(), 'it can be chosen');
    const body = page.locator('main');
    truth((await body.innerText()).includes('44,500 \u2192 50,000 Ir'), 'the totals of both sides');
    truth((await body.innerText()).includes('compared as counted'), 'how they were compared');
    await tab(page, 'Tree');
    await settled(page);
    await body.getByText('\u2212 vanished').first().waitFor();
    truth(/900\s+0\s+-900/.test(await body.innerText()), `no row of old_check: ${await body.innerText()}`);
    await tab(page, 'Sandwich');
    await settled(page);
    await body.getByText('900 \u2192 0 Ir').first().waitFor();
    quiet(page);
    await page.context().close();
}

async function comparesLarge() {
    const [now, base] = writeLarge();
    const page = await open(share('compared_large', now, '--base', base), { hash: '#view=table&normalize=none' });
    await settled(page);
    const text = await page.evaluate(() => document.body.innerText);
    for (const digits of ['9,223,372,036,854,775,801', '9,223,372,036,854,775,806', '9,223,372,036,854,775,808', '9,223,372,036,854,775,813'])
        truth(text.includes(digits), `${digits} is not there: ${text.slice(0, 600)}`);
    truth(/\+5 against the base/.test(text) && !text.includes('rounded'), 'the status has it exactly');
    quiet(page);
    await page.context().close();
}

async function narrow(file) {
    for (const [width, height] of [[1024, 640], [390, 800]]) {
        const page = await open(file, { width, height });
        await settled(page);
        for (const { title } of views) {
            await tab(page, title);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            truth(wide <= 0, `${title}, ${width} wide: ${wide} pixels too wide`);
        }
        await page.context().close();
    }
}

async function dropped(subject) {
    const page = await open(process.env.PAGE);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: /choose a file/i }).click()]);
    await chooser.setFiles(subject.files[0]);
    await page.getByRole('tab', { name: 'Table' }).waitFor();
    await tab(page, 'Table');
    await sameRows(page, { files: [subject.files[0]], words: ['--symbols', 'none'] }, 'dropped');
    quiet(page);
    await page.context().close();
}

await inBrowser(async () => {
    const pages = [];
    for (const subject of subjects)
        pages.push(await subjectTests(subject));
    await test('by keys alone', async () => {
        const page = await open(pages[0]);
        await settled(page);
        await byKeys(page);
        quiet(page);
        await page.context().close();
    });
    for (const how of [LIGHT, DARK])
        await test(`axe-core finds nothing in ${how.colorScheme} colours`, () => accessible(pages[0], how));
    await test('labels filter all views', labels);
    await test('columns of the table', () => columns(pages[0]));
    await test('narrow windows', () => narrow(pages[0]));
    await test('hostile names', hostileNames);
    await test('a comparison', compares);
    await test('a comparison, bottom-up', comparesUpwards);
    await test('a comparison of large figures', comparesLarge);
    await test('a profile dropped on the empty page', () => dropped(subjects[0]));
});
