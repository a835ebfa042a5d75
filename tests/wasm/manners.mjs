// SPDX-License-Identifier: Apache-2.0
//
// node manners.mjs assay.wasm FIXTURES
//
// How the engine answers: page by page, in words where it cannot, in strings where numbers would
// lose digits, and whatever is asked.

import { load } from './engine.mjs';
import { EMPTY, LARGE, many, THREADS } from './inputs.mjs';
import { done, equal, files, holds, test } from './tap.mjs';

const [file, fixtures] = process.argv.slice(2);
const engine = load(file);
const fixture = files(fixtures);
const encode = (text) => new TextEncoder().encode(text);
const open = (text) => engine.open(encode(text), 'made');
const demo = engine.open(fixture('callgrind.out.demo'), 'demo');

function fails(view, question, word, part) {
    const answer = engine.ask(view, question);
    holds(typeof answer.error === 'string' && answer.error.includes(part),
        `${question}: expected a failure with '${part}', got ${JSON.stringify(answer).slice(0, 200)}`);
    equal(answer.word, word, `${question}: word`);
}

/* ---- pages ---- */

const sums = (top) => top.events.map((_, i) => top.rows.reduce((n, row) => n + row.self[i], top.rest.self[i]));
const totals = (top) => top.events.map((event) => event.total);

test('pages of a table are its rows, and each adds up with its rest', () => {
    for (const by of ['function', 'line', 'file', 'object'])
        for (const order of ['self', 'inclusive', 'calls', 'name']) {
            const all = engine.ask(demo, `top?by=${by}&order=${order}`);
            const rows = [];
            for (let from = 0; from < all.all; from += 7) {
                const page = engine.ask(demo, `top?by=${by}&order=${order}&from=${from}&limit=7`);
                equal(sums(page), totals(page), 'rows and rest');
                equal(page.rest.rows, all.all - page.rows.length, 'rows of the rest');
                rows.push(...page.rows);
            }
            equal(rows, all.rows, `${by}, ${order}: pages`);
            equal(engine.ask(demo, `top?by=${by}&order=${order}&reverse=1`).rows, all.rows.reverse(), 'reversed');
        }
});

test('rows are in the order that is asked for', () => {
    const rows = (order) => engine.ask(demo, `top?order=${order}`).rows;
    const falls = (values) => values.every((value, i) => !i || values[i - 1] >= value);
    holds(falls(rows('self').map((row) => row.self[0])), 'self cost falls');
    // Of members of a cycle what may pass through them counts.
    holds(falls(rows('inclusive').map((row) => (row.inclusive_at_most ?? row.inclusive)[0])), 'inclusive cost falls');
    holds(falls(rows('calls').map((row) => row.calls ?? -1)), 'calls fall');
    const names = rows('name').map((row) => row.function).filter((name) => name !== null);
    equal(names, [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))), 'names');
});

test('what is found is told with its cost; smart case', () => {
    const all = engine.ask(demo, 'top');
    const found = engine.ask(demo, 'top?match=mix&limit=1');
    const wanted = all.rows.filter((row) => /mix/i.test(row.function));
    equal(found.found, wanted.length, 'found');
    equal(found.all, all.rows.length, 'all');
    equal(found.found_self, totals(all).map((_, i) => wanted.reduce((n, row) => n + row.self[i], 0)), 'their cost');
    equal(found.rows, wanted.slice(0, 1), 'the first of them');
    equal(sums(found), totals(found), 'rows and rest');
    equal(engine.ask(demo, 'top?match=MIX').found, 0, 'a capital letter');
    equal(engine.ask(demo, 'top?from=1000000').rows, [], 'behind the end');
});

test('a large table is worked out once', () => {
    const view = open(many(100000));
    const page = () => engine.ask(view, 'top?from=50000&limit=50');
    equal(page().rows.length, 50, 'rows');
    equal(page(), page(), 'the same page');
    equal(engine.ask(view, 'top?match=f99999').found, 1, 'found');
    engine.close(view);
});

