// SPDX-License-Identifier: Apache-2.0
/* Files that are dropped: what a browser cannot do is said, with a way on. Bytes that stand in the page as text. */
import { deepStrictEqual, rejects } from 'node:assert';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { contents, fromDigits } from '../src/bytes';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function asTheyAre(): Promise<void> {
    for (const file of [bytes('a;b 1\n'), gzipSync('a;b 1\n')])
        deepStrictEqual(await contents(new Blob([file])), bytes('a;b 1\n'));
}

/** Of two gigabytes nothing is read but the head. */
async function tooLarge(): Promise<void> {
    for (const size of [2 ** 31 - 1, 2.5e9])
        await rejects(contents({ size, slice: () => new Blob(['a;b 1']) } as unknown as Blob), /larger than a browser can hold .*assay share/);
}

async function others(): Promise<void> {
    await rejects(contents(new Blob([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0)])), /zstd -d/);
    await rejects(contents(new Blob([gzipSync('a;b 1\n').subarray(0, 12)])), /damaged/);
}

/** Characters of seven bits, and of six where a page does not have that one; what fills up the last one is no byte. */
function digits(): void {
    const texts: [string, number[]][] = [['', []], ['afM\x17,\x1e', [...bytes('assay')]], ['@@@@@\x04@', [0, 0, 0, 0, 1]],
        ['\x7f'.repeat(8), Array<number>(7).fill(255)], ['@@', [0]], ['M@', [13]], ['[@', [27]], ['|@', [60]], ['M\x01', [77]], ['%@', [37]]];

    for (const [text, is] of texts)
        deepStrictEqual(fromDigits(text), Uint8Array.from(is));
}

for (const check of [asTheyAre, tooLarge, others, digits])
    test(check.name, check);
