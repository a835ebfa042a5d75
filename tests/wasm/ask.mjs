// SPDX-License-Identifier: Apache-2.0
//
// node ask.mjs assay.wasm FIXTURES ASSAY
//
// The engine answers what the program prints with -f json: command for command, option for option.
// Of all profiles by all filters every EVERY-th is asked, and so each of both some times; and of the
// functions of a profile as many.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { load } from './engine.mjs';
import { THREADS } from './inputs.mjs';
import { done, equal, holds, test } from './tap.mjs';

const [file, fixtures, assay] = process.argv.slice(2);
const engine = load(file), EVERY = Number(process.env.EVERY ?? 1);
const fixture = (file) => fs.readFileSync(file);

/** Inputs that are made for this. */
const made = fs.mkdtempSync(path.join(os.tmpdir(), 'assay-'));
process.on('exit', () => fs.rmSync(made, { recursive: true }));
fs.writeFileSync(path.join(made, 'threads'), THREADS);
fs.writeFileSync(path.join(made, 'inlined'), ['main;outer;inner_[i];deep_[i];callee 3', 'main;outer;inner_[i] 4', 'main;outer 5',
    'main;inner 2', 'main;callee;mix_[i] 7'].join('\n') + '\n');
for (const format of ['pprof', 'folded', 'gperf'])
    execFileSync(assay, ['convert', path.join(fixtures, 'demo.symbolized.prof'), '--to', format, '-q',
        '-o', path.join(made, format)]);
/* pprof's labels: texts, numbers, several of a key, none. */
execFileSync('sh', ['-c', '. "$1"; labelled > "$2"', 'sh', path.join(fixtures, '../cli/samples'), path.join(made, 'labelled')]);
/* One of the files that are a DCPI database. */
execFileSync(assay, ['convert', path.join(made, 'threads'), '--to', 'dcpi', '-q', '-o', path.join(made, 'db/')]);
const images = fs.readdirSync(path.join(made, 'db')).map((name) => path.join(made, 'db', name));
fs.copyFileSync(images.find((name) => name.includes('server')), path.join(made, 'dcpi'));

const environment = { ...process.env, ASSAY_SYMBOLS: 'none', ASSAY_COMPAT: '' };

/** What the program prints; null if it fails. */
function run(words) {
    try {
        return JSON.parse(execFileSync(assay, [...words, '-f', 'json'],
            { env: environment, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 }));
    } catch (error) {
        return error.status === 1 && error.stdout.length ? JSON.parse(error.stdout) : null;
    }
}

const place = (name) => path.join(name.includes('.') ? fixtures : made, name);
const program = (command, name, options, more = []) => run([command, ...options, place(name), ...more]);
/** Of commands whose first operand is a function. */
const programOf = (command, name, options, func) => run([command, ...options, func, place(name)]);

const views = new Map();

