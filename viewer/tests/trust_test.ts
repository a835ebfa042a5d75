// SPDX-License-Identifier: Apache-2.0
/* What the status line says of a profile: nothing is rounded to all, and nothing is left out. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { test } from 'node:test';
import type { Check } from '../src/app';
import { trustOf } from '../src/chrome/trust';
import type { Info, Origin, Value } from '../src/protocol';

const sound: Check = { files: [{ readable: true, errors: 0, warnings: 0, infos: 0 }], findings: [] };
const info = (self: Value, nameless: Value, more: Partial<Info> = {}): Info => ({
    schema: 'assay.info/1', file: '', format: 'gperf', producer: null, command: null, shape: 'paths', estimated: false,
    partial: false, events: [], parts: [], metadata: [], counts: {}, symbols: { self, self_nameless: nameless }, ...more,
});
const texts = (...args: Parameters<typeof trustOf>): string[] => trustOf(...args).map(t => t.text);

function symbolized(): void {
    strictEqual(texts(info(100, 0), sound, null, [])[0], '100\u00a0% symbolized');
    strictEqual(texts(info(1000000, 1), sound, null, [])[0], '>\u00a099.9\u00a0% symbolized');
    strictEqual(texts(info('9007199254740993000', '4503599627370496500'), sound, null, [])[0], '50.0\u00a0% symbolized');
    deepStrictEqual(texts(info(0, 0), sound, null, []), ['0 lost', 'no findings']);
    ok(trustOf(info(100, 50), sound, null, [])[0].warn);
    ok(!trustOf(info(100, 5), sound, null, [])[0].warn);
}

function bad(): void {
    const findings = [{ severity: 'error', id: 'x', message: 'it is \u202e cut' }];
    const damaged: Check = { files: [{ readable: true, errors: 1, warnings: 2, infos: 0 }], findings };
    const list = trustOf(info(1, 0, { partial: true, estimated: true }), damaged, null, [['[truncated]', 7], ['[lost]', '18446744073709551615']]);

    deepStrictEqual(list.map(t => t.text), ['100\u00a0% symbolized', 'estimated', '18,446,744,073,709,551,615 lost',
        '7 truncated', 'not whole: partly read', '1 error, 2 warnings']);
    ok(list.slice(1).every(t => t.warn));
    ok(!list[5].more.includes('\u202e'));
}

/** What the program saw when it made the page counts, not what is left in the page. */
function origin(): void {
    const check: Check = { files: [{ readable: true, errors: 0, warnings: 1, infos: 0 }], findings: [] };
    const from: Origin = { files: ['a'], info: info(1, 0, { partial: true }), check, notes: ['names of 3 functions were shortened'] };

    deepStrictEqual(texts(info(1, 0, { shape: 'calls' }), sound, from, null),
        ['100\u00a0% symbolized', 'stacks estimated', 'not whole: partly read', '1 warning', 'names of 3 functions were shortened']);
}

/** Names of another binary, and costs that cannot be: what the file itself has no finding of. */
function doubts(): void {
    const object = (state: string, note: string | null): unknown => ({ object: '/bin/x', file: null, state, note, self: 25 });
    const of = (...objects: unknown[]): Info => info(100, 0, { symbols: { self: 100, self_nameless: 0, objects } as unknown as Info['symbols'] });
    const [, doubt] = trustOf(of(object('named', 'newer than \u202e it'), object('missing', 'not found')), sound, null, null);
    const above = trustOf(info(100, 0, { shape: 'calls' }), sound, null, null, 2)[2];

    deepStrictEqual([doubt.text, doubt.warn], ['names in doubt', true]);
    strictEqual(doubt.more, '/bin/x: newer than \\xe2\\x80\\xae it; 25.0\u00a0% of the cost is there');
    ok(!texts(of(object('named', null)), sound, null, null).includes('names in doubt'));
    deepStrictEqual([above.text, above.warn], ['2 above the total', true]);
    ok(above.more.startsWith('2 functions have inclusive costs above the total'));
}

for (const check of [symbolized, bad, origin, doubts])
    test(check.name, check);
