// SPDX-License-Identifier: Apache-2.0
/* Numbers: figures computed by hand, and those of src/report/kit/show_test.c and unit_test.c. */
import { deepStrictEqual, strictEqual } from 'node:assert';
import { test } from 'node:test';
import { add, compare, counted, figure, figureDigits, figureMinus, figurePercent, partText, percent, percentText, plural, rough,
    share, subtract, text, unitOf, unitsOf, unitWords, value, whole } from '../src/format';
import type { EventInfo } from '../src/protocol';

function values(): void {
    strictEqual(text(0), '0');
    strictEqual(text(999), '999');
    strictEqual(text(1000), '1,000');
    strictEqual(text(-999), '-999');
    strictEqual(text(-1000), '-1,000');
    strictEqual(text(378195168), '378,195,168');
    strictEqual(text('9007199254740993'), '9,007,199,254,740,993');
    strictEqual(text('-18446744073709551616'), '-18,446,744,073,709,551,616');
    strictEqual(text(null), '-');
    strictEqual(plural(1, 'row'), '1 row');
    strictEqual(plural(2345, 'row'), '2,345 rows');
    strictEqual(plural(0, 'address'), '0 addresses');
}

function roughly(): void {
    for (const [v, want] of [[999, '999'], [9999, '9,999'], [-3795, '-3,795'], [10000, '10.0 k'], [703449, '703.4 k'],
        [999949, '999.9 k'], [999950, '1.0 M'], [378195168, '378.2 M'],
        ['18446744073709551615', '18.4 E'], [-10000, '-10.0 k']] as const)
        strictEqual(rough(v), want);
}

function percentages(): void {
    strictEqual(percent(1, 3), '33.3');
    strictEqual(percent(2, 3), '66.7');
    strictEqual(percent(5, 5), '100.0');
    strictEqual(percent(-1, 2), '-50.0');
    strictEqual(percent(-1, 1000000), '0.0');
    strictEqual(percent(7, 0), '-');
    strictEqual(percent(0, -4), '0.0');
    strictEqual(percent(1, 2000), '0.1'); /* half up */
    strictEqual(percent(1, 2001), '0.0');
    strictEqual(percent((1n << 118n).toString(), (1n << 120n).toString()), '25.0');
    /* 9007199254740993 = 2^53 + 1, of twice as much: a double has neither. */
    strictEqual(percent('9007199254740993', '18014398509481986'), '50.0');
    strictEqual(percent('9007199254740993', 1), '-');
    strictEqual(percentText(1, 4), '25.0\u00a0%');
    deepStrictEqual([0, 1, 500, 9995, 9999, 10000].map(n => partText(n, 10000).replace(/\u00a0/g, ' ')),
        ['0.0 %', '< 0.1 %', '5.0 %', '> 99.9 %', '> 99.9 %', '100 %']);
    strictEqual(partText('9007199254740993', '9007199254740993000'), '0.1\u00a0%');
    strictEqual(percentText(1, 0), '-');
    /* The short way and the long one agree. */
    for (let w = 1; w < 60; w++)
        for (let p = 0; p <= w; p++)
            strictEqual(percent(p, w), percent(String(p), w));
}

function order(): void {
    strictEqual(compare(1, 2), -1);
    strictEqual(compare('9007199254740993', '9007199254740992'), 1);
    strictEqual(compare('9007199254740993', 9007199254740991), 1);
    strictEqual(compare('-9007199254740993', 0), -1);
    strictEqual(compare('10', 10), 0);
}

function sums(): void {
    strictEqual(add(1, 2), 3);
    strictEqual(add(9007199254740991, 1), '9007199254740992');
    strictEqual(add('9007199254740993', -2), 9007199254740991);
    strictEqual(subtract('9007199254740993', '9007199254740990'), 3);
    strictEqual(subtract(-9007199254740991, 2), '-9007199254740993');
    strictEqual(value(-(1n << 53n)), '-9007199254740992');
    strictEqual(share(1, 4), 0.25);
    strictEqual(share(-1, 4), 0);
    strictEqual(share(1, 0), 0);
}

const events: Record<string, EventInfo> = {
    samples: { name: 'samples', unit: 'count', total: 312, period: 10000,
        period_unit: 'microseconds' },
    cpu: { name: 'cpu', unit: 'nanoseconds', total: 0 },
    space: { name: 'space', unit: 'bytes', total: 0 },
    cycles: { name: 'cycles', unit: 'count', total: 0, period: 61440, period_unit: 'cycles' },
    long: { name: 'long', unit: 'count', total: 0, period: '18446744073709551615',
        period_unit: 'seconds' },
    odd: { name: 'odd', unit: 'constructor', total: 0 },
};

