#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gmon.out: assay against the manifest, gprof, and bins and arcs counted by hand.

gprof gives a bin that two functions share to both in proportion; assay gives it to one.  So a function's seconds may differ by
the ticks of such bins, and by no more.
"""
import csv
import os
import re
import shutil
import struct
import subprocess

import tap
from tap import Scratch, assay, contents, data_path, equal, info, totals, want

t = tap.Tap('gmon')
FOLDER = data_path('neighbours-binary')


def read(path):
    """ticks of each bin as (first address, last address, ticks), and {(from, self): count}; 8 bytes, little-endian"""
    data, at, bins, arcs = contents(path), 20, [], []
    while at < len(data):
        kind, at = data[at], at + 1
        if kind == 0:
            low, high, n, rate = struct.unpack_from('<QQII', data, at)
            equal(rate, 100, 'rate')
            for i, ticks in enumerate(struct.unpack_from('<%dH' % n, data, at + 40)):
                if ticks:
                    bins.append((low + i * (high - low) // n, low + ((i + 1) * (high - low) - 1) // n, ticks))
            at += 40 + 2 * n
        else:
            equal(kind, 1, 'kind of record')
            arcs.append(struct.unpack_from('<QQI', data, at))
            at += 20
    return bins, arcs


def symbols(binary):
    lines = subprocess.run(['nm', '-n', binary], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    return [(int(w[0], 16), w[2]) for w in map(str.split, lines) if len(w) == 3 and w[1] in 'tTwW']


def symbol(table, address):
    return [name for start, name in table if start <= address][-1]


def gprof(binary, path):
    """{function: (ticks, calls or None)} of gprof's flat profile, and the ticks of all"""
    text = subprocess.run(['gprof', '-p', '-b', binary, path], stdout=subprocess.PIPE, check=True).stdout.decode()
    rows = {}
    for line in text.splitlines():
        m = re.match(r' *(\d+\.\d+) +(\d+\.\d+) +(\d+\.\d+) +(?:(\d+) +\d+\.\d+ +\d+\.\d+ +)?(\w+)$', line)
        if m:
            rows[m.group(5)] = (float(m.group(1)), int(m.group(4)) if m.group(4) else None)
    return rows


def t_figures(path, said):
    ticks = int(re.search(r'ticks=(\d+)', said).group(1))
    calls = int(re.search(r'calls=(\d+)', said).group(1))
    bins, arcs = read(path)
    j = info(path)
    equal([e['total'] for e in j['events']], [ticks], 'ticks')
    equal(sum(b[2] for b in bins), ticks, 'ticks by hand')
    equal(sum(a[2] for a in arcs), calls, 'calls by hand')
    equal((j['events'][0]['period'], j['events'][0]['period_unit']), (10000, 'microseconds'), 'period')
    equal(j['counts']['call_edges'], len(arcs), 'arcs')


def named(path, binary):
    r = assay('top', path, '--symbols', 'auto', '--binary', binary, '-n', '0', '-f', 'json')
    want(r.code == 0, 'top', r)
    return r.json()


def t_names(path, binary):
    if not shutil.which('gprof') or not shutil.which('nm'):
        return 'skip: gprof is not installed'
    table, (bins, arcs) = symbols(binary), read(path)
    all_ticks, peers = sum(b[2] for b in bins), gprof(binary, path)
    rows = {r['function']: r for r in named(path, binary)['rows']}
    shared = {}
    for first, last, ticks in bins:
        for name in {symbol(table, first), symbol(table, last)} if symbol(table, first) != symbol(table, last) else ():
            shared[name] = shared.get(name, 0) + ticks
    pairs = {(symbol(table, a), symbol(table, b)): 0 for a, b, _ in arcs}
    for a, b, n in arcs:
        pairs[symbol(table, a), symbol(table, b)] += n
    for name, (percent, calls) in peers.items():
        row = rows.get(name, {'self': [0], 'calls': None})
        want(abs(row['self'][0] - percent * all_ticks / 100) <= shared.get(name, 0) + 0.01 * all_ticks,
             '%s: %s ticks, gprof has %.2f %% of %d' % (name, row['self'][0], percent, all_ticks))
        if calls is not None:
            equal(row['calls'], calls + pairs.get((name, name), 0), 'calls of ' + name)     # gprof's are those from others
    equal(sum(r['self'][0] for r in rows.values()), all_ticks, 'ticks of all functions')
    want(all(r['inclusive'] is None for r in rows.values()), 'nobody measured what calls cost')
    with Scratch() as s:
        out = s.name('callgrind.out')
        r = assay('symbolize', path, '--symbols', 'auto', '--binary', binary, '-o', out, '-t', 'callgrind')
        want(r.code == 0, 'symbolize', r)
        text = contents(out).decode()
    equal(sum(int(n) for n in re.findall(r'^calls=(\d+)', text, re.M)), sum(pairs.values()), 'calls in the Callgrind file')
    return None


def t_merged(path):
    """Twice the same file is what `gprof -s` makes of it."""
    with Scratch() as s:
        copy = s.file('gmon.out.2', contents(path))
        r = assay('top', path, copy, '-n', '0', '-f', 'json')
        want(r.code == 0, 'top of two', r)
        equal(totals(r.json())[0], 2 * sum(b[2] for b in read(path)[0]), 'ticks of both')


def main():
    manifest = os.path.join(FOLDER, 'manifest.tsv')
    if not os.path.exists(manifest):
        t.skip_all('n/a: there is no neighbours-binary/')
    with open(manifest, encoding='utf-8') as f:
        rows = [r for r in csv.reader(f, delimiter='\t', quoting=csv.QUOTE_NONE) if r[0].startswith('gmon/') and 'ticks=' in r[3]]
    for row in rows:
        path = os.path.join(FOLDER, row[0])
        binary = os.path.join(FOLDER, 'gmon', 'work-pie' if '.pie' in row[0] else 'work-pg')
        t.add('figures of ' + row[0], t_figures, path, row[3])
        t.add('names and calls of ' + row[0], t_names, path, binary)
        t.add('twice ' + row[0], t_merged, path)
    t.run()


if __name__ == '__main__':
    main()
