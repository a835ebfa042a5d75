// SPDX-License-Identifier: Apache-2.0
/* Patterns made of names, and questions made of words. */
import { ok, strictEqual } from 'node:assert';
import { test } from 'node:test';
import { question } from '../src/engine_client';
import { escape, patternOf, wrong } from '../src/pattern';

const none = { function: null, file: null, object: null, address: null };

function exact(): void {
    for (const name of ['operator()(int*) [clone .cold]', 'a|b', '\\d', '^$', 'std::vector<T, {x}>::~vector()', 'a/b-c', 'x\ny']) {
        const found = new RegExp(`^${escape(name)}$`);
        ok(found.test(name), name);
        ok(!found.test(name + 'x') && !found.test('x' + name), name);
    }
    ok(!new RegExp(`^${escape('a.c')}$`).test('abc'));
}

function functions(): void {
    strictEqual(patternOf({ ...none, function: 'f(int)', file: 'a.c', object: 'b' }), 'fn:^f\\(int\\)$');
    strictEqual(patternOf({ ...none, object: '/lib/libc.so.6', address: '0x12' }), 'obj:^\\/lib\\/libc\\.so\\.6$');
    strictEqual(patternOf({ ...none, file: 'a.c' }), 'file:^a\\.c$');
    strictEqual(patternOf(none), '');
}

function wrongOnes(): void {
    strictEqual(wrong('fn:^main$'), null);
    ok(wrong('x('));
    ok(wrong('obj:['));
}

function questions(): void {
    strictEqual(question('top', { by: 'file', limit: 20 }), 'top?by=file&limit=20');
    strictEqual(question('top?by=file', { focus: ['a&b', 'c d'], relative: true, thread: '', part: undefined }),
        'top?by=file&focus=a%26b&focus=c%20d&relative=1');
    strictEqual(question('check', {}), 'check?');
}

for (const check of [exact, functions, wrongOnes, questions])
    test(check.name, check);
