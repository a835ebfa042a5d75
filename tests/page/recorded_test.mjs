// SPDX-License-Identifier: Apache-2.0
/*
 * Time of what is recorded here and now: `make -j2` by perf, and a program of node by itself. Lanes,
 * ranges, the heat map and comparisons have the figures of --from and --to.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { about, at, drag, lanes, sameAsProgram, state } from './clock.mjs';
import { assay, assayJson, equal, inBrowser, picture, scratch, share, skip, test, truth } from './harness.mjs';
import { grid, settled, tab } from './look.mjs';
import { group, quiet } from './steps.mjs';

/** perf.data of `make -j2`, which compiles a file four times; null where perf may not. */
function made() {
    const folder = path.join(scratch, 'made'), file = path.join(folder, 'perf.data'), source = path.join(process.env.FIXTURES, 'src/demo.c');

    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'Makefile'), `.PHONY: all\nall: 1.o 2.o 3.o 4.o\n%.o: ${source}\n\tcc -O2 -g -c -o $@ $<\n`);
    const perf = (...words) => execFileSync('perf', ['record', '-q', '-B', '-N', '-e', 'cpu-clock', '-F', '1999', '-g', '-o', file, ...words],
        { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    try {
        perf('true');
    } catch {
        return null;
    }
    perf('make', '-s', '-j2');
    return file;
}

/** The .cpuprofile that node writes of a second. */
function byNode() {
    const folder = path.join(scratch, 'node'), program = path.join(scratch, 'program.cjs');

    fs.writeFileSync(program, `function roots(n) { let sum = 0; for (let i = 0; i < n; i++) sum += Math.sqrt(i); return sum; }
        function words(n) { return JSON.stringify(Array.from({ length: n }, (_, i) => i)).length; }
        const begin = Date.now();
        while (Date.now() - begin < 500) roots(1e5);
        while (Date.now() - begin < 1000) words(1e4);`);
    execFileSync('node', ['--cpu-prof', `--cpu-prof-dir=${folder}`, program]);
    return path.join(folder, fs.readdirSync(folder)[0]);
}

/** There are as many lanes as threads, and those in sight are the program's, each with its sum. */
async function sameThreads(page, data) {
    const { rows } = assayJson('timeline', data, '-n', '0'), options = lanes(page).getByRole('option');
    const shown = await options.evaluateAll(all => all.map(e => e.innerText.replace(/\n/g, ', ')));
    const wanted = rows.map(row => `${row.thread}, ${row.pid === null ? '' : `pid ${row.pid}, thread ${row.tid}, `}${group(row.self[0])},`);

    equal(await options.first().getAttribute('aria-setsize'), String(rows.length), 'threads');
    shown.forEach(lane => truth(wanted.some(words => lane.startsWith(words)), `no thread is ${lane}: ${wanted.join(' | ')}`));
}

async function byHeat(page, data) {
    await page.locator('#view-time .view-bar select').selectOption('heat');
    await settled(page);
    await page.getByRole('application', { name: 'Heat map' }).focus();
    for (const key of ['Home', 'ArrowRight', 'Enter', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'Enter'])
        await page.keyboard.press(key);
    await settled(page);
    await sameAsProgram(page, data);
    await page.locator('#view-time .view-bar select').selectOption('lanes');
    await page.getByRole('button', { name: 'Whole time' }).click();
    await settled(page);
}

/** The chosen range, and another, beside the files that the program makes of both. */
async function beside(page, data) {
    const range = () => [state(page).from ?? '0s', ...state(page).to ? ['--to', state(page).to] : []];
    const parts = [], keep = () => {
        const part = path.join(scratch, `${path.basename(data)}-${parts.length}.pb.gz`);
        assay('filter', data, '--from', ...range(), '-o', part, '-y');
        parts.push(part);
    };

    keep();
    await page.getByRole('button', { name: 'Compare others with it' }).click();
    await settled(page);
    await drag(page, 0.55, 0.95);
    keep();
    equal(state(page).diff, '1', 'in the URL');
    await tab(page, 'Table');
    const diff = assayJson('diff', ...parts, '--normalize', 'none');
    const rows = await grid(page).locator('.body [role=row]').evaluateAll(all => all.map(row => row.innerText.replace(/\s+/g, ' ')));
    for (const row of diff.rows.filter(r => r.function).slice(0, 3)) {
        // A name of C++ is cut where it has its arguments.
        const figures = [row.self[0].base, row.self[0].new].map(group), [name] = row.function.split('(');
        truth(rows.some(text => text.includes(name) && figures.every(figure => text.includes(figure))), `${name}, ${figures}: ${rows.slice(0, 8).join(' | ')}`);
    }
    await tab(page, 'Time');
    await page.getByRole('button', { name: 'End the comparison' }).click();
    await settled(page);
}

async function driven(data, name) {
    const page = await at(share(name, data), '#view=time&normalize=none');

    await sameThreads(page, data);
    truth((await drag(page, 0.1, 0.4)).startsWith('marked: '), 'nothing is said while the pointer goes');
    await sameAsProgram(page, data);
    await picture(page, `time-${name}`);
    await page.getByRole('button', { name: 'Whole time' }).click();
    await settled(page);
    await byHeat(page, data);
    await drag(page, 0.05, 0.45);
    await beside(page, data);
    truth((await about(page)).length > 0, 'nothing is said of the time');
    quiet(page);
    await page.context().close();
}

await inBrowser(async () => {
    const data = made();

    if (data)
        await test('make -j2, by perf', () => driven(data, 'make'));
    else
        skip('make -j2, by perf', 'perf events are not allowed here');
    await test('a program of node', () => driven(byNode(), 'node'));
});
