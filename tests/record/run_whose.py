#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which process and which thread: what `assay record` writes without -o tells them apart.

What is asserted: the CPU time of each thread, as the kernel's clock of it says at its end, against its row of `top --by thread`.
Environment: ASSAY.
"""
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

t = tap.Tap('whose')
CHECKS = {c['about']: c['state'] for c in tap.Run(['doctor', '-f', 'json']).json()['checks']}
if CHECKS.get('sampler') != 'ok':
    t.skip_all('there is no sampler')

# Threads that take turns, and a child beside them; each says its CPU time at its end.
PROGRAM = '''
import os, sys, threading, time
out = open(sys.argv[1], 'a')
def say():
    out.write('%d %d %.6f\\n' % (os.getpid(), threading.get_native_id(), time.thread_time())); out.flush()
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
def work(seconds):
    burn(seconds)
    say()
child = '-f' in sys.argv and os.fork()
if child == 0 and '-f' in sys.argv:
    work(.4)
    os._exit(0)
threads = [threading.Thread(target=work, args=(.2 * i,)) for i in range(1, 1 + int(sys.argv[2]))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
work(.2)
if child:
    os.waitpid(child, 0)
'''


def record(s, n, *options, words=()):
    """The file that record names itself, the truth of each thread, and how long it took."""
    script, truth = s.name('p.py'), s.name('truth')
    with open(script, 'w', encoding='utf-8') as f:
        f.write(PROGRAM)
    before = set(os.listdir(s.path))
    start = time.monotonic()
    subprocess.run([*tap.ASSAY, 'record', '-q', '--no-show', '-F', '500', *options, sys.executable, script, truth, str(n), *words],
                   check=True, cwd=s.path)
    lasted = time.monotonic() - start
    new = [name for name in os.listdir(s.path) if name not in before | {'truth'}]
    equal(len(new), 1, str(new))
    with open(truth, encoding='utf-8') as f:
        rows = {tuple(map(int, line.split()[:2])): float(line.split()[2]) for line in f}
    return os.path.join(s.path, new[0]), rows, lasted


def compare(path, truth):
    rows = tap.Run(['top', '-q', '--by', 'thread', '-e', 'cpu', '-f', 'json', path]).json()['rows']
    have = {(r['pid'], r['tid']): r['self'][0] * 1e-9 for r in rows}
    for key in [key for key in have if key[1] is None]:  # [unsampled]: of the process, whose thread nothing tells
        want(have.pop(key) <= .15 * sum(truth.values()), f'{rows}')
    equal(set(have), set(truth), 'threads')
    for thread, seconds in truth.items():
        want(abs(have[thread] - seconds) <= .15 * seconds + .03, '%s: %.3f s of %.3f' % (thread, have[thread], seconds))


for about, options in (('from within', ()), ('from outside', ('--stacks', 'copies'))):
    @t('threads of one process ' + about)
    def _(options=options):
        if options and CHECKS.get('perf events') != 'ok':
            return 'skip:no perf events'
        with Scratch() as s:
            path, truth, _ = record(s, 3, *options)
            want(path.endswith('.pb.gz'), path)
            equal(len(truth), 4, 'threads that said their time')
            compare(path, truth)

    @t('a process beside the first, ' + about)
    def _(options=options):
        if options and CHECKS.get('perf events') != 'ok':
            return 'skip:no perf events'
        with Scratch() as s:
            path, truth, lasted = record(s, 1, *options, words=('-f',))
            want(path.endswith('.pb.gz'), path)
            equal(len({pid for pid, _ in truth}), 2, 'processes that said their time')
            compare(path, truth)
            by = tap.Run(['top', '-q', '--by', 'process', '-f', 'json', path]).json()['rows']
            equal([r['process'] for r in by], [os.path.basename(sys.executable)], 'program')
            info = tap.Run(['info', '-f', 'json', path]).json()
            want(info['duration'] * 1e-9 <= lasted, '%.3f s of %.3f' % (info['duration'] * 1e-9, lasted))


@t('one thread is a file of gperftools, with its number')
def _():
    with Scratch() as s:
        path, truth, _ = record(s, 0)
        want(path.endswith('.prof'), path)
        rows = tap.Run(['top', '-q', '--by', 'thread', '-f', 'json', path]).json()['rows']
        equal([(r['pid'], r['tid']) for r in rows], list(truth), 'threads')


@t('a format that is named is what is written')
def _():
    with Scratch() as s:
        path, truth, _ = record(s, 2, '-o', 'mine.prof')
        with open(path, 'rb') as f:
            equal(f.read(40)[32:40], bytes(8), 'a plain header')
        equal(len(truth), 3, 'threads')


t.run()
