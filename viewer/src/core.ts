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
    assay_wasm_top(view: number, by: number, n: number): number;
}

export class Core {
    private constructor(private readonly wasm: Exports) {}

    static async start(module: BufferSource): Promise<Core> {
        const compiled = await WebAssembly.compile(module);
        const imports: Record<string, Record<string, () => never>> = {};

        for (const { module: from, name } of WebAssembly.Module.imports(compiled))
            (imports[from] ??= {})[name] = () => {
                throw new Error(`the engine called ${name}`);
            };
        const { exports } = await WebAssembly.instantiate(compiled, imports);
        const wasm = exports as unknown as Exports;
        wasm._initialize();
        return new Core(wasm);
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
        const text = this.lend(new TextEncoder().encode(question), (at, n) => this.wasm.assay_wasm_ask
            ? this.wasm.assay_wasm_ask(handle, at, n) : this.wasm.assay_wasm_top(handle, 0, 20));

        if (!text)
            throw new Error('out of memory');
        const bytes = new Uint8Array(this.wasm.memory.buffer,
            this.wasm.assay_wasm_text_data(text), this.wasm.assay_wasm_text_size(text)).slice();
        this.wasm.assay_wasm_text_free(text);
        return bytes;
    }

    setBase(handle: number, base: number): void {
        this.wasm.assay_wasm_set_base?.(handle, base);
    }
}
