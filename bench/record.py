#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What sampling costs: the same work bare, under libprofiler, under assay's sampler and under perf record.

Prints a Markdown table: CPU time as a ratio to bare, of rounds in which every variant runs once, in changing order; what of the
CPU time the samples stand for; and the size of the file. bench/README.md says how to read it.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBPROFILER = '/usr/lib/x86_64-linux-gnu/libprofiler.so'
RATES = (100, 1000, 4000)


def say(text):
    print(text, file=sys.stderr, flush=True)


class Variant:
    def __init__(self, label, library=None, hz=None, before=(), goal=None):
        self.label, self.library, self.hz, self.before, self.goal = label, library, hz, list(before), goal
        self.cpu, self.wall, self.sampled, self.size = [], [], [], []

    def run(self, argv, folder):
        path = os.path.join(folder, 'profile')
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        env = {k: v for k, v in os.environ.items() if not k.startswith('CPUPROFILE') and k != 'LD_PRELOAD'}
        if self.library:
            env.update(LD_PRELOAD=self.library, CPUPROFILE=path, CPUPROFILE_FREQUENCY=str(self.hz))
        command = [x.replace('@FILE@', path) for x in self.before] + argv
        child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        if status:
            sys.exit('%s: status %d' % (self.label, status))
        self.cpu.append(usage.ru_utime + usage.ru_stime)
        if self.library:
            samples, period = read(path)
            self.sampled.append(samples * period * 1e-6 / self.cpu[-1])
        if os.path.exists(path):
            self.size.append(os.path.getsize(path))


def read(path):
    """Samples and period of a gperftools profile."""
    data = open(path, 'rb').read()
    slots = struct.unpack_from('<%dQ' % (len(data) // 8), data)
    at, total = 5, 0
    while slots[at:at + 3] != (0, 1, 0):
        total += slots[at]
        at += 2 + slots[at + 1]
    return total, slots[3]


def variants(profiler):
    goals = {100: 1.005, 1000: 1.01, 4000: 1.02}
    found = [Variant('bare')]
    for hz in RATES:
        found.append(Variant('assay %d Hz' % hz, profiler, hz, goal=goals[hz]))
    if os.path.exists(LIBPROFILER):
        found += [Variant('libprofiler %d Hz' % hz, LIBPROFILER, hz) for hz in RATES]
    if shutil.which('perf'):
        found += [Variant('perf record -g %d Hz' % hz, before=['perf', 'record', '-q', '-g', '-F', str(hz), '-o', '@FILE@', '--'])
                  for hz in RATES]
    return found


def table(found):
    print('| variant | CPU ratio, median of rounds (min–max) | samples stand for | file, bytes | goal | met |')
    print('| --- | ---: | ---: | ---: | --- | --- |')
    bare = found[0]
    for v in found:
        ratios = [a / b for a, b in zip(v.cpu, bare.cpu)]
        middle = statistics.median(ratios)
        print('| %s | %.3f (%.3f–%.3f) | %s | %s | %s | %s |' % (
            v.label, middle, min(ratios), max(ratios),
            '%.1f %% of it' % (100 * statistics.median(v.sampled)) if v.sampled else '',
            '%d' % statistics.median(v.size) if v.size else '',
            '≤ %.3f' % v.goal if v.goal else '',
            '' if not v.goal else 'yes' if middle <= v.goal else '**no**'))


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--build', default=str(ROOT / 'build'))
    p.add_argument('--rounds', type=int, default=10)
    p.add_argument('--work', type=int, default=1500, help='millions of steps in a run')
    a = p.parse_args()
    build = pathlib.Path(a.build)
    subprocess.run(['ninja', '-C', str(build), 'tests/record/scenes', 'tests/record/scenes_linked'], stdout=subprocess.DEVNULL,
                   check=True)
    profiler = next(iter(sorted(build.glob('preload/libassay-profiler.so.*.*.*'))))
    argv = [str(build / 'tests/record/scenes'), 'work', str(a.work)]
    found = variants(str(profiler.resolve()))
    with tempfile.TemporaryDirectory(prefix='assay-bench-') as folder:
        for i in range(a.rounds):
            say('round %d of %d' % (i + 1, a.rounds))
            order = list(found)
            random.Random(i).shuffle(order)
            for v in order:
                v.run(argv, folder)
        table(found)
        env = dict(os.environ, CPUPROFILE=os.path.join(folder, 'walk'), CPUPROFILE_FREQUENCY='4000')
        out = subprocess.run([str(build / 'tests/record/scenes_linked'), 'walk'], env=env, stdout=subprocess.PIPE, check=True).stdout
    m = re.search(rb'frames (\d+) nanoseconds (\d+)', out)
    print('\nOne stack of %s frames, by unwind tables: %.2f µs.' % (m.group(1).decode(), int(m.group(2)) / 1000))


if __name__ == '__main__':
    main()
