#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recording by perf events on programs whose profile is known (scenes.c).

What is asserted: totals against the CPU time that the kernel counted, and shares against what the program was told to do.
Environment: ASSAY, PERF_TOOL, SCENES = without frame pointers, SCENES_FRAMED = with, SCENES_STATIC, PLUGIN_A, PLUGIN_B.
"""
import fcntl
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

E = os.environ
TOOL, SCENES, FRAMED, STATIC = E.get('PERF_TOOL'), E.get('SCENES'), E.get('SCENES_FRAMED'), E.get('SCENES_STATIC')
NOBODY = 65534
t = tap.Tap('perf')


class Told:
    """What the recorder said: a "key: value" a line; the program's own output is beside it."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err
        self.said = dict(re.findall(r'(?m)^([a-z]+): (.*)$', err))

    def n(self, key):
        want(key in self.said, 'not told: %s in %r' % (key, self.err))
        return float(self.said[key])

    def seconds(self):
        return self.n('samples') * self.n('period') * 1e-6


def record(path, *what, user=None, code=0, **options):
    args = [TOOL] + ['%s=%s' % x for x in options.items()] + [path] + [str(x) for x in what]
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, user=user, group=user,
                       extra_groups=[] if user else None)
    told = Told(p.returncode, p.stdout.decode(), p.stderr.decode())
    if code is not None:
        equal(told.code, code, 'exit status: ' + told.err)
    return told


def run(scratch, *scene, program=None, **options):
    return record(scratch.name('p.prof'), '--', program or SCENES, *scene, **options)


def shares(path):
    """function -> (self, inclusive), and the total; by assay."""
    j = tap.top(path)
    rows = {}
    for r in j['rows']:
        name = r['function'] or r['object'] or '?'
        s, i = rows.get(name, (0, 0))
        rows[name] = (s + r['self'][0], i + r['inclusive'][0])
    return rows, j['events'][0]['total']


def incl_of(rows, name):
    return rows.get(name, (0, 0))[1]


def right_total(told, used=None):
    """Samples x period = CPU time: the clock's own, exactly, and what the kernel charged, nearly: that has no part in what
    interrupts and a hypervisor took."""
    want(abs(told.seconds() - told.n('cpu')) <= told.n('period') * 1e-6,
         'the samples stand for %.4f s, the CPU time was %.4f s' % (told.seconds(), told.n('cpu')))
    used = told.n('used') if used is None else used
    want(abs(told.n('cpu') - used) <= 0.15 * used + 0.05, 'cpu-clock says %.3f s, the kernel charged %.3f s' % (told.n('cpu'), used))
    equal(told.n('damaged'), 0, 'damaged records')


for name in ('PERF_TOOL', 'SCENES', 'SCENES_FRAMED', 'PLUGIN_A', 'PLUGIN_B'):
    if not E.get(name):
        t.skip_all('%s is not set' % name)
with Scratch() as first:
    tried = run(first, 'loop', 10, code=None)
    if tried.code:
        t.skip_all('perf events are not allowed here: %s' % tried.said.get('error', tried.err))
    HAVE_COPIES = tried.said['stacks'] != 'frame pointers'


# --- shares and totals --------------------------------------------------------------------------------------------

def calibrated(program, stacks, hz, whole):
    if stacks == 'copies' and not HAVE_COPIES:
        return 'skip:built without libdw'
    if not program:
        return 'skip:no static libc'
    with Scratch() as s:
        told = run(s, 'calibrated', 1000, program=program, stacks=stacks, hz=hz)
        right_total(told)
        rows, total = shares(s.name('p.prof'))
        equal(total, told.n('samples'), 'samples in the file')
        parts = {'half': .5, 'third': .3, 'seventh': .15, 'twentieth': .05}
        got = {f: rows.get(f, (0, 0))[1] for f in parts}
        seen = sum(got.values())
        want(seen >= (.97 if whole else .85) * total, 'the four have %d of %d: %s' % (seen, total, got))
        for name, share in parts.items():
            sigma = math.sqrt(share * (1 - share) / seen)
            # what the clock itself costs makes small pieces a little larger: 1.5 % of the whole
            want(abs(got[name] / seen - share) <= 5 * sigma + .015,
                 '%s has %.3f of the time, not %.3f (sigma %.4f)' % (name, got[name] / seen, share, sigma))
        if whole:
            want(incl_of(rows, 'shares') >= .97 * total, 'shares: %s of %d' % (rows.get('shares'), total))
            want(incl_of(rows, 'main') >= .28 * total, 'main: %s of %d' % (rows.get('main'), total))


