#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sampler beside others: what libprofiler says of the same programs, and what pprofs read in our files.

The first part is a table, printed as comments: what each scenario of research on gperftools' profiler gives with libprofiler, where
it is installed, and with ours. What is asserted of ours is the right answer; of libprofiler's, only what can't come out otherwise.
Environment: ASSAY, PROFILER = libassay-profiler.so, SCENES, SCENES_LINKED, PLUGIN_A, PLUGIN_B.
"""
import os
import re
import shutil
import signal
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import (E, LIBPROFILER, PROFILER, PSEUDO, SCENES, TICKS, Profile, Scratch, about, environment, equal, incl_of, most,  # noqa: E402
                   needs, right_total, run, shares, tap, want)

t = tap.Tap('beside')
needs(t, 'PROFILER', 'SCENES', 'SCENES_LINKED', 'PLUGIN_A', 'PLUGIN_B')
WALL = {'CPUPROFILE_REALTIME': '1'}


# --- libprofiler --------------------------------------------------------------------------------------------------

class Theirs:
    """What a file of libprofiler's holds, whole or not."""

    def __init__(self, path):
        data = tap.contents(path) if os.path.exists(path) else b''
        self.size, self.stacks, self.total, self.ended = len(data), [], 0, False
        slots = struct.unpack_from('<%dQ' % (len(data) // 8), data)
        self.period = slots[3] if len(slots) > 5 else 0
        at = 5
        while at + 3 <= len(slots) and not self.ended:
            self.ended = slots[at:at + 3] == (0, 1, 0)
            if not self.ended:
                self.stacks.append(slots[at + 2:at + 2 + slots[at + 1]])
                self.total += slots[at]
            at += 2 + slots[at + 1]
        self.second = data.find(struct.pack('<3Q', 0, 3, 0), at * 8) >= 0

    def seconds(self):
        return self.total * self.period * 1e-6


def theirs(scratch, *args, env=None, **kw):
    """The scene with libprofiler; None: it is not installed."""
    if not os.path.exists(LIBPROFILER):
        return None
    os.mkdir(scratch.name('theirs'))
    more = dict(env or {}, LD_PRELOAD=LIBPROFILER)
    if kw.get('path', True):
        more['CPUPROFILE'] = scratch.name('theirs/p')
    ran = run(scratch, *args, preload=False, env=more, code=kw.pop('code', None), **kw)
    ran.path = scratch.name('theirs/p')
    return ran


def tell(scenario, of_theirs, of_ours):
    print('# | %s | %s | %s |' % (scenario, of_theirs or 'not installed', of_ours))


@t('loop: a second of CPU time at 1000 Hz')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'loop', 1000, hz=1000).path)
        right_total(p)
        ran, said = theirs(s, 'loop', 1000, hz=1000), None
        if ran:
            q = Theirs(ran.path)
            said = '%d samples, said to be %.2f s' % (q.total, q.seconds())
            want(TICKS > 300 or q.seconds() < .6, 'libprofiler has become right: %.3f s' % q.seconds())
        tell('loop: 1.00 s of CPU time at 1000 Hz', said, '%d samples, %.2f s' % (p.total, p.seconds()))


@t('deep: 400 calls')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'deep', 400, hz=250).path)
        cut = [x for x in p.stacks() if len(x) == 254]
        want(cut and all(x[-1] & ~0xfff == PSEUDO for x in cut), 'no stack is cut, or it is not marked')
        want(p.count('samples of stacks too deep') > 0, 'it is not told')
        ran, said = theirs(s, 'deep', 400, hz=250), None
        if ran:
            q = Theirs(ran.path)
            rows, total = shares(ran.path)
            said = '%d frames at most, `main` in %d of %d samples, no mark' % (max(map(len, q.stacks)), incl_of(rows, 'main'), total)
            want(incl_of(rows, 'main') < total / 2, said)
        tell('deep: 400 calls', said, '%d of %d samples end in `[truncated]`, and a line says so'
             % (p.count('samples of stacks too deep'), p.total))


