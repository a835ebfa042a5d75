// SPDX-License-Identifier: Apache-2.0
/* The engine's module (wasm/exports.c) and its memory. */

interface Exports {
    memory: WebAssembly.Memory;
    _initialize(): void;
    assay_wasm_alloc(n: number): number;
    assay_wasm_free(p: number, n: number): void;
    assay_wasm_open(data: number, n: number, name: number, nName: number): number;
    assay_wasm_set_base(engine: number, base: number): void;
    assay_wasm_close(engine: number): void;
    assay_wasm_ask(engine: number, question: number, n: number): number;
    assay_wasm_text_data(text: number): number;
    assay_wasm_text_size(text: number): number;
    assay_wasm_text_free(text: number): void;
}

/** What the module imports: the regular expressions of filters and searches. */
function patterns(text: (at: number, n: number) => string): Record<string, (...args: number[]) => number> {
    const known = new Map<string, number>(), list: RegExp[] = [];

    return {
        /** The number of a pattern; -1: it is wrong. */
        assay_pattern(at, n, ignoreCase) {
            const source = text(at, n), flags = ignoreCase ? 'i' : '', key = `${flags}/${source}`;
            let id = known.get(key);

            if (id === undefined) {
                try {
                    id = list.push(new RegExp(source, flags)) - 1;
                } catch {
                    id = -1;
                }
                known.set(key, id);
            }
            return id;
        },
        assay_match: (id, at, n) => list[id].test(text(at, n)) ? 1 : 0,
    };
}

export class Core {
    private constructor(private readonly wasm: Exports) {}

    /** Of the system that the module was made for it may call nothing: there is none. */
    static async start(module: BufferSource): Promise<Core> {
        const compiled = await WebAssembly.compile(module), decoder = new TextDecoder();
        const given: Record<string, Record<string, (...args: number[]) => number>> = {
            env: patterns((at, n) => decoder.decode(new Uint8Array(wasm.memory.buffer, at, n))),
        };

        for (const { module: from, name } of WebAssembly.Module.imports(compiled))
            (given[from] ??= {})[name] ??= () => {
                throw new Error(`the engine called ${name}`);
            };
        const instance = await WebAssembly.instantiate(compiled, given);
        const wasm = instance.exports as unknown as Exports;
        wasm._initialize();
        return new Core(wasm);
    }

    /** Browsers compile functions when they are called first: a profile of one sample, and the questions
     *  of the first pictures, so that whoever chooses a file does not wait for that. */
    warm(): void {
        const words = new BigUint64Array([0n, 3n, 0n, 10000n, 0n, 1n, 2n, 1n, 2n, 0n, 1n, 0n]);
        const calls = 'events: Ir\nfn=a\n1 2\ncfn=b\ncalls=1 3\n1 4\nfn=b\n3 4\n';

        for (const data of [new Uint8Array(words.buffer), new TextEncoder().encode(calls)]) {
            const handle = this.open(data, '');
            for (const question of ['filters', 'flame', 'top'])
                this.ask(handle, `${question}?`);
            this.wasm.assay_wasm_close(handle);
        }
    }

    /** Run USE with BYTES in the engine's memory. */
    private lend<T>(bytes: Uint8Array, use: (at: number, n: number) => T): T {
        const room = bytes.length || 1;
        const at = this.wasm.assay_wasm_alloc(room);

        if (!at)
            throw new Error('out of memory');
        new Uint8Array(this.wasm.memory.buffer, at, bytes.length).set(bytes);
        try {
            return use(at, bytes.length);
        } finally {
            this.wasm.assay_wasm_free(at, room);
        }
    }

    /** A handle; what could not be read is told by the question "check". */
    open(data: Uint8Array, name: string): number {
        const handle = this.lend(data, (at, n) =>
            this.lend(new TextEncoder().encode(name), (nameAt, nName) =>
                this.wasm.assay_wasm_open(at, n, nameAt, nName)));

        if (!handle)
            throw new Error('out of memory');
        return handle;
    }

    /** The answer's bytes, a copy. */
    ask(handle: number, question: string): Uint8Array {
        const text = this.lend(new TextEncoder().encode(question), (at, n) =>
            this.wasm.assay_wasm_ask(handle, at, n));

        if (!text)
            throw new Error('out of memory');
        const bytes = new Uint8Array(this.wasm.memory.buffer,
            this.wasm.assay_wasm_text_data(text), this.wasm.assay_wasm_text_size(text)).slice();
        this.wasm.assay_wasm_text_free(text);
        return bytes;
    }

    setBase(handle: number, base: number): void {
        this.wasm.assay_wasm_set_base(handle, base);
    }
}
