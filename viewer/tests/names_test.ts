// SPDX-License-Identifier: Apache-2.0
/* Names: the same as src/report/kit/show_test.c wants of the program. */
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { test } from 'node:test';
import { clean, fit, funcWords, key, levels, matches, nameOf, same, where } from '../src/names';

const none = { function: null, file: null, object: null, address: null };

function fits(): void {
    const name = 'void ns::sort<int*, std::less<int>>(int*, int*)';

    for (const [n, width, want] of [[name, 47, name], [name, 46, 'void ns::sort<…>(int*, int*)'],
        [name, 28, 'void ns::sort<…>(int*, int*)'], [name, 27, 'void ns::sort<…>(…)'],
        [name, 18, '…::sort<…>(…)'], [name, 12, '…::sort<…>(…'],
        ['averyveryverylongidentifier', 10, 'averyveryverylongidentifier'],
        ['msort_with_tmp.part.0', 16, 'msort_with_tmp.…'], ['f.isra.0', 3, 'f.…'],
        ['std::operator<<(std::ostream&, char const*)', 30, 'std::operator<<(…)'],
        ['S::operator<(S const&, S const&, int, int)', 20, 'S::operator<(…)'],
        ['S::operator->(long, argument, list)', 20, 'S::operator->(…)'],
        ['(anonymous namespace)::helper(int, int, int)', 34, '(anonymous namespace)::helper(…)'],
        ['/usr/lib/x86_64-linux-gnu/libc.so.6', 14, '…/libc.so.6']] as const)
        strictEqual(fit(n, width), want);
    deepStrictEqual(levels(name), [name, 'void ns::sort<…>(int*, int*)', 'void ns::sort<…>(…)',
        '…::sort<…>(…)']);
}

/* A name of 64 kB of brackets is done with at once, not after a square of steps. */
function longNames(): void {
    for (const unit of ['a<', 'a(', '><', '<', 'operator<'])
        ok(levels(unit.repeat(65536 / unit.length)).length === 4);
}

function hostile(): void {
    strictEqual(clean('a\u001b[2Jb\u0000cü'), 'a\\x1b[2Jb\\x00cü');
    strictEqual(clean('\u202egpj.exe'), '\\xe2\\x80\\xaegpj.exe');
    strictEqual(clean('\u2066a\u2069'), '\\xe2\\x81\\xa6a\\xe2\\x81\\xa9');
    strictEqual(clean('\u061c'), '\\xd8\\x9c');
    strictEqual(clean('\u009b2J'), '\\xc2\\x9b2J');
    strictEqual(clean('\u05d0\u202f\u00a0😀'), '\u05d0\u202f\u00a0😀');
    strictEqual(nameOf({ ...none, function: '<script>\u202e' }), '<script>\\xe2\\x80\\xae');
}

function nameless(): void {
    const object = '/usr/lib/libc.so.6';

    strictEqual(nameOf({ ...none, object, address: '0x1234' }), '[libc.so.6+0x1234]');
    strictEqual(nameOf({ ...none, object }), '[libc.so.6]');
    strictEqual(nameOf({ ...none, object, address: '0x0' }), '[libc.so.6]');
    strictEqual(nameOf({ ...none, address: '0x1234' }), '[0x1234]');
    strictEqual(nameOf({ ...none, object: '[lost]', address: '0x1' }), '[lost]');
    strictEqual(nameOf(none), '[unknown]');
}

function places(): void {
    const f = { ...none, file: '/src/a.c', object: '/bin/b' };

    strictEqual(where(f, 28), 'a.c:28');
    strictEqual(where(f), 'a.c');
    strictEqual(where({ ...f, file: null }), 'b');
    strictEqual(where(none, 3), '');
}

function identity(): void {
    const f = { ...none, function: 'f', file: '/a.c' }, g = { ...f, file: '/b.c' };

    ok(same(f, { ...f }) && !same(f, g) && same(null, null) && !same(f, null));
    strictEqual(key(f), key({ ...f }));
    notStrictEqual(key(f), key(g));
    notStrictEqual(key({ ...none, function: 'a","b' }), key({ ...none, function: 'a', file: 'b' }));
    deepStrictEqual(funcWords(f), { func: 'f', 'func-file': '/a.c' });
    deepStrictEqual(funcWords({ ...none, object: '/o', address: '0x1' }),
        { 'func-object': '/o', 'func-address': '0x1' });
}

/* Rows of comparisons have objects without folders, rows of lines have no file of the function. */
function rowsOfAFunction(): void {
    const f = { ...none, function: 'f', file: '/src/a.c', object: '/bin/b' };

    ok(matches(f, f) && matches({ ...f, object: 'b' }, f) && matches({ ...f, file: null }, f));
    ok(!matches({ ...f, object: '/usr/bin/b' }, f) && !matches({ ...f, file: '/src/b.c' }, f));
    ok(!matches({ ...f, function: 'g' }, f));
    ok(matches({ ...none, address: '0x1' }, { ...none, address: '0x1', object: '/o' }));
    ok(!matches({ ...none, address: '0x1' }, { ...none, address: '0x2' }));
}

for (const check of [fits, longNames, hostile, nameless, places, identity, rowsOfAFunction])
    test(check.name, check);