for rate in (99, 999):
    t.add('copies of stacks, a program without frame pointers, %d Hz' % rate, calibrated, SCENES, 'copies', rate, True)
    t.add('copies of stacks, a program with frame pointers, %d Hz' % rate, calibrated, FRAMED, 'copies', rate, True)
    t.add('copies of stacks, a static program, %d Hz' % rate, calibrated, STATIC, 'copies', rate, True)
    t.add('frame pointers, a program with them, %d Hz' % rate, calibrated, FRAMED, 'frames', rate, False)


@t('why copies are the default: without frame pointers there are no callers')
def _():
    if not HAVE_COPIES:
        return 'skip:built without libdw'
    with Scratch() as s:
        for stacks, least, most in (('frames', 0, .5), ('copies', .97, 1)):
            told = run(s, 'deep', 100, stacks=stacks, hz=999)
            rows, total = shares(s.name('p.prof'))
            want(least * total <= incl_of(rows, 'main') <= most * total,
                 '%s: main has %d of %d' % (stacks, incl_of(rows, 'main'), total))
            marked = incl_of(rows, '[truncated]')
            want(abs(marked - told.n('broken') - told.n('cut')) <= told.n('spread') + .05 * total, '%d are marked: %s' % (marked, told.err))
            want(least or incl_of(rows, 'main') + marked >= .9 * total, 'main has %d, marked are %d of %d' %
                 (incl_of(rows, 'main'), marked, total))


@t('recursion and a callback from libc: whole stacks')
def _():
    if not HAVE_COPIES:
        return 'skip:built without libdw'
    with Scratch() as s:
        told = run(s, 'deep', 100, hz=999)
        rows, total = shares(s.name('p.prof'))
        want(incl_of(rows, 'recurse') >= .97 * total, 'recurse has %d of %d' % (incl_of(rows, 'recurse'), total))
        equal(told.n('cut'), 0, 'stacks that are cut')
        run(s, 'sort', 400, hz=999)
        rows, total = shares(s.name('p.prof'))
        want(incl_of(rows, 'compare') > .1 * total, 'compare: %s of %d' % (rows.get('compare'), total))
        want(incl_of(rows, 'main') >= .97 * total, 'main has %d of %d' % (incl_of(rows, 'main'), total))


@t('a stack that is deeper than its copy says so')
def _():
    with Scratch() as s:
        told = run(s, 'deep', 3000, hz=999)
        rows, total = shares(s.name('p.prof'))
        if HAVE_COPIES:
            want(told.n('cut') >= .95 * total, '%d of %d' % (told.n('cut'), total))
        told = run(s, 'deep', 3000, hz=999, stacks='frames', program=FRAMED)
        rows, total = shares(s.name('p.prof'))
        # libc and the vdso, where the clock is read, have no frame pointers
        want(told.n('cut') >= .8 * total, '%d of %d by frame pointers' % (told.n('cut'), total))
        want(sum(i for n, (_, i) in rows.items() if 'truncated' in n) >= .8 * total, 'truncated: %s' % sorted(rows))


GO = """package main

import "fmt"
import _ "os/user"

var sink uint64

//go:noinline
func unit(x uint64) uint64 {
	for i := 0; i < 2000; i++ {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

//go:noinline
func most(n int) { for i := 0; i < n; i++ { sink += unit(uint64(i)) } }

//go:noinline
func rest(n int) { for i := 0; i < n; i++ { sink += unit(uint64(i)) } }

func main() {
	c := make(chan int)
	for g := 0; g < 2; g++ {
		go func() { most(60000); rest(20000); c <- 1 }()
	}
	<-c
	<-c
	fmt.Println(sink)
}
"""


