#!/usr/bin/env python3
"""speedscope's files: what assay reads and writes against speedscope itself, the npm package, run in node."""
import collections
import csv
import functools
import glob
import json
import os
import re
import subprocess

from dump import Dump
from npm_peer import package, usable
from tap import ROOT, Scratch, Tap, assay, data_path, equal, want

t = Tap('speedscope')
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
PEER = os.path.join(ROOT, 'tests/peers/speedscope.cjs')
PACKAGE, WHY = usable(PEER, *package('speedscope', '1.25.0'))
NANOS = {'nanoseconds': 1, 'microseconds': 1000, 'milliseconds': 10 ** 6, 'seconds': 10 ** 9}
EVENT = {'none': 'weight', 'bytes': 'bytes'}


def peer(files):
    """file: what speedscope makes of it, its profiles or {'wrong': why}. It begins slowly: one run for all."""
    done = subprocess.run(['node', PEER, PACKAGE, *files], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=True)
    return dict(zip(files, map(json.loads, done.stdout.splitlines()), strict=True))


def ours(path):
    """event -> function -> self cost"""
    d = Dump(path)
    leaf = collections.defaultdict(collections.Counter)
    for _, stack, values in d.samples:
        for event, value in zip(d.events, values):
            leaf[event][(stack[-1].get('fn') or '[unknown]') if stack else None] += value
    return leaf, d


def positive(counter):
    return {key: value for key, value in counter.items() if key is not None and value}


# ---- files of others ----

def against_manifest(row):
    """Figures of speedscope's importer, as the manifest has them: totals without idle time are ours."""
    leaf, _ = ours(os.path.join(FOLDER, row['file']))
    unit, top = re.search(r' (\w+), top (.*)$', row['samples']).groups()
    event = 'time' if unit in NANOS else 'weight' if 'weight' in leaf else 'samples'
    for text in top.split(', '):
        name, _, value = text.rpartition('=')
        equal(leaf[event][name], round(float(value) * NANOS.get(unit, 1)), name)


for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    # The second profile of the edges is in nanoseconds; the manifest has it in the unit of the first.
    if _row['format'] == 'speedscope' and 'top' in _row['samples'] and 'edges' not in _row['file']:
        t.add(_row['file'], against_manifest, _row)
if not os.path.exists(MANIFEST):
    t.add('files of others', lambda: 'n/a: the data of others are not here')


# ---- the same files, read by both ----

# What we round, leave out or name and JavaScript does not, and the other way round.
DIFFER = ('rounded.json', 'range.json', 'bytes.json', 'bom.json')
GOLDEN = sorted(glob.glob(os.path.join(ROOT, 'src/formats/speedscope/golden/*.json')))
OTHERS = sorted(glob.glob(os.path.join(FOLDER, 'foreign/speedscope/*.speedscope.json'))) + glob.glob(os.path.join(FOLDER, 'own/misc/speedscope-edges.json'))


@functools.cache
def peer_reads():
    return peer(BOTH)


def read_by_both(path):
    theirs = peer_reads()[path]
    if isinstance(theirs, dict):
        return 'n/a: speedscope refuses it: ' + theirs['wrong']
    sums = collections.defaultdict(collections.Counter)
    for profile in theirs:
        event = re.sub(', samples: .*', '', profile['name'].partition(', event: ')[2])
        event = event or ('time' if profile['unit'] in NANOS else EVENT[profile['unit']])
        for name, value in profile['self'].items():
            sums[event][name] += round(value * NANOS.get(profile['unit'], 1))
    leaf, _ = ours(path)
    for event, names in sums.items():
        equal(positive(leaf[event if event in leaf else 'samples']), positive(names), event)
    return None


BOTH = [path for path in GOLDEN + OTHERS if not os.path.exists(path + '.err') and os.path.basename(path) not in DIFFER]
for _path in BOTH:
    t.add('read by both: ' + os.path.basename(_path), read_by_both if PACKAGE else lambda _: WHY, _path)


# ---- what is written ----

SCRATCH = Scratch().__enter__()


def out_of(path):
    return SCRATCH.name('%d.speedscope.json' % SOURCES.index(path))


@functools.cache
def write_all():
    """source: how it was written; and what speedscope makes of each that was"""
    runs = {path: assay('convert', path, '-o', out_of(path)) for path in SOURCES}
    return runs, peer([out_of(path) for path, run in runs.items() if run.code == 0])


def written(path):
    """Each thread and event is there, with the same total and, function by function, the same self cost."""
    runs, read = write_all()
    want(runs[path].code == 0, 'convert failed', runs[path])
    theirs = read[out_of(path)]
    want(isinstance(theirs, list), theirs)
    # The objects of code without a name are in speedscope's names alone: those are read back.
    leaf, d = ours(out_of(path))
    before, _ = ours(path)
    if before.pop('markers', None):     # it has none, which is told
        want('of markers' in runs[path].err, 'nothing is said of markers', runs[path])
    equal({e: sum(v.values()) for e, v in leaf.items()}, {e: sum(v.values()) for e, v in before.items()}, 'totals')
    sums = collections.defaultdict(collections.Counter)
    for profile in theirs:
        event, _, samples = profile['name'].partition(', event: ')[2].partition(', samples: ')
        event = event or 'time'
        for name, value in profile['self'].items():
            sums[event][name] += round(value * NANOS.get(profile['unit'], 1))
        if samples or ', event: ' not in profile['name']:
            sums.pop(samples or 'samples', None)    # speedscope does not count them
    for event, names in sums.items():
        equal(positive(leaf[event]), positive(names), event)
        named = {k: v for k, v in positive(before[event]).items() if not k.startswith('[')}
        equal({k: v for k, v in positive(names).items() if not k.startswith('[')}, named, 'before and after: ' + event)
    ids = {(p.get('pid'), p.get('tid')) for p in d.parts}
    for profile in theirs:
        pid, tid = (re.search(word + r':? (\d+)', profile['name'].partition(', event: ')[0]) for word in ('pid', 'tid'))
        want((pid and pid.group(1), tid and tid.group(1)) in ids or not (pid or tid), profile['name'], ids)


def can_be_written(path):
    """A profile with events and no negative costs; of two of ours a dump, or JavaScript, has not all."""
    if not os.path.exists(path + '.dump') or os.path.basename(path) in ('bytes.json', 'frame.json'):
        return False
    text = open(path + '.dump', 'rb').read()
    return b' -' not in text and b'\nevent ' in text


SOURCES = [path for name in ('speedscope/golden/*.json', 'folded/golden/*.folded', 'perfscript/golden/*.perf', 'perfdata/golden/*.data', 'pprof/golden/*.pb.gz', 'jfr/golden/*.jfr')
           for path in sorted(glob.glob(os.path.join(ROOT, 'src/formats', name))) if can_be_written(path)]
SOURCES += sorted(glob.glob(os.path.join(FOLDER, 'own/perf/*.txt.gz')))
for _path in SOURCES:
    t.add('written: ' + '/'.join(_path.split('/')[-3:]), written if PACKAGE else lambda _: WHY, _path)

try:
    t.run()
finally:
    SCRATCH.__exit__()
