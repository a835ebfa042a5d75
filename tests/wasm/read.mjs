// SPDX-License-Identifier: Apache-2.0
//
// node read.mjs assay.wasm FIXTURES
//
// Reads the shipped profiles through the WebAssembly module, as a page would, and compares with
// what the tools that wrote them say.

import { load } from './engine.mjs';
import { done, equal, files, holds, test } from './tap.mjs';

const [file, fixtures] = process.argv.slice(2);
const engine = load(file);
const fixture = files(fixtures);

/** All that the module says about some bytes. */
function read(bytes) {
    const view = engine.open(bytes);
    const answers = {
        top: engine.ask(view, 'top'),
        objects: engine.ask(view, 'top?by=object'),
        info: engine.ask(view, 'info'),
        check: engine.ask(view, 'check'),
    };
    engine.close(view);
    return answers;
}

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
        const { check, top } = read(bytes.subarray(0, size));
        holds(check.findings.length, `something is said about the first ${size} bytes`);
        holds(top.schema || top.error, 'an answer or a failure');
    }
});

test('memory is given back', () => {
    const bytes = fixture('callgrind.out.demo');
    read(bytes);
    const before = engine.memory();
    for (let i = 0; i < 50; i++)
        read(bytes);
    equal(engine.memory(), before, 'bytes of memory after 50 more reads');
});

done();