@t('a Go program with C in it is recorded from outside by itself: whole stacks, where from within there are none')
def _():
    if not shutil.which('go') or not HAVE_COPIES:
        return 'skip:go is not installed, or built without libdw'
    with Scratch() as s:
        with open(s.name('main.go'), 'w') as f:
            f.write(GO)
        env = dict(os.environ, GOCACHE=s.name('cache'), GOFLAGS='-mod=mod', CGO_ENABLED='1', GO111MODULE='off', HOME=s.path)
        built = subprocess.run(['go', 'build', '-o', s.name('app'), s.name('main.go')], env=env, cwd=s.path, stderr=subprocess.PIPE)
        if built.returncode or b'libc.so' not in subprocess.run(['ldd', s.name('app')], stdout=subprocess.PIPE).stdout:
            return 'skip:no Go program with C in it can be built'
        got = tap.Run(['record', '-F', '999', '--no-show', '-o', s.name('p.prof'), s.name('app')])
        equal(got.code, 0, got.err)
        want("stacks of Go programs can't be followed from within: it is recorded from outside" in got.err, got.err)
        rows, total = shares(s.name('p.prof'))
        most, rest = incl_of(rows, 'main.most'), incl_of(rows, 'main.rest')
        want(most + rest >= .95 * total, 'most %d, rest %d of %d' % (most, rest, total))
        sigma = math.sqrt(.75 * .25 / (most + rest))
        want(abs(most / (most + rest) - .75) <= 3 * sigma + .01, 'most has %.3f' % (most / (most + rest)))
        want(incl_of(rows, '[truncated]') <= .05 * total, 'truncated: %d of %d' % (incl_of(rows, '[truncated]'), total))


@t('a CPU-second is a CPU-second at any rate')
def _():
    with Scratch() as s:
        for hz in (10, 99, 250, 997, 4000):
            right_total(run(s, 'loop', 800, hz=hz))


@t('user time alone, if that is asked for')
def _():
    with Scratch() as s:
        told = run(s, 'loop', 300, hz=999, kernel=0)
        want(re.match(r'cpu-clock( of all processors)?, user time$', told.said['clock']), told.said['clock'])
        equal(told.n('unsampled'), 0, 'unsampled')
        want(told.seconds() <= 1.05 * told.n('cpu') + .002, '%.3f s of samples, %.3f s of CPU time' % (told.seconds(), told.n('cpu')))


@t('thousands of threads that live for a millisecond have their stacks, by events of processors')
def _():
    with Scratch() as s, Running('loop', 60000):
        told = run(s, 'threads', 800, hz=999, scope='processors', code=None)
        if told.code:
            return 'skip:events of processors are not allowed here'
        right_total(told)       # without the one that runs beside it
        rows, total = shares(s.name('p.prof'))
        equal(told.n('unsampled'), 0, 'unsampled')
        equal(told.n('whole'), 1, 'whole')
        want(incl_of(rows, 'burn') >= .3 * total, 'burn has %d of %d' % (incl_of(rows, 'burn'), total))


@t('thousands of threads that live for a millisecond: the total is right, and what was not seen is told')
def _():
    with Scratch() as s:
        told = run(s, 'threads', 800, hz=999, scope='threads')
        right_total(told)
        rows, total = shares(s.name('p.prof'))
        unseen = sum(i for n, (_, i) in rows.items() if 'unsampled' in n)
        equal(unseen, told.n('unsampled'), '[unsampled] in the file')
        want(unseen < .6 * total, '%d of %d were not seen' % (unseen, total))


# --- processes ----------------------------------------------------------------------------------------------------

def parts(scratch, *scene):
    path = scratch.name('p.dump')
    told = record(path, '--', SCENES, *scene, hz=999)
    right_total(told)
    with open(path) as f:
        text = f.read()
    own, cost = {}, {}
    for m in re.finditer(r'(?m)^part (\d+)(?: command="([^"]*)")? creator="assay" pid=(\d+)', text):
        own[m.group(1)] = (m.group(2), int(m.group(3)))
    for m in re.finditer(r'(?m)^sample (\d+) .*: (\d+)$', text):
        cost[m.group(1)] = cost.get(m.group(1), 0) + int(m.group(2))
    return told, {own[k]: v for k, v in cost.items()}, text


