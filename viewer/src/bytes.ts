// SPDX-License-Identifier: Apache-2.0
/* Bytes out of text, gzip and files. */

export type Progress = (done: number, of: number) => void;

/** By six bits: the characters that end in those of NUL, CR, ESC and '<' are six bits, others are seven. */
const SHORT = Uint8Array.from({ length: 64 }, (_, six) => Number([0, 13, 27, 60].includes(six)));

/** The bits of bytes, the lowest first, out of the characters of these codes. */
export function fromDigits(text: string): Uint8Array {
    const out = new Uint8Array(Math.ceil(text.length * 7 / 8));
    let bits = 0, held = 0, to = 0;

    for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at), short = SHORT[code & 63];
        bits |= (short ? code & 63 : code) << held;
        held += 7 - short;
        if (held > 7) {
            out[to++] = bits;
            bits >>= 8;
            held -= 8;
        }
    }
    return out.subarray(0, to);
}

function joined(pieces: Uint8Array[]): Uint8Array {
    const out = new Uint8Array(pieces.reduce((n, piece) => n + piece.length, 0));
    let at = 0;

    for (const piece of pieces) {
        out.set(piece, at);
        at += piece.length;
    }
    return out;
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
    const reader = stream.getReader();
    const pieces: Uint8Array[] = [];

    for (let got = await reader.read(); !got.done; got = await reader.read())
        pieces.push(got.value);
    return joined(pieces);
}

/** The first member of a gzip file; what stands behind it makes it fail. */
export async function gunzip(data: Blob, progress?: Progress): Promise<Uint8Array> {
    let done = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, to) {
            done += piece.length;
            progress?.(done, data.size);
            to.enqueue(piece);
        },
    });

    return readAll(data.stream().pipeThrough(counted).pipeThrough(new DecompressionStream('gzip')));
}

export async function gzip(data: Blob): Promise<Uint8Array> {
    return readAll(data.stream().pipeThrough(new CompressionStream('gzip')));
}

function starts(data: Uint8Array, ...magic: number[]): boolean {
    return magic.every((byte, i) => data[i] === byte);
}

/** Bytes of a file that a browser gives at once are fewer. */
const HELD = 2 ** 31 - 1;

/** The bytes of a file, inflated where they are compressed. */
export async function contents(file: Blob, progress?: Progress): Promise<Uint8Array> {
    const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());

    if (starts(head, 0x28, 0xb5, 0x2f, 0xfd))
        throw new Error('it is compressed by zstd, which a browser cannot undo: unpack it with `zstd -d` first');
    if (file.size >= HELD)
        throw new Error('it is larger than a browser can hold at once (2 GB): `assay share FILE -o FILE.html` sums it up in a page');
    if (!starts(head, 0x1f, 0x8b))
        return new Uint8Array(await file.arrayBuffer());
    try {
        return await gunzip(file, progress);
    } catch (error) {
        throw new Error(`its gzip data are damaged: ${(error as Error).message}`);
    }
}
