#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recordings of uftrace: the figures of `uftrace report` that the manifest has, and those of a reader of its own.

That reader knows of a record no more than entry and exit, and of time no more than the sum between them, so it has calls and
inclusive times; what is off the processor it does not see.
"""
import collections
import os
import re
import struct
import subprocess
import sys

import tap
from tap import Scratch, assay, data_path, equal, totals, want

t = tap.Tap('uftrace')
FOLDER = data_path('neighbours-binary')
SCALE = {'us': 1000, 'ms': 1000000, 's': 1000000000}


def recordings():
    path = os.path.join(FOLDER, 'manifest.tsv')
    if not os.path.exists(path):
        return
    with open(path, encoding='utf-8') as f:
        for line in f:
            row = line.rstrip('\n').split('\t')
            if row[0].startswith('uftrace/') and row[0].endswith('/'):
                yield os.path.join(FOLDER, row[0].rstrip('/')), row[3], row[4]


def rows(path, *extra):
    """{function: (self, inclusive, calls)}, the first two of time."""
    j = tap.top(path, 'function', '--symbols', 'none', *extra)
    return {r['function']: (r['self'][0], r['inclusive'][0] if r['inclusive'] else None, r['self'][1]) for r in j['rows']}, totals(j)


def threads(path):
    for name in sorted(os.listdir(path)):
        if re.fullmatch(r'\d+\.dat', name):
            with open(os.path.join(path, name), 'rb') as f:
                data = f.read()
            yield int(name[:-4]), [struct.unpack_from('<QQ', data, at) for at in range(0, len(data), 16)]


def symbols(path):
    """[(address, name)] of the program, whose mapping is the first of the session."""
    maps = [n for n in os.listdir(path) if n.endswith('.map')]
    with open(os.path.join(path, maps[0]), encoding='utf-8') as f:
        first = f.readline().split()
    start, program = int(first[0].split('-')[0], 16), os.path.basename(first[5])
    with open(os.path.join(path, program + '.sym'), encoding='utf-8') as f:
        syms = [line.split(None, 2) for line in f if not line.startswith('#')]
    return start, sorted((int(a, 16), n.strip()) for a, _, n in syms)


def by_hand(path):
    """{function: [inclusive, calls]}, entries, exits"""
    start, syms = symbols(path)
    out, entries, exits = collections.defaultdict(lambda: [0, 0]), 0, 0
    for _, records in threads(path):
        stack, on = [], collections.Counter()
        for time, word in records:
            name = [n for a, n in syms if a <= (word >> 16) - start][-1]
            if word & 3 == 0:
                entries += 1
                out[name][1] += 1
                stack.append((name, time))
                on[name] += 1
            else:
                exits += 1
                was, since = stack.pop()
                equal(was, name, 'what returns')
                on[name] -= 1
                if not on[name]:        # the outermost of a recursion
                    out[name][0] += time - since
    return out, entries, exits


def report(path, figures, words):
    got, _ = rows(path)
    told = re.findall(r'([\d.]+) (us|ms|s) ([\d.]+) (us|ms|s) (\d+) ([^;]+?)(?:;|$)', words)
    want(len(told) > 3, 'the manifest has no figures of uftrace report')
    for total, total_unit, own, own_unit, calls, name in told:
        want(name in got, 'no function %s' % name)
        for value, unit, have in (total, total_unit, got[name][1]), (own, own_unit, got[name][0]):
            want(abs(float(value) * SCALE[unit] - have) < SCALE[unit] / 1000, '%s: %s %s, assay %d ns' % (name, value, unit, have))
        equal(got[name][2], int(calls), '%s: calls' % name)
    counts = dict(re.findall(r'(entry|exit)=(\d+)', figures))
    _, entries, exits = by_hand(path)
    equal((entries, exits), (int(counts['entry']), int(counts['exit'])), 'records')


def calls_and_times(path):
    got, _ = rows(path)
    wanted, entries, _ = by_hand(path)
    for name, (inclusive, calls) in wanted.items():
        equal((got[name][1], got[name][2]), (inclusive, calls), name)
    equal(sum(c for n, (_, _, c) in got.items() if not n.startswith('linux:')), entries, 'all calls')


def stretches_of_time(path):
    whole = rows(path)[1]
    end = max(r[-1][0] for _, r in threads(path) if r) - min(r[0][0] for _, r in threads(path) if r)
    cuts = ['0ns', *('%dns' % (end * k // 7) for k in range(1, 7))]
    sums = [0] * len(whole)
    for i, cut in enumerate(cuts):
        to = ['--to', cuts[i + 1]] if i + 1 < len(cuts) else []
        sums = [a + b for a, b in zip(sums, rows(path, '--from', cut, *to)[1])]
    equal(sums, whole, 'seven stretches of time')
    r = assay('timeline', path, '-f', 'json', '-b', '7', '-n', '0')
    want(r.code == 0, 'timeline', r)
    j = r.json()
    equal(sum(sum(row['buckets']) for row in j['rows']), whole[0], 'all buckets')
    for row in j['rows']:
        equal(sum(row['buckets']), row['self'][0], 'thread %s' % row['tid'])


def every_way_out(path):
    _, whole = rows(path)
    with Scratch() as s:
        for name in ('x.pb.gz', 'x.folded', 'callgrind.out.x'):
            out = s.name(name)
            r = assay('convert', path, '-o', out)
            want(r.code == 0 and 'time stamps' in r.err, 'no loss of time stamps', r)
            equal(totals(tap.top(out, 'function', '--symbols', 'none'))[0], whole[0], name)


def made(test):
    """TEST on a recording that tests/lib makes."""
    with Scratch() as s:
        where = s.name('rec')
        subprocess.run([sys.executable, os.path.join(tap.ROOT, 'tests', 'lib', 'uftrace_dir.py'), 'two_threads', where], check=True)
        return test(where)


FOR_ALL = (('calls and inclusive times of every function', calls_and_times), ('stretches of time add up', stretches_of_time),
           ('totals in other formats', every_way_out))
for what, test in FOR_ALL:
    t.add('two threads: ' + what, made, test)
for where, numbers, told_by_report in recordings():
    title = os.path.relpath(where, FOLDER)
    t.add(title + ': the figures of uftrace report', report, where, numbers, told_by_report)
    for what, test in FOR_ALL:
        t.add(title + ': ' + what, test, where)
t.run()
