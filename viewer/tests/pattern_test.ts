// SPDX-License-Identifier: Apache-2.0
/* Patterns made of names, and questions made of words. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { test } from 'node:test';
import { question } from '../src/engine_client';
import { nameOf } from '../src/names';
import { choiceOf, escape, shownPattern, wrong, wrongTag } from '../src/pattern';

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
    const code = { ...none, object: '/lib/libc.so.6', address: '0x12' };
    const object = { pattern: 'obj:^\\/lib\\/libc\\.so\\.6$', of: 'object' };

    deepStrictEqual(choiceOf({ ...none, function: 'f(int)', file: 'a.c', object: 'b' }, 'calls'), { pattern: 'fn:^f\\(int\\)$', of: '' });
    for (const shape of ['paths', 'places'] as const) {
        const { pattern, of } = choiceOf(code, shape);
        ok(new RegExp(pattern.slice(3)).test(nameOf(code)) && pattern.startsWith('fn:^'));
        strictEqual(of, '');
    }
    deepStrictEqual(choiceOf(code, 'calls'), object);
    deepStrictEqual(choiceOf({ ...code, address: null }, 'paths'), object);
    deepStrictEqual(choiceOf({ ...none, address: '0x12' }, 'paths'), { pattern: 'fn:^\\[0x12\\]$', of: '' });
    deepStrictEqual(choiceOf({ ...none, object: '[lost]', address: '0x1' }, 'paths'), { pattern: 'obj:^\\[lost\\]$', of: '' });
    deepStrictEqual(choiceOf({ ...none, file: 'a.c' }, 'paths'), { pattern: 'file:^a\\.c$', of: 'file' });
    deepStrictEqual(choiceOf(none, 'paths'), { pattern: '', of: '' });
}

function chips(): void {
    strictEqual(shownPattern(`fn:^${escape('a|b(c) /x')}$`), 'a|b(c) /x');
    strictEqual(shownPattern(`obj:^${escape('/lib/x.so')}$`), 'object /lib/x.so');
    strictEqual(shownPattern('file:^a\\.c$'), 'file a.c');
    strictEqual(shownPattern('^main$'), '^main$');
}

function wrongOnes(): void {
    strictEqual(wrong('fn:^main$'), null);
    ok(wrong('x('));
    ok(wrong('obj:['));
    for (const fine of ['user=^a,b$', 'a,b', '1kb:4mb', ':2ms', '+5', 'size=-3:', 'user='])
        strictEqual(wrongTag(fine), null, fine);
    ok(wrongTag('user=a,x('));
    ok(wrongTag('+'));
}

function questions(): void {
    strictEqual(question('top', { by: 'file', limit: 20 }), 'top?by=file&limit=20');
    strictEqual(question('top?by=file', { focus: ['a&b', 'c d'], relative: true, thread: '', part: undefined }),
        'top?by=file&focus=a%26b&focus=c%20d&relative=1');
    strictEqual(question('check', {}), 'check?');
}

for (const check of [exact, functions, chips, wrongOnes, questions])
    test(check.name, check);
