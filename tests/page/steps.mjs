// SPDX-License-Identifier: Apache-2.0
/* What is done with the page of each profile: opened, searched, filtered, beside what the program prints. */
import { assayJson, equal, open, picture, share, test, truth } from './harness.mjs';
import { figures, grid, rowsOf, settled, tab, views } from './look.mjs';

export const group = value => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** Nothing was asked of the network, and nothing went wrong. */
export function quiet(page) {
    equal(page.trouble, [], 'requests, errors and lines of the console');
}

/** The rows of the table beside those of the program's. */
export async function sameRows(page, subject, words, options = []) {
    const top = assayJson('top', '-n', '12', ...options, ...subject.words, ...subject.files);
    const rows = await figures(page, top.events[0].name);
    truth(top.rows.length > 0, 'the program prints no rows');
    top.rows.forEach((row, i) => {
        equal(rows[i].self, group(row.self[0]), `${words}: self cost of row ${i + 1}`);
        if (row.function)
            truth(rows[i].name.includes(row.function.slice(0, 30)), `${words}: row ${i + 1} is ${rows[i].name}, not ${row.function}`);
    });
}

async function opens(page, subject) {
    const { events } = assayJson('top', '-n', '1', ...subject.files);
    const status = page.locator('footer.status strong');
    await settled(page);
    const title = await status.getAttribute('title');
    truth(title.includes(group(events[0].total)), `status: ${title}, not ${events[0].total}`);
    quiet(page);
}

async function allViews(page, subject) {
    for (const { name, title } of views) {
        await tab(page, title);
        const panel = page.locator(`#view-${name}`);
        const refused = await panel.locator('.refused').count();
        const may = (subject.shape === 'places' && ['tree', 'sandwich', 'graph'].includes(name)) ||
            (!subject.addresses && name === 'asm');
        truth(!refused || may, `${title} refuses: ${await panel.innerText()}`);
        truth(!(await panel.innerText()).includes('there is no command'), `${title} is not answered`);
        await picture(page, `${subject.name}-${name}`.replaceAll(' ', '_'));
    }
    quiet(page);
}

async function searches(page, subject) {
    const { rows } = assayJson('top', '-n', '0', ...subject.words, ...subject.files);
    const word = rows.find(row => /^[a-z_]{4,}$/.test(row.function ?? '')).function.slice(0, 4);
    const found = rows.filter(row => (row.function ?? '').toLowerCase().includes(word));
    await tab(page, 'Table');
    await page.locator('#search').fill(word);
    await settled(page);
    equal(await grid(page).getAttribute('aria-rowcount').then(Number) >= found.length, true, `rows that match ${word}`);
    for (const row of (await rowsOf(page)).slice(0, Math.min(5, found.length)))
        truth(row.toLowerCase().includes(word), `${row} does not match ${word}`);
    truth((await page.locator('#matches').innerText()).includes(group(found.length)),
        `matches of ${word}: ${await page.locator('#matches').innerText()}, not ${found.length}`);
    await page.locator('#search').fill('');
    await settled(page);
}

async function filters(page, subject) {
    const { rows } = assayJson('top', '-n', '0', ...subject.words, ...subject.files);
    const name = rows.find(row => /^\w+$/.test(row.function ?? '')).function;
    await tab(page, 'Table');
    await page.locator('#filter').fill(`^${name}$`);
    await page.locator('#filter').press('Enter');
    await settled(page);
    await sameRows(page, subject, `focus on ${name}`, ['--focus', `^${name}$`]);
    await page.goBack();
    await settled(page);
    await sameRows(page, subject, 'without the filter');
}

async function switchesEvent(page, subject) {
    const { events } = assayJson('top', '-n', '1', ...subject.files);
    if (events.length < 2)
        return;
    await tab(page, 'Table');
    await page.getByLabel('Event').selectOption(events[1].name);
    await settled(page);
    await sameRows(page, subject, events[1].name, ['-e', events[1].name]);
    await page.getByLabel('Event').selectOption(events[0].name);
    await settled(page);
}

/** A function with a name that calls another one: both. */
function someCall(subject) {
    const { rows } = assayJson('top', '-n', '20', '-s', 'inclusive', ...subject.words, ...subject.files);
    for (const { function: caller } of rows.filter(row => /^\w+$/.test(row.function ?? ''))) {
        const { functions: [peek] } = assayJson('peek', `^${caller}$`, '-n', '1', ...subject.words, ...subject.files);
        const callee = peek.callees.find(f => f.function && f.function !== caller)?.function;
        if (callee)
            return { caller, callee };
    }
    throw new Error('no function with a name calls another');
}

async function followsCalls(page, subject) {
    if (subject.shape === 'places')
        return;
    const { caller, callee } = someCall(subject);
    await tab(page, 'Table');
    await page.locator('#search').fill(`^${caller}$`);
    await settled(page);
    await grid(page).getByRole('row').nth(1).click();
    await page.locator('#search').fill('');
    await settled(page);
    await page.locator('#inspector').getByText(callee, { exact: true }).first().click();
    await settled(page);
    truth(page.url().includes(`func=${encodeURIComponent(callee)}`), `${page.url()} does not name ${callee}`);
    quiet(page);
}

async function readsSource(page, subject) {
    if (subject.real)
        return;
    const list = assayJson('list', 'mix', '-n', '1', ...subject.words, ...subject.code, ...subject.files);
    const line = list.lines.filter(l => l.self[0] && l.text).sort((a, b) => b.self[0] - a.self[0])[0];
    await tab(page, 'Table');
    await page.locator('#search').fill('^mix$');
    await settled(page);
    await grid(page).getByRole('row').nth(1).click();
    await tab(page, 'Source');
    const text = await page.locator('#view-source').innerText();
    truth(text.includes(group(line.self[0])), `no line costs ${line.self[0]}`);
    truth(text.includes(line.text.trim()), `no line reads ${line.text}`);
    await page.locator('#search').fill('');
}

/** The steps with the page of SUBJECT; returns its file. */
export async function subjectTests(subject) {
    const file = share(subject.name.replaceAll(' ', '_'), ...subject.words, ...subject.code, ...subject.files);
    const page = await open(file);
    const steps = [
        ['opens, with the total of the program', opens], ['all views', allViews],
        ['the table is the program\'s', async () => { await tab(page, 'Table'); await sameRows(page, subject, 'table'); }],
        ['search', searches], ['filters', filters], ['another event', switchesEvent], ['a call', followsCalls],
        ['source', readsSource],
    ];
    for (const [name, step] of steps)
        await test(`${subject.name}: ${name}`, () => step(page, subject));
    await page.context().close();
    return file;
}
