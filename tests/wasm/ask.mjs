// SPDX-License-Identifier: Apache-2.0
//
// node ask.mjs assay.wasm FIXTURES ASSAY
//
// The engine answers what the program prints with -f json: command for command, option for option.

import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { load } from './engine.mjs';
import { done, equal, files, holds, test } from './tap.mjs';

const [file, fixtures, assay] = process.argv.slice(2);
const engine = load(file);
const fixture = files(fixtures);

const environment = { ...process.env, ASSAY_SYMBOLS: 'none', ASSAY_COMPAT: '' };

/** What the program prints; null if it fails. */
function program(command, name, options) {
    const words = [command, ...options, '-f', 'json', path.join(fixtures, name)];
    try {
        return JSON.parse(execFileSync(assay, words,
            { env: environment, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 }));
    } catch {
        return null;
    }
}

const views = new Map();

function view(name) {
    if (!views.has(name))
        views.set(name, engine.open(fixture(name), path.join(fixtures, name)));
    return views.get(name);
}

/** "top?by=file" of words; options of the program of the same words. */
const question = (command, words) =>
    `${command}?${words.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
const options = (words) => words.map(([key, value]) => value === '1' && key === 'relative' ? `--${key}` : `--${key}=${value}`);

function same(name, command, words, opts = options(words), change = (answer) => answer) {
    const wanted = program(command, name, opts);
    const got = engine.ask(view(name), question(command, words));
    if (wanted === null)
        return holds(got.error, `${question(command, words)}: the program fails, the engine does not`);
    equal(change(got), change(wanted), question(command, words));
}

const FIXTURES = ['callgrind.out.demo', 'callgrind.out.demo.full', 'callgrind.out.demo.callers',
    'callgrind.out.before', 'cachegrind.out.demo', 'demo.prof', 'demo.symbolized.prof'];
const FILTERS = [[], [['focus', 'mix']], [['ignore', 'libc']], [['hide', '^mix$'], ['focus', 'main']],
    [['show-from', 'main'], ['relative', '1']], [['prune-from', 'mix']], [['focus', 'fn:Mix']],
    [['show', 'fn:m']], [['contexts', 'keep']]];

const top = (answer) => {
    const { found, all, found_self, ...rest } = answer;
    return rest;
};

for (const name of FIXTURES)
    for (const filter of FILTERS)
        test(`${name} ${question('', filter)}: as the program says it`, () => {
            const all = ['-n', '0'];
            for (const by of ['function', 'file', 'object', 'line', 'address', 'filefunction'])
                same(name, 'top', [...filter, ['by', by]], [...options(filter), `--by=${by}`, ...all], top);
            same(name, 'top', [...filter, ['order', 'inclusive']],
                [...options(filter), '--sort=inclusive', ...all], top);
            for (const by of ['part', 'thread', 'label'])
                same(name, 'top', [...filter, ['by', by]], [...options(filter), `--by=${by}`, ...all]);
            for (const way of ['callees', 'bottom-up'])
                same(name, 'tree', [...filter, ['way', way]], [...options(filter), `--${way}`]);
            same(name, 'graph', filter);
            same(name, 'info', filter);
        });

done();
