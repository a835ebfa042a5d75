#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What xctrace exports: assay against the manifest and a reader by Python's XML."""
import collections
import csv
import gzip
import io
import os
import re
import xml.etree.ElementTree as ElementTree

import tap
from dump import Dump
from tap import contents, data_path, equal

t = tap.Tap('xctrace')
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')


def rows(path):
    """(thread, names of frames with the leaf first, weight, time) of each row"""
    data = contents(path)
    root = ElementTree.parse(io.BytesIO(gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data)).getroot()
    ids = {e.get('id'): e for e in root.iter() if e.get('id')}

    def real(element):
        return ids[element.get('ref')] if element is not None and element.get('ref') else element

    def frame(element):
        name = real(element).get('name')
        return None if re.fullmatch('0x[0-9a-f]+', name) else name

    for row in root.iter('row'):
        thread = real(row.find('thread'))
        yield (re.sub(r' +0x[0-9a-f]+ \(.*', '', thread.get('fmt')),
               tuple(frame(f) for f in real(row.find('backtrace'))),
               int(real(row.find('weight')).text), int(real(row.find('sample-time')).text))


def t_all(path):
    wanted, got = collections.Counter(), collections.Counter()
    for thread, stack, weight, _ in rows(path):
        wanted[thread, stack] += weight
    d = Dump(path)
    for part, stack, values in d.samples:
        got[d.parts[part]['thread'], tuple(p.get('fn') for p in reversed(stack))] += values[d.events.index('time')]
    equal(got, wanted, 'stacks')


def t_when(path):
    first = min(time for _, _, _, time in rows(path))
    wanted = sorted((time - first, weight) for _, _, weight, time in rows(path))
    got = re.findall(r'^moment (\d+) \d+ "time": (\d+)$', Dump(path).raw.decode('utf-8'), re.M)
    equal(sorted((int(time), int(weight)) for time, weight in got), wanted, 'moments')


def t_manifest(path, row):
    d = Dump(path)
    equal(dict(zip(d.events, d.total)), {'samples': int(row['samples'].split()[0]), 'time': int(row['total'])}, 'totals')
    mine = collections.Counter()
    for _, stack, values in d.samples:
        mine[stack[-1].get('fn') if stack else None] += values[d.events.index('time')]
    for name, cost in re.findall(r'(\S.*?)=(\d+)(?:, |$)', row['top self']):
        equal(mine[name], int(cost), name)


for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    if _row['format'] == 'xctrace-xml':
        _path = os.path.join(FOLDER, _row['file'])
        t.add('manifest of ' + _row['file'], t_manifest, _path, _row)
        t.add('stacks of ' + _row['file'], t_all, _path)
        t.add('times of ' + _row['file'], t_when, _path)
if not os.path.exists(MANIFEST):
    t.add('files of others', lambda: 'n/a: the data of others are not here')
t.run()
