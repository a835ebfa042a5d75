// SPDX-License-Identifier: Apache-2.0
/* The state of the page as words in a URL, and back. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { test } from 'node:test';
import { beginning, changes, fragmentOf, stateOf } from '../src/url';
import type { State } from '../src/state';

const start = beginning(false);

function readable(): void {
    strictEqual(fragmentOf(start, start), '#view=overview');
    strictEqual(fragmentOf({ ...start, view: 'flame', event: 'D1mr', filters: [{ kind: 'focus', pattern: 'fn:^main$' },
        { kind: 'hide', pattern: '/usr/lib' }] }, start), '#view=flame&event=D1mr&focus=fn:^main$&hide=/usr/lib');
    strictEqual(fragmentOf({ ...start, view: 'table', columns: 'self:Ir,calls', filters: [{ kind: 'tagfocus', pattern: 'user=ann' }] }, start),
        '#view=table&tagfocus=user=ann&columns=self:Ir,calls');
    strictEqual(fragmentOf({ ...start, inline: false, cycles: false, depth: 3, relative: true }, start),
        '#view=overview&relative=1&depth=3&inline=off&cycles=no');
    strictEqual(fragmentOf({ ...beginning(true), diff: false }, beginning(true)), '#view=overview&diff=0');
}

function thereAndBack(): void {
    const odd = 'a&b=c#d%e+f "<script>" \u202e \u00e9 \n [x] {y} %zz';
    const full: State = {
        view: 'table', event: odd, unit: 'ms', filters: [{ kind: 'show-from', pattern: odd }, { kind: 'focus', pattern: 'x' },
            { kind: 'show-from', pattern: 'again' }, { kind: 'label', pattern: odd }, { kind: 'tagfocus', pattern: 'user=^a,b' },
            { kind: 'tagignore', pattern: ':1kb' }, { kind: 'from', pattern: '2.5s' }, { kind: 'base-to', pattern: '300ms' }],
        thread: '12', part: odd, relative: true, func: { function: odd, file: '/a b.c', object: null, address: null },
        search: odd, way: 'bottom-up', icicle: true, colour: 'self', zoom: '1.2', by: 'file', order: 'change',
        reverse: true, columns: odd, min: '2%', depth: 12, inline: false, cycles: false, diff: true, normalize: 'time',
    };

    ok((Object.keys(start) as (keyof State)[]).every(key => changes(start, full).has(key)), 'every field is tried');
    deepStrictEqual(stateOf(fragmentOf(full, start), start), full);
    deepStrictEqual(stateOf(fragmentOf(full, beginning(true)), beginning(true)), full);
    ok(!/[\s"<>]/.test(fragmentOf(full, start)));
}

function nameless(): void {
    const func = { function: null, file: null, object: '/lib/libc.so.6', address: '0x1234' };

    deepStrictEqual(stateOf(fragmentOf({ ...start, func }, start), start).func, func);
    strictEqual(stateOf('#view=flame', start).func, null);
}

function unknownWords(): void {
    deepStrictEqual(stateOf('', start), start);
    deepStrictEqual(stateOf('#nonsense=1&view', start), { ...start, view: '' });
    deepStrictEqual(stateOf('#order=sideways&way=up&depth=-1&depth=1e9&constructor=x&__proto__=y', start), start);
    deepStrictEqual(stateOf('#func=&focus=', start), start);
    strictEqual(stateOf('#search=100%', start).search, '100%');
}

function differences(): void {
    deepStrictEqual([...changes(start, { ...start, filters: [] })], []);
    deepStrictEqual([...changes(start, { ...start, filters: [{ kind: 'hide', pattern: 'a' }], by: 'line' })], ['filters', 'by']);
}

for (const check of [readable, thereAndBack, nameless, unknownWords, differences])
    test(check.name, check);
