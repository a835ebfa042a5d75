// SPDX-License-Identifier: Apache-2.0
/* What the tests do with the Time view of a page. */
import { assayJson, equal, open, truth } from './harness.mjs';
import { figures, settled, tab } from './look.mjs';
import { group } from './steps.mjs';

export const about = page => page.locator('#view-time .about').innerText();
export const lanes = page => page.getByRole('listbox', { name: 'Threads' });

/** The words of the fragment, by key. */
export const state = page => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));

export async function at(file, hash, options = {}) {
    const page = await open(file, { hash, ...options });
    await settled(page);
    return page;
}

/** What is chosen now, in this view and in the table, is what the program says of it. */
export async function sameAsProgram(page, data) {
    const { from, to } = state(page), options = [...(from ? ['--from', from] : []), ...(to ? ['--to', to] : [])];
    const top = assayJson('top', data, '-n', '12', ...options);

    truth(from || to, `no time is chosen: ${page.url()}`);
    truth((await about(page)).includes(`: ${group(top.events[0].total)}, `), `${await about(page)}: not ${top.events[0].total}`);
    await tab(page, 'Table');
    const rows = await figures(page, top.events[0].name);
    top.rows.forEach((row, i) => equal(rows[i].self, group(row.self[0]), `${options.join(' ')}: row ${i}, ${row.function}`));
    await tab(page, 'Time');
}

export async function drag(page, from, to) {
    const box = await page.locator('.time-plot').boundingBox(), y = box.y + 60;

    await page.mouse.move(box.x + box.width * from, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * (from + to) / 2, y, { steps: 4 });
    await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
    const marked = await about(page);
    await page.mouse.up();
    await settled(page);
    return marked;
}
