#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text of gprof: assay against the manifest, a reader by regular expressions, and the arcs of the gmon.out that it was printed of."""
import collections
import csv
import glob
import os
import re
import shutil
import subprocess

import tap
from dump import Dump
from run_gmon import read, symbol, symbols
from tap import Scratch, contents, data_path, equal

t = tap.Tap('gprof')
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
BINARY = data_path('neighbours-binary')
FLAT = re.compile(r' *\d+\.\d+ +\d+\.\d+ +(\d+\.\d+)(?: +(\d+) +\d+\.\d+ +\d+\.\d+)? +(.+)$')
PRIMARY = re.compile(r'\[(\d+)\] +\d+\.\d+ +(\d+\.\d+) +\d+\.\d+ +(?:(\d+)(?:\+\d+)? +)?(.+) \[\d+\]$')
OTHER = re.compile(r' +(?:\d+\.\d+ +\d+\.\d+ +)?(\d+)(?:/\d+)? +(.+) \[(\d+)\]$')


def plain(name):
    return re.sub(r' \(\S+:\d+ @ [0-9a-f]+\)$', '', re.sub(r' <cycle \d+>$', '', re.sub(r' (\[\d+\]|\(\d+\))$', '', name.strip())))


def tables(path):
    """{function: [hundredths of a second, calls]} of the flat profile (else of the graph), {(caller, callee): calls}"""
    flat, graph, edges, where = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0]), {}, None
    above, current = [], None
    for line in contents(path).decode().split('\n'):
        if re.match(r' time +seconds', line):
            where = 'flat'
        elif re.match(r'index +%', line):
            where = 'graph'
        elif where == 'flat' and FLAT.match(line):
            self, calls, name = FLAT.match(line).groups()
            flat[plain(name)][0] += round(float(self) * 100)
            flat[plain(name)][1] += int(calls or 0)
        elif where == 'graph' and line.startswith('-----'):
            above, current = [], None
        elif where == 'graph' and PRIMARY.match(line):
            index, self, calls, name = PRIMARY.match(line).groups()
            current = None if 'as a whole' in name else (plain(name), index)
            if current:
                graph[plain(name)][0] += round(float(self) * 100)
                graph[plain(name)][1] += int(calls or 0)
                edges.update({(a, current): n for a, n in above})
            else:
                where = 'whole'
        elif where == 'graph' and OTHER.match(line):
            calls, name, index = OTHER.match(line).groups()
            other = (plain(name), index)
            if current:
                edges.setdefault((current, other), int(calls))
            else:
                above.append((other, int(calls)))
        elif where == 'whole' and line.startswith('-----'):
            where, above, current = 'graph', [], None
    named = collections.Counter()
    for (a, b), n in edges.items():
        named[a[0], b[0]] += n
    return dict(flat or graph), +named


def t_all(path):
    rows, edges = tables(path)
    d = Dump(path)
    each = 1 if d.events[0] == 'samples' else 10000000
    got = collections.defaultdict(lambda: [0, 0])
    for _, p, v in d.self:
        got[p['fn']][0] += v[0] // each
        got[p['fn']][1] += v[1]
    equal(dict(got), rows, 'functions')
    calls = collections.Counter()
    for _, a, b, n, v in d.calls:
        calls[a['fn'], b['fn']] += n
        equal(v, [0, 0], 'what a call cost is not known')
    equal(+calls, edges, 'calls')


def t_manifest(path, row):
    d = Dump(path)
    functions, calls = map(int, re.match(r'(\d+) flat rows, (\d+) calls', row['samples']).groups())
    if 'cycle' in path:
        return 'n/a: the manifest took the lines of the circle for a flat profile'
    each = 0.01 if d.events[0] == 'samples' else 1e-9
    equal(d.total[1], calls, 'calls')
    equal(len(d.self), functions, 'functions')
    equal('%.2f' % (d.total[0] * each), '%.2f' % float(row['total']), 'seconds')
    own = collections.Counter()
    for _, p, v in d.self:
        own[p['fn']] += v[0]
    for name, seconds in re.findall(r'(.+?)=([\d.]+)(?:, |$)', row['top self']):
        equal('%.2f' % (own[plain(name)] * each), '%.2f' % float(seconds), 'own time of ' + name)
    return None


def t_printed(path, binary, opts):
    """The calls that gprof prints are those of the file."""
    if not shutil.which('gprof') or not shutil.which('nm'):
        return 'skip: gprof is not installed'
    table, (bins, arcs) = symbols(binary), read(path)
    with Scratch() as s:
        text = s.name('a.gprof')
        with open(text, 'wb') as f:
            subprocess.run(['gprof'] + opts + [binary, path], stdout=f, stderr=subprocess.DEVNULL, check=True)
        d = Dump(text)
    pairs = collections.Counter()
    for a, b, n in arcs:
        pairs[symbol(table, a), symbol(table, b)] += n
    got = collections.Counter()
    for _, a, b, n, _ in d.calls:
        got[a['fn'], b['fn']] += n
    equal(+got, +pairs, 'calls')
    equal(d.events[0], 'time' if '-q' in opts else 'samples', 'event')      # the graph does not say how long one is
    if '-q' not in opts:
        equal(abs(d.total[0] - sum(b[2] for b in bins)) <= len(d.self) / 2, True, 'ticks')
    return None


for _path in sorted(glob.glob(os.path.join(HERE, '../../src/formats/gprof/golden/*.gprof'))):
    if os.path.basename(_path) not in ('cycle.gprof', 'lines.gprof'):
        t.add('all of ' + os.path.basename(_path), t_all, _path)
for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    if _row['format'] == 'gprof':
        _path = os.path.join(FOLDER, _row['file'])
        t.add('all of ' + _row['file'], t_all, _path)
        t.add('manifest of ' + _row['file'], t_manifest, _path, _row)
for _path in sorted(glob.glob(os.path.join(BINARY, 'gmon', '*gmon*'))):
    if os.path.isfile(_path) and contents(_path)[:4] == b'gmon':
        for _opts in ([], ['-b', '-q']):
            _binary = os.path.join(BINARY, 'gmon', 'work-pie' if '.pie' in _path else 'work-pg')
            t.add('as gprof %s prints %s' % (' '.join(_opts), os.path.basename(_path)), t_printed, _path, _binary, _opts)
t.run()