def read_by_go(path):
    """The functions in `go tool pprof`'s stacks."""
    out = subprocess.run(['go', 'tool', 'pprof', '-traces', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    return set(re.findall(r'single_\w+', out))


@t('single: one path alone')
def _():
    with Scratch() as s:
        rows, total = shares(run(s, 'single', hz=250).path)
        for name in ('single_leaf', 'single_mid', 'single_outer', 'main'):
            most(rows, total, name)
        ran, said = theirs(s, 'single', hz=250), None
        if ran and shutil.which('go'):
            seen = read_by_go(ran.path)
            said = 'either file, read by `go tool pprof`: %d of 3 names' % len(seen)
        tell('single: a loop below three functions, on one path', said, 'either file, read by `assay`: 3 of 3')


@t('threads: three of them, by wall time')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'calibrated', 600, hz=250, env=WALL).path)
        times = p.seconds() / float(p.said['duration'])
        want(2.2 < times < 3.2, '%.2f seconds of samples in a second' % times)
        ran, said = theirs(s, 'calibrated', 600, hz=250, env=WALL), None
        if ran:
            rows, total = shares(ran.path)
            said = '`thread_shares` in %d of %d samples' % (incl_of(rows, 'thread_shares'), total)
        rows, total = shares(s.name('p'))
        part = incl_of(rows, 'thread_shares') / total
        want(part > .4, 'threads have %.2f of the samples' % part)
        tell('threads: two beside the first, wall time', said, '`thread_shares` in %d of %d samples' % (part * total, total))


@t('flush: flushed once, and killed later')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'flushed', s.name('q'), path=False, code=-signal.SIGKILL).path.replace('/p', '/q'))
        about(p.total, 60)
        os.rename(s.name('q'), s.name('ours'))
        ran, said = theirs(s, 'flushed', s.name('q'), path=False), None
        if ran:
            q = Theirs(s.name('q'))
            said = '%d samples, %s' % (q.total, 'complete' if q.ended else 'no end and no mappings: no names')
            want(not q.ended and q.total < 45, said)
        tell('flush: 0.30 s, `ProfilerFlush()`, 0.30 s, SIGKILL, 100 Hz', said, '%d samples, complete' % p.total)


@t('fork: twice as much in the child')
def _():
    with Scratch() as s:
        r = run(s, 'fork')
        mine, its = Profile(r.path), Profile(r.path + '_' + r.said(r'child (\d+)'))
        about(mine.total, 20)
        about(its.total, 40)
        ran, said = theirs(s, 'fork'), None
        if ran:
            q = Theirs(ran.path)
            want(q.second and len(os.listdir(s.name('theirs'))) == 1, 'libprofiler has become right')
            said = '1 file with two profiles in it, each with the %d samples of the parent' % q.total
        tell('fork: 0.20 s in the parent, 0.40 s in the child', said, '2 files: %d and %d samples' % (mine.total, its.total))


@t('exec: a program that becomes another, and that another')
def _():
    with Scratch() as s:
        r = run(s, 'execchain', 2)
        pid = r.said(r'process (\d+)')
        equal(sorted(os.listdir(s.path)), ['p', 'p_' + pid, 'p_' + pid + '.2'], 'files')
        parts = [Profile(s.name(n)) for n in sorted(os.listdir(s.path))]
        for p in parts:
            about(p.total, 20)
        ran, said = theirs(s, 'execchain', 2), None
        if ran:
            sizes = {n: Theirs(s.name('theirs/' + n)).total for n in sorted(os.listdir(s.name('theirs')))}
            equal(sizes.get('p'), 0, 'samples before the first exec, by libprofiler')
            said = ' + '.join(str(n) for n in sizes.values()) + ' samples'
        tell('exec: 0.20 s, exec, 0.20 s, exec, 0.20 s', said, ' + '.join(str(p.total) for p in parts) + ' samples')


