#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`assay record --off-cpu`: when threads do not run, and why.

What is asserted: the time below each function that waits against what the program itself measured around it: the clock
less the thread's own CPU time, and for what could have run the scheduler's count of waiting for a processor.
Environment: ASSAY, SCENES.
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

t = tap.Tap('off_cpu')
SCENES = os.environ['SCENES']
CHECKS = {c['about']: c['state'] for c in tap.Run(['doctor', '-f', 'json']).json()['checks']}
if CHECKS.get('perf events') != 'ok':
    t.skip_all('there are no perf events')
if os.getuid() != 0:
    t.skip_all('the kernel is shown to root')


def record(s, *options, ext='pb.gz'):
    """What the program measured, {function: (seconds away, seconds of it without a processor)}, and the profile."""
    path = s.name('p.' + ext)
    r = subprocess.run([*tap.ASSAY, 'record', '--no-show', '-F', '200', '--off-cpu', *options, '-o', path, SCENES, 'offcpu'],
                       check=True, capture_output=True, text=True)
    measured = {}
    for line in r.stdout.splitlines():
        name, away, delay = line.split()
        before = measured.get(name, (0, 0))
        measured[name] = (before[0] + float(away), before[1] + float(delay))
    return measured, path, r.stderr


def below(path, *options):
    rows = tap.Run(['top', '-q', '-n', '0', '-e', 'off-cpu', '-f', 'json', *options, path]).json()['rows']
    return {r['function']: r['inclusive'][0] * 1e-9 for r in rows if r['function']}


def near(found, expected, what):
    # a switch between the function and the clocks around it
    want(abs(found - expected) <= .03 * expected + .003, '%s: %.6f s, measured %.6f s' % (what, found, expected))


for how in ('copies', 'frames'):
    @t('functions that wait, by ' + how)
    def _(how=how):
        with Scratch() as s:
            measured, path, err = record(s, '--stacks', how)
            want('found no room' not in err, err)
            if how == 'copies':
                found = below(path)
                for name in ('off_naps', 'off_reads', 'off_locks'):
                    near(found.get(name, 0), measured[name][0], name)
                could = below(path, '--tagfocus', 'state=runnable')
                near(could.get('off_spins', 0), measured['off_spins'][1], 'off_spins, runnable')
            names = below(path)
            want(any('nanosleep' in n for n in names), 'what off_naps waits for')
            want(any('futex' in n for n in names), 'what off_locks waits for')
            want(any('pipe' in n for n in names), 'what off_reads waits for')


@t('a thread runs, or does not: nothing is between')
def _():
    with Scratch() as s:
        _, path, _ = record(s, '--timeline', ext='otlp')
        dump = tap.Run(["dump", path]).out.decode()
        want('event "off-cpu" unit="nanoseconds"' in dump, dump[:300])
        stretches = [line for line in dump.splitlines() if line.startswith('moment ') and ' "off-cpu": ' in line]
        want(len(stretches) > 20, '%d stretches' % len(stretches))
        for line in stretches:
            value, took = line.split('": ')[1].split(' duration=')
            equal(value, took, line)


@t('a process that runs')
def _():
    with Scratch() as s:
        path = s.name('p.pb.gz')
        with subprocess.Popen(['sleep', '30']) as p:
            tap.Run(['record', '--no-show', '--off-cpu', '-p', str(p.pid), '-d', '0.2', '-o', path])
            p.kill()
        want(pathlib.Path(path).exists(), 'the profile')


t.run()
