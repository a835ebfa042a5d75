#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`assay record -k`: what the kernel does has frames.

What is asserted: time below [kernel] against the kernel's own count of it (ru_stime); names against /proc/kallsyms.
Environment: ASSAY.
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

t = tap.Tap('kernel')
NOBODY = 65534
CHECKS = {c['about']: c['state'] for c in tap.Run(['doctor', '-f', 'json']).json()['checks']}
if CHECKS.get('perf events') != 'ok':
    t.skip_all('there are no perf events')
if os.getuid() != 0:
    t.skip_all('the kernel is shown to root')
KNOWN = {line.split()[2] for line in pathlib.Path('/proc/kallsyms').read_text().splitlines()}

# Much of its time is in the kernel; what it used of both is in the file, and nothing follows.
PROGRAM = '''
import os, resource, sys, time
f = os.open('/dev/zero', os.O_RDONLY)
into = [bytearray(1 << 16)]
def reads(until):
    while time.process_time() < until:
        for _ in range(50):
            os.readv(f, into)
before = resource.getrusage(resource.RUSAGE_SELF)
reads(time.process_time() + float(sys.argv[2]))
after = resource.getrusage(resource.RUSAGE_SELF)
open(sys.argv[1], 'w').write('%.6f' % (after.ru_stime - before.ru_stime))
'''


def record(s, *options, seconds='.8'):
    script, truth, path = s.name('p.py'), s.name('truth'), s.name('p.pb.gz')
    pathlib.Path(script).write_text(PROGRAM, encoding='utf-8')
    r = subprocess.run([*tap.ASSAY, 'record', '--no-show', '-F', '500', *options, '-o', path, sys.executable, script, truth, seconds],
                       check=True, capture_output=True, text=True)
    return path, float(pathlib.Path(truth).read_text(encoding='utf-8')), r.stderr


def rows(path, *options):
    return tap.Run(['top', '-q', '-n', '0', '-e', 'cpu', '-f', 'json', *options, path]).json()['rows']


def compare(path, in_kernel):
    whole = sum(r['inclusive'][0] for r in rows(path, '--by', 'object') if r['object'] == '[kernel]') * 1e-9
    want(abs(whole - in_kernel) <= .2 * in_kernel + .1, '%.3f s below [kernel], %.3f s of the kernel' % (whole, in_kernel))
    names = [r for r in rows(path) if r['object'] == '[kernel.kallsyms]' and r['function']]
    want(len(names) > 5, 'functions of the kernel: %d' % len(names))
    equal([r['function'] for r in names if r['function'] not in KNOWN], [], 'names that /proc/kallsyms does not have')


for how in ('copies', 'frames'):
    @t('a program, by ' + how)
    def _(how=how):
        with Scratch() as s:
            path, in_kernel, err = record(s, '-k', '--stacks', how)
            want('may not be seen' not in err, err)
            compare(path, in_kernel)


@t('without -k the time is its caller\'s')
def _():
    with Scratch() as s:
        path, in_kernel, _ = record(s, '--stacks', 'copies')
        equal([r['object'] for r in rows(path, '--by', 'object') if r['object'] == '[kernel.kallsyms]'], [], 'objects')
        want(sum(r['self'][0] for r in rows(path)) * 1e-9 > in_kernel, 'its time is there')


@t('a process that runs')
def _():
    with Scratch() as s:
        pathlib.Path(s.name('p.py')).write_text(PROGRAM, encoding='utf-8')
        with subprocess.Popen([sys.executable, s.name('p.py'), s.name('truth'), '60']) as p:
            path = s.name('p.pb.gz')
            subprocess.run([*tap.ASSAY, 'record', '-q', '--no-show', '-k', '-p', str(p.pid), '--for', '1s', '-o', path], check=True,
                           stderr=subprocess.DEVNULL)
            p.kill()
        found = {r['function'] for r in rows(path) if r['object'] == '[kernel.kallsyms]'}
        want(found and found <= KNOWN, str(found - KNOWN))


@t('who may not see the kernel is told')
def _():
    paranoid = pathlib.Path('/proc/sys/kernel/perf_event_paranoid').read_text()
    if int(paranoid) != 2:
        return 'skip:kernel.perf_event_paranoid is not 2'
    with Scratch() as s:
        os.chmod(s.path, 0o777)
        program = shutil.copy(shutil.which('true'), s.name('true'))
        r = subprocess.run([*tap.ASSAY, 'record', '--no-show', '-k', '-o', s.name('x.pb.gz'), program], check=False, capture_output=True,
                           text=True, user=NOBODY, group=NOBODY, extra_groups=[], cwd=s.path)
        want('the kernel may not be seen here' in r.stderr, r.stderr)


t.run()
