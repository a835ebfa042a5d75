#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles of cProfile: assay against Python's own pstats and marshal, and against the manifest."""
import cProfile
import csv
import glob
import marshal
import os
import pstats
import random
import re
import struct

import tap
from dump import Dump
from tap import Scratch, assay, contents, data_path, equal, want

t = tap.Tap('pstats')
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
GOLDEN = sorted(glob.glob(os.path.join(HERE, '../../src/formats/pstats/golden/python*.pstats')))


def text(s):
    return s.decode('utf-8', 'surrogateescape') if isinstance(s, bytes) else s


def name_of(key):
    """A function as `assay dump` names it: file, line where it starts, name"""
    file, line, name = text(key[0]), key[1], text(key[2])
    return (None, None, name) if file in ('~', '') and not line else (file, line or None, name)


def place(position):
    """The same of what the dump has; functions of one name in one file are called NAME:LINE there"""
    return position.get('fl'), int(position['start']) if 'start' in position else None, position.get('sys', position.get('fn'))


def nanos(seconds):
    return round(seconds * 1e9)


class Python2:
    """What marshal of Python 2 wrote; that of Python 3 does not read its interned texts"""

    def __init__(self, data):
        self.data, self.at, self.texts = data, 0, []

    def take(self, form):
        values = struct.unpack_from('<' + form, self.data, self.at)
        self.at += struct.calcsize('<' + form)
        return values[0]

    def value(self):
        kind = chr(self.take('B'))
        if kind in 'st':
            text_ = self.take('%ds' % self.take('i'))
            self.texts += [text_] if kind == 't' else []
            return text_
        if kind == '(':
            return tuple(self.value() for _ in range(self.take('i')))
        if kind == '{':
            items = {}
            while self.data[self.at] != ord('0'):
                key = self.value()
                items[key] = self.value()
            self.at += 1
            return items
        return self.texts[self.take('i')] if kind == 'R' else self.take({'i': 'i', 'g': 'd'}[kind])


def loads(path):
    data = contents(path)
    return Python2(data).value() if data.startswith(b'{(') else marshal.loads(data)


def by_marshal(path):
    """{function: [time, calls, primitive calls]}, {(caller, callee): [count, time]}"""
    rows, edges = {}, {}
    for key, (primitive, calls, own, _, callers) in loads(path).items():
        rows[name_of(key)] = [nanos(own), calls, primitive]
        for caller, has in callers.items():
            edges[name_of(caller), name_of(key)] = [max(has[0], has[1]), nanos(has[3])]
    return rows, edges


def t_all(path):
    """Every row and every call, and the totals that pstats adds up."""
    rows, edges = by_marshal(path)
    d = Dump(path)
    equal(d.events, ['time', 'calls', 'primitive-calls'], 'events')
    equal({place(p): v for _, p, v in d.self}, rows, 'functions')
    equal({(place(a), place(b)): [n, v[0]] for _, a, b, n, v in d.calls}, edges, 'calls')
    stats = pstats.Stats()
    stats.stats = loads(path)
    stats.get_top_level_stats()
    equal(d.total[1:], [stats.total_calls, stats.prim_calls], 'calls at all')
    want(abs(d.total[0] - stats.total_tt * 1e9) < 1 + len(rows) / 2, 'time at all: %s, %s' % (d.total[0], stats.total_tt))


def t_inclusive(path):
    """What a function took with what it called, where it is in no circle: pstats measured it."""
    r = assay('top', path, '-n', '0', '-f', 'json')
    want(r.code == 0, 'top', r)
    found = {}
    for row in r.json()['rows']:
        if not row.get('recursive') and not row.get('cycle'):
            found.setdefault(row['function'], []).append(row['inclusive'][0])
    n = 0
    for key, (primitive, calls, _, cumulative, _) in loads(path).items():
        mine = found.get(text(key[2]), found.get('%s:%d' % (text(key[2]), key[1]), []))
        if primitive != calls or len(mine) != 1:
            continue
        want(abs(mine[0] - nanos(cumulative)) < 4, '%s: %s ns, pstats has %s' % (text(key[2]), mine[0], cumulative))
        n += 1
    want(n > 2, 'functions in no circle: %d' % n)


def t_manifest(path, row):
    functions, calls = map(int, re.match(r'(\d+) functions, (\d+) calls', row['samples']).groups())
    d = Dump(path)
    equal(len(d.self), functions, 'functions')
    equal(d.total[1], calls, 'calls')
    equal('%.6f' % (d.total[0] / 1e9), row['total'], 'seconds')
    own = {}
    for _, p, v in d.self:
        own[place(p)[2]] = own.get(place(p)[2], 0) + v[0]
    for name, seconds in re.findall(r'(.+?)=(\d+\.\d+)(?:, |$)', row['top self']):
        equal('%.4f' % (own[name] / 1e9), seconds, 'own time of ' + name)


def program(rng, n):
    """N functions that call each other at random, some of them recursively"""
    lines = []
    for i in range(n):
        calls = [rng.randrange(n) for _ in range(rng.randrange(4))]
        lines.append('def f%d(d):\n    if d:\n        %s' % (i, '\n        '.join(['pass'] + ['f%d(d - 1)' % c for c in calls] + ['sorted([2, 1])'])))
    return '\n'.join(lines)


def t_random(seed):
    """What this Python writes of a program that nobody has seen before; twice the same file is what pstats adds up."""
    rng = random.Random(seed)
    space = {}
    exec(compile(program(rng, 30), 'made.py', 'exec'), space)       # pylint: disable=exec-used
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(5):
        space['f%d' % rng.randrange(30)](5)
    profile.disable()
    with Scratch() as s:
        path, both = s.name('a.pstats'), s.name('b.pstats')
        profile.dump_stats(path)
        t_all(path)
        pstats.Stats(path, path).dump_stats(both)
        t_all(both)
        merged, added = s.name('c.callgrind'), s.name('d.callgrind')
        want(assay('merge', path, path, '-o', merged).code == 0, 'merge')
        want(assay('convert', both, '-o', added).code == 0, 'convert')
        equal(Dump(merged).total, Dump(added).total, 'two files')


def t_checked(path):
    r = assay('check', path, '-f', 'json')
    equal((r.code, r.json()['findings']), (0, []), 'findings')


for _path in GOLDEN:
    t.add('all of ' + os.path.basename(_path), t_all, _path)
    t.add('inclusive times of ' + os.path.basename(_path), t_inclusive, _path)
    t.add('check ' + os.path.basename(_path), t_checked, _path)
for _seed in range(5):
    t.add('random program %d' % _seed, t_random, _seed)
for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    if _row['format'] == 'pstats':
        _path = os.path.join(FOLDER, _row['file'])
        t.add('manifest of ' + _row['file'], t_manifest, _path, _row)
        t.add('all of ' + _row['file'], t_all, _path)
        t.add('inclusive times of ' + _row['file'], t_inclusive, _path)
t.run()
