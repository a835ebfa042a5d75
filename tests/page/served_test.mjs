// SPDX-License-Identifier: Apache-2.0
/*
 * The controls of a page that is served for a store, in a browser: what they choose is what the program
 * prints of the same. ASSAY_STORE has what tests/fleet/run_served.py pushed; SERVER is the store's process.
 */
import { spawn } from 'node:child_process';
import http from 'node:http';
import { DARK, FORCED, LIGHT, violations } from './axe.mjs';
import { assayJson, equal, inBrowser, open, share, test, truth } from './harness.mjs';
import { reachesAll } from './keyboard.mjs';
import { misplaced } from './layout.mjs';
import { figures, rowsOf, settled, tab } from './look.mjs';

const HOSTILE = process.env.HOSTILE;
let server, url;

/** The server, once it says where; it may only read. */
function serve(...operands) {
    return new Promise((done, failed) => {
        server = spawn(process.env.ASSAY, ['open', '--serve', ...operands], { env: { ...process.env, ASSAY_STORE_USER: 'reader' } });
        let said = '';
        server.stdout.on('data', text => {
            said += text;
            const at = /http:\S+/.exec(said);
            if (at)
                done(at[0]);
        });
        server.stderr.on('data', text => { said += text; });
        server.on('exit', () => failed(new Error(said)));
    });
}

/** Status and text of what is asked for at PATH. */
function ask(path, headers = {}, method = 'GET') {
    return new Promise((done, failed) => http.request(new URL(path, url), { headers, method }, answer => {
        let text = '';
        answer.on('data', part => { text += part; });
        answer.on('end', () => done([answer.statusCode, text]));
    }).on('error', failed).end());
}

const control = (page, name) => page.locator(`#choice [name="${name}"]`).last();

const button = page => page.locator('#choice button');

/** What is chosen now, by WAY; the page says it in its URL. */
async function show(page, query, way = () => button(page).click()) {
    await way();
    await page.waitForURL(to => to.search === `?${query}`);
    await settled(page);
}

/** The page shows what the program prints of QUERY. */
async function shows(page, query) {
    const { rows, events } = assayJson('top', `store:?${query}`, '-n', '10');
    const shown = await figures(page, events[0].name);

    truth(rows.length > 1, `nothing to compare of ${query}`);
    equal(shown.slice(0, rows.length).map(row => row.self.replaceAll(',', '')), rows.map(row => String(row.self[0])), query);
    rows.forEach((row, i) => truth(!row.function || shown[i].name.includes(row.function.slice(0, 30)), `${shown[i].name} is not ${row.function}`));
}

