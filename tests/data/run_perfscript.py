#!/usr/bin/env python3
"""Text of perf script: assay against the figures of the manifest, and against the perf.data that it was printed of."""
import collections
import csv
import glob
import os
import re
import shutil
import subprocess

from dump import Dump
from tap import Scratch, Tap, assay, data_path, equal, want

t = Tap('perfscript')
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
PERF = shutil.which('perf')
HERE = os.path.dirname(os.path.abspath(__file__))
RECORDINGS = sorted(glob.glob(os.path.join(HERE, '../../src/formats/perfdata/golden/*.data')))
# The manifest's reader splits blocks at empty lines, also where a sample has not had a frame yet.
CUT = {'empty-line.txt': 'an empty line before the frames ends nothing'}


def totals(path, *opts):
    """event -> total, and (event, leaf without its object) -> self cost"""
    d = Dump(path, *opts)
    leaf = collections.Counter()
    for _, stack, values in d.samples:
        for event, value in zip(d.events, values):
            leaf[event, (stack[-1].get('fn') if stack else None) or '[unknown]'] += value
    return {e: sum(values[i] for _, _, values in d.samples) for i, e in enumerate(d.events)}, leaf, d


def against_manifest(row):
    path = os.path.join(FOLDER, row['file'])
    total, leaf, _ = totals(path)
    samples = re.findall(r'(?:^|\+ )(\S+?):(\d+)(?= |$)', row['samples'])
    wanted = [int(x) for x in row['total'].split(' + ')]
    if not samples:  # without lines that begin samples there is no event
        equal(total, {'samples': wanted[0]}, 'samples')
        samples = [('', row['total'])]
    for (event, n), weight in zip(samples, wanted):
        equal(total[(event + ' samples').lstrip()], int(n), 'samples of ' + event)
        equal(total.get(event, int(n)), weight, 'weight of ' + event)
    first = samples[0][0]
    column = first if first in total else (first + ' samples').lstrip()
    for text in re.findall(r'(.+?=\d+)(?:, |$)', row['top self']):
        name, _, cost = text.rpartition('=')
        if '->' in name or os.path.basename(row['file']) in CUT:
            continue  # we have the innermost of them
        equal(leaf[column, name], int(cost), 'self cost of ' + name)


for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    if _row['format'] == 'perf-script' and _row['samples'] and _row['total']:
        t.add(_row['file'], against_manifest, _row)
if not os.path.exists(MANIFEST):
    t.add('files of others', lambda: 'n/a: the data of others are not here')


def by_part(d):
    """(event, thread's name) -> total"""
    out = collections.Counter()
    for part, _, values in d.samples:
        for event, value in zip(d.events, values):
            out[event, d.parts[part].get('thread')] += value
    return +out


def moments(d, events):
    """Sorted (nanoseconds from the first sample on, event, value)"""
    found = re.findall(r'^moment (\d+) \d+ "([^"]*)": (\d+)', d.raw.decode(), re.M)
    first = min((int(at) for at, event, _ in found if event in events), default=0)
    return sorted((int(at) - first, event, int(value)) for at, event, value in found if event in events)


def as_printed(path):
    """What perf prints of a recording has the samples, weights, threads and times that the recording has."""
    with Scratch() as s:
        text = s.name('x.perf')
        with open(text, 'wb') as f:
            done = subprocess.run([PERF, 'script', '-f', '--ns', '-F', 'comm,pid,tid,time,period,event,ip,sym,dso', '-i', path],
                                  stdout=f, stderr=subprocess.PIPE, check=False)
        if done.returncode or not os.path.getsize(text):
            return 'n/a: perf script does not read it, or it has no samples'
        ours, _, native = totals(path)
        theirs, _, printed = totals(text)
        for event, total in theirs.items():
            equal(total, ours[event], event)
        kept = {key: v for key, v in by_part(native).items() if key[0] in theirs}
        # Processes outside the recorder's namespace have no number: perf gives them whatever name that of 0 has.
        if not any(thread == '[unknown]' for _, thread in kept):
            equal(by_part(printed), kept, 'by threads')
        equal(moments(printed, theirs), moments(native, theirs), 'when')
    return None


