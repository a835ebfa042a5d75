#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stackprof: assay against the manifest and what Python's json reads."""
import collections
import csv
import json
import os
import re

import tap
from dump import Dump
from tap import Scratch, contents, data_path, equal, want

t = tap.Tap('stackprof')
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
GOLDEN = os.path.join(HERE, '../../src/formats/stackprof/golden')


def stacks(j):
    """[(stack, the root first; how often)]"""
    raw, at, out = j['raw'], 0, []
    while at < len(raw):
        n = raw[at]
        out.append((tuple(j['frames'][str(i)]['name'] for i in raw[at + 1:at + 1 + n]), raw[at + 1 + n]))
        at += n + 2
    return out


def name(p):
    """As the file has it: blocks of one name are called NAME:LINE"""
    return p.get('sys', p['fn'])


def t_paths(path):
    """Every stack, how often it was seen, and when"""
    j = json.loads(contents(path))
    d = Dump(path)
    wanted, got = collections.Counter(), collections.Counter()
    for stack, n in stacks(j):
        wanted[stack] += n
    for _, stack, values in d.samples:
        got[tuple(name(p) for p in stack)] += values[0]
    equal(got, wanted, 'stacks')
    equal(d.total, [j['samples']], 'samples')
    own = collections.Counter()
    for stack, n in got.items():
        own[stack[-1]] += n
    for f in j['frames'].values():
        want(f['samples'] <= own[f['name']], 'samples of %s: %d, the file has %d' % (f['name'], own[f['name']], f['samples']))
    times = [int(x) for x in re.findall(r'^moment (\d+) ', d.raw.decode(), re.M)]
    stamps = j.get('raw_sample_timestamps')
    if not stamps:
        stamps, now = [], 0
        for delta in j['raw_timestamp_deltas']:
            now += delta
            stamps.append(now)
    equal(sorted(times), [1000 * (s - min(stamps)) for s in sorted(stamps)], 'when')


def t_calls(path):
    """The same file without its stacks has what is known of functions."""
    j = json.loads(contents(path))
    for key in [k for k in j if k.startswith('raw')]:
        del j[key]
    with Scratch() as s:
        d = Dump(s.file('calls.json', json.dumps(j).encode()))
    own, calls = collections.Counter(), collections.Counter()
    for _, p, v in d.self:
        own[name(p), p.get('start') and str(p['start'])] += v[0]
    for _, a, b, n, v in d.calls:
        calls[name(a), name(b)] += v[0]
        equal(n, 0, 'how often is not known')
    wanted, edges = collections.Counter(), collections.Counter()
    for f in j['frames'].values():
        wanted[f['name'], str(f['line']) if f.get('line') and f['file'] != '<cfunc>' else None] += f['samples']
        for other, n in f.get('edges', {}).items():
            edges[f['name'], j['frames'][other]['name']] += n
    equal(+own, +wanted, 'samples of functions')
    equal(+calls, +edges, 'calls')
    lines = {(name(p), p['line']): v[0] for _, p, v in d.self if p.get('line')}
    for f in j['frames'].values():
        for line, counts in f.get('lines', {}).items():
            if counts[1]:
                want((f['name'], int(line)) in lines, 'line %s of %s' % (line, f['name']))


def t_manifest(path, row):
    d = Dump(path)
    equal(d.total, [int(row['total'])], 'samples')
    own = collections.Counter()
    for _, stack, values in d.samples:
        own[name(stack[-1])] += values[0]
    for leaf, n in re.findall(r'(.+?)=(\d+)(?:, |$)', row['top self']):
        equal(own[leaf], int(n), 'samples in ' + leaf)


for _path in [os.path.join(GOLDEN, 'ruby31.json')]:
    t.add('stacks of ' + os.path.basename(_path), t_paths, _path)
    t.add('calls of ' + os.path.basename(_path), t_calls, _path)
for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    if _row['format'] == 'stackprof':
        _path = os.path.join(FOLDER, _row['file'])
        t.add('manifest of ' + _row['file'], t_manifest, _path, _row)
        t.add('stacks of ' + _row['file'], t_paths, _path)
        t.add('calls of ' + _row['file'], t_calls, _path)
t.run()
