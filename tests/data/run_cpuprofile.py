#!/usr/bin/env python3
"""Profiles of V8: assay against the figures of the manifest, and against a reader of the file in twenty lines."""
import collections
import csv
import glob
import json
import os
import re
import shutil
import subprocess

from dump import Dump
from npm_peer import package
from tap import ROOT, Scratch, Tap, assay, data_path, equal, want

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
            leaf[event][stack[-1].get('fn', '[') if stack else '(root)'] += value
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


# ---- what is written, read by Chrome's own code ----

def model():
    """(what DevTools make of profiles, as a module for node; None), or (None, why it is not there)"""
    if not shutil.which('esbuild'):
        return None, 'skip: no esbuild'
    folder, why = package('chrome-devtools-frontend', '1.0.1705227')
    if not folder:
        return None, why
    source = os.path.join(folder, 'front_end/models/cpu_profile/CPUProfileDataModel.ts')
    out = os.path.join(folder, 'model.mjs')
    done = subprocess.run(['esbuild', source, '--bundle', '--platform=node', '--format=esm', '--outfile=' + out], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return (out, None) if done.returncode == 0 else (None, 'skip: esbuild does not make it')


MODEL, WHY = model()


def written(path, event):
    with Scratch() as s:
        out = s.name('x.cpuprofile')
        r = assay('convert', path, '-t', 'cpuprofile', '-o', out, '-O', 'event=' + event)
        want(r.code == 0, 'convert failed', r)
        done = subprocess.run(['node', os.path.join(ROOT, 'tests/peers/devtools.mjs'), MODEL, out], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, check=True)
        chrome, file = json.loads(done.stdout), json.load(open(out, encoding='utf-8'))
        before, mine = ours(path)[0][event], ours(out)[0]
    names = {n['callFrame']['functionName'] for n in file['nodes']}
    equal(chrome['samples'], len(file['samples']), 'samples')
    if len(file['samples']) == sum(before.values()):
        equal(chrome['all'], sum(before.values()), 'hits in all')
        equal({k or '(anonymous)': v for k, v in chrome['hits'].items() if v}, dict(+mine['samples']), 'hits')
        top = sorted(v for k, v in before.items() if k and not k.startswith('['))[-10:]
        equal(sorted(v for k, v in chrome['hits'].items() if not k.startswith('['))[-10:], top, 'the top ten, before')
    # Chrome gives the last sample what they last on average, and paints (program) and the like over others.
    if not names & {'(program)', '(garbage collector)'} and len(file['samples']) > 1:
        last = {n['id']: n['callFrame']['functionName'] for n in file['nodes']}[file['samples'][-1]]
        equal({k or '(anonymous)': round(v) * 1000 for k, v in chrome['time'].items() if v and k != last and k != '(root)'},
              {k: v for k, v in mine['time'].items() if v and k != (last or '(anonymous)') and k != '(root)'}, 'time')


SOURCES = (
    ('cpuprofile/golden/plain.cpuprofile', 'samples'), ('cpuprofile/golden/old.cpuprofile', 'samples'), ('folded/golden/plain.folded', 'samples'),
    ('perfscript/golden/inlined.perf', 'cpu-clock samples'), ('perfscript/golden/inlined.perf', 'cpu-clock'), ('stackprof/golden/ruby31.json', 'samples'),
    ('speedscope/golden/evented.json', 'time'), ('traceevent/golden/samples.json', 'samples'), ('uftrace/golden/two_threads.uftrace', 'calls'),
    ('uftrace/golden/two_threads.uftrace', 'time'), ('xctrace/golden/time.xml', 'samples'), ('xctrace/golden/time.xml', 'time'))
for _path, _event in SOURCES:
    t.add(f'written: {_path}, {_event}', written if MODEL else lambda *_: WHY, os.path.join(ROOT, 'src/formats', _path), _event)

t.run()