@t('signal switch: CPUPROFILESIGNAL')
def _():
    def switched(library, folder):
        os.mkdir(folder)
        env = environment(LD_PRELOAD=library, CPUPROFILE=folder + '/p', CPUPROFILESIGNAL='12', CPUPROFILE_FREQUENCY='1000')
        child = subprocess.Popen([SCENES, 'loop', '3000'], env=env, stderr=subprocess.DEVNULL)
        for _ in range(4):
            try:
                child.wait(timeout=0.4)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGUSR2)
        equal(child.wait(), 0, 'exit status')
        return [os.path.join(folder, n) for n in sorted(os.listdir(folder))]
    with Scratch() as s:
        ours, said = [Profile(path) for path in switched(PROFILER, s.name('ours'))], None
        equal(len(ours), 2, 'files')
        for p in ours:
            right_total(p)
        if os.path.exists(LIBPROFILER):
            said = ' and '.join('%.2f s' % Theirs(x).seconds() for x in switched(LIBPROFILER, s.name('theirs')))
        tell('signal switch: on, off, on, off, 1000 Hz', said, ' and '.join('%.2f s (of %.2f s)' % (p.seconds(), p.cpu()) for p in ours))


@t('signal conflict: the program has a SIGPROF handler')
def _():
    with Scratch() as s:
        r = run(s, 'ownfirst', s.name('q'), path=False)
        p = Profile(s.name('q'))
        equal((r.said(r'started (\d)'), r.said(r'ticks (\d+)')), ('1', '0'), 'ProfilerStart, and what its handler saw')
        about(p.total, 40)
        os.rename(s.name('q'), s.name('ours'))
        ran, said = theirs(s, 'ownfirst', s.name('q'), path=False), None
        if ran:
            q = Theirs(s.name('q'))
            said = '`ProfilerStart()` is %s, %d samples; the handler is called %s times' % (ran.said(r'started (\d)'), q.total,
                                                                                          ran.said(r'ticks (\d+)'))
            equal((ran.said(r'started (\d)'), q.total), ('1', 0), 'ProfilerStart and samples of libprofiler')
        tell('signal conflict: the program handles SIGPROF', said, '%d samples; the handler is called 0 times' % p.total)


def ended(name, scene, code):
    with Scratch() as s:
        p = Profile(run(s, scene, code=code).path)
        about(p.total, 30)
        ran, said = theirs(s, scene), None
        if ran:
            q = Theirs(ran.path)
            equal((ran.code, q.size), (code, 0), 'status of the program, and bytes of the profile of libprofiler')
            said = '%d bytes' % q.size
        tell(name, said, '%d samples, complete' % p.total)


t.add('_exit', ended, '`_exit()` after 0.30 s', 'exit', 0)
t.add('abort', ended, '`abort()` after 0.30 s', 'abort', -signal.SIGABRT)
t.add('killed', ended, 'SIGKILL after 0.30 s', 'kill', -signal.SIGKILL)


@t('dlclose')
def _():
    plugins = E['PLUGIN_A'] + ':' + E['PLUGIN_B']
    with Scratch() as s:
        rows, total = shares(run(s, 'plugins', plugins, hz=250).path)
        named = incl_of(rows, 'red_work') + incl_of(rows, 'blue_work')
        want(named >= .95 * total, '%d of %d samples have names' % (named, total))
        ran, said = theirs(s, 'plugins', plugins, hz=250), None
        if ran:
            theirs_rows, theirs_total = shares(ran.path)
            n = incl_of(theirs_rows, 'red_work') + incl_of(theirs_rows, 'blue_work')
            equal(n, 0, 'samples with names, by libprofiler')
            said = '%d of %d samples have their names' % (n, theirs_total)
        tell('dlclose: two libraries, unloaded in turn', said, '%d of %d samples have their names' % (named, total))


# --- pprof --------------------------------------------------------------------------------------------------------

def installed():
    return shutil.which('google-pprof') and shutil.which('go')


def output(*args):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()


def by_google(path):
    """The total, and function -> (flat, cumulated)."""
    text = output('google-pprof', '--text', '--no-auto-signal-frm', '--nodefraction=0', '--nodecount=100000', SCENES, path)
    total = re.search(r'Total: (\d+) samples', text)
    want(total, 'google-pprof says ' + text[:500])
    rows = re.findall(r'(?m)^\s*(\d+)\s+[\d.]+%\s+[\d.]+%\s+(\d+)\s+[\d.]+%\s(.*)$', text)
    found = {}
    for flat, cum, name in rows:
        name = name.replace(' (inline)', '')
        f, c = found.get(name, (0, 0))
        found[name] = (f + int(flat), c + int(cum))
    return int(total.group(1)), found


