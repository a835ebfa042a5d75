#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Work and memory grow with the input, not with its square: what once did, at n and at 2n.

Instructions are counted by valgrind, memory is the largest that was resident; times are not looked
at. A quadratic case has four times as much of one of them, a linear one twice.

MANY (tests/lib/many.c) is the program, which runs once for each line that it reads: valgrind takes
longer to begin than for most of the cases.
"""
import gzip
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MANY = os.environ['MANY']
MOST = 3.0          # times as much for twice the input
BASE_KB = 24 << 10  # resident memory that says nothing


def varint(v):
    out = b''
    while v > 127:
        out, v = out + bytes([v & 127 | 128]), v >> 7
    return out + bytes([v])


def num(field, v):
    return varint(field << 3) + varint(v)


def part(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def pprof(strings, *messages):
    return part(1, num(1, 1) + num(2, 1)) + b''.join(messages) + b''.join(part(6, s) for s in [b'', b'samples'] + strings)


def mappings(n):
    names = [b'/lib/m%d' % i for i in range(n)]
    return pprof(names, *(part(3, num(1, i + 1) + num(2, (i + 1) << 12) + num(3, (i + 2) << 12) + num(5, i + 2)) +
                          part(4, num(1, i + 1) + num(2, i + 1) + num(3, (i + 1 << 12) + 5)) +
                          part(2, part(1, varint(i + 1)) + part(2, varint(1))) for i in range(n)))


def inlined(n):
    lines = b''.join(part(4, num(1, i + 1) + num(2, i)) for i in range(1000))
    return pprof([b'f%d' % i for i in range(1000)], part(2, part(1, varint(1) * n) + part(2, varint(1))),
                 part(4, num(1, 1) + lines), *(part(5, num(1, i + 1) + num(2, i + 2)) for i in range(1000)))


def inlined_once(n):
    return pprof([b'f%d' % i for i in range(n)], part(2, part(1, varint(1)) + part(2, varint(1))),
                 part(4, num(1, 1) + b''.join(part(4, num(1, i + 1) + num(2, i)) for i in range(n))),
                 *(part(5, num(1, i + 1) + num(2, i + 2)) for i in range(n)))


def stack(n):
    return b';'.join(b'f%d' % i for i in range(n)) + b' 1\n'


def events(n):
    return b'events: ' + b' '.join(b'E%d' % i for i in range(n)) + b'\nfn=f\n1 ' + b'1 ' * n + b'\n'


def parts(n):
    return b'events: Ir\nfn=f\n1 1\n' + b''.join(b'part: %d\nevents: Ir\nfn=f\n1 1\ntotals: 1\n' % i for i in range(n))


def functions(n):
    return b'events: Ir\n' + b''.join(b'fl=s%d.c\nfn=f%d\n%d 1\n' % (i, i, i) for i in range(n))


def calls(n, next_of):
    return b'events: Ir\n' + b''.join(b'fn=f%d\n1 1\ncfn=f%d\ncalls=1 1\n1 %d\n' % (i, next_of(i), n - i) for i in range(n))


def ring(n):
    return calls(n, lambda i: (i + 1) % n)


def chain(n):
    return calls(n, lambda i: i + 1)


def derived(n):
    return b'events: A B\n' + b''.join(b'event: D%d = %s + A : d\n' % (i, b'D%d' % (i - 1) if i else b'B') for i in range(n)) + b'fn=f\n1 1 1\n'


def packed(n):
    return gzip.compress(b'events: Ir\nfn=f\n' + b'1 1\n' * (100 * n))


CASES = [
    ('mappings, info', mappings, 1000, 'info --symbols auto'),
    ('mappings, top', mappings, 4000, 'top --symbols auto'),
    ('a location of a thousand lines, tree', inlined, 100, 'tree'),
    ('a location of a thousand lines, flame', inlined, 100, 'flame -f text'),
    ('one deep stack, tree', stack, 3000, 'tree'),
    ('one deep stack, traces', stack, 3000, 'traces'),
    ('one deep stack, bottom-up', stack, 3000, 'tree --bottom-up'),
    ('events, top', events, 4000, 'top'),
    ('parts, top', parts, 3000, 'top --by part'),
    ('functions, top', functions, 4000, 'top'),
    ('functions, files', functions, 4000, 'files'),
    ('functions, pprof', functions, 4000, 'convert -t pprof -o -'),
    ('a ring of calls, tree', ring, 1000, 'tree'),
    ('a ring of calls, flame', ring, 1000, 'flame -f text'),
    ('a ring of calls, paths', ring, 1000, 'convert --estimate-paths -t folded -o -'),
    ('a ring of calls, cycles', ring, 1000, 'cycles'),
    ('a chain of calls, tree', chain, 1000, 'tree'),
    ('a chain of calls, flame', chain, 1000, 'flame -f svg -o -'),
    ('lines of one location, share', inlined_once, 2000, 'share -o -'),
    ('derived events, top', derived, 500, 'top'),
    ('packed lines, check', packed, 1000, 'check'),
]


def many(runs, *before):
    """Of runs with these words each: the process, its status, and the kB that were resident."""
    ran = subprocess.run([*before, MANY], input=''.join('\t'.join(words) + '\n' for words in runs).encode(),
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    out = io.BytesIO(ran.stdout)
    for _ in runs:
        process, status, resident, size = map(int, out.readline().split())
        out.seek(size, io.SEEK_CUR)
        yield process, status, resident


def instructions(runs, log):
    for process, _, _ in many(runs, 'valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', f'--log-file={log}.%p'):
        found = re.search(r'I\s+refs:\s+([\d,]+)', pathlib.Path(f'{log}.{process}').read_text())
        yield int(found[1].replace(',', ''))


def main():
    if not shutil.which('valgrind'):
        print('1..0 # SKIP valgrind is not installed')
        return 0
    failed = 0
    print(f'1..{len(CASES)}', flush=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ['XDG_CACHE_HOME'] = folder
        runs = []
        for number, (_, make, n, command) in enumerate(CASES):
            for size in n, 2 * n:
                path = pathlib.Path(folder, f'in{number}-{size}')
                path.write_bytes(make(size))
                verb, *options = command.split()
                runs.append([verb, str(path), *options, '-j', '1'])
        work = list(instructions(runs, pathlib.Path(folder, 'log')))
        memory = list(many(runs))
        for number, (name, *_) in enumerate(CASES):
            here = slice(2 * number, 2 * number + 2)
            assert all(status in (0, 1) for _, status, _ in memory[here]), (name, memory[here])
            (less, more), (small, large) = work[here], [kb + BASE_KB for *_, kb in memory[here]]
            times = more / less, large / small
            fine = max(times) < MOST
            failed += not fine
            print(f'{"" if fine else "not "}ok {number + 1} - {name}: {times[0]:.2f} times the instructions, '
                  f'{times[1]:.2f} times the memory', flush=True)
    return failed != 0


sys.exit(main())
