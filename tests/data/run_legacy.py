#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text profiles of gperftools' family: assay against pprof's own goldens, the manifest, go tool pprof, google-pprof and jeprof.

In pprof_profile/ X.string is what pprof prints of X: its events and every sample.  neighbours-binary/legacy/ has figures in its
manifest.  Where the two differ, and why, stands in OTHER.
"""
import csv
import glob
import os
import re
import shutil
import subprocess

import tap
from tap import Scratch, assay, contents, data_path, equal, info, want

# The manifest's reader drops samples without addresses: of the row 1: 288 [2: 296], which pprof's golden has, and of Go's threads.
OTHER = {'gobench.heap': {'alloc_objects': 83134, 'alloc_space': 350314738, 'inuse_objects': 11445, 'inuse_space': 7721316},
         'go.threadcreate.pb.gz': {'threadcreate': 4}}
LEGACY = ('.heap', '.growth', '.contention', '.thread', '.thread.all', '.thread.none')

t = tap.Tap('legacy')
GO = tap.find_go_pprof()
GOLDEN = sorted(p for p in glob.glob(os.path.join(data_path('gperftools'), 'pprof_profile', '*')) if p.endswith(LEGACY))


def totals(path):
    return {e['name']: e['total'] for e in info(path)['events']}


def golden(path):
    """{event: sum} of a dump of pprof's, and [values] of each sample"""
    with open(path, encoding='utf-8') as f:
        lines = f.read().split('Samples:\n')[1].split('Locations')[0].splitlines()
    names = [word.split('/')[0] for word in lines[0].replace('[dflt]', '').split()]
    rows = [[int(n) for n in line.split(':')[0].split()] for line in lines[1:] if re.match(r' *\d+ *(\d+ *)*:', line)]
    return dict(zip(names, map(sum, zip(*rows)))), rows


def t_golden(path):
    sums, rows = golden(path + '.string')
    want(rows, 'the golden has samples')
    got = totals(path)
    equal({name: got.get(name) for name in sums}, sums, 'sums of pprof\'s golden')
    raw = assay('top', '--symbols', 'none', '-n', '0', '-f', 'json', path).json()
    for k, name in enumerate(e['name'] for e in raw['events']):
        equal(sum(row['self'][k] for row in raw['rows']), got[name], 'own costs of ' + name)


def t_convert(path):
    """Every event comes out of profile.proto as it was, and pprof reads that."""
    with Scratch() as s:
        pb = s.name('x.pb.gz')
        r = assay('convert', path, '-o', pb)
        want(r.code == 0, 'convert', r)
        equal(totals(pb), totals(path), 'events of the converted file')
        if not GO:
            return 'skip: go tool pprof is not installed'
        raw = subprocess.run([GO, '-symbolize=none', '-raw', pb], capture_output=True, check=True,
                             env=dict(os.environ, PPROF_TMPDIR='/nowhere', PPROF_BINARY_PATH='/nowhere')).stdout.decode()
        names = raw.split('Samples:\n')[1].split('\n')[0].replace('[dflt]', '').split()
        equal(sorted(n.split('/')[0] for n in names), sorted(totals(path)), 'events that pprof reads')
    return None


def figures(folder):
    """[path, {event: sum}] of the manifest's legacy files"""
    out = []
    with open(os.path.join(folder, 'manifest.tsv'), encoding='utf-8') as f:
        for row in csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE):
            if not row['file'].startswith('legacy/') or 'rows=' not in (row[next(k for k in row if k.startswith('figures'))] or ''):
                continue
            said = row[next(k for k in row if k.startswith('figures'))]
            out.append((os.path.join(folder, row['file']), {n: int(v) for n, v in re.findall(r'([a-z_]+)/[a-z]+=(\d+)', said)}))
    return out


def t_manifest(path, wanted):
    got = totals(path)
    wanted = OTHER.get(os.path.basename(path), wanted)
    equal({name: got.get(name) for name in wanted}, wanted, 'figures of the manifest')


def t_perl(path, tool):
    """The bytes that google-pprof or jeprof adds up; they cut nothing off in a row that is scaled up."""
    if not shutil.which(tool):
        return 'skip: %s is not installed' % tool
    got, rows_ = totals(path), contents(path).count(b'@')
    for option, names in (('--inuse_space', ('space', 'inuse_space')), ('--alloc_space', ('alloc_space',))):
        for ours in [got[n] for n in names if n in got]:
            raw = subprocess.run([tool, '--text', '--show_bytes', option, '/bin/true', path], capture_output=True, check=True).stdout.decode()
            theirs = int(re.search(r'^Total: (\d+) B', raw, re.M).group(1))
            want(0 <= theirs - ours <= rows_, '%d of %s: %s has %d' % (ours, names, tool, theirs))
    return None


def t_symbols(path):
    """Names that stand in front of a heap: what each costs, with what it calls, as jeprof has it."""
    if not shutil.which('jeprof'):
        return 'skip: jeprof is not installed'
    raw = subprocess.run(['jeprof', '--text', '--show_bytes', path], capture_output=True, check=True).stdout.decode()
    theirs = {m.group(2): int(m.group(1)) for m in re.finditer(r'^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +[\d.]+% ([a-z]\w*)$', raw, re.M)}
    rows_ = assay('top', '--symbols', 'none', '-n', '0', '-f', 'json', path).json()['rows']
    ours = {row['function']: row['inclusive'][0] for row in rows_ if row['function'] in theirs}
    want(len(theirs) >= 5 and set(ours) == set(theirs), 'other names: %s' % theirs, ours)
    want(all(abs(ours[f] - n) <= contents(path).count(b'@') for f, n in theirs.items()), 'other costs: %s' % theirs, ours)
    return None


t.add('jeprof symbols.heap', t_symbols, os.path.join(tap.ROOT, 'src', 'formats', 'legacy', 'golden', 'symbols.heap'))
for one in sorted(glob.glob(os.path.join(tap.ROOT, 'src', 'formats', 'legacy', 'golden', '*.heap')) +
                  glob.glob(os.path.join(data_path('neighbours-binary', 'legacy', 'own'), '*.heap')) +
                  glob.glob(os.path.join(data_path('neighbours-binary', 'legacy', 'own'), '*.growth'))):
    head = contents(one)[:64]
    if os.path.basename(one) in ('bad_lines.heap', 'no_objects.heap'):  # of these more, or less, is read here
        continue
    if head.startswith(b'heap profile:') and re.search(rb'@ (heapprofile|heapz?_v2/\d|growth)', head):
        t.add('google-pprof ' + os.path.basename(one), t_perl, one, 'google-pprof')
    if head.startswith(b'heap_v2/') and b't*' in head:
        t.add('jeprof ' + os.path.basename(one), t_perl, one, 'jeprof')
for one in GOLDEN:
    t.add('golden ' + os.path.basename(one), t_golden, one)
    t.add('convert ' + os.path.basename(one), t_convert, one)
NEIGHBOURS = data_path('neighbours-binary')
if os.path.exists(os.path.join(NEIGHBOURS, 'manifest.tsv')):
    for one, said in figures(NEIGHBOURS):
        t.add('manifest ' + os.path.relpath(one, NEIGHBOURS), t_manifest, one, said)
t.run()