async function on(work, options = {}) {
    const page = await open(url, { hash: '#view=table', ...options });
    await settled(page);
    await work(page);
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

const options = (page, name) => control(page, name).evaluate(e => [...e.list.options].map(option => option.value));

async function begins(page) {
    await shows(page, 'service=api&version=1.5');
    equal([await control(page, 'service').inputValue(), await page.locator('[name="label"]').first().inputValue()], ['api', 'version=1.5'], 'what was typed');
    equal(await options(page, 'service'), [HOSTILE, 'api', 'web'].sort(), 'services');
    equal(await options(page, 'host'), ['web1', 'web2'], 'hosts');
    truth((await options(page, 'label')).includes('version=1.4'), 'labels');
    equal(await options(page, 'event'), ['samples'], 'events');
    truth(await page.locator('#choice-vs').isHidden(), 'it compares');
}

/** By keyboard; Back and Forward are ways, and the view stays. */
async function chooses(page) {
    await control(page, 'service').fill('web');
    await page.locator('[name="label"]').first().fill('');
    await show(page, 'service=web', () => control(page, 'service').press('Enter'));
    await shows(page, 'service=web');
    truth(page.url().includes('view=table'), 'the view has changed');
    await control(page, 'host').fill('web2');
    await control(page, 'since').fill('2026-11-23T10:46');
    await show(page, 'service=web&host=web2&since=2026-11-23T10%3A46');
    await shows(page, 'service=web&host=web2&since=2026-11-23T10:46');
    await show(page, 'service=web', () => page.goBack());
    await shows(page, 'service=web');
    equal(await control(page, 'host').inputValue(), '', 'the host, after Back');
    await show(page, 'service=web&host=web2&since=2026-11-23T10%3A46', () => page.goForward());
    await shows(page, 'service=web&host=web2&since=2026-11-23T10:46');
    await control(page, 'label').fill('version=1.4');
    await control(page, 'service').fill('');
    await page.locator('[name="host"]').first().fill('');
    await control(page, 'since').fill('');
    await show(page, 'service=&label=version%3D1.4');
    await shows(page, 'version=1.4');
}

async function compares(page) {
    await page.getByLabel('compare with').check();
    equal([await control(page, 'vs-service').inputValue(), await control(page, 'vs-label').inputValue()], ['api', 'version=1.5'], 'it begins as a copy');
    await control(page, 'vs-label').fill('version=1.4');
    await show(page, 'service=api&label=version%3D1.5&vs=1&vs-service=api&vs-label=version%3D1.4');
    const rows = await rowsOf(page), [now, before] = ['1.5', '1.4'].map(version => `store:?service=api&version=${version}`);
    const file = await open(share('compared', now, '--base', before), { hash: '#view=table' });
    await settled(file);
    equal(rows, await rowsOf(file), 'the comparison');
    await file.context().close();
    const changed = assayJson('diff', before, now, '--normalize', 'none').rows.map(row => row.function);
    truth(changed.some(name => rows[0].includes(name)), `${rows[0]} is not in ${changed}`);
    truth(await page.getByLabel('compare with').isChecked(), 'the choice is gone');
    await page.getByLabel('compare with').uncheck();
    await show(page, 'service=api&label=version%3D1.5');
    await shows(page, 'service=api&version=1.5');
}

/** What the store does not have, and what nobody can ask, is told in a line; Back is a way out. */
async function tells(page) {
    for (const [name, text, says] of [['service', 'nope', 'the store has nothing of that'], ['since', 'soon', "since 'soon' is no time"],
        ['label', 'x', 'a label is KEY=VALUE']]) {
        await control(page, name).fill(text);
        await button(page).click();
        await page.getByRole('alert').getByText(says).waitFor();
        equal(await control(page, name).count() && (await page.locator('#choice p').innerText()).split('\n').length, 1, 'lines');
        await page.goBack();
        await settled(page);
        await shows(page, 'service=api&version=1.5');
    }
}

/** Another service's name is text, wherever it stands. */
async function hostile(page) {
    let dialogs = 0;
    page.on('dialog', dialog => {
        dialogs++;
        void dialog.dismiss();
    });
    await control(page, 'service').fill(HOSTILE);
    await page.locator('[name="label"]').first().fill('');
    await button(page).click();
    await page.waitForURL(to => to.searchParams.get('service') === HOSTILE);
    await settled(page);
    await shows(page, `service=${encodeURIComponent(HOSTILE)}`);
    equal([await control(page, 'service').inputValue(), dialogs, await page.evaluate(() => typeof window.owned)], [HOSTILE, 0, 'undefined'], 'a hostile name');
}

/** Only who knows the path is answered, and nothing but a page. */
async function keepsOut() {
    const { pathname } = new URL(url), query = '?service=web';
    const other = pathname.replace(/.(?=\/$)/, c => (c === '0' ? '1' : '0'));

    equal((await ask(`/${query}`))[0], 404, 'without the token');
    equal((await ask(other + query))[0], 404, 'with another token');
    equal((await ask(`${pathname}store${query}`))[0], 404, 'another path');
    equal((await ask(pathname + query, {}, 'POST'))[0], 405, 'POST');
    equal((await ask(pathname + query, { 'Sec-Fetch-Site': 'cross-site' }))[0], 403, 'another site');
    equal((await ask(pathname + query, { Host: 'evil.example' }))[0], 403, 'another host');
    for (const [words, says] of [['?cluster=x', 'no control is called'], ['?partial=1', 'no control is called'], ['?label=cluster%3Dx', 'is no label'],
        ['?service=%27+OR+1%3D1--', 'the store has nothing of that'], ['?host=x%00y', 'the store has nothing of that'], ['?x', 'role="alert"']]) {
        const [status, text] = await ask(pathname + words);
        equal([status, text.includes(says), text.includes('id="profile"')], [200, words !== '?x' || text.includes('id="choice"'), words === '?x'], words);
    }
    equal((await ask(`${pathname}?${'host=a&'.repeat(100)}`))[0], 414, 'too many words');
    truth(!(await ask(pathname))[1].includes('form-action \'self\''), 'a form may go elsewhere');
}

/** In colours of all kinds, by Tab, and in small windows. */
async function everybody() {
    for (const how of [LIGHT, DARK, FORCED])
        await on(async page => {
            await page.getByLabel('compare with').check();
            equal(await violations(page), [], `what axe-core found: ${JSON.stringify(how)}`);
        }, how);
    await on(page => reachesAll(page, false), { width: 1280, height: 800 });
    for (const [width, height] of [[640, 400], [320, 640], [320, 256]])
        await on(async page => {
            await page.getByLabel('compare with').check();
            equal(await page.evaluate(misplaced), [], `${width} by ${height}`);
            await tab(page, 'Flame');
            equal(await page.evaluate(misplaced), [], `Flame, ${width} by ${height}`);
        }, { width, height });
}

async function away(page) {
    process.kill(Number(process.env.SERVER), 'SIGKILL');
    await button(page).click();
    await page.getByRole('alert').getByText('no connection').waitFor();
    equal(await control(page, 'service').inputValue(), 'api', 'the choice is gone');
}

await inBrowser(async () => {
    url = await serve('store:?service=api&version=1.5', '--timeout', '5s');
    await test('the page has controls for what was asked', () => on(begins));
    await test('what is chosen is what the program prints', () => on(chooses));
    await test('two versions are compared as two files are', () => on(compares));
    await test('what is not there is told', () => on(tells));
    await test('a hostile name is text', () => on(hostile));
    await test('nobody else is answered', keepsOut);
    await test('for everybody', everybody);
    await test('a store that is gone is told', () => on(away));
    server.kill();
});
