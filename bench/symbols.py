#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/symbols.py [--build DIR] [--rounds N] [--profile] OBJECT...

Frames of 1,000 and 100,000 random addresses in the functions of each object, with inlined calls: assay's lookup_tool
against llvm-symbolizer-14 and addr2line, one after the other in each round.  Prints a table of medians and ratios: CPU
time (user and system), wall time, peak memory.  On a shared machine only the CPU time means something.

With --profile, `assay top` and `google-pprof --text` on a gperftools profile of 10 MB made of such addresses (60,000
records, some 20 frames deep), from start to exit; OBJECT must hold the code, too (`eu-unstrip -o OBJECT PROGRAM DEBUGFILE`).

OBJECT is a file with debug information, such as Debian's python3.11-dbg and librbd1-dbg have below
/usr/lib/debug/.build-id/ (`apt-get download librbd1-dbg && dpkg -x ...`), or the largest of libc6-dbg.
"""
import argparse
import bisect
import os
import random
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COUNTS = (1000, 100000)


def addresses(obj, n):
    syms, ends, total = set(), [], 0
    for line in subprocess.run(['nm', '-S', '--defined-only', obj], stdout=subprocess.PIPE, text=True, check=True).stdout.split('\n'):
        p = line.split()
        if len(p) == 4 and p[2] in 'tTwW' and int(p[1], 16):
            syms.add((int(p[0], 16), int(p[1], 16)))
    syms = sorted(syms)
    for _, size in syms:
        total += size
        ends.append(total)
    rnd, out = random.Random(1), set()
    while len(out) < min(n, total // 2):
        x = rnd.randrange(total)
        i = bisect.bisect_right(ends, x)
        out.add(syms[i][0] + x - (ends[i] - syms[i][1]))
    out = list(out)
    rnd.shuffle(out)
    return ''.join('%#x\n' % a for a in out)


def run(command, path):
    """(CPU seconds, wall seconds, MB) of one run with the addresses on its standard input."""
    env = {k: v for k, v in os.environ.items() if k != 'DEBUGINFOD_URLS'}
    with open(path) as stdin, tempfile.TemporaryFile() as out:
        started = time.monotonic()
        p = subprocess.Popen(command, stdin=stdin, stdout=out, stderr=subprocess.DEVNULL, env=env)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = status
        wall = time.monotonic() - started
        if status or out.seek(0, os.SEEK_END) == 0:
            sys.exit('symbols: %s failed' % command[0])
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


BASE, RECORDS, PAGE = 0x555555554000, 60000, 0xfff


def write_profile(obj, path):
    """A gperftools profile of call chains through OBJ: each address calls one of three others."""
    rnd = random.Random(7)
    addr = [int(a, 16) for a in addresses(obj, 25000).split()]
    calls = [[rnd.randrange(len(addr)) for _ in range(3)] for _ in addr]
    stacks = []
    for _ in range(RECORDS * 2 // 5):
        at, stack = rnd.randrange(200), []
        for _ in range(max(2, min(60, int(rnd.gauss(19, 6))))):
            stack.append(BASE + addr[at] + bool(stack))
            at = calls[at][rnd.randrange(3)]
        stacks.append(stack[::-1])
    with open(path, 'wb') as f:
        f.write(struct.pack('<5Q', 0, 3, 0, 10000, 0))
        for i in range(RECORDS):
            stack = stacks[i if i < len(stacks) else int(len(stacks) * rnd.random() ** 2)]
            f.write(struct.pack('<%dQ' % (2 + len(stack)), 1 + int(rnd.expovariate(1)), len(stack), *stack))
        f.write(struct.pack('<3Q', 0, 1, 0))
        for line in subprocess.run(['readelf', '-lW', obj], stdout=subprocess.PIPE, text=True, check=True).stdout.split('\n'):
            p = line.split()
            if p and p[0] == 'LOAD' and 'E' in p[6:-1]:
                off, vaddr, size = int(p[1], 16), int(p[2], 16), int(p[5], 16)
                f.write(b'%x-%x r-xp %08x 00:00 12345 %s\n' % (BASE + (vaddr & ~PAGE), BASE + ((vaddr + size + PAGE) & ~PAGE),
                                                               off & ~PAGE, os.path.realpath(obj).encode()))


def profile_rows(args, obj):
    assay = os.path.join(args.build, 'src', 'cli', 'assay')
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'big.prof')
        os.environ['XDG_CACHE_HOME'] = scratch
        write_profile(obj, path)
        readers = {'assay top': [assay, 'top', '--no-symbol-cache', path],
                   'assay top, cached': [assay, 'top', path],
                   'google-pprof --text': ['google-pprof', '--text', obj, path]}
        run(readers['assay top, cached'], os.devnull)
        samples = {name: [run(command, os.devnull) for _ in range(args.rounds)] for name, command in readers.items()}
        base = statistics.median(s[0] for s in samples['assay top'])
        for name, s in samples.items():
            cpu, wall, memory = (statistics.median(x[k] for x in s) for k in range(3))
            print('| %s | %.1f MB | %s | %.2f | %.2f | %.0f | %.1f |'
                  % (os.path.basename(obj), os.path.getsize(path) / 1e6, name, cpu, wall, memory, cpu / base))
            sys.stdout.flush()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', default=os.path.join(ROOT, 'build'))
    ap.add_argument('--rounds', type=int, default=3)
    ap.add_argument('--profile', action='store_true')
    ap.add_argument('object', nargs='+')
    args = ap.parse_args()
    tool = os.path.join(args.build, 'tests', 'lookup_tool')
    if os.path.exists(os.path.join(args.build, 'build.ninja')):
        subprocess.run(['ninja', '-C', args.build, 'tests/lookup_tool'], stdout=subprocess.DEVNULL, check=True)
    print('| object | addresses | reader | CPU s | wall s | MB | CPU, times assay |\n|---|---:|---|---:|---:|---:|---:|')
    for obj in args.object:
        if args.profile:
            profile_rows(args, obj)
            continue
        readers = {'assay': [tool, obj], 'assay, 2 threads': [tool, '-t', obj]}
        llvm = shutil.which('llvm-symbolizer-14') or shutil.which('llvm-symbolizer')
        if llvm:
            readers['llvm-symbolizer'] = [llvm, '--inlines', '--functions=linkage', '--obj=' + obj]
        if shutil.which('addr2line'):
            readers['addr2line'] = ['addr2line', '-f', '-C', '-i', '-e', obj]
        for n in COUNTS:
            with tempfile.NamedTemporaryFile('w', suffix='.addr') as f:
                f.write(addresses(obj, n))
                f.flush()
                samples = {name: [] for name in readers}
                for i in range(args.rounds):
                    order = list(readers) if i % 2 == 0 else list(readers)[::-1]
                    for name in order:
                        samples[name].append(run(readers[name], f.name))
            base = statistics.median(s[0] for s in samples['assay'])
            for name, s in samples.items():
                cpu, wall, memory = (statistics.median(x[k] for x in s) for k in range(3))
                print('| %s | %d | %s | %.2f | %.2f | %.0f | %.1f |'
                      % (os.path.basename(obj), n, name, cpu, wall, memory, cpu / base))
                sys.stdout.flush()


if __name__ == '__main__':
    main()
