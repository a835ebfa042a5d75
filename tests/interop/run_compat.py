#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--compat=pprof: the text of `go tool pprof -text`, to the byte, for every CPU profile that is there.

pprof reads the first of several profiles that stand in one file (a program that forked), assay all of them: those are
left out, and that they differ is checked.
"""
import glob
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap
from tap import Run, want

t = tap.Tap('compat')
SEVERAL = ('fork.prof',)        # one header behind the other
WAYS = [
    ([], ['-n', '0']),
    (['-lines'], ['-n', '0', '--by', 'line']),
    (['-addresses'], ['-n', '0', '--by', 'address']),
    (['-files'], ['-n', '0', '--by', 'file']),
    (['-filefunctions'], ['-n', '0', '--pprof-option', 'granularity=filefunctions']),
    (['-cum'], ['-n', '0', '--sort', 'inclusive']),
    (['-nodecount=3'], ['-n', '3']),
    (['-nodefraction=0'], ['-n', '0', '--pprof-option', 'nodefraction=0']),
    (['-nodefraction=0.05', '-edgefraction=0.01', '-compact_labels', '-nodecount=20', '-lines', '-cum'],
     ['-n', '20', '--pprof-option', 'nodefraction=0.05', '--pprof-option', 'edgefraction=0.01', '--pprof-option', 'compact_labels',
      '--by', 'line', '--sort', 'inclusive']),
    (['-noinlines', '-lines'], ['-n', '0', '--inline', 'off', '--by', 'line']),
]


def pprof(path, flags):
    env = dict(os.environ, HOME=os.environ.get('TMPDIR', '/tmp'))
    p = subprocess.run(['go', 'tool', 'pprof', '-symbolize=none', '-text'] + flags + [path], env=env, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120)
    want(p.returncode == 0, 'pprof: status %d' % p.returncode, p.stderr.decode(errors='replace')[-400:])
    return p.stdout


def ours(path, options):
    run = Run(['top', path, '--compat', 'pprof', '--symbols', 'none'] + options)
    want(run.code == 0, 'assay: status %s' % run.code, run.err)
    return run.out


def same_text(path):
    if not os.path.getsize(path):
        return 'skip: an empty file, which pprof refuses'
    for flags, options in WAYS:
        a, b = pprof(path, flags), ours(path, options)
        want(a == b, '%s differs' % ' '.join(flags or ['-text']), 'pprof:', *a.decode(errors='replace').split('\n')[:8],
             'assay:', *b.decode(errors='replace').split('\n')[:8])
    return None


def several(path):
    want(pprof(path, []) != ours(path, ['-n', '0']), 'it is one profile: it can be compared')


files = [os.path.join(tap.ROOT, 'tests', 'fixtures', 'demo.prof')]
for pattern in ('real/prof/*.prof', 'pprof_profile/*.cpu', 'pprof_driver/*.cpu'):
    files += sorted(glob.glob(os.path.join(tap.DATA, 'gperftools', pattern)))
for path in files:
    t.add(os.path.basename(path), several if os.path.basename(path) in SEVERAL else same_text, path)
if not shutil.which('go') or subprocess.run(['go', 'tool', '-n', 'pprof'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
    t.skip_all('no go tool pprof')
t.run()
