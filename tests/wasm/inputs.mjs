// SPDX-License-Identifier: Apache-2.0
// Profiles with what the fixtures lack.

/** Two processes' parts and threads, calls in a circle, jumps, code of an object without a name. */
export const THREADS = `# callgrind format
version: 1
creator: callgrind-3.19.0
cmd: ./server
pid: 7
part: 1
thread: 1
positions: instr line
events: Ir Dr
ob=/bin/server
fl=/src/a.c
fn=main
0x10 1 100 10
cfn=ping
calls=3 0x40 5
0x14 2 700 70
fn=ping
0x40 5 60 6
jcnd=4/9 0x48 7
0x44 6
cfn=pong
calls=2 0x80 9
0x48 7 400 40
fn=pong
0x80 9 90 9
cfi=/src/b.h
cfn=helper
calls=5 0xc0 3
0x84 10 250 25
cfn=ping
calls=1 0x40 5
0x88 11 150 15
fl=/src/b.h
fn=helper
0xc0 3 250 25
fl=???
fn=
0x200 0 17 0

part: 1
thread: 2
positions: instr line
events: Ir Dr
ob=/bin/server
fl=/src/a.c
fn=worker
0x100 20 50 5
cfi=/src/b.h
cfn=helper
calls=1 0xc0 3
0x104 21 30 3
fl=/src/b.h
fn=helper
0xc0 3 30 3

part: 2
thread: 1
positions: instr line
events: Ir Dr
ob=/bin/server
fl=/src/a.c
fn=pong'2
0x80 9 33 3
`;

/** Costs that a double cannot hold: 2^60 + 1, and a sum beyond 64 bits. */
export const LARGE = `events: Ir
fl=a.c
fn=f
1 1152921504606846977
2 18446744073709551615
fn=g
3 18446744073709551615
fn=h
4 9007199254740992
`;

/** A header without a single cost. */
export const EMPTY = 'events: Ir Dr\n';

/** N functions, many of equal cost. */
export function many(n) {
    let text = 'events: Ir\nfl=a.c\n';
    for (let i = 0; i < n; i++)
        text += `fn=f${i}\n${i} ${i % 97 + 1}\n`;
    return text;
}