test('pieces of a table of many lines are its rows', () => {
    let text = 'events: Ir Dr\n';
    for (let i = 0; i < 12000; i++)
        text += `fl=f${i % 7}.c\nfn=${'gf'[i % 2]}${i % 11}\n${i + 1} ${i * i % 13} ${i % 3}\n`;
    const view = open(text), row = ({ function: func, file, line, self }) => [self[1], self[0], func, file, line];
    const later = (a, b) => { // where they differ first: large costs before small ones, else as they rise
        const at = a.findIndex((_, i) => a[i] !== b[i]);
        return at < 2 ? b[at] - a[at] : a[at] < b[at] ? -1 : 1;
    };
    const pieces = (words, list) => {
        for (const from of [0, 100, 150, 1000, 5000, 11990])
            equal(engine.ask(view, `top?by=line&sort=Dr&from=${from}&limit=50${words}`).rows.map(row),
                list.slice(from, from + 50), `rows from ${from}${words}`);
    };
    const rows = Array.from({ length: 12000 }, (_, i) => [i % 3, i * i % 13, `${'gf'[i % 2]}${i % 11}`, `f${i % 7}.c`, i + 1]).sort(later);
    equal(engine.ask(view, 'top?by=line&sort=Dr&limit=1').rows.map(row), rows.slice(0, 1), 'the first');
    pieces('', rows);
    pieces('&match=%5Ef', rows.filter((r) => r[2][0] === 'f'));
    pieces('&reverse=1', rows.reverse());
    engine.close(view);
});

test('code without a name is found as it is shown', () => {
    const view = engine.open(fixture('demo.prof'), 'demo.prof');
    const { rows } = engine.ask(view, 'top');
    const address = rows.find((row) => row.function === null).address;
    holds(engine.ask(view, `top?match=${encodeURIComponent(`\\+${address}\\]`)}`).found === 1, 'its address');
    engine.close(view);
});

test('costs above the total are counted', () => {
    const view = open('events: Ir\nfn=f\n1 5\ncfn=g\ncalls=1 3\n2 100\nfn=g\n3 10\n');
    equal(engine.ask(view, 'top?limit=1').rows[0].inclusive, [100], 'what g costs');
    equal(engine.ask(view, 'top?limit=1').above, 2, 'f and g');
    equal(engine.ask(view, 'top?match=f').above, 2, 'whatever is looked for');
    equal(engine.ask(demo, 'top').above, 0, 'of a sound profile');
    engine.close(view);
});

/* ---- filters ---- */

/* A sample with a frame is counted in that frame's inclusive cost, or is the frame. */
test('code without a name is chosen as it is shown, one address of it', () => {
    for (const name of ['demo.prof', '../../src/formats/dcpi/golden/version_006.dcpi']) {
        const view = engine.open(fixture(name), name);
        const { rows, events } = engine.ask(view, 'top');
        const nameless = rows.filter((row) => row.function === null && row.address !== null);
        holds(nameless.length > 3, 'there are several');
        for (const { object, address, self, inclusive } of nameless) {
            const shown = `[${object.replace(/.*\//, '')}+${address}]`.replace(/[.+[\]$]/g, '\\$&');
            const left = (kind) => engine.ask(view, `filters?${kind}=${encodeURIComponent(`fn:^${shown}$`)}`);
            const cost = (inclusive ?? self).map(Number);
            equal(left('focus').matched, [true], `${shown} is found`);
            equal(left('focus').events.map((event) => event.total), cost, `${shown}: focus`);
            equal(left('ignore').events.map((event, i) => event.total + cost[i]),
                events.map((event) => event.total), `${shown}: the rest`);
        }
        engine.close(view);
    }
});

test('filters say what they leave, what they lose and what they match', () => {
    const whole = engine.ask(demo, 'filters');
    equal([whole.matched, whole.estimated, whole.losses], [[], false, []], 'of nothing');
    const some = engine.ask(demo, 'filters?focus=mix&ignore=no-such-thing&hide=main');
    equal(some.matched, [true, false, true], 'matched');
    holds(some.events[0].total < some.events[0].whole, 'a part of the whole');
    equal(some.events[0].whole, whole.events[0].total, 'the whole');
    const none = engine.ask(demo, 'filters?focus=no-such-thing');
    equal([none.matched, none.events[0].total], [[false], 0], 'nothing is left');
    equal(engine.ask(demo, 'filters?tagignore=x&hide=main&tagfocus=y&focus=no-such').matched, [false, true, false, false],
        'matched, in the order of the question');
    equal(engine.ask(demo, 'filters?focus=mix&relative=1').events[0].whole, undefined, 'relative');
    const folded = engine.open(Buffer.from('main;outer;inner_[i] 4\nmain 1\n'), 'inlined.folded');
    equal([whole, engine.ask(folded, 'filters'), engine.ask(folded, 'filters?inline=off')].map((a) => a.inlined),
        [false, true, false], 'whether something is inlined');
    equal(engine.ask(folded, 'top?inline=off').rows.map((row) => row.function), ['outer', 'main'], 'folded');
    engine.close(folded);
});

