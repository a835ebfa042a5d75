// SPDX-License-Identifier: Apache-2.0
//
// node share.mjs assay.wasm ASSAY FIXTURES
//
// What `assay share` puts into a page is read by the page's engine to what the program itself says
// of the same files: own bytes, and profiles that were written anew.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { done, equal, test } from './tap.mjs';
import { load } from './engine.mjs';

const [file, assay, fixtures] = process.argv.slice(2).map((name) => path.resolve(name));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'assay-share-'));
const run = (...words) => execFileSync(assay, words, { cwd: dir, maxBuffer: 1 << 28, encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'] });
const fixture = (name) => path.join(fixtures, name);

/** The bytes of the element ID of a page. */
function element(page, id) {
    const [, text] = new RegExp(`<script type="application/octet-stream" id="${id}"[^>]*>([^<]*)</script>`)
        .exec(page.slice(page.indexOf('<body>')));
    return zlib.gunzipSync(Buffer.from(text, 'base64'));
}

/** Of the events of these names: writing pprof adds the time that samples of a known period are, which is its first. */
function facts({ events, rows, rest }, names) {
    const at = names.map(name => events.findIndex(event => event.name === name));
    const cut = ({ self, inclusive, ...row }) => ({ ...row, self: at.map(i => self[i]), inclusive: inclusive && at.map(i => inclusive[i]) });
    const said = at.map(i => events[i]).map(({ name, unit, total }) => ({ name, unit, total }));
    return { events: said, rows: rows.map(cut), rest: cut(rest) };
}

function same(files, share = [], top = share) {
    const data = element(run('share', ...files, '-o', '-', '-q', ...share), 'profile');
    const engine = load(file);
    const view = engine.open(data, 'test');

    for (const by of ['function', 'file', 'line', 'address', 'object']) {
        const wanted = JSON.parse(run('top', ...files, '-f', 'json', '-n', '0', '--by', by, ...top));
        const names = wanted.events.map(event => event.name);
        equal(facts(engine.ask(view, `top?by=${by}&limit=0`), names), facts(wanted, names), by);
    }
    return data;
}

/** More than a megabyte; all that Callgrind's lines can be. */
function large() {
    const lines = ['# callgrind format', 'version: 1', 'positions: instr line', 'events: Ir Dr Dw I1mr', ''];
    let n = 1;
    const random = (below) => (n = (n * 1103515245 + 12345) % 2147483648) % below;

    for (let f = 0; f < 900; f++) {
        lines.push(`ob=(${f % 3}) /lib/o${f % 3}`, `fl=(${f % 40}) /src/f${f % 40}.c`, `fn=(${f}) name${f}`,
            `0x${(f * 4096).toString(16)} ${random(900)} ${1 + random(1e9)}`);
        for (let i = 0; i < 120; i++)
            lines.push(`+${1 + random(i % 50 ? 9 : 500)} ${['*', '+3', '-2', '+1'][random(4)]} ${random(99)} ${random(2)} 0 ${random(7)}`);
        lines.push(`jcnd=${1 + random(9)}/${10 + random(9)} +${2 + random(90)} * `, '* * ',
            `jump=${1 + random(99)} 0x${(f * 4096 + random(999)).toString(16)} ${1 + random(99)} `, '* * ');
        if (f > 2)
            lines.push(`cob=(${(f - 1) % 3})`, `cfi=(${(f - 1) % 40})`, `cfn=(${f - 1})`, `calls=${1 + random(5)} 0x${(f * 4096 - 4096).toString(16)} 7 `,
                `* * ${random(1e12)} 0 ${random(5)}`);
        lines.push('');
    }
    fs.writeFileSync(path.join(dir, 'large.cg'), lines.join('\n'));
    return 'large.cg';
}

for (const name of ['callgrind.out.demo', 'callgrind.out.demo.full', 'cachegrind.out.demo', 'demo.prof', 'demo.symbolized.prof'])
    test(`${name}: its own bytes`, () => {
        equal(Buffer.compare(same([fixture(name)]), fs.readFileSync(fixture(name))), 0, 'bytes');
    });

test('a large file of Callgrind: its own bytes', () => {
    const name = large();
    equal(Buffer.compare(same([name]), fs.readFileSync(path.join(dir, name))), 0, 'bytes');
});

test('a file of gzip stands there as it is', () => {
    const gz = zlib.gzipSync(fs.readFileSync(fixture('callgrind.out.demo')), { level: 1 });
    fs.writeFileSync(path.join(dir, 'demo.gz'), gz);
    const page = run('share', 'demo.gz', '-o', '-', '-q');
    equal(page.includes(`data-file="demo.gz" data-gzip>${gz.toString('base64')}</script>`), true, 'its bytes');
    same(['demo.gz']);
});

test('two of Callgrind: merged', () => {
    const data = same([fixture('callgrind.out.demo'), fixture('callgrind.out.demo.full')]);
    equal(data.toString('latin1').includes('fn='), true, 'Callgrind');
});

test('two of gperftools: merged, as pprof', () => same([fixture('demo.symbolized.prof'), fixture('demo.symbolized.prof')]));

test('--only', () => same([fixture('callgrind.out.demo')], ['--only', '--focus', 'main'], ['--focus', 'main', '--relative']));

test('a base', () => {
    const page = run('share', fixture('demo.symbolized.prof'), '--base', fixture('callgrind.out.demo'), '-o', '-', '-q');
    equal(Buffer.compare(element(page, 'base'), fs.readFileSync(fixture('callgrind.out.demo'))), 0, 'bytes');
});

fs.rmSync(dir, { recursive: true });
done();
