#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What sampling costs: the same work bare, under libprofiler, under assay's sampler, recorded by perf events and by perf record.

Prints a Markdown table: CPU time of the program as a ratio to bare, of rounds in which every variant runs once, in changing
order; of recorders beside it their own CPU time; what of the CPU time the samples stand for; and the size of the file. Then what
it takes to start and to stop. bench/README.md says how to read it.
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
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBPROFILER = '/usr/lib/x86_64-linux-gnu/libprofiler.so.0'
RATES = (100, 1000, 4000)
STOPS = 20


def say(text):
    print(text, file=sys.stderr, flush=True)


class Variant:
    def __init__(self, label, library=None, hz=None, before=(), goal=None):
        self.label, self.library, self.hz, self.before, self.goal = label, library, hz, list(before), goal
        self.cpu, self.own, self.sampled, self.size = [], [], [], []

    def run(self, argv, folder):
        path = os.path.join(folder, 'profile')
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        env = {k: v for k, v in os.environ.items() if not k.startswith('CPUPROFILE') and k != 'LD_PRELOAD'}
        if self.library:
            env.update(LD_PRELOAD=self.library, CPUPROFILE=path, CPUPROFILE_FREQUENCY=str(self.hz))
        command = [x.replace('@FILE@', path) for x in self.before] + argv
        with open(path + '.said', 'w+') as said:
            child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=said)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = status
            said.seek(0)
            told = dict(re.findall(r'(?m)^(used|own): ([0-9.]+)$', said.read()))
        if status:
            sys.exit('%s: status %d' % (self.label, status))
        self.cpu.append(usage.ru_utime + usage.ru_stime)
        if told:  # by perf_tool: the program's part and its own up to then; all that is not the program's is the recorder's
            self.own.append(self.cpu[-1] - float(told['used']))
            self.cpu[-1] = float(told['used'])
        path = path + '.prof' if os.path.exists(path + '.prof') else path
        if self.library or told:
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


def variants(profiler, perf_tool):
    goals = {100: 1.005, 1000: 1.01, 4000: 1.02}
    found = [Variant('bare')]
    for hz in RATES:
        found.append(Variant('assay %d Hz' % hz, profiler, hz, goal=goals[hz]))
    goals = {99: 1.005, 999: 1.025}
    for stacks, words in (('frames', 'frame pointers'), ('copies', 'copies')):
        found += [Variant('assay, perf events, %s, %d Hz' % (words, hz), goal=goals[hz],
                          before=[perf_tool, 'hz=%d' % hz, 'stacks=' + stacks, '@FILE@.prof', '--']) for hz in goals]
    if os.path.exists(LIBPROFILER):
        found += [Variant('libprofiler %d Hz' % hz, LIBPROFILER, hz) for hz in RATES]
    if shutil.which('perf'):
        found += [Variant('perf record -g %d Hz' % hz, before=['perf', 'record', '-q', '-g', '-F', str(hz), '-o', '@FILE@', '--'])
                  for hz in RATES]
    return found


def table(found):
    print('| variant | CPU ratio of the program, median of rounds (middle half) | recorder, ms | samples stand for | file, bytes | goal | met |')
    print('| --- | ---: | ---: | ---: | ---: | --- | --- |')
    bare = found[0]
    for v in found:
        ratios = sorted(a / b for a, b in zip(v.cpu, bare.cpu))
        middle = statistics.median(ratios)
        print('| %s | %.3f (%.3f–%.3f) | %s | %s | %s | %s | %s |' % (
            v.label, middle, ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4],
            '%.1f' % (1000 * statistics.median(v.own)) if v.own else '',
            '%.1f %% of it' % (100 * statistics.median(v.sampled)) if v.sampled else '',
            '%d' % statistics.median(v.size) if v.size else '',
            '≤ %.3f' % v.goal if v.goal else '',
            '' if not v.goal else 'yes' if middle <= v.goal else '**no**'))


def stops(assay, scenes, folder):
    """How much longer a program that does nothing takes when it is recorded."""
    out = os.path.join(folder, 'stop.prof')
    nothing = [scenes, 'work', '0']
    record = [assay, 'record', '-q', '-y', '--no-show', '-o', out]
    kinds = {'bare': nothing, 'preload': record + ['--'] + nothing}
    for stacks in ('frames', 'copies'):
        kinds['perf events, ' + stacks] = record + ['--stacks', stacks, '--'] + nothing
    took = {k: [] for k in kinds}
    for _ in range(STOPS):
        for k, argv in kinds.items():
            start = time.monotonic()
            subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            took[k].append(time.monotonic() - start)
    bare = statistics.median(took.pop('bare'))
    return ', '.join('%s %.1f ms' % (k, 1000 * (statistics.median(v) - bare)) for k, v in took.items())


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--build', default=str(ROOT / 'build'))
    p.add_argument('--rounds', type=int, default=10)
    p.add_argument('--work', type=int, default=1500, help='millions of steps in a run')
    p.add_argument('--only', default='', help='variants whose names this pattern is in')
    a = p.parse_args()
    build = pathlib.Path(a.build)
    subprocess.run(['ninja', '-C', str(build), 'tests/record/scenes', 'tests/record/scenes_linked', 'tests/record/perf_tool',
                    'src/cli/assay'], stdout=subprocess.DEVNULL, check=True)
    profiler = next(iter(sorted(build.glob('preload/libassay-profiler.so.*.*.*'))))
    argv = [str(build / 'tests/record/scenes'), 'work', str(a.work)]
    found = variants(str(profiler.resolve()), str(build / 'tests/record/perf_tool'))
    found = found[:1] + [v for v in found[1:] if re.search(a.only, v.label)]
    with tempfile.TemporaryDirectory(prefix='assay-bench-') as folder:
        for i in range(a.rounds):
            say('round %d of %d' % (i + 1, a.rounds))
            order = list(found)
            random.Random(i).shuffle(order)
            for v in order:
                v.run(argv, folder)
        table(found)
        took = stops(str(build / 'src/cli/assay'), argv[0], folder)
        env = dict(os.environ, CPUPROFILE=os.path.join(folder, 'walk'), CPUPROFILE_FREQUENCY='4000')
        out = subprocess.run([str(build / 'tests/record/scenes_linked'), 'walk'], env=env, stdout=subprocess.PIPE, check=True).stdout
    m = re.search(rb'frames (\d+) nanoseconds (\d+)', out)
    print('\nTo start and to stop, medians of %d: %s (goal: 50 ms).' % (STOPS, took))
    print('\nOne stack of %s frames, by unwind tables: %.2f µs.' % (m.group(1).decode(), int(m.group(2)) / 1000))


if __name__ == '__main__':
    main()
