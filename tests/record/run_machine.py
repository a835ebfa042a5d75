#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay record --all: every process and the kernel, against the kernel's own counts.

The truth is /proc/stat (busy time of the machine), rusage of each program that we start, and what is known of a program by what it
does. The machine may be busy with other things: a share of the whole is never asserted. Environment: ASSAY, SCENES.
"""
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import E, Scratch, needs, tap, want  # noqa: E402

t = tap.Tap('machine')
needs(t, 'SCENES', 'PLUGIN_A', 'PLUGIN_B')
HZ = 199
PERIOD = 4994e-6        # a little less than 1 / HZ; the mean of those that samples come by


def record(scratch, *args, hz=HZ, code=0):
    path = scratch.name('m.pb.gz')
    p = subprocess.run([E['ASSAY'], 'record', '--all', '--no-show', '-y', '-F', str(hz), '-o', path, *args],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    want(p.returncode == code, 'exit status %d: %s' % (p.returncode, p.stderr.decode()))
    return path, p.stderr.decode(), p.stdout.decode()


def answer(*args):
    p = subprocess.run([E['ASSAY'], *args, '-q', '-f', 'json', '-e', 'samples', '-n', '0'], stdout=subprocess.PIPE, check=True)
    return json.loads(p.stdout)


def labels(path, key):
    """value -> samples, and those without one"""
    for label in answer('tags', path)['labels']:
        if label['label'] == key:
            return {v['value']: v['self'][0] for v in label['values']}, label['none']['self'][0]
    return {}, 0


def total(path, *filters):
    return answer('top', path, *filters)['events'][0]['total']


def rows(path, *filters):
    """(function, object, self, inclusive)"""
    return [(r['function'], r['object'], r['self'][0], r['inclusive'][0]) for r in answer('top', path, *filters)['rows']]


def near(samples, seconds, slack, what):
    """Samples of one process at random moments: their number varies by its root at most."""
    wanted = seconds / PERIOD
    want(abs(samples - wanted) <= 5 * math.sqrt(wanted) + slack * wanted, '%s: %d samples, %.0f by the kernel' % (what, samples, wanted))


def busy(stat):
    """All of it but idle, iowait and steal; what guests had is in user time."""
    user, nice, system, _, _, irq, softirq = stat[:7]
    return user + nice + system + irq + softirq


with Scratch() as first:
    tried = subprocess.run([E['ASSAY'], 'record', '--all', '--no-show', '-y', '-o', first.name('x.pb.gz'), 'true'],
                           stderr=subprocess.PIPE, check=False)
    if tried.returncode:
        t.skip_all('events of processors are not allowed here: %s' % tried.stderr.decode().strip())


@t('a program that is started and one that runs already have their CPU time; together they are the busy time')
def _():
    with Scratch() as s:
        other = subprocess.Popen([E['SCENES'], 'loop', '60000'], stdout=subprocess.DEVNULL)
        look = 'head -1 /proc/stat; cat /proc/%d/schedstat; ' % other.pid
        try:
            path, _, out = record(s, '--', 'sh', '-c', look + '"$0" loop 1500 > /dev/null & echo $!; wait $!; ' + look, E['SCENES'])
        finally:
            other.kill()
            other.wait()
        before, ran_before, mine, after, ran_after = [[int(x) for x in line.split() if x != 'cpu'] for line in out.splitlines()]
        of, none = labels(path, 'pid')
        theirs = of.get(str(other.pid), 0)
        want(none == 0, '%d samples are of no process' % none)
        near(theirs, (ran_after[0] - ran_before[0]) * 1e-9, .06, 'the one that ran already')
        near(of.get(str(mine[0]), 0), 1.5, .06, 'the one that was started')
        near(total(path), (busy(after) - busy(before)) / os.sysconf('SC_CLK_TCK'), .06, 'the machine')


@t('a program that works in step with the period has its share of the samples')
def _():
    with Scratch() as s:
        path, _, out = record(s, '--', 'sh', '-c', 'echo $$; exec "$0" beat %.0f:5000' % (PERIOD * 1e6), E['SCENES'])
        pid, _, used = out.split()
        near(labels(path, 'pid')[0].get(pid, 0), float(used), .06, 'a tenth of each period')


@t('what the kernel does has its frames and their names, below the code that called it')
def _():
    with Scratch() as s:
        path, said, _ = record(s, '--', 'dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1M', 'count=20000')
        if 'addresses are hidden' in said:
            return 'skip:the kernel hides its addresses'
        mine = rows(path, '--tagfocus', 'comm=^dd$')
        whole = total(path, '--tagfocus', 'comm=^dd$')
        kernel = sum(r[2] for r in mine if (r[1] or '').startswith('[kernel'))
        named = sum(r[2] for r in mine if (r[1] or '').startswith('[kernel') and r[0])
        want(kernel >= .8 * whole, 'the kernel has %d of %d samples: %s' % (kernel, whole, mine[:8]))
        want(named >= .98 * kernel, '%d of %d have names' % (named, kernel))
        read = sum(r[3] for r in mine if r[0] in ('read', '__GI___libc_read', '__read'))
        want(read >= .8 * whole, 'read() is in %d of %d: %s' % (read, whole, mine[:8]))


@t('short processes: each sample is of a process with a name, and of code that is known')
def _():
    with Scratch() as s:
        path, _, _ = record(s, '--', 'sh', '-c', 'i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i+1)); done')
        names, none = labels(path, 'comm')
        whole = total(path)
        # one that ended just when those that ran were listed has no name; it is somebody else's
        want(none <= .001 * whole + 2, '%d of %d samples are of a thread without a name' % (none, whole))
        want(names.get('true', 0) >= 20, 'true has %s' % names)
        nowhere = sum(r[2] for r in rows(path, '--tagfocus', 'comm=true') if not r[1])
        want(nowhere <= .001 * whole + 1, '%d of %d samples are of no object' % (nowhere, whole))


@t('libraries that take the place of another')
def _():
    with Scratch() as s:
        path, _, _ = record(s, '--', E['SCENES'], 'plugins', E['PLUGIN_A'] + ':' + E['PLUGIN_B'])
        got = {r[0]: r[3] for r in rows(path, '--tagfocus', 'comm=scenes')}
        near(got.get('red_work', 0), .4, .1, 'red')
        near(got.get('blue_work', 0), .2, .1, 'blue')


@t('the exit status is the program\'s; without one a duration ends it')
def _():
    with Scratch() as s:
        record(s, '--', 'sh', '-c', 'exit 7', code=7)
        busy_one = subprocess.Popen([E['SCENES'], 'loop', '60000'], stdout=subprocess.DEVNULL)
        try:
            path, said, _ = record(s, '-d', '0.5')
        finally:
            busy_one.kill()
            busy_one.wait()
        want(labels(path, 'pid')[0].get(str(busy_one.pid), 0) > 0, said)


@t('all processes or one, and by their CPU time')
def _():
    with Scratch() as s:
        want('one process, or all of them' in record(s, '-p', '1', code=2)[1], 'with -p')
        want('by its CPU time' in record(s, '--mode', 'wall', 'true', code=2)[1], 'wall time')


@t('another user is told what all processes take')
def _():
    if os.geteuid() != 0 or int(open('/proc/sys/kernel/perf_event_paranoid').read()) <= 0:
        return 'skip:needs rights that can be given up'
    try:
        p = subprocess.run([E['ASSAY'], 'record', '--all', '-d', '1', '-t', 'pprof', '-o', '-'], stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, user=65534, check=False)
    except PermissionError:
        return "skip:nobody else can't reach the build"
    want(p.returncode == 5 and b'all processes may not be recorded here' in p.stderr, '%d: %s' % (p.returncode, p.stderr.decode()))


t.run()
