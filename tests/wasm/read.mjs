// SPDX-License-Identifier: Apache-2.0
//
// node read.mjs assay.wasm FIXTURES
//
// Reads the shipped profiles through the WebAssembly module, as a page would, and compares with
// what the tools that wrote them say. The module may import what is in ALLOWED and nothing else:
// that is the proof that the engine needs no OS.

import fs from 'node:fs';
import path from 'node:path';

const ALLOWED = ['fd_close', 'fd_fdstat_get', 'fd_seek', 'fd_write', 'proc_exit'];
const BY = { function: 0, file: 1, object: 2, line: 3, address: 4 };

const [file, fixtures] = process.argv.slice(2);
const module = new WebAssembly.Module(fs.readFileSync(file));

function imports() {
    const wasi = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
        if (from !== 'wasi_snapshot_preview1' || !ALLOWED.includes(name))
            throw new Error(`the module imports ${from}.${name}`);
        wasi[name] = () => {
            throw new Error(`the module called ${name}`);
        };
    }
    return { wasi_snapshot_preview1: wasi };
}

const { exports: assay } = new WebAssembly.Instance(module, imports());
assay._initialize();

/** The JSON of a text that the module gave, or null. */
function take(text) {
    if (!text)
        return null;
    const bytes = new Uint8Array(assay.memory.buffer, assay.assay_wasm_text_data(text), assay.assay_wasm_text_size(text));
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    assay.assay_wasm_text_free(text);
    return json;
}

/** All that the module says about some bytes. */
function read(bytes) {
    const data = assay.assay_wasm_alloc(bytes.length || 1);
    new Uint8Array(assay.memory.buffer, data, bytes.length).set(bytes);
    const view = assay.assay_wasm_open(data, bytes.length);
    assay.assay_wasm_free(data, bytes.length || 1);
    const answers = {
        top: take(assay.assay_wasm_top(view, BY.function, 0)),
        objects: take(assay.assay_wasm_top(view, BY.object, 0)),
        info: take(assay.assay_wasm_info(view)),
        check: take(assay.assay_wasm_check(view)),
    };
    assay.assay_wasm_close(view);
    return answers;
}

let count = 0, failed = 0;

function test(name, run) {
    let why = null;
    try {
        run();
    } catch (error) {
        why = error;
        failed++;
    }
    console.log(`${why ? 'not ' : ''}ok ${++count} - ${name}`);
    if (why)
        console.log(`# ${why.stack.replaceAll('\n', '\n# ')}`);
}

function equal(got, wanted, what) {
    if (JSON.stringify(got) !== JSON.stringify(wanted))
        throw new Error(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
}

const fixture = (name) => fs.readFileSync(path.join(fixtures, name));

/** What the Callgrind or Cachegrind file itself declares: its event names and its summary. */
function declared(name) {
    const text = fixture(name).toString('latin1');
    const events = /^events: +(.*?) *$/m.exec(text)[1].split(/ +/);
    const summary = [...text.matchAll(/^summary: +(.*?) *$/gm)].pop()[1].split(/ +/).map(Number);
    return { events, summary };
}

const sum = (rows, event) => rows.reduce((n, row) => n + row.self[event], 0);

function adds_up(top, totals) {
    equal(top.events.map((event) => event.total), totals, 'totals');
    equal(totals.map((_, i) => sum(top.rows, i) + top.rest.self[i]), totals, 'sum of the rows and the rest');
}

console.log(`1..7`);
for (const name of ['callgrind.out.demo', 'callgrind.out.demo.full', 'cachegrind.out.demo'])
    test(`${name}: totals are those that valgrind declares`, () => {
        const { top, objects, info, check } = read(fixture(name));
        const { events, summary } = declared(name);
        equal(top.schema, 'assay.top/1', 'schema');
        equal(top.events.slice(0, events.length).map((event) => event.name), events, 'events');
        adds_up(top, summary);
        adds_up(objects, summary);
        equal(info.schema, 'assay.info/1', 'schema');
        equal(check.findings.filter((finding) => finding.severity === 'error'), [], 'errors');
    });

for (const name of ['demo.prof', 'demo.symbolized.prof'])
    test(`${name}: samples are those that libprofiler counted`, () => {
        const { top, objects } = read(fixture(name));
        equal(top.events[0].total, 378, 'samples');
        adds_up(top, top.events.map((event) => event.total));
        adds_up(objects, top.events.map((event) => event.total));
    });

test('a cut profile is salvaged, or refused with a reason', () => {
    const bytes = fixture('demo.prof');
    for (const size of [0, 1, 23, 40, 1000, bytes.length >> 1]) {
        const { check } = read(bytes.subarray(0, size));
        if (!check.findings.length)
            throw new Error(`nothing is said about the first ${size} bytes`);
    }
});

test('memory is given back', () => {
    const bytes = fixture('callgrind.out.demo');
    read(bytes);
    const before = assay.memory.buffer.byteLength;
    for (let i = 0; i < 50; i++)
        read(bytes);
    equal(assay.memory.buffer.byteLength, before, 'bytes of memory after 50 more reads');
});

process.exit(failed ? 1 : 0);