function units(): void {
    for (const [event, word, largest, v, want] of [
        ['samples', 'count', 312, 312, '312'], ['samples', 'time', 312, 312, '3.12s'],
        ['samples', 'time', 312, 1, '0.01s'], ['samples', 'time', 99, 99, '990.00ms'],
        ['samples', 'auto', 312, 312, '3.12s'], ['samples', 'ms', 312, 312, '3,120.00ms'],
        ['samples', 'us', 1, 1, '10,000.00us'], ['samples', 'ns', 1, 1, '10,000,000ns'],
        ['samples', 'min', 6000, 6000, '1.00min'], ['samples', 'h', 360000, 180000, '0.50h'],
        ['samples', 'bytes', 312, 312, '312'], ['samples', '', 312, 312, '312'],
        ['cpu', 'time', 3, 3, '3ns'], ['cpu', 'time', 3120000000, 1555, '<0.01s'],
        ['cpu', 's', 1, 1995000000, '2.00s'], ['cpu', 's', 1, 1994999999, '1.99s'],
        ['cpu', 's', 1, 999999999, '1.00s'], ['cpu', 's', 1, 5000000, '0.01s'],
        ['cpu', 's', 1, 4999999, '<0.01s'], ['cpu', 's', 1, -1, '-<0.01s'],
        ['cpu', 's', 1, 0, '0.00s'], ['cpu', 's', 1, -1500000000, '-1.50s'],
        ['cpu', 's', 1, '9007199254740993000', '9,007,199,254.74s'],
        ['space', 'auto', 526336, 526336, '514.00KiB'], ['space', 'MiB', 1, 1 << 20, '1.00MiB'],
        ['space', 'B', 1, 1536, '1,536B'], ['space', 'time', 5, 5, '5'],
        ['cycles', 'time', 5, 5, '5'], ['long', 'time', 5, 5, '5'], ['odd', 'auto', 5, 5, '5'],
        ['cpu', 'constructor', 5, 5, '5'],
    ] as const)
        strictEqual(text(v, unitOf(events[event], word, largest)), want, `${event} ${word} ${v}`);
    strictEqual(counted({ name: 'cpu', unit: 'nanoseconds', total: 1 }), 'cpu (ns)');
    strictEqual(counted({ name: 'heap', unit: 'megabytes', total: 1 }), 'heap (MiB)');
    strictEqual(counted(events.samples), 'samples');
    strictEqual(counted({ name: 'constructor', unit: 'constructor', total: 1 }), 'constructor');
    deepStrictEqual(unitWords(events.cycles), ['count']);
    deepStrictEqual(unitWords(events.space), ['count', 'auto', 'B', 'KiB', 'MiB', 'GiB']);
}

/* The whole chooses the unit, and page.events know the period. */
function unitsOfAnswers(): void {
    const answer = { name: 'samples', unit: 'count', total: 20, whole: 200 };
    const [u] = unitsOf([answer], [events.samples], 'auto');

    strictEqual(whole(answer), 200);
    strictEqual(text(20, u), '0.20s');
    strictEqual(text(20, unitsOf([answer], [], 'auto')[0]), '20');
}

function figures(): void {
    strictEqual(figure(1234.5, 1), '1,234.5');
    strictEqual(figure(1234.5, 1, true), '+1,234.5');
    strictEqual(figure(-0.04, 1, true), '0.0');
    strictEqual(figure(-6000, 0, true), '-6,000');
    strictEqual(figureDigits('s', [1]), 3);
    strictEqual(figureDigits('Ir', [1, 2]), 0);
    strictEqual(figureDigits('cycles', [1, 2.5]), 1);
    strictEqual(figurePercent(44500, 5500), '+12.4');
    strictEqual(figurePercent(200, -1), '-0.5');
    strictEqual(figurePercent(0, 5), '-');
    /* Beyond what a number holds: every digit. */
    strictEqual(figure('9223372036854775809', 0), '9,223,372,036,854,775,809');
    strictEqual(figure('-18446744073709551615', 0, true), '-18,446,744,073,709,551,615');
    strictEqual(figure('9007199254740993', 1, true), '+9,007,199,254,740,993.0');
    strictEqual(figure('1234567890123456.25', 1), '1,234,567,890,123,456.3');
    strictEqual(figure('1234567890123456.96', 1), '1,234,567,890,123,457.0');
    strictEqual(figure('9007199254740993', 3), '9,007,199,254,740,993.000');
    strictEqual(figureDigits('Ir', ['9223372036854775809', 1]), 0);
    strictEqual(figureDigits('cycles', ['1234567890123456.25']), 1);
    strictEqual(figureMinus('9223372036854775809', '9223372036854775807'), '2');
    strictEqual(figureMinus('1234567890123456.25', 0.5), '1234567890123455.75');
    strictEqual(figureMinus(1, '9223372036854775807'), '-9223372036854775806');
    strictEqual(figureMinus(5, 3), 2);
    strictEqual(figurePercent('9223372036854775807', '922337203685477581'), '+10.0');
    strictEqual(figurePercent('9223372036854775807', -1), '0.0');
    strictEqual(figurePercent('-9223372036854775807', '-4611686018427387904'), '-50.0');
}

for (const check of [values, roughly, percentages, order, sums, units, unitsOfAnswers, figures])
    test(check.name, check);
