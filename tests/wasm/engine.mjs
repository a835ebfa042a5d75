// SPDX-License-Identifier: Apache-2.0
//
// The engine as a page uses it: bytes in, questions in, JSON out. What the module may import is in
// ALLOWED, and nothing else: that is the proof that the engine needs no OS.

import fs from 'node:fs';

const ALLOWED = {
    wasi_snapshot_preview1: ['fd_close', 'fd_fdstat_get', 'fd_seek', 'fd_write', 'proc_exit'],
    env: ['assay_match', 'assay_pattern'],
};

/** The regular expressions of filters and searches. TEXT gives the text at a place in memory. */
function patterns(text) {
    const known = new Map(), list = [];
    return {
        /** The number of a pattern; -1: it is wrong. */
        assay_pattern(at, n, ignore_case) {
            const source = text(at, n), flags = ignore_case ? 'i' : '', key = `${flags}/${source}`;
            if (!known.has(key)) {
                try {
                    list.push(new RegExp(source, flags));
                    known.set(key, list.length - 1);
                } catch {
                    known.set(key, -1);
                }
            }
            return known.get(key);
        },
        assay_match: (id, at, n) => list[id].test(text(at, n)) ? 1 : 0,
    };
}

function imports(module, text) {
    const given = { wasi_snapshot_preview1: {}, env: patterns(text) };
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
        if (!ALLOWED[from]?.includes(name))
            throw new Error(`the module imports ${from}.${name}`);
        given[from][name] ??= () => {
            throw new Error(`the module called ${name}`);
        };
    }
    return given;
}

/** A new instance of the module in FILE, with memory of its own. */
export function load(file) {
    const module = new WebAssembly.Module(fs.readFileSync(file));
    const decoder = new TextDecoder(), encoder = new TextEncoder();
    const text = (at, n) => decoder.decode(new Uint8Array(assay.memory.buffer, at, n));
    const { exports: assay } = new WebAssembly.Instance(module, imports(module, text));
    assay._initialize();

    /** Put BYTES into the module's memory for as long as RUN takes. */
    function lend(bytes, run) {
        const at = assay.assay_wasm_alloc(bytes.length || 1);
        new Uint8Array(assay.memory.buffer, at, bytes.length).set(bytes);
        const result = run(at, bytes.length);
        assay.assay_wasm_free(at, bytes.length || 1);
        return result;
    }

    function take(text) {
        const at = assay.assay_wasm_text_data(text), size = assay.assay_wasm_text_size(text);
        const bytes = new Uint8Array(assay.memory.buffer, at, size).slice();
        assay.assay_wasm_text_free(text);
        return bytes;
    }

    const bytes = (text) => encoder.encode(text);
    return {
        memory: () => assay.memory.buffer.byteLength,
        open: (data, name = '') => lend(bytes(name), (name, n_name) =>
            lend(data, (at, n) => assay.assay_wasm_open(at, n, name, n_name))),
        setBase: assay.assay_wasm_set_base,
        close: assay.assay_wasm_close,
        /** The bytes of an answer; QUESTION is text, or bytes. */
        raw: (view, question) => take(lend(typeof question === 'string' ? bytes(question) : question,
            (at, n) => assay.assay_wasm_ask(view, at, n))),
        /** The answer as JSON. */
        ask(view, question) {
            return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(this.raw(view, question)));
        },
    };
}
