#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--compat=pprof: the graphs of `go tool pprof -dot` and the text of -callgrind, for real profiles and for random ones.

The text is compared to the byte, graphs as graphs. With -call_tree pprof leaves the order of equal nodes to chance, and with
it which of them are kept: that is not compared here, but for goldens (tests/data/run_pprof_driver.py).
"""
import glob
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap
from dot_graph import same_graph
from random_pprof import Strings, message, varint
from tap import Run, want

t = tap.Tap('compat graphs')
SEVERAL = ('fork.prof',)        # one header behind the other: pprof reads the first
GRAPHS = ['', '-lines', '-addresses -nodefraction=0', '-files -edgefraction=0.05', '-filefunctions -nodecount=5', '-nodefraction=0.05',
          '-noinlines -lines -nodecount=12', '-mean -lines', '-divide_by=7', '-tagroot=key1,bytes -tagleaf=key2 -nodecount=30']
TEXTS = ['', '-cum', '-unit=us', '-mean', '-divide_by=7']


# --- random profiles --------------------------------------------------------------------------------------------------

def number(field, n):
    return varint(field << 3) + varint(n)


def profile(seed):
    """A profile with inlined calls, functions without names, labels of text and of bytes; each function once, so that no two are
    equal."""
    r, strings, out = random.Random(seed), Strings(), b''
    names = ['main', 'a.b.c', 'ns::Klass::run<int>(x)', 'host/pkg/v2.F', 'org.x.K.go()', 'f[...]', 'g"q', 'h\\w', 'i j', '(anonymous namespace)::k']
    r.shuffle(names)
    n_funcs, n_places = r.randint(2, 9), r.randint(2, 12)
    for kind, unit in (('samples', 'count'), r.choice([('cpu', 'nanoseconds'), ('space', 'bytes'), ('time', 'microseconds'), ('x', 'widgets')])):
        out += message(1, number(1, strings(kind)) + number(2, strings(unit)))
    out += message(3, number(1, 1) + number(2, 0x1000) + number(3, 0x9000) + number(5, strings(r.choice(['', '/bin/prog'])))
                   + number(6, strings(r.choice(['', 'abcd']))) + number(7, 1))
    for i in range(1, n_places + 1):
        lines = [number(1, r.randint(1, n_funcs)) + number(2, r.choice([0, 1, 5, 77])) for _ in range(r.choice([0, 1, 1, 1, 2, 3]))]
        out += message(4, number(1, i) + number(2, 1) + number(3, 0x1000 + i * 16) + b''.join(message(4, line) for line in lines))
    for i in range(1, n_funcs + 1):
        out += message(5, number(1, i) + number(2, strings(names[i])) + number(4, strings(r.choice(['', '/src/a.c', 'dir/b.cc', 'c.h']))))
    labelled = r.random() < 0.7
    for _ in range(r.randint(1, 25)):
        value = r.choice([r.randint(0, 10), r.randint(0, 100000), r.randint(0, 2 * 10**7)])
        data = b''.join(number(1, r.randint(1, n_places)) for _ in range(r.randint(1, 7))) + number(2, r.randint(0, 5)) + number(2, value)
        for _ in range(r.randint(0, 2) if labelled else 0):
            data += message(3, number(1, strings(r.choice(['k1', 'k2', 'z']))) + number(2, strings(r.choice(['u', 'v', 'w', 'y']))))
        for _ in range(r.randint(0, 2) if labelled else 0):
            data += message(3, number(1, strings(r.choice(['bytes', 'bytes', 'other'])))
                            + number(3, r.choice([1, 16, 32, 64, 4096, 100000, 1 << 20, 3 << 20])))
        out += message(2, data)
    return out + b''.join(message(6, text.encode()) for text in strings.all)


def random_flags(seed):
    r = random.Random(-seed)
    flags = ['-' + r.choice(['functions', 'filefunctions', 'files', 'lines', 'addresses'])]
    for name, values in (('nodefraction', ['0', '0.1', '0.3']), ('edgefraction', ['0', '0.1', '0.3']), ('nodecount', ['2', '4', '6'])):
        if r.random() < 0.5:
            flags.append('-%s=%s' % (name, r.choice(values)))
    if r.random() < 0.4:
        flags.append(r.choice(['-mean', '-mean -divide_by=0.01', '-divide_by=3', '-tagroot=k1', '-tagleaf=k2,bytes', '-tagroot=other,z -mean']))
    return ' '.join(flags + ['-noinlines'] * (r.random() < 0.2) + ['-sample_index=samples'] * (r.random() < 0.15))


# --- both sides -------------------------------------------------------------------------------------------------------

def pprof(path, kind, flags):
    env = dict(os.environ, HOME=os.environ.get('TMPDIR', '/tmp'))
    p = subprocess.run(['go', 'tool', 'pprof', '-symbolize=none', kind] + flags.split() + [path], env=env, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120)
    want(p.returncode == 0, 'pprof: status %d' % p.returncode, p.stderr.decode(errors='replace')[-400:])
    return p.stdout.decode(errors='replace').split('\n')


def option(flag):
    name = flag[1:]
    if name in ('functions', 'filefunctions', 'files', 'lines', 'addresses'):
        return 'granularity=' + name
    return 'sort=cum' if name == 'cum' else name


def ours(path, kind, flags):
    options = [word for flag in flags.split()
               for word in (['-' + flag] if flag.startswith('-tag') else ['--pprof-option', option(flag)])]
    command = ['graph', '--symbols', 'none'] if kind == '-dot' else ['convert', '-t', 'callgrind', '-o', '-']
    run = Run(command + ['-q', '--compat', 'pprof'] + options + ['--', path])
    want(run.code == 0, 'assay: status %s' % run.code, run.err)
    return run.out.decode(errors='replace').split('\n')


def same_dot(path, flags):
    same_graph(pprof(path, '-dot', flags), ours(path, '-dot', flags), 'pprof -dot ' + flags)


def same_text(path, flags):
    theirs, mine = pprof(path, '-callgrind', flags), ours(path, '-callgrind', flags)
    for i, (a, b) in enumerate(zip(theirs + [None] * len(mine), mine + [None] * len(theirs))):
        want(a == b, 'line %d of pprof -callgrind %s' % (i + 1, flags), 'pprof: %r' % a, 'assay: %r' % b)


def real(path):
    if not os.path.getsize(path):
        return 'n/a: an empty file, which pprof refuses'
    for flags in GRAPHS:
        same_dot(path, flags)
    for flags in TEXTS:
        same_text(path, flags)
    return None


def some_random(first):
    with tap.Scratch() as folder:
        for seed in range(first, first + 20):
            path = folder.file('random.pb', profile(seed))
            try:
                same_dot(path, random_flags(seed))
                same_text(path, '-mean' if seed % 3 == 0 else '')
            except tap.Bad as bad:
                raise tap.Bad('seed %d: %s' % (seed, bad)) from bad


for first in range(1, 100, 20):
    t.add('random profiles from %d on' % first, some_random, first)
files = [os.path.join(tap.ROOT, 'tests', 'fixtures', 'demo.prof')]
for pattern in ('real/prof/*.prof', 'pprof_profile/*.cpu', 'pprof_driver/*.cpu', 'pprof_driver/*.pb.gz'):
    files += sorted(glob.glob(os.path.join(tap.DATA, 'gperftools', pattern)))
for path in files:
    if os.path.basename(path) not in SEVERAL:
        t.add(os.path.basename(path), real, path)
if not shutil.which('go') or subprocess.run(['go', 'tool', '-n', 'pprof'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
    t.skip_all('no go tool pprof')
t.run()