def away(path):
    """What threads did not run, by state, and each stretch: (nanoseconds from the first on, how long)"""
    r = assay('top', '-q', '-f', 'json', '-e', 'off-cpu', '--by', 'state', path)
    want(r.code == 0, 'no states', r)
    states = {row['labels'][0]['value']: row['self'][0] for row in r.json()['rows'] if row['self'][0]}
    found = re.findall(r'^moment (\d+) \d+ "off-cpu": (\d+) duration=(\d+)$', assay('dump', path).out.decode(), re.M)
    equal([v for _, v, took in found if v != took], [], 'values that are no durations')
    first = min(int(at) for at, _, _ in found)
    return states, sorted((int(at) - first, int(value)) for at, value, _ in found)


def switches_as_printed(path):
    """Records of switches as perf prints them are the same stretches, and those that perf's own lines have."""
    with Scratch() as s:
        text = s.name('x.perf')
        with open(text, 'wb') as f:
            subprocess.run([PERF, 'script', '-f', '--ns', '--show-switch-events', '--show-task-events', '-i', path], stdout=f,
                           stderr=subprocess.DEVNULL, check=True)
        equal(away(text), away(path), 'stretches')
        since, total = None, 0
        for line in open(text, encoding='utf-8'):
            at = re.search(r' (\d+)\.(\d{9}): +(PERF_RECORD_SWITCH (?:IN|OUT)|sched:sched_switch:)', line)
            if at and at[3].endswith('IN'):
                total += int(at[1] + at[2]) - since if since else 0
                since = None
            elif at:
                since = since or int(at[1] + at[2])
        equal(sum(away(path)[0].values()), total, 'of one thread, by its lines')


def folded_from_the_left(text):
    """event -> (thread's name, id) -> weight, by a reader that takes the first number behind a blank for the thread's, as
    stackcollapse-perf.pl, inferno and speedscope do, and passes over comments"""
    out = collections.defaultdict(collections.Counter)
    for line in text.splitlines():
        head = re.match(r'(\S.*?)\s+(?:\d+/)?(\d+)\s+(.*)$', line)
        if line.startswith(('#', '\t')) or not line:
            continue
        weight, event = re.search(r':\s+(?:(\d+) )?(\S+):\s*$', head.group(3)).groups()
        out[event][head.group(2)] += int(weight or 1)
    return out


def as_written(path):
    """What is written of PATH is read as the same costs, stacks, threads and times; others find the threads, too."""
    with Scratch() as s:
        text = s.name('x.perf')
        r = assay('convert', path, '-t', 'perfscript', '-o', text)
        want(r.code == 0, 'not written', r)
        ours, leaf, before = totals(path)
        theirs, again, after = totals(text)
        ours = {event: total for event, total in ours.items() if total}
        equal(theirs, ours, 'totals')
        equal(+again, +leaf, 'self costs')
        if all('thread' in p for p in before.parts):  # others are given names,
            equal(by_part(after), by_part(before), 'by threads')
        equal(moments(after, theirs), moments(before, ours), 'when')
        with open(text, encoding='utf-8', errors='surrogateescape') as f:
            left = folded_from_the_left(f.read())
        for event, threads in left.items():
            equal(sum(threads.values()), ours.get(event, ours.get(event + ' samples')), 'weight of ' + event)
            ids = {str(p.get('tid')) for p in before.parts}
            if 'None' not in ids:  # and numbers
                equal(set(threads) - ids, set(), 'threads that are none')


for _path in RECORDINGS:
    t.add('written of ' + os.path.basename(_path), as_written, _path)
for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    if _row['format'] == 'perf-script' and _row['samples'] and _row['total']:
        t.add('written of ' + _row['file'], as_written, os.path.join(FOLDER, _row['file']))
t.add('switches as perf prints them', switches_as_printed if PERF else lambda _: 'no perf',
      os.path.join(HERE, '../../src/formats/perfdata/golden/switches.data'))
for _path in RECORDINGS:
    t.add('as perf prints ' + os.path.basename(_path), as_printed if PERF else lambda _: 'no perf', _path)

t.run()