def by_go(path, period):
    text = output('go', 'tool', 'pprof', '-raw', '-symbolize=none', path)
    total = sum(int(x) for x in re.findall(r'(?m)^\s*(\d+)\s+\d+:', re.search(r'(?s)Samples:\n(.*?)\nLocations', text).group(1)))
    text = output('go', 'tool', 'pprof', '-top', '-unit=us', '-nodefraction=0', '-nodecount=100000', path)
    rows = re.findall(r'(?m)^\s*([\d.]+)(?:us)?\s+[\d.]+%\s+[\d.]+%\s+([\d.]+)(?:us)?\s+[\d.]+%\s+(.*)$', text)
    return total, {name: (round(float(flat) / period), round(float(cum) / period)) for flat, cum, name in rows}


def cut_by_go(records):
    """Go's pprof takes a second frame that nearly all records have for a handler's, and cuts it, twice at most."""
    stacks = [list(pcs) for _, pcs in records]
    for _ in range(2):
        second = [x[1] for x in stacks if len(x) > 1]
        most_often = max(set(second), key=second.count) if second else None
        if not second or second.count(most_often) < len(stacks) - len(stacks) // 32:
            return _ > 0
        for x in stacks:
            if len(x) > 1 and x[1] == most_often:
                del x[1]
    return True


def of_scenes(path):
    """function -> (self, inclusive), of the code that was compiled here: of libc's, every reader has names of its own."""
    own = {os.path.basename(E[x]) for x in ('PLUGIN_A', 'PLUGIN_B')} | {os.path.basename(SCENES)}
    found = {}
    for r in tap.top(path, 'function')['rows']:
        if r['function'] and os.path.basename(r['object'] or '') in own and r['function'] != '_start':
            s, i = found.get(r['function'], (0, 0))
            found[r['function']] = (s + r['self'][0], i + r['inclusive'][0])
    return found


def read_alike(scene, arg=None, code=0, wall=False):
    if not installed():
        return 'skip:google-pprof or go is not installed'
    with Scratch() as s:
        r = run(s, scene, *([arg] if arg else []), hz=1000, code=code, env=WALL if wall else {})
        p = Profile(r.path)
        ours = of_scenes(r.path)
        want('main' in ours or scene == 'kill', 'functions: %s' % ours)
        total, rows = by_google(r.path)
        equal(total, p.total, 'total of google-pprof')
        equal({n: rows.get(n) for n in ours}, ours, 'functions of google-pprof')
        total, rows = by_go(r.path, p.period)
        equal(total, p.total, 'total of go tool pprof')
        cut = cut_by_go(p.records)
        for name, (flat, cum) in ours.items():
            # Its symbolizer has no name for some code: that is in the row of the object then.
            if name in rows or flat:
                equal(rows.get(name, (0, 0))[0], flat, 'self of %s by go tool pprof' % name)
            if name in rows and not cut:
                equal(rows[name][1], cum, 'inclusive of %s by go tool pprof' % name)
        want(len(set(ours) & set(rows)) >= 2, 'go tool pprof has names for %s alone' % set(rows))
        print('# %s: %d samples, %d functions%s' % (scene, total, len(ours), ', frames cut by Go' if cut else ''))


for what, rest in (('calibrated', {'arg': 300}), ('calibrated', {'arg': 300, 'wall': True}), ('kill', {'code': -signal.SIGKILL}),
                   ('plugins', {'arg': '%s:%s' % (E['PLUGIN_A'], E['PLUGIN_B'])}), ('sort', {}), ('deep', {'arg': 100}), ('handler', {}),
                   ('coroutines', {}), ('threads', {'arg': 400})):
    t.add('google-pprof and go tool pprof read the same totals and functions: %s%s' % (what, ', wall time' if rest.get('wall') else ''),
          lambda what=what, rest=rest: read_alike(what, **rest))


t.head = ['# | scenario | libprofiler | assay |', '# | --- | --- | --- |']
t.run()
