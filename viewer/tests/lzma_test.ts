// SPDX-License-Identifier: Apache-2.0
/* LZMA, against the library that Python has. */
import { deepStrictEqual, ok, throws } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { unlzma } from '../src/lzma';

/* As tools/page.py does it. */
const PACK = `
import lzma, sys
data = sys.stdin.buffer.read()
lc, lp, pb = map(int, sys.argv[1:])
how = [{'id': lzma.FILTER_LZMA1, 'preset': 9, 'lc': lc, 'lp': lp, 'pb': pb}]
out = lzma.compress(data, format=lzma.FORMAT_ALONE, filters=how)
sys.stdout.buffer.write(out[:5] + len(data).to_bytes(8, 'little') + out[13:])
`;

function pack(data: Uint8Array, ...how: number[]): Uint8Array {
    return execFileSync('python3', ['-c', PACK, ...how.map(String)], { input: data, maxBuffer: 1 << 26 });
}

/** Bytes of which MANY are different, with repeats near and far. */
function bytes(n: number, many: number): Uint8Array {
    const out = new Uint8Array(n);
    let x = 12345;

    for (let i = 0; i < n; i++) {
        x = (Math.imul(x, 1103515245) + 12345) >>> 0;
        const back = x >>> 8 & 0xfffff;
        out[i] = x >>> 28 < 9 && back < i ? out[i - 1 - back] : (x >>> 16) % many;
        if (x >>> 24 === 7)
            for (let length = x >>> 12 & 511; length && i + 1 < n && back < i; length--)
                out[++i] = out[i - 1 - back];
    }
    return out;
}

function same(): void {
    const data = [bytes(0, 1), bytes(1, 9), bytes(1000, 1), bytes(50000, 4), bytes(50000, 256), bytes(150000, 60)];

    for (const one of data)
        ok(Buffer.from(one).equals(unlzma(pack(one, 3, 0, 0))), `${one.length} bytes`);
    for (const how of [[3, 0, 2], [0, 2, 4], [4, 0, 0]])
        ok(Buffer.from(data[4]).equals(unlzma(pack(data[4], ...how))), how.join(' '));
}

function cut(): void {
    const packed = pack(bytes(100000, 200), 3, 0, 0);

    deepStrictEqual(unlzma(packed).length, 100000);
    for (const n of [0, 13, 20, packed.length >> 1])
        throws(() => unlzma(packed.subarray(0, n)), /LZMA/);
}

for (const check of [same, cut])
    test(check.name, check);