function view(name) {
    if (!views.has(name))
        views.set(name, engine.open(fixture(place(name)), place(name)));
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

const PLACES = ['cachegrind.out.demo', 'dcpi'];
const CALLS = ['callgrind.out.demo', 'callgrind.out.demo.full', 'callgrind.out.demo.callers', 'threads'];
const PATHS = ['demo.prof', 'demo.symbolized.prof', 'pprof', 'folded', 'gperf', 'inlined'];
const FILTERS = [[], [['focus', 'mix']], [['ignore', 'libc']], [['hide', '^mix$'], ['focus', 'main']],
    [['show-from', 'main'], ['relative', '1']], [['prune-from', 'mix']], [['focus', 'fn:Mix']],
    [['show', 'fn:m']], [['hide', 'fn:^\\[.*\\+0x[0-9a-f]*8\\]$']], [['object', 'demo']], [['thread', '1']], [['part', '2'], ['focus', 'helper|mix']], [['label', 'a=b']],
    [['inline', 'off']], [['inline', 'off'], ['focus', 'outer|mix']], [['inline', 'on']]];

/** Without what the program does not say. */
const top = ({ found, all, found_self, above, ...rest }) => rest;
const diff = ({ found, all, ...rest }) => rest;

const turns = [...PLACES, ...CALLS, ...PATHS].flatMap((name, i) =>
    FILTERS.filter((_, k) => (i + k) % EVERY === 0).map((filter) => [name, filter]));

for (const [name, filter] of turns)
    test(`${name} ${question('', filter)}: as the program says it`, () => {
        const all = [...options(filter), '-n', '0'];
        for (const by of ['function', 'file', 'object', 'line', 'address', 'filefunction'])
            same(name, 'top', [...filter, ['by', by]], [...all, `--by=${by}`], top);
        same(name, 'top', [...filter, ['order', 'inclusive']], [...all, '--sort=inclusive'], top);
        for (const by of ['part', 'thread', 'label'])
            same(name, 'top', [...filter, ['by', by]], [...all, `--by=${by}`]);
        for (const way of ['callees', 'bottom-up'])
            same(name, 'tree', [...filter, ['way', way]], [...options(filter), `--${way}`]);
        same(name, 'graph', filter);
        same(name, 'info', filter);
    });

const TAGS = [['tagfocus', 'user=ann'], ['tagfocus', 'Bob'], ['tagfocus', 'user=bob,ann'], ['tagfocus', 'ann,bob'], ['tagfocus', 'user:b'],
    ['tagfocus', '1kb:4kb'], ['tagfocus', 'size=1kb:'], ['tagfocus', 'shard=7'], ['tagfocus', 'no-such'], ['tagfocus', ''],
    ['tagignore', 'user='], ['tagignore', ':1kb'], ['tagignore', 'no-such'], ['label', 'user=ann'], ['label', 'size=512bytes']];

for (const filter of [...TAGS.map((tag) => [tag]), [TAGS[0], TAGS[6]], [TAGS[0], ['tagignore', 'bob']], [TAGS[4], TAGS[2], ['focus', 'main']],
    [TAGS[0], ['relative', '1']], [TAGS[0], ['label', 'host=a1']], [TAGS[0], ['hide', 'main']]])
    test(`labels ${question('', filter)}: as the program says it`, () => {
        const all = [...options(filter), '-n', '0'];
        for (const by of ['function', 'object', 'address'])
            same('labelled', 'top', [...filter, ['by', by]], [...all, `--by=${by}`], top);
        for (const by of ['part', 'label'])
            same('labelled', 'top', [...filter, ['by', by]], [...all, `--by=${by}`]);
        for (const command of ['tree', 'graph', 'info'])
            same('labelled', command, filter);
    });

test('labels of a key', () => {
    for (const filter of [[], [['tagfocus', 'host=']], [['label', 'user=ann']]])
        for (const key of ['user', 'host'])
            same('labelled', 'top', [...filter, ['by', 'label'], ['key', key]], [...options(filter), '-n', '0', `--by=label:${key}`]);
});

for (const name of [...PLACES, ...CALLS, ...PATHS])
    test(`${name}: other events, levels and contexts`, () => {
        for (const { name: event } of engine.ask(view(name), 'top').events) {
            same(name, 'top', [['sort', event]], [`--sort=${event}`, '-n', '0'], top);
            same(name, 'tree', [['sort', event], ['event', event]]);
            same(name, 'tree', [['sort', event], ['min', '5%'], ['depth', '3']]);
            same(name, 'graph', [['sort', event], ['min', '2%'], ['depth', '2'], ['nodes', '7']]);
        }
        for (const contexts of ['keep', 'fold']) {
            same(name, 'top', [['contexts', contexts]], [`--contexts=${contexts}`, '-n', '0'], top);
            same(name, 'tree', [['contexts', contexts]]);
            same(name, 'graph', [['contexts', contexts]]);
        }
        same(name, 'check', []);
    });

/** The words that name a row's function. */
function named({ function: func, file, object, address }) {
    const words = { func, 'func-file': file, 'func-object': object, 'func-address': address };
    return Object.entries(words).filter(([, value]) => value !== null);
}

/** A row's function as the program finds it: that row alone. */
const typed = (row) => row.function ?? `[${path.basename(row.object ?? '')}+${row.address}]`;

function functions(name) {
    const { rows } = engine.ask(view(name), 'top?order=inclusive');
    const like = (row) => rows.filter((other) => typed(other).includes(typed(row)));
    return rows.filter((row) => like(row).length === 1 && row.address !== '0x0').slice(0, 12);
}

/** Nothing of source and code: the page has its own. */
const bare = (answer) => JSON.parse(JSON.stringify(answer, (key, value) =>
    ['text', 'found', 'note', 'size', 'target', 'target_function'].includes(key) ? null : value));

for (const name of [...CALLS, ...PATHS])
    test(`${name}: functions by what rows say of them`, () => {
        const rows = functions(name);
        holds(rows.length > 3, 'there are functions to ask for');
        for (const row of rows.filter((_, i) => i % EVERY === 0))
            for (const [command, words, extra] of [['peek', [], []], ['list', [], []],
                ['asm', [], ['--symfs=/nowhere']], ['tree', [['way', 'callees']], ['--callees']],
                ['tree', [['way', 'callers']], ['--callers']],
                ['tree', [['way', 'bottom-up']], ['--bottom-up']]]) {
                const wanted = command === 'tree' ? program(command, name, extra, [typed(row)])
                    : programOf(command, name, extra, typed(row));
                const asked = question(command, [...words, ...named(row)]);
                const got = engine.ask(view(name), asked);
                if (wanted === null)
                    holds(got.error, `${asked}: the program fails, the engine does not`);
                else
                    equal(bare(got), bare(wanted), asked);
            }
    });

/* ---- comparisons ---- */

function compared(before, after, words, opts) {
    const new_ = engine.open(fixture(place(after)), place(after));
    const base = engine.open(fixture(place(before)), place(before));
    engine.setBase(new_, base);
    const got = engine.ask(new_, question('diff', words));
    engine.close(new_);
    engine.close(base);
    const wanted = run(['diff', ...opts, place(before), place(after)]);
    if (wanted === null)
        return holds(got.error, `${question('diff', words)}: the program fails, the engine does not`);
    equal(bare(diff(got)), bare(wanted), question('diff', words));
}

for (const [before, after] of [['callgrind.out.before', 'callgrind.out.after'],
    ['callgrind.out.demo', 'callgrind.out.demo.full'], ['demo.symbolized.prof', 'demo.prof'],
    ['demo.prof', 'demo.prof'], ['cachegrind.out.demo', 'callgrind.out.demo']])
    test(`${before} and ${after}: compared as the program does`, () => {
        for (const filter of [[], [['focus', 'mix']], [['ignore', 'libc'], ['relative', '1']]]) {
            const given = options(filter);
            for (const by of ['function', 'file', 'object', 'line'])
                compared(before, after, [...filter, ['by', by]], [...given, `--by=${by}`, '-n', '0']);
            for (const normalize of ['none', 'total', 'time'])
                compared(before, after, [...filter, ['normalize', normalize]],
                    [...given, `--normalize=${normalize}`, '-n', '0']);
            compared(before, after, [...filter, ['order', 'inclusive']], [...given, '--sort=inclusive', '-n', '0']);
            compared(before, after, [...filter, ['limit', '3']], [...given, '-n', '3']);
            for (const view of ['tree', 'list', 'peek'])
                compared(before, after, [...filter, ['view', view]], [...given, `--view=${view}`]);
        }
        compared(before, after, [['view', 'tree'], ['min', '0.1%'], ['depth', '2']],
            ['--view=tree', '--min=0.1%', '--depth=2']);
        for (const [sort, min] of [[[], '0%'], [[], '1%'], [['sort', 'Dr'], '0%']])
            compared(before, after, [['view', 'tree'], ['way', 'bottom-up'], ['min', min], ...sort.length ? [sort] : []],
                ['--view=tree', '--bottom-up', `--min=${min}`, ...sort.length ? ['--sort=Dr'] : []]);
    });

done();
