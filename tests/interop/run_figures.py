#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Written and read again, every function has the self and inclusive figures that it had, or assay says what is lost.

Profiles of all formats (those of tests/fixtures, the formats' own examples, random Callgrind and profile.proto files) go
into every format that can be read.  Functions are compared by name, where a format has names; code without a name by its
object and address.  Self costs must be equal in the events that the file still has.  Inclusive costs must be, where the
profile and the file say it alike: of paths always, of calls in Callgrind's format.  Paths made of calls are an estimate,
and assay must call them so.  What may differ is what is told: each rule below names the loss that excuses it.
"""
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'data'))
import tap
from tap import Scratch, assay, equal, info, same, top, want
import random_pprof
from random_callgrind import Writer

t = tap.Tap('figures')
SEEDS = int(os.environ.get('ASSAY_TEST_SEEDS', '25'))
NAMED = 'callgrind', 'pprof', 'folded'
PLACES = 'gperf', 'dcpi', 'dcpicat'
SHAPES = {'callgrind': 'calls', 'pprof': 'paths', 'folded': 'paths', 'gperf': 'paths', 'dcpi': 'places', 'dcpicat': 'places'}


def losses(run):
    return re.findall(r'^assay: lost: (.*)$', run.err, re.M)


def told(lost, *words):
    return [x for x in lost if any(w in x for w in words)]


def name_of(row):
    """Code without a name is called by its object and address in all formats, however they say it."""
    name, base = row['function'], os.path.basename(row['object'] or '')
    m = re.match(r'^0x([0-9a-f]{16})$', name or '')
    if m:
        return base, int(m.group(1), 16)
    m = re.match(r'^\[(?:(.*)\+)?0x([0-9a-f]+)\]$', name or '')
    if m:
        return m.group(1) or '', int(m.group(2), 16)
    if name and not re.match(r'^(\?\?\?|\[unknown\])$', name):
        # Formats without a word for it put blanks and the like away, which is a loss of its own.
        return re.sub(r'^\[function .*\]$', '', name)
    return (base, int(row['address'], 16)) if row['address'] else ''


def figures(path, key_of):
    """[event], {name: [[self], [inclusive] or None if several rows have the name, or it is recursive]}"""
    j = top(path, 'function', '--symbols', 'none')
    rings = {key_of(name_of(m)) for c in j.get('cycles', []) for m in c['members']}
    out = {}
    for row in j['rows']:
        key = key_of(name_of(row))
        if key in out:
            out[key] = [[a + b for a, b in zip(out[key][0], row['self'])], None]
        else:
            # Of functions that call each other, calls do not tell what passes through each.
            out[key] = [row['self'], None if key in rings else row['inclusive']]
    return [e['name'] for e in j['events']], out


def by_address(path):
    """[event], {(object, address): [self]} of what has an address"""
    j = top(path, 'address', '--symbols', 'none')
    out = {}
    for row in j['rows']:
        if row['address'] and int(row['address'], 16):
            key = os.path.basename(row['object'] or ''), int(row['address'], 16)
            out[key] = [a + b for a, b in zip(out.get(key, [0] * len(row['self'])), row['self'])]
    return [e['name'] for e in j['events']], out


def columns(before, after, fmt):
    """Pairs of columns of one event. Formats of one event call it as they like; Callgrind's names are words."""
    if fmt in ('folded', 'gperf') and len(after) == 1:
        return [(0, 0)]
    words = [re.sub(r'[ \t\r\n\0]', '_', x) for x in before]
    return [(words.index(x), k) for k, x in enumerate(after) if x in words]


def nonzero(sums):
    return {k: v for k, v in sums.items() if any(v)}


def picked(sums, which, cols, side):
    return {k: [v[which][c[side]] for c in cols] for k, v in sums.items() if v[which] is not None}


def same_figures(source, path, fmt, lost, estimated):
    def key_of(name):
        if not isinstance(name, tuple):
            return name
        # Folded stacks have no objects but in names; DCPI knows code without names by its object, which Callgrind's
        # readers of functions alone do, too.
        return ('', name[1]) if fmt == 'folded' else (name[0], None) if shape == 'places' else name

    shape = info(source)['shape']
    (events, a), (again, b) = figures(source, key_of), figures(path, key_of)
    cols = columns(events, again, fmt)
    want(len(cols) == len(events) or told(lost, 'event') or fmt == 'pprof', 'an event is gone, and no word of it', events, again)
    if told(lost, 'byte', 'name{', ' name'):
        return
    same(nonzero(picked(b, 0, cols, 1)), nonzero(picked(a, 0, cols, 0)), 'self')
    if estimated or told(lost, 'call edge'):
        return
    unique = [k for k in a if a[k][1] is not None and k in b and b[k][1] is not None]
    same({k: v for k, v in nonzero(picked(b, 1, cols, 1)).items() if k in unique},
         {k: v for k, v in nonzero(picked(a, 1, cols, 0)).items() if k in unique}, 'inclusive')


def same_places(source, path, fmt, lost):
    if told(lost, 'without address', 'addresses are not virtual', 'addresses of two kinds'):
        return
    (events, a), (again, b) = by_address(source), by_address(path)
    cols = columns(events, again, fmt)
    a = {k: [v[c[0]] for c in cols] for k, v in a.items()}
    b = {k: [v[c[1]] for c in cols] for k, v in b.items()}
    same(nonzero(b), nonzero(a), 'self by address')


def t_format(source, fmt):
    with Scratch() as s:
        out = s.name('out')
        r = assay('convert', source, '-t', fmt, '-o', out, '--estimate-paths', '-y')
        if r.code == 4:     # refused, with a reason: a number that is too large, several files
            return
        want(r.code == 0, 'convert', r)
        lost, estimated = losses(r), 'estimated' in r.err
        if info(source)['shape'] == 'calls' and SHAPES[fmt] == 'paths':
            want(estimated or told(lost, 'call edge'), 'paths of calls, and no word of it', r)
        if fmt in NAMED:
            same_figures(source, out, fmt, lost, estimated)
        else:
            same_places(source, out, fmt, lost)


def sources():
    root = os.path.dirname(os.path.dirname(HERE))
    for path in sorted(glob.glob(os.path.join(root, 'tests', 'fixtures', '*'))):
        if os.path.isfile(path) and not path.endswith('.sh'):
            yield os.path.basename(path), path
    for folder in ('callgrind', 'pprof', 'folded', 'gperf', 'dcpi', 'dcpicat'):
        for path in sorted(glob.glob(os.path.join(root, 'src', 'formats', folder, 'golden', '*'))):
            if not re.search(r'\.(dump|err|lossy|md)$', path):
                yield folder + '/' + os.path.basename(path), path


# What is told about these is that their mappings contradict each other: addresses have no one place.
CONTRADICT = 'wrong_lines.prof',


def t_source(path):
    if os.path.basename(path) in CONTRADICT:
        return 'n/a: its mappings contradict each other'
    if assay('top', path, '--symbols', 'none').code != 0:
        return 'n/a: it is refused'
    if not info(path)['events']:
        return 'n/a: it has no events'
    for fmt in NAMED + PLACES:
        try:
            t_format(path, fmt)
        except tap.Bad as e:
            raise tap.Bad('%s: %s' % (fmt, e)) from e
    return None


def t_random(make, name):
    with Scratch() as s:
        return t_source(s.file(name, make()))


for title, at in sources():
    t.add(title, t_source, at)
for seed in range(1, SEEDS + 1):
    t.add('random Callgrind %d' % seed, t_random, lambda seed=seed: Writer(seed).text(), 'x.cg')
    t.add('random profile.proto %d' % seed, t_random, lambda seed=seed: random_pprof.make(seed), 'x.pb.gz')
t.run()
