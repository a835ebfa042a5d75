// SPDX-License-Identifier: Apache-2.0
//
// node pictures.mjs assay.wasm FIXTURES
//
// Flame graphs and tree maps: what is drawn adds up to what the tables say.

import path from 'node:path';

import { load } from './engine.mjs';
import { done, equal, files, holds, test } from './tap.mjs';

const [file, fixtures] = process.argv.slice(2);
const engine = load(file);
const fixture = files(fixtures);
const NAMES = ['callgrind.out.demo', 'callgrind.out.demo.full', 'callgrind.out.demo.callers',
    'callgrind.out.before', 'cachegrind.out.demo', 'demo.prof', 'demo.symbolized.prof'];
const ROOT = 0, FUNC = 1, GROUP = 2, REST = 3;

const views = new Map();

function view(name) {
    if (!views.has(name))
        views.set(name, engine.open(fixture(name), path.join(fixtures, name)));
    return views.get(name);
}

/** The columns of an answer, as a page reads them. */
function unpack(bytes) {
    const whole = bytes.slice(), data = new DataView(whole.buffer);
    const length = data.getUint32(0, true);
    const head = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(whole.subarray(4, 4 + length)));
    let at = Math.ceil((4 + length) / 8) * 8;
    const column = (Type) => {
        const values = new Type(whole.buffer, at, head.n);
        at += values.byteLength;
        return values;
    };
    const flame = { head };
    for (const key of ['at', 'width', 'self', 'cost'])
        flame[key] = column(Float64Array);
    flame.base = head.diff ? column(Float64Array) : null;
    for (const key of ['depth', 'name'])
        flame[key] = column(Uint32Array);
    for (const key of ['kind', 'colour', 'flags'])
        flame[key] = column(Uint8Array);
    equal(at, whole.length, 'the columns are all there is');
    return flame;
}

const flameOf = (name, words = '') => unpack(engine.raw(view(name), `flame?${words}`));
const sum = (values) => values.reduce((a, b) => a + b, 0);

/** Boxes stand within those below them, side by side, and their selves are the total. */
function holdsTogether(f, what) {
    const ends = [], last = [0];
    let fine = f.kind[0] === ROOT && f.width[0] === Number(f.head.total), small = 0;
    for (let i = 1; i < f.head.n; i++) {
        const d = f.depth[i], below = last[d - 1];
        ends.length = Math.min(ends.length, d + 1);
        last[d] = i;
        fine &&= f.at[i] >= (ends[d] ?? 0) && f.at[i] >= f.at[below] &&
            f.at[i] + f.width[i] <= f.at[below] + f.width[below];
        ends[d] = f.at[i] + f.width[i];
        if (f.kind[i] === REST)
            small += f.name[i];
        else if (f.kind[i] === FUNC || f.kind[i] === GROUP)
            fine &&= f.head.names.function[f.name[i]] !== undefined;
    }
    holds(fine && small === f.head.small && sum(f.self) === Number(f.head.total), what);
}

for (const name of NAMES) {
    test(`flame graphs and maps of ${name}`, () => {
        const { events } = engine.ask(view(name), 'top?limit=1');
        for (const { name: event, total } of events) {
            for (const words of ['', 'way=bottom-up', 'boxes=40', 'way=bottom-up&boxes=40', 'colour=file', 'colour=self'])  {
                const f = flameOf(name, `${words}&sort=${encodeURIComponent(event)}`);
                equal([f.head.event, Number(f.head.total)], [event, Number(total)], `${words}: total of ${event}`);
                holdsTogether(f, `${words}: boxes of ${event}`);
                if (words.includes('boxes=40'))
                    holds(f.head.n <= 42, `${words}: no more boxes than asked for`);
            }
            const map = engine.ask(view(name), `treemap?sort=${encodeURIComponent(event)}`);
            const leaves = map.boxes.filter(b => b.kind === 'function' || b.kind === 'small');
            equal(sum(leaves.map(b => Number(b.cost))), Number(total), `the map's ${event}`);
            equal(sum(leaves.map(b => b.n)), map.small, `${event}: what is small`);
        }
    });
}