@t('a fork is a part of its own')
def _():
    with Scratch() as s:
        told, got, _ = parts(s, 'fork')
        child = int(re.search(r'child (\d+)', told.out).group(1))
        equal(len(got), 2, 'parts: %s' % got)
        its = sum(v for (_, pid), v in got.items() if pid == child)
        want(abs(its / sum(got.values()) - 2 / 3) < .06, 'the child has %d of %s' % (its, got))


@t('a tree of forks')
def _():
    with Scratch() as s:
        _, got, _ = parts(s, 'forktree', 4)
        equal(len(got), 31, 'processes')
        want(min(got.values()) >= 12, 'samples of each: %s' % sorted(got.values()))


@t('an exec is another program: its name, its mappings')
def _():
    with Scratch() as s:
        told, got, text = parts(s, 'exec')
        child = int(re.search(r'child (\d+)', told.out).group(1))
        equal([c for (c, pid) in got if pid == child and c.endswith('loop 300')], ['scenes loop 300'], 'command of %s' % got)
        want('perf_tool' not in text, 'the recorder is in the profile')
        its = got[('scenes loop 300', child)]
        want(abs(its / sum(got.values()) - .75) < .06, 'the child has %d of %s' % (its, got))


@t('libraries that come and go at one address')
def _():
    with Scratch() as s:
        run(s, 'plugins', E['PLUGIN_A'] + ':' + E['PLUGIN_B'], hz=999)
        rows, total = shares(s.name('p.prof'))
        red, blue = incl_of(rows, 'red_work'), incl_of(rows, 'blue_work')
        want(red + blue >= .95 * total, 'red %d, blue %d of %d' % (red, blue, total))
        want(abs(red / total - 2 / 3) < .06, 'red %d of %d' % (red, total))
        if HAVE_COPIES:
            want(incl_of(rows, 'main') >= .95 * total, 'main: %s of %d' % (rows.get('main'), total))


@t('code without a file: its caller is found by its frame')
def _():
    if not HAVE_COPIES:
        return 'skip:built without libdw'
    with Scratch() as s:
        run(s, 'jit', hz=999)
        rows, total = shares(s.name('p.prof'))
        want(incl_of(rows, 'call_jit') >= .97 * total, 'call_jit: %s of %d' % (rows.get('call_jit'), total))


@t('frames below a signal handler')
def _():
    if not HAVE_COPIES:
        return 'skip:built without libdw'
    with Scratch() as s:
        run(s, 'handler', hz=999)
        rows, total = shares(s.name('p.prof'))
        for f in ('on_usr1', 'raise_here', 'main'):
            want(incl_of(rows, f) >= .97 * total, '%s: %s of %d' % (f, rows.get(f), total))


@t('ends: the status is that of the program')
def _():
    with Scratch() as s:
        for scene, status in (('exit', 0), ('kill', signal.SIGKILL), ('abort', signal.SIGABRT)):
            told = run(s, scene, hz=999)
            right_total(told)
            equal(int(told.n('status')) & 127, int(status), 'status of ' + scene)


# --- attaching ----------------------------------------------------------------------------------------------------

class Running:
    def __init__(self, *scene, program=None, out=subprocess.DEVNULL):
        self.p = subprocess.Popen([program or SCENES] + [str(x) for x in scene], stdout=out, stderr=subprocess.DEVNULL)
        self.pid = self.p.pid

    def used(self):
        """CPU time of the process, threads that have ended too."""
        with open('/proc/%d/stat' % self.pid) as f:
            v = f.read().rpartition(')')[2].split()
        return (int(v[11]) + int(v[12])) / os.sysconf('SC_CLK_TCK')

    def __enter__(self):
        end = time.time() + 60
        while self.used() < .05 and time.time() < end:
            time.sleep(.02)
        return self

    def __exit__(self, *_):
        self.p.kill()
        self.p.wait()


def attach(scene):
    """Inclusive samples by function, and how many samples there are that were not missed."""
    with Scratch() as s, Running(*scene) as r:
        before = r.used()
        told = record(s.name('p.prof'), '-p', r.pid, hz=999, seconds=1.5)
        right_total(told, r.used() - before)
        want(told.n('samples') > 50, '%d samples' % told.n('samples'))
        rows, total = shares(s.name('p.prof'))
        want(r.p.poll() is None, 'the process has ended')
        return rows, total - told.n('unsampled')


