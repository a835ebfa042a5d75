// SPDX-License-Identifier: Apache-2.0
/* Boxes off the wire (protocol.ts, flame): columns that are views of one buffer. */
import type { Flame, FlameHead } from '../protocol';

export function flameOf(bytes: ArrayBuffer): Flame {
    const length = new DataView(bytes).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as FlameHead;
    let at = (4 + length + 7) & ~7;
    const column = <T>(make: new (buffer: ArrayBuffer, at: number, n: number) => T, width: number): T => {
        const made = new make(bytes, at, head.n);
        at += width * head.n;
        return made;
    };
    const doubles = (): Float64Array => column(Float64Array, 8);
    const words = (): Uint32Array => column(Uint32Array, 4);
    const small = (): Uint8Array => column(Uint8Array, 1);

    return {
        head,
        at: doubles(), width: doubles(), self: doubles(), cost: doubles(),
        base: head.diff ? doubles() : null,
        depth: words(), name: words(),
        kind: small(), colour: small(), flags: small(),
    };
}
