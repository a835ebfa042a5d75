# SPDX-License-Identifier: Apache-2.0
"""What the tests of the sampler share: running a scene, and a reader of its profile that is not assay's.

Environment: PROFILER = libassay-profiler.so, SCENES, SCENES_LINKED.
"""
import os
import re
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

E = os.environ
PROFILER, SCENES, LINKED = E.get('PROFILER'), E.get('SCENES'), E.get('SCENES_LINKED')
LIBPROFILER = '/usr/lib/x86_64-linux-gnu/libprofiler.so.0'
PSEUDO = 0x1fffffff0000
TICKS = 1 / time.clock_getres(6)     # a second, by CLOCK_MONOTONIC_COARSE


class Profile:
    """A gperftools CPU profile, read by the book."""

    def __init__(self, path):
        data = tap.contents(path)
        slots = struct.unpack_from('<%dQ' % (len(data) // 8), data)
        equal(slots[:3] + slots[4:5], (0, 3, 0, 0), 'header of ' + path)
        self.period, self.records, at = slots[3], [], 5
        while True:
            want(at + 3 <= len(slots), 'no trailer in ' + path)
            count, depth = slots[at], slots[at + 1]
            if (count, depth, slots[at + 2]) == (0, 1, 0):
                break
            want(depth >= 1 and slots[at + 2] != 0, 'record at slot %d: depth %d, first address 0' % (at, depth))
            self.records.append((count, slots[at + 2:at + 2 + depth]))
            at += 2 + depth
        text = data[(at + 3) * 8:]
        want(b'\0' not in text, 'a NUL in the text of ' + path)
        self.lines = text.decode().split('\n')
        self.total = sum(c for c, _ in self.records)
        self.size = len(data)
        self.said = dict(x[7:].split(': ', 1) for x in self.lines if x.startswith('assay: ') and ': ' in x[7:])

    def seconds(self):
        return self.total * self.period * 1e-6

    def count(self, name):
        return int(self.said.get(name, '0'))

    def cpu(self):
        return float(self.said['cpu time'])

    def observations(self):
        """How many independent ones its samples are worth: those that came with one signal are not."""
        squares = self.count('squares of their samples')
        known = self.total - self.count('samples of threads that ended before them')
        want(known <= squares and known ** 2 <= squares * self.count('signals'),
             '%d samples, %d signals, squares %d' % (known, self.count('signals'), squares))
        return known ** 2 / squares

    def stacks(self):
        return [pcs for c, pcs in self.records if c]


class Ran:
    def __init__(self, code, out, err, path, folder):
        self.code, self.out, self.err, self.path, self.folder = code, out, err, path, folder

    def said(self, what):
        m = re.search(what, self.out)
        want(m, 'the program did not say %r: %r %r' % (what, self.out, self.err))
        return m.group(1)


def environment(**more):
    """Ours, without what it may say about another profile."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith('CPUPROFILE') and k != 'LD_PRELOAD'}
    return dict(kept, **more)


def run(scratch, *args, hz=None, program=None, env=None, preload=True, code=0, path=True, under=(), by=()):
    """One scene, profiled into scratch/p. UNDER, BY: words that stand before the program; BY is not profiled itself."""
    target, ours = scratch.name('p'), {}
    if preload:
        ours['LD_PRELOAD'] = PROFILER
    if path:
        ours['CPUPROFILE'] = target
    if hz:
        ours['CPUPROFILE_FREQUENCY'] = str(hz)
    ours.update(env or {})
    if by:
        under = [*by, 'env'] + ['%s=%s' % x for x in ours.items()]
    full = environment(**({} if by else ours))
    p = subprocess.run([*under, program or SCENES] + [str(a) for a in args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       timeout=120, env=full, cwd=scratch.path)
    if code is not None:
        equal(p.returncode, code, 'exit status of %s: %s' % (args, p.stderr.decode()))
    return Ran(p.returncode, p.stdout.decode(), p.stderr.decode(), target, scratch.path)


def shares(path, *extra):
    """function -> (self, inclusive), and the total; by assay."""
    j = tap.top(path, 'function', *extra)
    total = j['events'][0]['total']
    rows = {}
    for r in j['rows']:
        name = r['function'] or r['object'] or '?'
        s, i = rows.get(name, (0, 0))
        rows[name] = (s + r['self'][0], i + r['inclusive'][0])
    return rows, total


def self_of(rows, name):
    return rows.get(name, (0, 0))[0]


def incl_of(rows, name):
    return rows.get(name, (0, 0))[1]


def most(rows, total, name, part=.97):
    """NAME is in nearly every stack: but for those of a thread's end, and of what comes before main() and behind it."""
    known = total - self_of(rows, '[unsampled]')
    want(incl_of(rows, name) >= part * known - 2, '%s is in %d of %d stacks: %s' % (name, incl_of(rows, name), known, rows))


def about(samples, wanted):
    """What starts and ends a program takes CPU time, too."""
    want(.88 * wanted - 1 <= samples <= 1.25 * wanted + 3, '%d samples of about %d' % (samples, wanted))


def right_total(p, threads=1):
    """Samples x period = CPU time, but for one period and one tick of each thread's. Nothing less, as what no clock of a thread
    told of is counted at the end; more by some percent where more wants to run than there are processors: there the clock of
    events is ahead of that of the thread."""
    busy = os.getloadavg()[0] > 0.75 * os.cpu_count()
    slack, more = threads * (p.period * 1e-6 + 0.004) + 0.01 * p.cpu(), (0.05 if busy else 0) * p.cpu()
    want(-slack <= p.seconds() - p.cpu() <= slack + more,
         'the samples stand for %.3f s, the CPU time was %.3f s' % (p.seconds(), p.cpu()))


def needs(t, *names):
    for name in names:
        if not E.get(name):
            t.skip_all('%s is not set' % name)
