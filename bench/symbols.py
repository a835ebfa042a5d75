#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/symbols.py [--build DIR] [--rounds N] OBJECT...

Frames of 1,000 and 100,000 random addresses in the functions of each object, with inlined calls: assay's lookup_tool
against llvm-symbolizer-14 and addr2line, one after the other in each round.  Prints a table of medians and ratios: CPU
time (user and system), wall time, peak memory.  On a shared machine only the CPU time means something.

OBJECT is a file with debug information, such as Debian's python3.11-dbg and librbd1-dbg have below
/usr/lib/debug/.build-id/ (`apt-get download librbd1-dbg && dpkg -x ...`), or the largest of libc6-dbg.
"""
import argparse
import bisect
import os
import random
import shutil
import statistics
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


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', default=os.path.join(ROOT, 'build'))
    ap.add_argument('--rounds', type=int, default=3)
    ap.add_argument('object', nargs='+')
    args = ap.parse_args()
    tool = os.path.join(args.build, 'tests', 'lookup_tool')
    if os.path.exists(os.path.join(args.build, 'build.ninja')):
        subprocess.run(['ninja', '-C', args.build, 'tests/lookup_tool'], stdout=subprocess.DEVNULL, check=True)
    print('| object | addresses | reader | CPU s | wall s | MB | CPU, times assay |\n|---|---:|---|---:|---:|---:|---:|')
    for obj in args.object:
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
