#!/usr/bin/env python3
"""All files of others: each row of both manifests is read, or is refused by its name and with the way on.

What the figures are is asked by the tests of each format; here, of folded stacks alone, which have no test of their own.
"""
import csv
import os

from tap import Tap, assay, data_path, equal, want

# The manifest's script counts otherwise.
FOLDED_OTHERWISE = {
    'own/misc/folded-edges.txt': (29, 'a line that begins with # is a comment, -3 is subtracted, and 1.5 is 2, which a finding tells'),
    'foreign/inferno/fractional.txt': (334, 'fractions are rounded, which a finding tells; the script takes no such line'),
    'foreign/inferno/perf-cycles-instructions-01-collapsed-all-diff.txt': (333, 'two columns are two events: before and after'),
}
# No profile, and nothing to say but that; no more of it is in its format than its end.
NAMELESS = {'foreign/inferno/no-events.txt': 3}

t = Tap('neighbours')


def rows(folder):
    path = os.path.join(data_path(folder), 'manifest.tsv')
    if os.path.exists(path):
        with open(path, encoding='utf-8', newline='') as f:
            yield from csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE)


def is_beside(row):
    """Sources, programs and what perf.data files name: no profiles."""
    told = ' '.join(str(v) for v in row.values() if v)
    return row['file'].endswith(('.c', '.cc', '.go', '.py', '.js', '.java')) or 'beside:' in told or '\tbinary\t' in '\t'.join(str(v) for v in row.values())


def is_read_or_named(path, name):
    r = assay('info', '--symbols', 'none', path)
    if r.code == 0:
        return
    equal(r.code, NAMELESS.get(name, 4), 'status')
    want(name in NAMELESS or 'see what can be read' not in r.err, 'it is refused without a name or a way on', r)


def has_total(path, name, total):
    r = assay('info', '-f', 'json', '--symbols', 'none', path)
    want(r.code == 0, 'it is not read', r)
    equal(int(r.json()['events'][0]['total']), FOLDED_OTHERWISE.get(name, (total,))[0], 'total')


for folder in ('neighbours-binary', 'neighbours-text'):
    for row in rows(folder):
        path_ = os.path.join(data_path(folder), row['file'])
        if is_beside(row):
            continue
        t.add(row['file'], lambda path=path_, name=row['file']: is_read_or_named(path, name))
        if row.get('format') == 'folded' and (row.get('total') or '').isdigit():
            t.add('total of ' + row['file'], lambda path=path_, name=row['file'], total=int(row['total']): has_total(path, name, total))
if not t.tests:
    t.add('files of others', lambda: 'n/a: the data of others are not here')
t.run()
