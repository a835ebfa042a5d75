// SPDX-License-Identifier: Apache-2.0
/* What is chosen is in the URL, can be undone, and shows what the program prints: labels, columns. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { assayJson, equal, open, scratch, share, truth } from './harness.mjs';
import { figures, grid, settled, tab } from './look.mjs';

/** A pprof profile with labels. */
function labelled() {
    const file = path.join(scratch, 'labelled.pb');
    execFileSync('sh', ['-c', '. "$1"; labelled > "$2"', 'sh', path.join(process.env.FIXTURES, '../cli/samples'), file]);
    return file;
}

/** Name and number of each row of the Threads view. */
const parts = page => page.locator('#view-threads .body [role=row]').evaluateAll(list => list
    .map(row => [row.querySelector('.name').innerText.trim(), Number(row.querySelector('.value').innerText.replaceAll(',', ''))]));

const chips = page => page.getByRole('list', { name: 'Filters' }).getByRole('listitem').allInnerTexts();

async function sameCost(page, file, ...options) {
    const { rows } = assayJson('top', file, '--symbols', 'none', ...options);
    await tab(page, 'Table');
    equal((await figures(page, 'samples')).map(row => row.self), rows.map(row => String(row.self[0])), `costs ${options.join(' ')}`);
}

export async function labels() {
    const file = labelled();
    const page = await open(share('labelled', file, '--symbols', 'none', '--tagfocus', 'user='), { hash: '' });
    await settled(page);
    await sameCost(page, file, '--tagfocus', 'user=');
    await page.getByRole('button', { name: 'Remove tagfocus user=' }).click();
    await tab(page, 'Threads');
    await page.locator('#view-threads').getByLabel('Rows').selectOption('label');
    await settled(page);
    await page.locator('#view-threads').getByLabel('Key').selectOption('user');
    await settled(page);
    const { rows } = assayJson('top', file, '--symbols', 'none', '--by', 'label:user', '-n', '0');
    equal((await parts(page)).map(([, cost]) => cost).slice(0, rows.length), rows.map(row => row.self[0]), 'values of a key');
    const row = page.locator('#view-threads').getByRole('row').filter({ hasText: 'user=Bobby' });
    await row.dblclick();
    await settled(page);
    truth(page.url().includes('label=user=Bobby'), `the URL: ${page.url()}`);
    equal((await parts(page)).length >= rows.length, true, 'others stay, to choose from');
    await sameCost(page, file, '--label', 'user=Bobby');
    await page.keyboard.press('z');
    await settled(page);
    equal(await chips(page), ['all'], 'filters after undo');
    await page.keyboard.press('Shift+Z');
    await settled(page);
    equal(await chips(page), ['all', 'label user=Bobby'], 'filters after redo');
    await page.keyboard.press('z');
    for (const [kind, text] of [['tagfocus', 'user=^bob'], ['tagignore', 'ann,bob']]) {
        await page.locator('#main').focus();
        await page.keyboard.press('g');
        await page.getByLabel('Kind of filter').selectOption(kind);
        await page.locator('#filter').fill(text);
        await page.locator('#filter').press('Enter');
        await settled(page);
    }
    truth(page.url().includes('tagfocus=user=^bob&tagignore=ann,bob'), `the URL: ${page.url()}`);
    await sameCost(page, file, '--tagfocus', 'user=^bob', '--tagignore', 'ann,bob');
    await page.goBack();
    await page.goBack();
    await settled(page);
    await sameCost(page, file);
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

/** The titles of the columns of numbers. */
const heads = async page => (await grid(page).getByRole('columnheader').allInnerTexts())
    .map(text => text.replace(/\s+/g, ' ').replace(/,.*/, '').trim());

export async function columns(file) {
    const page = await open(file, { hash: '#view=table&columns=inclusive:Ir,calls' });
    await settled(page);
    equal(await heads(page), ['incl Ir', 'calls', 'function'], 'columns of the URL');
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('group', { name: 'columns' }).getByLabel('self Ir').check();
    await settled(page);
    truth(page.url().includes('columns=self:Ir,inclusive:Ir,calls'), `the URL: ${page.url()}`);
    equal(await heads(page), ['self Ir', 'incl Ir', 'calls', 'function'], 'with one more');
    await page.goBack();
    await settled(page);
    equal(await heads(page), ['incl Ir', 'calls', 'function'], 'after Back');
    await page.goForward();
    await settled(page);
    equal(await heads(page), ['self Ir', 'incl Ir', 'calls', 'function'], 'after Forward');
    await page.getByRole('button', { name: 'Those that fit' }).click();
    await settled(page);
    truth(!page.url().includes('columns='), `the URL: ${page.url()}`);
    await page.context().close();
}