def attached(scene, main, least):
    rows, seen = attach(scene)
    if HAVE_COPIES:
        want(incl_of(rows, main) >= least * seen, '%s: %s of %d' % (main, rows.get(main), seen))


t.add('a process that runs', attached, ('loop', 60000), 'main', .97)
t.add('threads that run already', attached, ('calibrated', 60000), 'shares', .97)


@t('threads that come and go')
def _():
    """All stacks are followed to where the thread began. What each of them burns is the larger part of the time: to make a
    thread and to end it costs, too, on a busy machine once in a while more than that. So once may be by chance, twice not."""
    burnt = []
    while len(burnt) < 2 and not (burnt and burnt[0] >= .5):
        rows, seen = attach(('threads', 60000))
        if not HAVE_COPIES:
            return
        begun = sum(incl_of(rows, name) for name in ('clone3', 'clone', 'main'))
        want(begun >= .97 * seen, 'the beginning is in %d of %d: %s' % (begun, seen, rows))
        burnt.append(incl_of(rows, 'burn') / seen)
        want(burnt[-1] >= .3, 'burn has %.2f of the time' % burnt[-1])
    want(max(burnt) >= .5, 'burn has %s of the time' % burnt)


@t('half a second is at least that, and one thread uses no more than passes')
def _():
    with Scratch() as s, Running('loop', 60000) as r:
        told = record(s.name('p.dump'), '-p', r.pid, hz=999, seconds=.5)
        right_total(told, told.n('cpu'))
        with open(s.name('p.dump')) as f:
            lasted = int(re.search(r'(?m)^duration (\d+)', f.read()).group(1)) * 1e-9
        want(lasted >= .5, '%.3f s' % lasted)
        want(0 < told.n('cpu') <= lasted + .01, '%.3f s of CPU time in %.3f s' % (told.n('cpu'), lasted))


@t('a static program, attached to')
def _():
    if not STATIC:
        return 'skip:no static libc'
    with Scratch() as s, Running('loop', 60000, program=STATIC) as r:
        told = record(s.name('p.prof'), '-p', r.pid, hz=999, seconds=1)
        right_total(told, told.n('cpu'))
        rows, total = shares(s.name('p.prof'))
        want(incl_of(rows, 'burn' if not HAVE_COPIES else 'main') >= .95 * total, 'of %d: %s' % (total, rows))


