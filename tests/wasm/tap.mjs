// SPDX-License-Identifier: Apache-2.0
// What the tests of the WebAssembly module share.

import fs from 'node:fs';
import path from 'node:path';

let count = 0, failed = 0;

export function test(name, run) {
    let why = null;
    try {
        run();
    } catch (error) {
        why = error;
        failed++;
    }
    console.log(`${why ? 'not ' : ''}ok ${++count} - ${name}`);
    if (why)
        console.log(`# ${why.stack.replaceAll('\n', '\n# ')}`);
}

export function done() {
    console.log(`1..${count}`);
    process.exit(failed ? 1 : 0);
}

const short = (value) => {
    const text = JSON.stringify(value) ?? 'undefined';
    return text.length > 500 ? `${text.slice(0, 500)} ...` : text;
};

/** The path to the first difference of two JSON values, or null. */
function differs(got, wanted, at) {
    if (got === null || wanted === null || typeof got !== 'object' || typeof wanted !== 'object')
        return Object.is(got, wanted) ? null : `${at}: expected ${short(wanted)}, got ${short(got)}`;
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
        const where = differs(got[key], wanted[key], `${at}.${key}`);
        if (where)
            return where;
    }
    return null;
}

export function equal(got, wanted, what) {
    const where = differs(got, wanted, what);
    if (where)
        throw new Error(where);
}

export function holds(truth, what) {
    if (!truth)
        throw new Error(what);
}

/** Reads files of FOLDER. */
export const files = (folder) => (name) => fs.readFileSync(path.join(folder, name));
