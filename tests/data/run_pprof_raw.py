#!/usr/bin/env python3
"""`assay dump --compat=pprof` is what pprof's own reader prints of a file, to the byte.

The goldens of the gperftools CPU profiles are pprof's.  Other files are compared with `go tool pprof -raw`, which merges what
it reads before it prints: so it is asked for the merged profile first, and both print that one.  Its version here does not
know columns; ours are taken out.
"""
import glob
import os
import re
import shutil
import subprocess

import tap
from tap import Scratch, assay, contents, data_path, same, want

# Where the two differ, and why.
DIFFERENT = {
    'build_var': 'of two values of a variable pprof takes the first, the file means the last',
    'depth0_record': 'pprof drops samples without a stack before it prints; its reader has them',
    'hdr_version1': 'no profile of Java: pprof takes its addresses for numbers of names that are not there',
    'trunc_in_record': 'pprof makes up the frames of the record that is cut',
}

t = tap.Tap('pprof_raw')
FOLDER = data_path('gperftools')
GOLDEN = sorted(glob.glob(os.path.join(FOLDER, 'pprof_profile', '*.cpu')))
FILES = sorted(os.path.join(at, name) for at, _, names in os.walk(FOLDER) for name in names
               if name.endswith(('.pb.gz', '.prof', '.cpu')))


def pprof(*args):
    env = dict(os.environ, PPROF_BINARY_PATH='/nowhere', PPROF_TMPDIR='/nowhere', LC_ALL='C', TZ='UTC')
    return subprocess.run(['go', 'tool', 'pprof', '-symbolize=none', *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=env, timeout=120, check=False)


def lines_differ(got, wanted):
    for i, (a, b) in enumerate(zip(got.splitlines() + [b'(end)'], wanted.splitlines() + [b'(end)'])):
        want(a == b, 'line %d' % (i + 1), 'wanted %r' % b, 'got    %r' % a)
    want(got == wanted, 'they differ')


def t_golden(path):
    r = assay('dump', '--compat', 'pprof', path)
    want(r.code == 0, 'dump', r)
    lines_differ(r.out, contents(path + '.string'))


def t_merged(path):
    with Scratch() as s:
        pb = s.name('merged.pb.gz')
        if pprof('-proto', '-output', pb, path).returncode or not os.path.exists(pb):
            return 'n/a: go tool pprof does not read it'
        r = assay('dump', '--compat', 'pprof', pb)
        want(r.code == 0, 'dump', r)
        lines_differ(re.sub(rb':(\d+):\d+ s=', rb':\1 s=', r.out), pprof('-raw', pb).stdout)


def by_stack(text):
    """Values of each stack, its frames with their addresses and their mappings, of a profile without names."""
    samples, rest = text.decode().split('Samples:\n', 1)[1].split('\n', 1)[1].split('Locations\n', 1)
    locations, maps = rest.split('Mappings\n', 1)
    mapping = dict(re.findall(r'^(\d+): (.*)$', maps, re.M))
    where = {i: (addr, mapping.get(m)) for i, addr, m in re.findall(r'^ *(\d+): (\S+) (?:M=(\d+) )?$', locations, re.M)}
    sums = {}
    for values, stack in re.findall(r'^((?: +\d+)+): ([\d ]*)$', samples, re.M):
        key = tuple(where[i] for i in stack.split())
        sums[key] = [a + int(b) for a, b in zip(sums.get(key, [0, 0]), values.split())]
    return {k: v for k, v in sums.items() if any(v)}


def t_legacy(path):
    """The file itself: stacks that are the same are one for `go tool pprof -raw`, and their order is another one."""
    why = DIFFERENT.get(os.path.basename(path)[:-len('.prof')])
    if why:
        return 'n/a: ' + why
    wanted = pprof('-raw', path)
    if wanted.returncode or not wanted.stdout:
        return 'n/a: go tool pprof does not read it'
    r = assay('dump', '--compat', 'pprof', path)
    want(r.code == 0, 'dump', r)
    same(by_stack(r.out), by_stack(wanted.stdout), 'stacks')


if not os.path.isdir(FOLDER):
    t.skip_all('no test data in ' + FOLDER)
for f in GOLDEN:
    t.add('golden: ' + os.path.basename(f), t_golden, f)
if shutil.which('go'):
    for f in FILES:
        t.add('merged by pprof: ' + os.path.relpath(f, FOLDER), t_merged, f)
    for f in FILES:
        if f.endswith('.prof'):
            t.add('addresses and mappings: ' + os.path.relpath(f, FOLDER), t_legacy, f)
t.run()
