#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recordings of uftrace by hand: uftrace_dir.py NAME DIR makes the directory, uftrace_dir.py NAME FILE.uftrace the one file
that stands for it in golden tests.

Each NAME below is a list of threads: (tid, records), a record (time, what, depth, function).
"""
import os
import struct
import sys

MAIN, WORK, SORT, UNNAMED = 0x400010, 0x400110, 0x400210, 0x400310
ENTRY, EXIT, LOST, EVENT, ARGUMENTS = 0, 1, 2, 3, 4
MS = 1000000


def calls(start, times):
    """main, which calls work at each time, for a millisecond, and that sort for half of it."""
    records = [(start, ENTRY, 0, MAIN)]
    for at in times:
        records += [(at, ENTRY, 1, WORK), (at + MS // 4, ENTRY, 2, SORT), (at + 3 * MS // 4, EXIT, 2, SORT), (at + MS, EXIT, 1, WORK)]
    return records + [(max([start, *times]) + 2 * MS, EXIT, 0, MAIN)]


RECORDINGS = {
    # two threads that work one after the other; the second one is off its processor for half a millisecond
    'two_threads': [(7, calls(10 * MS, [11 * MS, 13 * MS])), (8, calls(14 * MS, [15 * MS, 17 * MS]))],
    'lost': [(7, [(10, ENTRY, 0, MAIN), (20, ENTRY, 1, WORK), (0, LOST, 0, 12), (60, ENTRY, 1, SORT), (70, EXIT, 1, SORT), (90, EXIT, 0, MAIN)])],
    'odd': [(7, [(10, ENTRY, 0, MAIN), (20, ENTRY, 1, WORK), (30, EXIT, 3, SORT), (25, EXIT, 1, WORK), (90, EXIT, 0, MAIN)]),
            (8, [(10, ENTRY, 0, UNNAMED), (20, ENTRY | ARGUMENTS, 1, SORT)]), (9, [(10, ENTRY, 0, MAIN), (1 << 63, ENTRY, 1, WORK)])],
    'open': [(7, [(10, ENTRY, 0, MAIN), (30, ENTRY, 1, WORK)])],
    'nothing': [],
}
SWITCHES = {'two_threads': [(8, 18 * MS + MS // 4, 0x2000), (8, 18 * MS + 3 * MS // 4, 0)]}


def files(name):
    info = struct.pack('<8sIHBBQQHxxxxxx', b'Ftrace!', 4, 40, 1, 2, 1 << 5, 0, 1024)
    info += b'exename:/bin/work\ncmdline:uftrace record ./work\nelapsed_time:0.0105 sec\nuftrace_version:v0.13\n'
    tasks = 'SESS timestamp=0.000000001 pid=7 sid=ab exename="/bin/work"\n'
    tasks += ''.join('TASK timestamp=0.000000002 tid=%d pid=7\n' % tid for tid, _ in RECORDINGS[name])
    tasks += 'SHOP timestamp=1.0\n' if name == 'odd' else ''
    yield 'info', info
    yield 'task.txt', tasks.encode()
    yield 'sid-ab.map', b'00400000-00500000 r-xp 00000000 00:00 0   /bin/work build-id:00ff\n'
    yield 'work.sym', (b'# symbols: 4\n# path name: /bin/work\n# build-id: 00ff\n0000000000000000 T main\n'
                       b'0000000000000100 t work\n0000000000000200 T sort\n0000000000000300 ? __sym_end\n')
    if name in SWITCHES:
        comm = struct.pack('<IHHII8sIIQ', 3, 0, 40, 7, 8, b'helper', 7, 8, 1)
        yield 'perf-cpu0.dat', comm + b''.join(struct.pack('<IHHIIQ', 14, misc, 24, 7, tid, at) for tid, at, misc in SWITCHES[name])
    if name == 'odd':
        yield 'kernel-cpu0.dat', b'12345678'
    for tid, records in RECORDINGS[name]:
        yield '%d.dat' % tid, b''.join(struct.pack('<QQ', at, what | 5 << 3 | depth << 6 | where << 16) for at, what, depth, where in records)


def main():
    name, out = sys.argv[1:]
    if out.endswith('.uftrace'):
        with open(out, 'wb') as f:
            f.write(b'assay-files 1\n')
            for file, data in files(name):
                f.write(b'file %d %s\n%s\n' % (len(data), file.encode(), data))
        return
    os.mkdir(out)
    for file, data in files(name):
        with open(os.path.join(out, file), 'wb') as f:
            f.write(data)


main()
