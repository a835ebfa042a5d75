#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often `assay diff` calls chance a difference: the same program drawn twice, 1 against 1 run up to 5 against 5.

A program has 80 functions, 70 of them with 1 to 5 samples a run; what a run has of each is a Poisson number. Of so many
comparisons of a program with itself (--draws) the table says in how many percent a row has no mark, so that it "holds with all
rows judged together": nominally 5. A gate is put on the largest function. Exit status 1 if a share is above 5 by more than the
noise of the draws (3 sigma). Folded stacks have names and no period; of gperftools profiles each function is an object.
"""
import argparse
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FUNCTIONS, SMALL, RUNS = 80, 70, 5
MEANS = [1 + f % 5 if f < SMALL else 20 * (f - SMALL + 1) ** 2 for f in range(FUNCTIONS)]
NO_GATE = ('gperf', 'total')    # there all totals are the same
WAYS = [('folded', 'none'), ('folded', 'total'), ('gperf', 'none'), ('gperf', 'total'), ('gperf', 'time')]


def poisson(r, mean):
    n = 0
    while mean > 30:
        n, mean = n + poisson(r, 30), mean - 30
    limit, p = math.exp(-mean), r.random()
    while p > limit:
        n, p = n + 1, p * r.random()
    return n


def folded(counts):
    return ''.join('main;f%d %d\n' % (f, n) for f, n in enumerate(counts) if n).encode()


def gperf(counts):
    words = [0, 3, 0, 10000, 0]
    for f, n in enumerate(counts):
        if n:
            words += [n, 1, (f + 1) << 24 | 16]
    words += [0, 1, 0]
    maps = ''.join('%08x-%08x r-xp 00000000 08:01 %d /lib/f%d.so\n' % ((f + 1) << 24, ((f + 1) << 24) + 4096, f + 1, f) for f in range(FUNCTIONS))
    return struct.pack('<%dQ' % len(words), *words) + maps.encode()


def compare(assay, r, folder, way, runs):
    """Whether a row is sure, and whether a gate trips."""
    kind, norm = way
    files = []
    for i in range(2 * runs):
        path = os.path.join(folder, '%d.%s' % (i, kind))
        with open(path, 'wb') as f:
            f.write((folded if kind == 'folded' else gperf)([poisson(r, m) for m in MEANS]))
        files.append(path)
    gate = [] if way == NO_GATE else ['--fail-if', "self(samples,'f79') > +0%" if kind == 'folded' else 'total(samples) > +0%']
    p = subprocess.run([assay, 'diff', *files[:runs], '--', *files[runs:], '--normalize', norm, '-n', '0', '-f', 'json', '-q', *gate],
                       stdout=subprocess.PIPE, env=dict(os.environ, ASSAY_SYMBOLS='none'))
    rows = json.loads(p.stdout)['rows']
    if kind == 'gperf' and len(rows) < SMALL // 2:
        sys.exit('bench/noise.py: only %d rows' % len(rows))
    return any(row['self'][0]['significance'] == 'sure' for row in rows), p.returncode == 1


def main():
    a = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    a.add_argument('--assay', default=str(ROOT / 'build' / 'src' / 'cli' / 'assay'))
    a.add_argument('--draws', type=int, default=200)
    args = a.parse_args()
    worst = 5 + 300 * math.sqrt(.05 * .95 / args.draws)
    failed = False
    print('| %d draws | %s |' % (args.draws, ' | '.join('%d against %d' % (k, k) for k in range(1, RUNS + 1))))
    print('| --- |' + ' --- |' * RUNS)
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            sure, trips = [], []
            for runs in range(1, RUNS + 1):
                r = random.Random('%s %s %d' % (*way, runs))
                got = [compare(args.assay, r, folder, way, runs) for _ in range(args.draws)]
                sure.append(100 * sum(s for s, _ in got) / args.draws)
                trips.append(100 * sum(t for _, t in got) / args.draws)
            failed |= max(sure + trips) > worst
            print('| %s, `--normalize %s`: a row is sure, %% | %s |' % (*way, ' | '.join('%g' % x for x in sure)), flush=True)
            if way != NO_GATE:
                print('| … a gate trips, %% | %s |' % ' | '.join('%g' % x for x in trips), flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
