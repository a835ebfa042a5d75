// SPDX-License-Identifier: Apache-2.0
/*
 * The demo of the fixtures, built here, and a gperftools profile of it: a sample at every byte of its
 * functions, by paths that they are called by. So names, lines and instructions are there to be found,
 * on any machine, and all that the tests look at is below their own folder.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { scratch } from './harness.mjs';

const BASE = 0x555500000000n, PAGE = 4096n;
/** Callers first. What is called by itself is told as often as its depth: one path is deeper than a window is high. */
const PATHS = [
    ['main', ...Array(60).fill('fib')],
    ['main'], ['main', 'sort_phase'], ['main', 'sort_phase', 'next_key'], ['main', 'sort_phase', 'compare_keys'],
    ['main', 'sort_phase', 'mix'], ['main', 'sum_phase', 'mix'], ['main', 'sum_phase', 'mix'], ['main', 'sum_phase', 'mix'],
    ['main', 'fib'], ['main', 'fib', 'fib'], ['main', 'fib', 'fib', 'fib', 'fib'],
    ['main', 'is_even', 'is_odd'], ['main', 'is_even', 'is_odd', 'is_even'],
];

/** The folder with its source. */
export const sources = path.join(scratch, 'src');

/** Where the executable segment of an ELF file is: in the file, and by its addresses. */
function segment(elf) {
    const at = Number(elf.readBigUInt64LE(32)), size = elf.readUInt16LE(54), n = elf.readUInt16LE(56);

    for (let head = at; head < at + n * size; head += size)
        if (elf.readUInt32LE(head) === 1 && elf.readUInt32LE(head + 4) & 1)
            return { offset: elf.readBigUInt64LE(head + 8), address: elf.readBigUInt64LE(head + 16), size: elf.readBigUInt64LE(head + 32) };
    throw new Error('no code in it');
}

function symbols(program) {
    const lines = execFileSync('nm', ['-S', program], { encoding: 'utf8' }).split('\n').map(line => line.split(' '));
    return new Map(lines.filter(w => w.length === 4).map(([at, size, , name]) => [name, { at: BigInt(`0x${at}`), size: BigInt(`0x${size}`) }]));
}

function profile(program) {
    const { offset, address, size } = segment(fs.readFileSync(program)), known = symbols(program);
    const loaded = at => at - address + offset + BASE, words = [0n, 3n, 0n, 4000n, 0n];

    for (const names of PATHS) {
        const [leaf, ...callers] = names.map(name => known.get(name)).reverse();
        const middle = callers.map(f => loaded(f.at + f.size / 2n));
        for (let at = leaf.at; at < leaf.at + leaf.size; at++)
            words.push(1n, BigInt(names.length), loaded(at), ...middle);
    }
    words.push(0n, 1n, 0n);
    const hex = n => n.toString(16), begin = offset / PAGE * PAGE, end = (offset + size + PAGE - 1n) / PAGE * PAGE;
    const map = `${hex(BASE + begin)}-${hex(BASE + end)} r-xp ${hex(begin).padStart(8, '0')} 08:01 1234   ${program}\n`;
    return Buffer.concat([Buffer.from(new BigUint64Array(words).buffer), Buffer.from(map)]);
}

let made = null;

/** demo.prof */
export function recorded() {
    if (made)
        return made;
    const program = path.join(scratch, 'demo'), source = path.join(sources, 'demo.c');
    fs.mkdirSync(sources);
    fs.copyFileSync(path.join(process.env.FIXTURES, 'src/demo.c'), source);
    execFileSync('cc', ['-g', '-O1', '-fno-omit-frame-pointer', '-fno-optimize-sibling-calls', '-o', program, source]);
    made = path.join(scratch, 'demo.prof');
    fs.writeFileSync(made, profile(program));
    return made;
}