test('threads, parts and cycles', () => {
    const view = open(THREADS);
    const of = (words) => engine.ask(view, `top?${words}`).events.map((event) => event.total);
    equal(of(''), [630, 61], 'all');
    equal(of('thread=2'), [80, 8], 'thread 2');
    equal(of('thread=1&part=2'), [33, 3], 'part 2');
    equal(engine.ask(view, 'top?by=thread').rows.map((row) => row.self[0]), [550, 80], 'by thread');
    const { cycles } = engine.ask(view, 'top');
    equal(cycles[0].members.map((member) => member.function).sort(), ['ping', 'pong'], 'members');
    equal(engine.ask(view, 'top?from=0&limit=2').cycles, undefined, 'of a piece that was not asked for them');
    equal(engine.ask(view, 'top?from=1&limit=2&with-cycles=1').cycles, cycles, 'of one that was');
    // What recorded calls add up to, as the program has it with --cycles no; then again the usual.
    for (const command of ['top', 'graph?min=0', 'peek?func=ping', 'tree?min=0']) {
        const [usual, raw, again] = ['yes', 'no', 'yes'].map((word) => engine.ask(view, `${command}${command.includes('?') ? '&' : '?'}cycles=${word}`));
        equal(again, usual, `${command}: afterwards`);
        equal(JSON.stringify(raw).includes('inclusive_at_most'), false, `${command}: bounds`);
        equal((raw.cycles ?? []).length, 0, `${command}: cycles`);
    }
    equal(engine.ask(view, 'top?cycles=yes').rows.some((row) => row.inclusive_at_most), true, 'members of a cycle');
    fails(view, 'top?cycles=maybe', 'cycles', '');
    fails(view, 'top?thread=9', null, 'nothing is left');
    engine.close(view);
});

/* ---- values ---- */

test('what a double cannot hold is a string', () => {
    const view = open(LARGE);
    const top = engine.ask(view, 'top');
    equal(top.rows.map((row) => [row.function, row.self[0]]),
        [['f', '19599665578316398592'], ['g', '18446744073709551615'], ['h', 9007199254740992]], 'rows');
    equal(top.events[0].total, '38055416851280691199', 'total');
    equal(engine.ask(view, 'list?func=f&func-file=a.c').lines.map((line) => line.self[0]),
        ['1152921504606846977', '18446744073709551615'], 'lines');
    engine.close(view);
});

test('nor figures of a comparison that a double cannot hold', () => {
    const view = open(LARGE), base = open(LARGE.replace('1152921504606846977', '1152921504606846975'));
    engine.setBase(view, base);
    const diff = engine.ask(view, 'diff?normalize=none'), [event] = diff.events;
    equal([event.base, event.new, event.difference],
        ['38055416851280691197', '38055416851280691199', 2], 'totals');
    equal(diff.rows.map((row) => [row.function, row.self[0].base, row.self[0].new, row.self[0].difference]), [
        ['f', '19599665578316398590', '19599665578316398592', 2],
        ['g', '18446744073709551615', '18446744073709551615', 0],
        ['h', 9007199254740992, 9007199254740992, 0]], 'rows');
    equal(engine.ask(view, 'diff?view=tree&way=bottom-up&normalize=none&min=0%25').error !== undefined, true, 'no calls');
    engine.close(view);
    engine.close(base);
});

/* ---- failures ---- */

