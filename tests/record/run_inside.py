#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`assay record --callgrind --inside FUNCTION`: only what runs within it is counted.

What is asserted: the instructions that valgrind's callgrind counts with --toggle-collect, as its file's totals say.
Environment: ASSAY, CC (or cc).
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

t = tap.Tap('inside')
CC = os.environ.get('CC', 'cc').split()
if not shutil.which('valgrind') or not shutil.which(CC[0]):
    t.skip_all('needs valgrind and a compiler')

PROGRAM = '''
volatile int sum;
__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) sum += i; }
__attribute__((noinline)) void unit(void) { leaf(100); leaf(50); }
__attribute__((noinline)) void other(void) { leaf(1000); }
int main(void) { for (int i = 0; i < 10; i++) { unit(); other(); } return 0; }
'''


def build(s):
    pathlib.Path(s.name('p.c')).write_text(PROGRAM, encoding='utf-8')
    subprocess.run([*CC, '-O1', '-g', '-o', s.name('p'), s.name('p.c')], check=True)


@t('the same instructions and calls as valgrind')
def _():
    with Scratch() as s:
        build(s)
        out = s.name('truth')
        subprocess.run(['valgrind', '-q', '--tool=callgrind', '--toggle-collect=unit', '--callgrind-out-file=' + out, s.name('p')],
                       check=True, stderr=subprocess.DEVNULL)
        wanted = next(int(line.split()[1]) for line in pathlib.Path(out).read_text(encoding='utf-8').splitlines()
                      if line.startswith(('totals:', 'summary:')))
        subprocess.run([*tap.ASSAY, 'record', '-q', '--no-show', '--callgrind', '--inside', 'unit', '-o', s.name('p.callgrind'), s.name('p')],
                       check=True, stderr=subprocess.DEVNULL)
        top = tap.top(s.name('p.callgrind'))
        want(wanted > 0, 'valgrind counted nothing')
        equal(top['events'][0]['total'], wanted, 'instructions')
        equal([r['function'] for r in top['rows'] if r['function'] in ('main', 'other') and r['self'][0]], [], 'functions outside')
        calls = tap.Run(['peek', '-f', 'json', 'leaf', s.name('p.callgrind')]).json()
        equal(sum(c['calls'] for f in calls['functions'] for c in f['callers']), 20, 'calls of leaf')


@t('a name that no function has is told')
def _():
    with Scratch() as s:
        build(s)
        for name, zero in (('unitt', True), ('un*', False)):
            r = tap.Run(['record', '--no-show', '--callgrind', '--inside', name, '-o', s.name(name[:3] + '.callgrind'), s.name('p')])
            equal(r.code, 0, r.err)
            equal('nothing was counted: no function that --inside names was entered' in r.err, zero, r.err)


@t('without --callgrind it is refused')
def _():
    r = tap.Run(['record', '--inside', 'unit', '-o', 'x.prof', 'true'])
    equal(r.code, 2, r.err)


t.run()
