#!/usr/bin/env python3
"""Profiles of V8: assay against the figures of the manifest, and against a reader of the file in twenty lines."""
import collections
import csv
import glob
import json
import os
import re

from dump import Dump
from tap import ROOT, Tap, data_path, equal, want

t = Tap('cpuprofile')
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
GOLDEN = sorted(path for path in glob.glob(os.path.join(ROOT, 'src/formats/cpuprofile/golden/*profile')) if os.path.exists(path + '.dump'))
DAMAGED = ('node_missing', 'circle', 'uneven', 'cut')


def ours(path):
    """event -> function -> self cost"""
    d = Dump(path)
    leaf = collections.defaultdict(collections.Counter)
    for _, stack, values in d.samples:
        for event, value in zip(d.events, values):
            leaf[event][stack[-1]['fn'] if stack else '(root)'] += value
    return leaf, d


def flat(head):
    todo = [head]
    for node in todo:
        todo += node.get('children', [])
    return todo


def theirs(path):
    """The same, of the JSON itself."""
    f = json.load(open(path, encoding='utf-8'))
    nodes = f['nodes'] if 'nodes' in f else flat(f['head'])
    name = {n['id']: n.get('callFrame', n)['functionName'] or '(anonymous)' for n in nodes}
    leaf = collections.defaultdict(collections.Counter)
    if 'selfSize' in nodes[0]:
        for n in nodes:
            leaf['bytes'][name[n['id']]] += n['selfSize']
        return leaf
    if 'samples' not in f:
        for n in nodes:
            leaf['samples'][name[n['id']]] += n['hitCount']
        return leaf
    times = f.get('timestamps')
    if times is None:
        times, at = [], f['startTime']
        for delta in f['timeDeltas']:
            at += delta
            times.append(at)
    rows = sorted(zip(times, range(len(times)), f['samples']))
    ends = [at for at, _, _ in rows[1:]] + [f['endTime'] if 'timestamps' not in f else rows[-1][0] if rows else 0]
    for (at, _, node), end in zip(rows, ends):
        leaf['samples'][name[node]] += 1
        leaf['time'][name[node]] += (end - at) * 1000
    return leaf


def same(path):
    mine, _ = ours(path)
    for event, names in theirs(path).items():
        equal(+mine[event], +names, event)


def against_manifest(row):
    mine, _ = ours(os.path.join(FOLDER, row['file']))
    event = 'bytes' if row['unit'] == 'bytes' else 'samples'
    if event == 'samples':
        equal(sum(mine['samples'].values()), int(row['samples'].split()[0]), 'samples')
        passed, span = (int(x) for x in row['total'].split(' of '))
        # Theirs is the sum of all deltas; ours has the time behind the last sample, and not that before the first.
        f = json.load(open(os.path.join(FOLDER, row['file']), encoding='utf-8'))
        equal(sum(f['timeDeltas']), passed, 'the manifest')
        equal(sum(mine['time'].values()), (span - f['timeDeltas'][0]) * 1000, 'time')
    else:
        equal(sum(mine['bytes'].values()), int(row['total']), 'bytes')
    for text in row['top self'].split(', '):
        name, _, cost = text.rpartition('=')
        equal(mine[event][name], int(cost), name)


def by_lines(path):
    """What -I lines=yes adds up to is what stands in the file."""
    f = json.load(open(path, encoding='utf-8'))
    ticks = collections.Counter()
    for node in f.get('nodes', ()):
        for tick in node.get('positionTicks', ()):
            ticks[node['callFrame']['functionName'] or '(anonymous)', tick['line']] += tick['ticks']
    d = Dump(path, '-I', 'lines=yes')
    mine = collections.Counter()
    for _, stack, (value,) in d.samples:
        if stack and stack[-1].get('line'):
            mine[stack[-1]['fn'], int(stack[-1]['line'])] += value
    equal(mine, ticks, 'ticks')
    want(ticks, 'there are none')


OTHERS = []
for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    if _row['format'] in ('cpuprofile', 'heapprofile'):
        t.add(_row['file'], against_manifest, _row)
        OTHERS.append(os.path.join(FOLDER, _row['file']))
if not OTHERS:
    t.add('files of others', lambda: 'n/a: the data of others are not here')
for _path in GOLDEN + OTHERS:
    if not re.search('/(%s)' % '|'.join(DAMAGED), _path):
        t.add('the same by hand: ' + os.path.basename(_path), same, _path)
for _path in OTHERS + [path for path in GOLDEN if path.endswith('/plain.cpuprofile')]:
    if _path.endswith('.cpuprofile'):
        t.add('lines: ' + os.path.basename(_path), by_lines, _path)

t.run()
