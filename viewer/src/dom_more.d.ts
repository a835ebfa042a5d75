// SPDX-License-Identifier: Apache-2.0
/* What browsers have and the compiler's list does not know yet. */
declare class CompressionStream {
    constructor(format: 'gzip');
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<Uint8Array>;
}
declare class DecompressionStream {
    constructor(format: 'gzip');
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<Uint8Array>;
}