@t('the process becomes another program: a part of its own, with its functions')
def _():
    with Scratch() as s:
        p = subprocess.Popen(['sh', '-c', 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; exec "$0" loop 800', SCENES],
                             stdout=subprocess.DEVNULL)
        told = record(s.name('p.dump'), '-p', p.pid, hz=999, seconds=60)
        equal(p.wait(), 0, 'status of the program')
        with open(s.name('p.dump')) as f:
            commands = re.findall(r'(?m)^part \d+ command="([^"]*)"', f.read())
        want(commands[0].startswith('sh -c'), 'before: %s' % commands)
        want(commands[-1].endswith('scenes loop 800'), 'after: %s' % commands)
        equal(told.n('damaged'), 0, 'damaged records')


@t('a program that was replaced on disk is not named by what is there now')
def _():
    """By the name alone the profile would have functions of a program that never ran."""
    with Scratch() as s:
        app, new = s.name('app'), s.name('new')
        shutil.copy(SCENES, app)
        with Running('loop', 60000, program=app) as r:
            shutil.copy(TOOL, new)
            os.rename(new, app)
            told = record(s.name('p.dump'), '-p', r.pid, hz=999, seconds=.5)
            record(s.name('p.prof'), '-p', r.pid, hz=999, seconds=.5)
        rows, total = shares(s.name('p.prof'))
        want(total > 20, '%d samples' % total)
        named = {n: v for n, v in rows.items() if v[0] and not n.startswith('[') and 'app' not in n}
        want(not set(named) & {'say', 'set_option', 'write_out', 'fail', 'as_perf_record'}, 'the new one gave %s' % named)
        with open(s.name('p.dump')) as f:
            line = re.search(r'(?m)^object "(%s[^"]*)"(?: id="(\w+)")?' % re.escape(app), f.read())
        want(line, 'the program is not in the list')
        ids = [build_id(x) for x in (SCENES, TOOL)]
        want(line.group(2) != ids[1], 'the build id is that of the new one')
        want(line.group(2) == ids[0] if line.group(2) else line.group(1).endswith(' (deleted)'), 'object %s' % line.group(0))
        if HAVE_COPIES:
            want(told.n('broken') + told.n('cut') <= .05 * told.n('samples'), 'stacks of the old one are not followed: ' + told.err)


def build_id(path):
    out = subprocess.run(['readelf', '-n', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    m = re.search(r'Build ID: (\w+)', out)
    return m and m.group(1)


@t('a process that ends before the time is over')
def _():
    with Scratch() as s, Running('loop', 500) as r:
        told = record(s.name('p.prof'), '-p', r.pid, hz=999, seconds=60)
        want(.2 < told.n('cpu') < .6, '%.3f s' % told.n('cpu'))


@t('SIGINT ends a recording, not the process')
def _():
    with Scratch() as s, Running('loop', 60000) as r:
        p = subprocess.Popen([TOOL, 'hz=999', s.name('p.prof'), '-p', str(r.pid)], stderr=subprocess.PIPE)
        time.sleep(1)
        p.send_signal(signal.SIGINT)
        told = Told(p.wait(), '', p.stderr.read().decode())
        equal(told.code, 0, 'exit status')
        want(told.n('samples') > 20, '%d samples' % told.n('samples'))
        want(r.p.poll() is None, 'the process has ended')
        _, total = shares(s.name('p.prof'))
        equal(total, told.n('samples'), 'samples in the file')


# --- the line that says how far it is ---------------------------------------------------------------------------------

LINE = re.compile(r'recording (\d+), (\d+) s, ([\d,]+) samples?, (\d+) threads?, (\d+) lost')


class Terminal:
    """A command on a terminal of its own, which it controls: what appears there."""

    def __init__(self, *args, columns=80):
        self.text, self.args, self.columns = '', [*tap.ASSAY, 'record'] + [str(x) for x in args], columns
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))

    def start(self):
        def own():
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

        env = dict(os.environ, LC_ALL='C', NO_COLOR='1')
        env.pop('COLUMNS', None)
        self.p = subprocess.Popen(self.args, stdin=self.slave, stdout=self.slave, stderr=self.slave, preexec_fn=own, env=env)
        os.close(self.slave)

    def read(self, until=None):
        """Up to the end, or until the pattern has come."""
        end = time.time() + 60
        while time.time() < end and not (until and re.search(until, self.text)):
            try:
                self.text += os.read(self.master, 65536).decode()
            except OSError:  # nobody has it open any more
                break
        return self.text

    def type(self, keys):
        os.write(self.master, keys)

    def run(self):
        self.start()
        self.read()
        os.close(self.master)
        return self.p.wait()


def left_standing(text):
    """What is on the terminal's lines at last."""
    return [re.sub(r'.*\r(\x1b\[K)?', '', x.rstrip('\r')) for x in text.split('\n')]


@t('a process on a terminal: a line says how far it is, and is wiped out')
def _():
    with Scratch() as s, Running('calibrated', 60000) as r:
        term = Terminal('-p', r.pid, '-d', 2, '-F', 999, '--no-show', '-o', s.name('p.prof'))
        equal(term.run(), 0, 'exit status: ' + term.text)
        seen = LINE.findall(term.text)
        want(seen, 'no line: %r' % term.text)
        equal({int(pid) for pid, *_ in seen}, {r.pid}, 'process')
        samples = [int(x[2].replace(',', '')) for x in seen]
        equal(samples, sorted(samples), 'samples')
        want(samples[-1] > 0, 'no samples: %s' % samples)
        equal(int(seen[-1][3]), len(os.listdir('/proc/%d/task' % r.pid)), 'threads')
        _, total = shares(s.name('p.prof'))
        want(samples[-1] <= total, 'the line says %d samples, the profile has %d' % (samples[-1], total))
        equal([x for x in left_standing(term.text) if LINE.search(x)], [], 'lines that were left')


@t('Ctrl-C at the terminal ends the recording: the profile is there, the process runs on')
def _():
    with Scratch() as s, Running('loop', 60000) as r:
        term = Terminal('-p', r.pid, '--no-show', '-o', s.name('p.prof'))
        term.start()
        want(LINE.search(term.read(LINE)), term.text)
        term.type(b'\x03')
        term.read()
        equal(term.p.wait(), 0, 'exit status: ' + term.text)
        want(shares(s.name('p.prof'))[1] > 0, 'no samples')
        equal([x for x in left_standing(term.text) if LINE.search(x)], [], 'lines that were left')
        want(r.p.poll() is None, 'the process has ended')


COUNTS_INT = '''
import signal, sys, time
got = []
signal.signal(signal.SIGINT, lambda *_: got.append(1))
print('ready', flush=True)
end = time.time() + 60
while not got and time.time() < end: pass
end = time.process_time() + .5
while time.process_time() < end: pass
print('interrupts:', len(got))
sys.exit(7)
'''


@t('Ctrl-C reaches a program once, and so does SIGINT to the recorder alone; the recording goes on to its end')
def _():
    for stacks in ([], ['--stacks', 'frames']):
        for keys in (b'\x03', None):
            with Scratch() as s:
                term = Terminal(*stacks, '--no-show', '-o', s.name('p.prof'), '--', sys.executable, '-c', COUNTS_INT)
                term.start()
                want('ready' in term.read('ready'), term.text)
                if keys:
                    term.type(keys)
                else:
                    term.p.send_signal(signal.SIGINT)
                term.read()
                equal(term.p.wait(), 7, 'exit status: ' + term.text)
                want('interrupts: 1\r' in term.text, term.text)
                want(shares(s.name('p.prof'))[1] >= 40, 'half a second was burnt behind the interrupt')


@t('what is ignored when the recorder is started is ignored in the program, and nothing else')
def _():
    look = ['grep', '^SigIgn', '/proc/self/status']
    for stacks in ([], ['--stacks', 'frames']):
        for args in ([], ['--ignore-signal=INT,PIPE,QUIT']):
            with Scratch() as s:
                bare = ['env', '--default-signal=INT,PIPE,QUIT'] + args
                wanted = subprocess.run(bare + look, stdout=subprocess.PIPE).stdout
                got = subprocess.run(bare + tap.ASSAY + ['record', '-q', '--no-show', *stacks, '-o', s.name('p.prof'), '--'] + look,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                equal(got.stdout, wanted, 'signals that are ignored: %s' % got.stderr)


@t('no such line with -q, nor where a program writes to the terminal')
def _():
    with Scratch() as s, Running('loop', 60000) as r:
        term = Terminal('-q', '-p', r.pid, '-d', 1.2, '--no-show', '-o', s.name('p.prof'))
        equal(term.run(), 0, 'exit status: ' + term.text)
        equal(term.text, '', 'with -q')
        for stacks in ([], ['--stacks', 'frames']):
            term = Terminal('-y', *stacks, '--no-show', '-o', s.name('p.prof'), '--', SCENES, 'loop', 1200)
            equal(term.run(), 0, 'exit status: ' + term.text)
            equal(LINE.findall(term.text), [], 'a program that record starts')
    with Scratch() as s:
        term = Terminal()
        with Running('loop', 60000, out=term.slave) as r:
            term.args += ['-p', str(r.pid), '-d', '1.2', '--no-show', '-o', s.name('p.prof')]
            equal((term.start(), term.read(r'\d s, 1 process: '), term.p.wait())[2], 0, 'exit status: ' + term.text)
        equal(LINE.findall(term.text), [], 'a process whose output is there')


@t('on a narrow terminal the line is as long as it can be')
def _():
    with Scratch() as s, Running('loop', 60000) as r:
        term = Terminal('-p', r.pid, '-d', 1.2, '--no-show', '-o', s.name('p.prof'), columns=30)
        equal(term.run(), 0, 'exit status: ' + term.text)
        lines = re.findall(r'\x1b\[K(recording [^\r]*)', term.text)
        whole = re.compile(r'recording \d+(, \d+ s(, [\d,]+ samples?)?)?$')  # parts are there or not; all take 45 columns
        want(lines and all(len(x) < 30 and whole.match(x) for x in lines), '%r' % term.text)


# --- what can't be --------------------------------------------------------------------------------------------------

@t('two processes are refused, not one of them recorded as if it were both')
def _():
    with Scratch() as s:
        got = tap.Run(['record', '-p', '1', '-p', '2', '-o', s.name('p.prof')])
        equal(got.code, 2, got.err)
        want('one process at a time' in got.err and not os.path.exists(s.name('p.prof')), got.err)


@t('a process that has ended, and one that ran too little to be seen')
def _():
    with Scratch() as s:
        ended = os.fork()
        if not ended:
            os._exit(0)
        os.waitid(os.P_PID, ended, os.WEXITED | os.WNOWAIT)
        told = record(s.name('p.prof'), '-p', ended, code=3)
        os.waitpid(ended, 0)
        want('there is no process %d' % ended in told.err, told.err)
        sleeper = subprocess.Popen(['sleep', '60'])
        try:
            got = tap.Run(['record', '-p', str(sleeper.pid), '-d', '0.5', '-o', s.name('q.prof')])
            equal(got.code, 0, got.err)
            want('there are no samples: it used no CPU time' in got.err, got.err)
        finally:
            sleeper.kill()
            sleeper.wait()


@t('no such process, no such program')
def _():
    with Scratch() as s:
        told = record(s.name('p.prof'), '-p', 2 ** 22 + 5, code=3)
        want('there is no process %d' % (2 ** 22 + 5) in told.err, told.err)
        told = record(s.name('p.prof'), '--', '/nowhere/program', code=3)
        want("'/nowhere/program' can't be started: No such file or directory" in told.err, told.err)


@t('another user: what may be recorded, and a sentence for what may not')
def _():
    if os.getuid() != 0:
        return 'skip:needs root, to be somebody else'
    with Scratch() as s:
        os.chmod(s.path, 0o777)
        if subprocess.run(['test', '-x', TOOL, '-a', '-x', SCENES], user=NOBODY, group=NOBODY, extra_groups=[]).returncode:
            return "skip:another user can't reach the build"
        told = run(s, 'loop', 300, hz=999, user=NOBODY, code=None)
        if told.code:
            want('kernel.perf_event_paranoid is' in told.err, told.err)
            return None
        want('user time' in told.said['clock'] and 'user and' not in told.said['clock'], told.said['clock'])
        right_total(told)
        equal(told.n('spread'), 0, "the kernel's time given to user code")
        with Running('loop', 60000) as r:
            told = record(s.name('q.prof'), '-p', r.pid, seconds=.2, user=NOBODY, code=3)
            want("is another user's" in told.err and 'CAP_PERFMON' in told.err, told.err)
            want(int(told.said['errno']) in (1, 13), told.err)


@t('a cycle counter, or a word that there is none')
def _():
    with Scratch() as s:
        told = run(s, 'loop', 200, hz=999, clock='cycles')
        want(re.match(r'hardware cycles|cpu-clock \(this machine has no cycle counter\)', told.said['clock']), told.said['clock'])


# --- others read it -----------------------------------------------------------------------------------------------

@t('google-pprof and go tool pprof read the same totals')
def _():
    if not shutil.which('google-pprof') or not shutil.which('go'):
        return 'skip:google-pprof or go is not installed'
    with Scratch() as s:
        told = run(s, 'calibrated', 300, hz=999)
        out = subprocess.run(['google-pprof', '--text', SCENES, s.name('p.prof')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        m = re.search(r'Total: (\d+) samples', out.stdout.decode())
        want(m and int(m.group(1)) == told.n('samples'), out.stdout.decode()[:500])
        told = record(s.name('p.pb'), '--', SCENES, 'fork', hz=999)
        out = subprocess.run(['go', 'tool', 'pprof', '-raw', '-symbolize=none', s.name('p.pb')], stdout=subprocess.PIPE)
        m = re.search(r'(?s)Samples:\n(.*?)\nLocations', out.stdout.decode())
        want(m, out.stdout.decode()[:500])
        equal(sum(int(x) for x in re.findall(r'(?m)^\s*(\d+)(?:\s+\d+)?:', m.group(1))), told.n('samples'), 'go tool pprof')


t.run()
