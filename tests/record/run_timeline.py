#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`assay record --timeline`: a program says when its phases began; what was recorded has to say the same.

What is asserted: which functions and threads have samples before and after those moments, and that the stretches of time add
up to the whole; that nothing is kept, and nothing written differently, where it is not asked for.
Environment: ASSAY, SCENES.
"""
import datetime
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

SCENES = os.environ.get('SCENES')
SLACK = 40          # milliseconds around a moment, in which a sample may be of either side
MS = 700
t = tap.Tap('timeline')
if not SCENES:
    t.skip_all('SCENES is not set')
CHECKS = {c['about']: c['state'] for c in tap.Run(['doctor', '-f', 'json']).json()['checks']}


def phases(out):
    said = re.search(r'first ([\d.]+) second ([\d.]+) end ([\d.]+)', out)
    want(said, 'the program did not say its phases: ' + out)
    return [float(x) for x in said.groups()]


def recorded(path, *args):
    """Recorded to PATH by --timeline; when the program says that its phases were, milliseconds since 1970."""
    p = subprocess.run([*tap.ASSAY, 'record', '--no-show', '--timeline', '-o', path, *args, SCENES, 'phases', str(MS)],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    equal(p.returncode, 0, 'record: ' + p.stderr.decode())
    return phases(p.stdout.decode())


def watches(pid):
    """Whether process PID has perf events."""
    folder = '/proc/%d/fd' % pid
    for fd in os.listdir(folder):
        try:
            if 'perf_event' in os.readlink(os.path.join(folder, fd)):
                return True
        except FileNotFoundError:       # closed meanwhile
            pass
    return False


def recorded_by_pid(path):
    # the shell runs when the recording begins, and becomes the program then
    with subprocess.Popen(['sh', '-c', 'read x; exec "$0" phases %d' % MS, SCENES], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as p:
        r = subprocess.Popen([*tap.ASSAY, 'record', '--no-show', '--timeline', '-o', path, '-p', str(p.pid)],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not watches(r.pid):
            want(r.poll() is None, 'record -p ended: %s' % r.returncode)
            time.sleep(.01)
        out = p.communicate(b'\n')[0].decode()
        err = r.communicate()[1].decode()
        equal(r.returncode, 0, 'record -p: ' + err)
        return phases(out)


def epoch(path):
    """When the recording began, milliseconds since 1970."""
    text = tap.info(path)['epoch']
    whole, part = re.match(r'(.*?)(\.\d+)?Z$', text).groups()
    began = datetime.datetime.strptime(whole, '%Y-%m-%dT%H:%M:%S').replace(tzinfo=datetime.timezone.utc)
    return began.timestamp() * 1e3 + float(part or 0) * 1e3


def functions(path, *when):
    """{function: inclusive samples} of the scene's process"""
    r = tap.assay('top', '-f', 'json', '-n', '0', '--inline', 'off', *when, path)
    if r.code == 1:
        return {}
    want(r.code == 0, 'top failed', r)
    return {row['function']: row['inclusive'][0] for row in r.json()['rows']}


def ms(x):
    return '%.3fms' % max(x, 0)


def right(path, said):
    first, second, end = (x - epoch(path) for x in said)
    want(-1000 < first < second < end, 'the phases are %s' % [first, second, end])
    whole = functions(path)
    for name in ('half', 'third', 'seventh'):
        want(whole.get(name, 0) >= MS / 10 * .5, '%s has %s of %d samples' % (name, whole.get(name), MS / 10))
    before = functions(path, '--to', ms(second - SLACK))
    after = functions(path, '--from', ms(second + SLACK))
    want('third' not in before and 'seventh' not in before, 'before the second phase: %s' % before)
    want('half' not in after, 'after the second phase began: %s' % after)
    want(before.get('half', 0) >= .8 * whole['half'], 'half has %s of %s before the second phase' % (before.get('half'), whole['half']))
    for name in ('half', 'third', 'seventh'):
        cut = functions(path, '--to', ms(second)).get(name, 0) + functions(path, '--from', ms(second)).get(name, 0)
        equal(cut, whole[name], 'both stretches of ' + name)
    lines_are_right(path, first, second, end)


def lines_are_right(path, first, second, end):
    r = tap.assay('timeline', '-f', 'json', '-n', '0', '-b', '200', path)
    want(r.code == 0, 'timeline failed', r)
    j = r.json()
    total = tap.info(path)['events'][0]['total']
    equal(sum(sum(row['buckets']) for row in j['rows']), total, 'all buckets')
    late = [row for row in j['rows'] if row['thread'] == 'late']
    want(late, 'no line of the thread "late": %s' % [(row['tid'], row['thread']) for row in j['rows']])
    starts = [(j['start'] + i * j['width']) * 1e-6 for i in range(200)]
    width = j['width'] * 1e-6
    for row in late:
        early = sum(n for at, n in zip(starts, row['buckets']) if at + width < second - SLACK)
        # it is made, and has its name, before it waits
        want(early <= 2, 'the thread "late" has %d samples before it ran' % early)


