#!/usr/bin/env python3
"""Stacks that DTrace and bpftrace counted: assay against the figures of the manifest, and against what inferno makes of them."""
import collections
import csv
import gzip
import os
import re

from dump import Dump
from tap import Tap, data_path, equal

t = Tap('stacks')
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
# What inferno folds, and what it makes of it
INFERNO = {
    'foreign/FlameGraph/example-dtrace-stacks.txt.gz': 'dtrace-example.txt',
    'foreign/inferno/scope_with_no_argument_list.txt': 'scope_with_no_argument_list.txt',
    'foreign/inferno/stack-ustack.txt': 'stack-ustack.txt',
}


def stacks(path):
    """frames, as DTrace has them, from the root -> count"""
    out = collections.Counter()
    for _, stack, values in Dump(path).samples:
        out[tuple((f['ob'] + '`' if f.get('ob') else '') + (f.get('fn') or hex(f.get('addr', 0))) for f in stack)] += values[0]
    return out


def against_manifest(row):
    found = stacks(os.path.join(FOLDER, row['file']))
    equal(sum(found.values()), int(row['total']), 'total')
    self = collections.Counter()
    for stack, count in found.items():
        self[stack[-1] if stack else ''] += count
    for name, count in re.findall(r'(.+?)=(\d+)(?:, |$)', row['top self'] or ''):
        equal(self[name], int(count), 'self cost of ' + name)


def depths(counts):
    """depth of a stack -> samples, of all stacks"""
    out = collections.Counter()
    for stack, count in counts.items():
        out[len(stack)] += count
    return out


def against_inferno(path, name):
    """It leaves arguments and hashes of names away, so modules and depths are compared."""
    with open(os.path.join(FOLDER, 'foreign/inferno/expected/collapse-dtrace-' + name), encoding='utf-8') as f:
        folded = collections.Counter()
        for line in f:
            text, _, count = line.rpartition(' ')
            folded[tuple(text.split(';'))] += int(count)
    ours = stacks(os.path.join(FOLDER, path))
    equal(sum(ours.values()), sum(folded.values()), 'total')
    equal(depths(ours), depths(folded), 'depths')

    def modules(counts):
        out = collections.Counter()
        for stack, count in counts.items():
            out[tuple(frame.split('`')[0] if '`' in frame else '' for frame in stack)] += count
        return out
    equal(modules(ours), modules(folded), 'modules')


def independent(path):
    """A reader of bpftrace's text in few lines: an entry is from '@' to ']: N', its frames are the indented lines."""
    with (gzip.open if path.endswith('.gz') else open)(path, 'rt', encoding='utf-8') as f:
        entries = re.findall(r'^@\w*\[(.*?)\]: (\d+)$', f.read(), re.M | re.S)
    out = collections.Counter()
    for key, count in entries:
        names = [re.sub(r'\+\d+$', '', line.strip()) for line in key.split('\n') if line.startswith('    ')]
        out[tuple(sorted(names))] += int(count)
    return out


def bpftrace_text(path):
    ours = collections.Counter()
    for stack, count in stacks(os.path.join(FOLDER, path)).items():
        ours[tuple(sorted(stack))] += count
    equal(ours, independent(os.path.join(FOLDER, path)), 'stacks, whatever the order of their frames')


if os.path.exists(MANIFEST):
    with open(MANIFEST, encoding='utf-8') as _f:
        for _row in csv.DictReader(_f, delimiter='\t'):
            if _row['format'] in ('dtrace', 'bpftrace') and _row['total']:
                t.add(_row['file'], against_manifest, _row)
    for _path, _name in INFERNO.items():
        t.add(_path + ' as inferno folds it', against_inferno, _path, _name)
    t.add('bpftrace-text.txt, read otherwise', bpftrace_text, 'own/misc/bpftrace-text.txt')
else:
    t.add('files of others', lambda: 'n/a: the data of others are not here')

t.run()
