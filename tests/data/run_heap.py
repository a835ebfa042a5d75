#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Massif and DHAT of valgrind: assay against the manifest, ms_print, and readers of a few lines."""
import collections
import csv
import glob
import gzip
import json
import os
import re
import shutil
import subprocess

import tap
from dump import Dump
from tap import Scratch, assay, contents, data_path, equal, want

t = tap.Tap('heap')
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
VALUES = ['tb', 'tbk', 'tl', 'gb', 'gbk', 'eb', 'ebk', 'rb', 'wb']


def said(frame):
    """A frame of a dump in valgrind's words, without addresses and columns, which are not always kept"""
    name = re.sub(r'^\?\?\?@0x[0-9a-f]+$', '???', frame.get('fn') or '???')
    if 'fl' in frame:
        return '%s (%s:%s)' % (name, frame['fl'], frame.get('line', 0))
    return name + (' (in %s)' % frame['ob'] if 'ob' in frame else '')


def plain(text):
    text = re.sub(r'^0x[0-9A-Fa-f]+: ', '', text)
    return re.sub(r'(:\d+):\d+\)$', r'\1)', text)


def known(stack):
    """Without frames of which nothing is known, which the reader of dumps leaves out"""
    return tuple(text for text in stack if text != '???')


def load(path):
    data = contents(path)
    return json.loads(gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data)


def t_dhat(path):
    """Every stack, with all values"""
    j, d = load(path), Dump(path)
    seen = [v for v in VALUES if any(v in p for p in j['pps'])]
    wanted = collections.defaultdict(lambda: [0] * len(seen))
    for p in j['pps']:
        stack = known(plain(j['ftbl'][i]) for i in reversed(p['fs']))
        wanted[stack] = [a + p.get(v, 0) for a, v in zip(wanted[stack], seen)]
    got = collections.defaultdict(lambda: [0] * len(seen))
    for _, stack, values in d.samples:
        key = known(said(f) for f in stack)
        got[key] = [a + b for a, b in zip(got[key], values)]
    equal(dict(got), dict(wanted), 'stacks')


def t_dhat_manifest(path, row):
    d = Dump(path)
    figures = dict((k, int(v)) for k, v in re.findall(r'(\w+)=(\d+)', row['total']))
    seen = [v for v in VALUES if any(v in p for p in load(path)['pps'])]
    equal(len(d.events), len(seen), 'events')
    for key, total in zip(seen, d.total):
        if key in figures:
            equal(total, figures[key], key)
    equal(len(load(path)['pps']), int(row['samples'].split()[0]), 'points')


def snapshots(path):
    """[{number, fields, tree: [(depth, number of callers, bytes, text)]}]"""
    out = []
    for line in contents(path).decode().split('\n'):
        tree = re.match(r'( *)n(\d+): (\d+) (.*)', line)
        key, is_field, value = line.partition('=')
        if tree:
            out[-1]['tree'].append((len(tree.group(1)), int(tree.group(2)), int(tree.group(3)), tree.group(4)))
        elif key == 'snapshot':
            out.append({'tree': [], 'snapshot': int(value)})
        elif is_field and out:
            out[-1][key] = value
    return out


def stacks(tree):
    """{stack, the outermost first: bytes} of the lines that nothing is below"""
    out, path = collections.Counter(), []
    for i, (depth, n, size, text) in enumerate(tree):
        del path[depth:]
        path.append("[below massif's threshold]" if re.match(r"in \d+ places?,", text) else plain(text))
        if not n:
            out[known(reversed(path[1:]))] += size
    return +out


def t_massif(path):
    """Every snapshot that has a tree, and those that have none"""
    all_ = snapshots(path)
    peak = [s for s in all_ if s['heap_tree'] == 'peak']
    for s in all_ + peak[:1]:
        d = Dump(path) if s is all_[-1] and peak else Dump(path, '-I', 'snapshot=%d' % s['snapshot'])
        if s is all_[-1] and peak:
            s = peak[0]
        equal(d.total or [0, 0, 0], [int(s['mem_heap_B']), int(s['mem_heap_extra_B']), int(s['mem_stacks_B'])], 'snapshot %d' % s['snapshot'])
        got = collections.Counter()
        for _, stack, values in d.samples:
            got[known(said(f) for f in stack)] += values[0]
        equal(+got, stacks(s['tree']) if s['tree'] else +collections.Counter({(): int(s['mem_heap_B'])}), 'tree of snapshot %d' % s['snapshot'])


def t_ms_print(path):
    """The peak as ms_print says it"""
    if not shutil.which('ms_print'):
        return 'skip: ms_print is not installed'
    text = subprocess.run(['ms_print', path], stdout=subprocess.PIPE, check=True).stdout.decode()
    number = int(re.search(r'(\d+) \(peak\)', text).group(1))
    row = re.search(r'^ *%d +[\d,]+ +([\d,]+) +([\d,]+) +([\d,]+) +([\d,]+)' % number, text, re.M)
    total, heap, extra, stack = (int(n.replace(',', '')) for n in row.groups())
    equal(Dump(path).total, [heap, extra, stack], 'bytes')
    equal(sum(Dump(path).total), total, 'bytes at all')
    return None


def t_new():
    """What the valgrind at hand writes of a program that is made now."""
    if not shutil.which('valgrind') or not shutil.which('cc'):
        return 'skip: valgrind is not installed'
    with Scratch() as s:
        source, program = s.file('a.c', b'#include <stdlib.h>\nstatic void *get(int n) { return malloc(n); }\n'
                                 b'static void *deep(int d) { return d ? deep(d - 1) : get(3000); }\n'
                                 b'int main(void) { void *a = get(100), *b = deep(4); free(a); b = realloc(b, 50000); free(b); free(calloc(3, 5)); return 0; }\n'), s.name('a')
        subprocess.run(['cc', '-g', '-O1', '-o', program, source], check=True)
        for tool, opts in (('massif', []), ('massif', ['--stacks=yes', '--detailed-freq=1']), ('massif', ['--pages-as-heap=yes']), ('dhat', [])):
            out = s.name(tool + '.out')
            subprocess.run(['valgrind', '--tool=' + tool, '--%s-out-file=%s' % (tool, out)] + opts + [program],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            (t_dhat if tool == 'dhat' else t_massif)(out)
            r = assay('check', out, '-f', 'json')
            want(r.code == 0 and not [f for f in r.json()['findings'] if f['severity'] != 'info'], 'check', r)
    return None


for _path in sorted(glob.glob(os.path.join(HERE, '../../src/formats/dhat/golden/valgrind*.json'))):
    t.add('stacks of ' + os.path.basename(_path), t_dhat, _path)
for _path in sorted(glob.glob(os.path.join(HERE, '../../src/formats/massif/golden/valgrind*.massif'))):
    t.add('snapshots of ' + os.path.basename(_path), t_massif, _path)
    t.add('ms_print of ' + os.path.basename(_path), t_ms_print, _path)
for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    _path = os.path.join(FOLDER, _row['file'])
    if _row['format'] == 'dhat':
        t.add('manifest of ' + _row['file'], t_dhat_manifest, _path, _row)
        t.add('stacks of ' + _row['file'], t_dhat, _path)
    elif _row['format'] == 'massif':
        t.add('snapshots of ' + _row['file'], t_massif, _path)
        t.add('ms_print of ' + _row['file'], t_ms_print, _path)
t.add('a program of now', t_new)
t.run()