test('a function alone, above and below', () => {
    for (const name of ['callgrind.out.demo', 'demo.symbolized.prof']) {
        const { rows } = engine.ask(view(name), 'top?order=inclusive&limit=6');
        for (const row of rows.filter(row => row.function)) {
            const func = `func=${encodeURIComponent(row.function)}&func-file=${encodeURIComponent(row.file ?? '')}&func-object=${encodeURIComponent(row.object ?? '')}`;
            for (const way of ['callees', 'callers']) {
                const f = flameOf(name, `way=${way}&${func}`);
                holdsTogether(f, `${way} of ${row.function}`);
                equal(f.head.names.function[f.name[1]], row.function, `${way}: the function stands on the root`);
                if (way === 'callers')
                    equal(Number(f.head.total), Number(row.inclusive[0]), `${way}: as wide as it costs`);
            }
        }
    }
});

test('facts are those of the flame that is named', () => {
    const name = 'demo.symbolized.prof', flames = [];
    for (const words of ['', 'way=bottom-up', 'colour=self', 'focus=main'])
        flames.push(flameOf(name, words));
    for (const f of flames) {
        const boxes = [...Array(Math.min(f.head.n, 5)).keys()];
        const { boxes: facts } = engine.ask(view(name), `facts?flame=${f.head.id}&boxes=${boxes.join(',')}`);
        boxes.forEach(i => {
            const cost = f.cost[i].toLocaleString('en-US');
            holds(facts[i].facts.startsWith(`${cost} `), `box ${i}: ${facts[i].facts}`);
            if (f.kind[i] === FUNC && f.head.names.function[f.name[i]])
                equal(facts[i].name, f.head.names.function[f.name[i]], `box ${i}: its name`);
        });
    }
    holds(engine.ask(view(name), 'facts?boxes=0').word === 'flame', 'a flame must be named');
    holds(engine.ask(view(name), `facts?flame=${flames[0].head.id}&boxes=99999`).word === 'boxes', 'a box must be there');
    holds(engine.ask(view(name), 'flame?way=sideways').word === 'way', 'a way must be one');
});

test('a comparison', () => {
    const base = view('callgrind.out.before'), now = view('callgrind.out.demo');
    holds(engine.ask(now, 'flame?diff=1').error, 'without a base there is none');
    engine.setBase(now, base);
    const f = unpack(engine.raw(now, 'flame?diff=1'));
    const diff = engine.ask(now, 'diff?limit=1');
    equal([f.cost[0], f.base[0]], [diff.events[0].new, diff.events[0].base], 'both totals');
    holdsTogether(f, 'its boxes');
    const known = [...f.base.keys()].filter(i => f.kind[i] === FUNC);
    holds(known.every(i => !(f.flags[i] & 4) || f.base[i] === 0), 'what is new cost nothing');
    holds(known.every(i => !(f.flags[i] & 8) || f.cost[i] === 0), 'what is gone costs nothing');
    holds(known.some(i => f.colour[i]), 'some of it changed');
    for (const [way, words] of [['bottom-up', ''], ['callers', '&func=next_key'], ['callees', '&func=sort_phase']]) {
        const up = unpack(engine.raw(now, `flame?diff=1&way=${way}${words}`));
        const tree = engine.ask(now, `diff?view=tree&min=0%25&way=${way}${words}`);
        const top = tree.rows.filter(r => !r.depth).map(r => r.inclusive[0]), boxes = [...up.depth.keys()].filter(i => up.depth[i] === 1);
        holdsTogether(up, `${way}: its boxes`);
        equal([up.cost[0], up.base[0]], [sum(top.map(d => d.new)), sum(top.map(d => d.base))], `${way}: level one is all`);
        equal([sum(boxes.map(i => up.cost[i])), sum(boxes.map(i => up.base[i]))], [up.cost[0], up.base[0]], `${way}: so are its boxes`);
        holds(words || up.cost[0] === f.cost[0], 'bottom-up: all of the profile');
        equal(tree.way, way, 'its way');
    }
    holds(engine.ask(now, 'flame?diff=1&func=nonesuch').word === 'func', 'a function of neither side');
    for (const q of ['diff?by=function&limit=9', 'diff?by=line', 'diff?view=tree', 'diff?view=list', 'diff?view=peek', 'diff?order=name'])
        equal(engine.ask(now, q), engine.ask(now, q), `${q}: asked twice`);
    engine.setBase(now, now);
    const same = unpack(engine.raw(now, 'flame?diff=1&normalize=none'));
    holds(same.cost.every((v, i) => v === same.base[i]) && same.colour.every(c => c === 0), 'the same is the same');
    engine.setBase(now, 0);
});

done();
