#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text of macOS's sample: assay against the manifest and a reader of a few lines."""
import collections
import csv
import gzip
import os
import re

import tap
from dump import Dump
from tap import contents, data_path, equal

t = tap.Tap('macsample')
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')


def frame(text):
    """(name, object)"""
    m = re.match(r'(.*)  \(in ([^)]*)\)', text)
    name, lib = m.groups() if m else (re.sub(r'  \[0x.*', '', text), None)
    return (None if name.strip() == '???' else name.strip(), lib)


def stacks(path):
    """{(thread, frames ...): samples of its own}"""
    data = contents(path)
    text = (gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data).decode('utf-8', 'replace')
    out, open_ = collections.Counter(), []
    for line in text.split('Call graph:\n')[1].split('\n\n')[0].split('\n'):
        m = re.match(r'([ +!:|]*)(\d+) (.*)', line)
        if not m:
            continue
        column, count = len(m.group(1)), int(m.group(2))
        while open_ and open_[-1][0] >= column and not ('skipped' in path and open_[-1][0] == column):
            open_.pop()     # in that file a line has two blanks too many, and called the next one
        stack = (open_[-1][1] if open_ else ()) + (m.group(3).strip() if not open_ else frame(m.group(3).strip()),)
        if open_:
            out[open_[-1][1]] -= count
        out[stack] += count
        open_.append((column, stack))
    return collections.Counter({k: v for k, v in out.items() if v})


def images(path):
    """{last component of the path: (path, UUID)} of binaries that alone have it"""
    data = contents(path)
    text = (gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data).decode('utf-8', 'replace')
    found = collections.defaultdict(list)
    for uuid, name in re.findall(r'^ *0x[0-9a-f]+ - .*<([0-9A-F-]+)> (/.*)$', text.partition('\nBinary Images:\n')[2], re.M):
        found[name.rpartition('/')[2]].append((name, uuid.replace('-', '')))
    return {name: rows[0] for name, rows in found.items() if len(rows) == 1}


def t_all(path):
    known = images(path)
    wanted, got = collections.Counter(), collections.Counter()
    for stack, n in stacks(path).items():
        wanted[tuple((name, known.get(lib, (lib,))[0]) for name, lib in stack[1:] if (name, lib) != (None, None))] += n
    d = Dump(path)
    for name, rest in d.objects:
        uuid = re.search(r' id="([^"]*)"', rest)
        equal(uuid.group(1) if uuid else None, known[name.rpartition('/')[2]][1] if name.startswith('/') else None, 'UUID of ' + name)
    for _, stack, values in d.samples:
        got[tuple((None if re.match(r'\?\?\?\+0x', p.get('fn', '???+0x')) else p['fn'], p.get('ob')) for p in stack)] += values[0]
    equal(got, wanted, 'stacks')


def t_manifest(path, row):
    d = Dump(path)
    equal(d.total, [int(row['total'])], 'samples')
    equal(len({p for p, _, _ in d.samples}), int(row['samples'].split()[0]), 'threads')


for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    if _row['format'] == 'macos-sample':
        _path = os.path.join(FOLDER, _row['file'])
        t.add('manifest of ' + _row['file'], t_manifest, _path, _row)
        t.add('all of ' + _row['file'], t_all, _path)
if not os.path.exists(MANIFEST):
    t.add('files of others', lambda: 'n/a: the data of others are not here')
t.run()