test('what cannot be answered is said, with the word that is to blame', () => {
    fails(demo, 'top?match=%28', 'match', 'no regular expression');
    fails(demo, 'top?focus=%28a', 'focus', 'no regular expression');
    fails(demo, 'top?focus=no-such-thing', 'focus', 'matches no');
    fails(demo, 'top?tagfocus=no-such', 'tagfocus', 'matches no label');
    fails(demo, 'top?tagignore=a%2C%28', 'tagignore', 'no regular expression');
    fails(demo, 'top?object=fn%3Ax', 'object', 'by its name');
    fails(demo, 'nothing', null, 'no command');
    fails(demo, '', null, 'no command');
    fails(demo, 'top?sort=Xyz', 'sort', 'no event');
    fails(demo, 'top?by=colour', 'by', 'no \'colour\'');
    fails(demo, 'top?from=one', 'from', 'expected a number');
    fails(demo, 'top?reverse=yes', 'reverse', '1 or 0');
    fails(demo, 'top?match=%4', 'match', 'two digits');
    fails(demo, 'top?limt=4', 'limt', 'no such word');
    fails(demo, 'top?inline=no', 'inline', 'no \'no\'');
    fails(demo, 'tree?min=much', 'min', 'share');
    fails(demo, 'peek?func=no-such-function', 'func', 'no such function');
    fails(demo, 'peek', 'func', 'no function is named');
    fails(demo, 'peek?func-address=here', 'func-address', 'address');
    fails(demo, 'diff', null, 'nothing to compare with');
    const places = engine.open(fixture('cachegrind.out.demo'), 'places');
    fails(places, 'tree', null, 'who called whom');
    fails(places, 'graph', null, 'who called whom');
    engine.close(places);
});

test('an empty profile has empty answers', () => {
    const view = open(EMPTY);
    equal(engine.ask(view, 'top').rows, [], 'rows');
    equal(engine.ask(view, 'top').rest, { rows: 0, self: [0, 0] }, 'rest');
    equal(engine.ask(view, 'tree').rows, [], 'tree');
    equal(engine.ask(view, 'graph').nodes, [], 'graph');
    engine.close(view);
});

test('damaged input is told by each question, and by check with its findings', () => {
    const view = engine.open(fixture('demo.prof').subarray(0, 23), 'cut.prof');
    for (const question of ['top', 'tree', 'info', 'filters'])
        fails(view, question, null, 'could not be read');
    holds(engine.ask(view, 'check').findings.length > 0, 'findings');
    engine.close(view);
});

test('a base that cannot be read is said', () => {
    const view = engine.open(fixture('demo.prof'), 'new'), base = open('no profile');
    engine.setBase(view, base);
    fails(view, 'diff', null, 'base: the input could not be read');
    engine.setBase(view, 0);
    fails(view, 'diff', null, 'nothing to compare with');
    engine.close(view);
    engine.close(base);
});

/* ---- whatever is asked ---- */

/** The same numbers in every run. */
function random(seed) {
    return (n) => {
        seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
        return (seed >>> 8) % n;
    };
}

test('any bytes are answered', () => {
    const next = random(1);
    const words = ['top', 'tree', 'peek', 'list', 'asm', 'graph', 'diff', 'filters', 'info', '?', '&', '=', '%', '%4',
        'by', 'line', 'func', 'mix', 'min', '%', 'sort', 'Ir', 'from', '99999999999999999999', 'limit', 'match', '(',
        'focus', 'hide', 'show-from', 'main', 'thread', '1', 'view', 'way', 'callers', 'depth', '\0', '\xff', 'event',
        ',', 'contexts', 'keep'];
    for (let i = 0; i < 3000; i++) {
        const text = Array.from({ length: next(9) }, () => words[next(words.length)]).join('');
        const bytes = i % 3 ? Buffer.from(text, 'latin1') : Buffer.from(Array.from({ length: next(40) }, () => next(256)));
        const answer = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(engine.raw(demo, bytes)));
        holds(answer.schema || typeof answer.error === 'string', `an answer to ${bytes}`);
    }
});

test('memory is given back after questions of all kinds', () => {
    const bytes = fixture('callgrind.out.demo');
    const run = () => {
        const view = engine.open(bytes, 'a'), base = engine.open(bytes, 'b');
        engine.setBase(view, base);
        for (const question of ['top', 'top?by=line', 'top?focus=mix', 'top?focus=a', 'top?hide=b', 'tree',
            'tree?way=bottom-up&event=Ir', 'peek?func=main', 'asm?func=main', 'graph', 'diff', 'diff?view=tree',
            'diff?view=list', 'diff?view=peek', 'info', 'check', 'filters?focus=mix'])
            engine.raw(view, question);
        engine.close(view);
        engine.close(base);
    };
    run();
    const before = engine.memory();
    for (let i = 0; i < 20; i++)
        run();
    equal(engine.memory(), before, 'bytes of memory after 20 more times');
});

done();
