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

const backwards = text => [...text].reverse().join('');

/** The bytes that characters of a page stand for. */
function bytesOf(text) {
    const bits = [...text].map(c => c.charCodeAt(0).toString(2).padStart(7, '0')).map(seven =>
        backwards(/(000000|001101|011011|111100)$/.exec(seven)?.[0] ?? seven)).join('');

    return Buffer.from(bits.match(/.{8}/g).map(byte => parseInt(backwards(byte), 2)));
}

/** The bytes of the element ID of a page. */
function element(page, id) {
    const [, text] = new RegExp(`<script type="application/octet-stream" id="${id}"[^>]*>([^<]*)</script>`)
        .exec(page.slice(page.indexOf('<body>')));
    return zlib.gunzipSync(bytesOf(text));
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
    const [, text] = /data-file="demo.gz" data-gzip>([^<]*)</.exec(page);
    equal(Buffer.compare(bytesOf(text), gz), 0, 'its bytes');
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

/** Text of perf script: three threads in turn, and functions that change over two seconds. */
function perfScript() {
    const lines = [];

    for (let i = 0; i < 400; i++)
        lines.push(`w${i % 3}  7/${8 + i % 3}   ${(i / 200).toFixed(6)}: ${1000 + i} cycles: `,
            `\t  5${i % 7} f${i % 7}+0x1 (/bin/prog)`, `\t  90 g${Math.floor(i / 90)}+0x1 (/bin/prog)`, '\t  10 main+0x1 (/bin/prog)', '');
    return lines.join('\n');
}

test('a time is what --from and --to choose', () => {
    fs.writeFileSync(path.join(dir, 'perf.txt'), perfScript());
    const engine = load(file), view = engine.open(element(run('share', 'perf.txt', '-o', '-', '-q'), 'profile'), 'test');

    for (const [from, to, ...more] of [['0.5', '1.25'], ['300ms', ''], ['', '1s'], ['0.1', '0.9', '--thread', '9'], ['0.7', '1.9', '--focus', 'g2']]) {
        const options = [...(from ? ['--from', from] : []), ...(to ? ['--to', to] : []), ...more];
        const wanted = JSON.parse(run('top', 'perf.txt', '-f', 'json', '-n', '0', ...options));
        const words = `time-from=${from}&time-to=${to}${more.length ? `&${more[0].slice(2)}=${more[1]}` : ''}`;
        const names = wanted.events.map(event => event.name);
        equal(facts(engine.ask(view, `top?limit=0&${words}`), names), facts(wanted, names), words);
    }
    const { events } = engine.ask(view, 'filters?time-from=0.5&time-to=0.75');
    equal(events[1].total, 50, 'samples of a quarter of a second');
    for (const [words, word] of [['time-from=x', 'time-from'], ['time-from=2s&time-to=1s', 'time-to']])
        equal(engine.ask(view, `top?${words}`).word, word, words);
    equal(engine.ask(view, 'top?time-from=90s').error, 'nothing is left: nothing was counted in that time', 'none');
});

test('two times are compared as two files', () => {
    const engine = load(file), view = engine.open(element(run('share', 'perf.txt', '-o', '-', '-q'), 'profile'), 'test');
    const base = element(run('share', 'perf.txt', '-o', '-', '-q', '--only', '--from', '0.2', '--to', '0.7'), 'profile');
    const late = element(run('share', 'perf.txt', '-o', '-', '-q', '--only', '--from', '1.1', '--to', '1.9'), 'profile');
    const other = load(file), there = other.open(late, 'test');

    other.setBase(there, other.open(base, 'test'));
    const one = engine.ask(view, 'diff?view=top&limit=0&time-from=1.1&time-to=1.9&base-time-from=0.2&base-time-to=0.7&normalize=none');
    const two = other.ask(there, 'diff?view=top&limit=0&normalize=none');
    equal(one.rows.length > 8, true, 'rows');
    const figures = ({ rows }) => rows.map(row => [row.function, row.in, row.self.map(d => [d.base, d.new]), row.inclusive.map(d => [d.base, d.new])]);
    equal(figures(one), figures(two), 'rows');
    equal(engine.ask(view, 'diff?view=top').error, 'there is nothing to compare with', 'no base');
});

test('what has no moments is asked for none', () => {
    const engine = load(file), view = engine.open(fs.readFileSync(fixture('demo.prof')), 'test');
    for (const question of ['moments', 'top?time-from=1s'])
        equal(engine.ask(view, question).error, 'the profile does not say when its samples were counted', question);
});

fs.rmSync(dir, { recursive: true });
done();