def inside(*args):
    with Scratch() as s:
        right(s.name('x.otlp'), recorded(s.name('x.otlp'), *args, '--'))


def outside_too(check, f, *args):
    if CHECKS.get(check) != 'ok':
        return 'skip: %s: not here' % check
    return f(*args)


@t('a program, from within')
def _():
    return outside_too('sampler', inside)


@t('a program, from within, at 1000 Hz')
def _():
    return outside_too('sampler', inside, '-F', '1000')


@t('time that passes: a thread that waits is there all the time')
def _():
    def run():
        with Scratch() as s:
            path = s.name('x.otlp')
            first, second, end = (x - epoch(path) for x in recorded(path, '--mode', 'wall', '--'))
            before = functions(path, '--to', ms(second - SLACK))
            after = functions(path, '--from', ms(second + SLACK))
            want('third' not in before and 'seventh' not in before, 'before the second phase: %s' % before)
            want('half' not in after, 'after the second phase began: %s' % after)
            # the first phase, and as much of waiting in the other thread
            waited = before.get('start_thread', 0) or before.get('late_thread', 0)
            due = (second - SLACK - first) / 10
            want(abs(before['half'] - due) <= .2 * due + 3, 'half has %d samples of %.0f' % (before['half'], due))
            want(abs(waited - due) <= .2 * due + 5, 'the thread that waits has %d samples of %.0f' % (waited, due))
    return outside_too('sampler', run)


@t('time that passes: a wait is looked at ever less often, and each sample of it has its own time')
def _():
    def run():
        with Scratch() as s:
            path = s.name('x.otlp')
            # one thread waits for the other for 400 ms
            p = subprocess.run([*tap.ASSAY, 'record', '--no-show', '--timeline', '--mode', 'wall', '-o', path, SCENES, 'blocked'],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
            equal(p.returncode, 0, p.stderr.decode())
            j = tap.assay('timeline', '-f', 'json', '-n', '0', '-b', '50', path).json()
            most = max(max(row['buckets']) for row in j['rows'])
            want(most * 10 <= j['width'] * 1e-6 + 50, '%d samples within %.1f ms' % (most, j['width'] * 1e-6))
    return outside_too('sampler', run)


@t('a tree of processes: each has its times')
def _():
    def run():
        with Scratch() as s:
            path = s.name('x.otlp')
            p = subprocess.run([*tap.ASSAY, 'record', '--no-show', '--timeline', '-o', path, SCENES, 'forktree'],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
            equal(p.returncode, 0, p.stderr.decode())
            j = tap.assay('timeline', '-f', 'json', '-n', '0', path).json()
            total = tap.info(path)['events'][0]['total']
            equal(sum(sum(row['buckets']) for row in j['rows']), total, 'all buckets')
            want(len({row['pid'] for row in j['rows']}) > 10, 'processes: %d' % len(j['rows']))
            want(j['width'] * len(j['rows'][0]['buckets']) <= tap.info(path)['duration'] * 1.1, 'longer than it took')
    return outside_too('sampler', run)


@t('what is not asked for is not there')
def _():
    def run():
        with Scratch() as s:
            path = s.name('x.otlp')
            p = subprocess.run([*tap.ASSAY, 'record', '--no-show', '-o', path, SCENES, 'loop', '100'], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, check=False)
            equal(p.returncode, 0, p.stderr.decode())
            r = tap.assay('timeline', path)
            equal(r.code, 4, 'status of timeline')
            want('does not say when' in r.err, r)
    return outside_too('sampler', run)


@t('a program, from outside')
def _():
    return outside_too('perf events', inside, '--stacks', 'copies')


@t('a process that runs')
def _():
    def run():
        with Scratch() as s:
            right(s.name('x.otlp'), recorded_by_pid(s.name('x.otlp')))
    return outside_too('attach', run)


@t('all processes, while a program runs')
def _():
    def run():
        with Scratch() as s:
            said = recorded(s.name('x.otlp'), '-a')
            r = tap.assay('filter', '--tagfocus', 'process=scenes', s.name('x.otlp'), '-o', s.name('y.otlp'))
            want(r.code == 0, 'filter', r)
            right(s.name('y.otlp'), said)
    return outside_too('all processes', run)


@t('a format that cannot say when is refused, before the program runs')
def _():
    with Scratch() as s:
        for name in ('x.prof', 'x.pb.gz', 'x.folded'):
            p = subprocess.run([*tap.ASSAY, 'record', '--timeline', '-o', s.name(name), 'touch', s.name('ran')],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
            equal(p.returncode, 2, name)
            want(b"can't say when" in p.stderr, p.stderr)
        want(not os.path.exists(s.name('ran')), 'the program ran')


t.run()
