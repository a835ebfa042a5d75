#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The in-process sampler on programs whose profile is known (scenes.c), read by a reader of our own (scene.py).

What is asserted: totals against the CPU time that the kernel counted, and shares against what the program was told to do.
No absolute time is: a sample is one period of CPU time, on however slow a machine.
Shares are run_shares.py's. Environment: ASSAY, PROFILER = libassay-profiler.so, SCENES, SCENES_LINKED, PLUGIN_A, PLUGIN_B.
"""
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import (E, LIBPROFILER, LINKED, PROFILER, PSEUDO, SCENES, TICKS, Profile, Scratch, about, equal, incl_of, most, needs,  # noqa: E402
                   right_total, run, self_of, shares, tap, want)

t = tap.Tap('record')
needs(t, 'PROFILER', 'SCENES', 'SCENES_LINKED', 'PLUGIN_A', 'PLUGIN_B')


# --- totals and shares --------------------------------------------------------------------------------------------

@t('a CPU-second is a CPU-second at any rate, where libprofiler loses three quarters')
def _():
    with Scratch() as s:
        for hz in (100, 997, 1000, 2500, 4000):
            right_total(Profile(run(s, 'loop', 800, hz=hz).path))
        if not os.path.exists(LIBPROFILER) or TICKS > 300:
            return
        p = Profile(run(s, 'loop', 800, hz=1000, preload=False, env={'LD_PRELOAD': LIBPROFILER}).path)
        want(p.seconds() < 0.6, 'libprofiler has become right: %.3f s' % p.seconds())


@t('every thread is sampled in wall mode, and for as long')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'calibrated', 600, hz=1000, env={'CPUPROFILE_REALTIME': '1'}).path)
        d = float(p.said['duration'])
        want(p.seconds() > 2.2 * d, '%.3f s of samples in %.3f s of three threads' % (p.seconds(), d))
        want(p.seconds() < 3.2 * d, '%.3f s of samples in %.3f s of three threads' % (p.seconds(), d))


@t('recursion and a callback from libc: whole stacks')
def _():
    with Scratch() as s:
        r = run(s, 'deep', 100, hz=1000)
        rows, total = shares(r.path)
        most(rows, total, 'main')
        most(rows, total, 'recurse')
        want(any(len(x) > 100 for x in Profile(r.path).stacks()), 'no stack is 100 deep')
        rows, total = shares(run(s, 'sort', hz=1000).path)
        want(incl_of(rows, 'compare') > 0.1 * total, 'compare: %s of %d' % (rows.get('compare'), total))
        most(rows, total, 'main')


@t('stacks deeper than the limit end in [truncated], and are counted')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'deep', 400, hz=1000).path)
        cut = [x for c, x in p.records if c and len(x) == 254]
        want(cut, 'no stack was cut')
        want(all(x[-1] & ~0xfff == PSEUDO for x in cut), 'a cut stack is not marked')
        equal(p.count('samples of stacks too deep'), sum(c for c, x in p.records if x[-1] & ~0xfff == PSEUDO), 'samples that were cut')


@t('thousands of threads that live for a millisecond keep their share')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'threads', 2000).path)
        want(p.total > 100, '%d samples of about 200' % p.total)
        want(p.seconds() <= p.cpu() * 1.3, '%.3f s of samples, %.3f s of CPU time' % (p.seconds(), p.cpu()))
        equal(p.count('threads that could not be sampled'), 0, 'threads without a timer')


@t('a worker that blocks all signals is sampled')
def _():
    with Scratch() as s:
        right_total(Profile(run(s, 'blocked').path), 2)


# --- ends ---------------------------------------------------------------------------------------------------------

def ended(scene, code):
    with Scratch() as s:
        r = run(s, scene, code=code)
        p = Profile(r.path)
        about(p.total, 30)
        rows, total = shares(r.path)
        equal(total, p.total, 'total by assay')
        want(incl_of(rows, 'burn') >= 25, 'burn: %s' % (rows.get('burn'),))
        equal(os.listdir(s.path), ['p'], 'files')


t.add('_exit leaves the whole profile, where libprofiler leaves nothing', ended, 'exit', 0)
t.add('abort leaves the whole profile', ended, 'abort', -signal.SIGABRT)
t.add('SIGKILL leaves the whole profile', ended, 'kill', -signal.SIGKILL)


@t('what was due while no signal came is counted by the next one')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'held', code=-signal.SIGKILL).path)
        about(p.total, 30)


@t('SIGKILL at any moment leaves a profile that is whole')
def _():
    with Scratch() as s:
        for i in range(30):
            env = dict(os.environ, LD_PRELOAD=PROFILER, CPUPROFILE=s.name('p%d' % i), CPUPROFILE_FREQUENCY='4000')
            child = subprocess.Popen([SCENES, 'pluginloop', E['PLUGIN_A']], env=env)
            try:
                child.wait(timeout=0.02 + 0.013 * i)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            path = s.name('p%d' % i)
            if os.path.exists(path) and os.path.getsize(path):
                Profile(path)
                code, findings = tap.check(path)
                equal([f for f in findings if f['severity'] != 'info'], [], 'findings')


# --- processes ----------------------------------------------------------------------------------------------------

@t('fork gives the child a file of its own, where libprofiler writes two profiles into one')
def _():
    with Scratch() as s:
        r = run(s, 'fork')
        child = r.said(r'child (\d+)')
        equal(sorted(os.listdir(s.path)), ['p', 'p_' + child], 'files')
        mine, its = Profile(r.path), Profile(r.path + '_' + child)
        right_total(mine)
        right_total(its)
        about(mine.total, 20)
        about(its.total, 40)


@t('a tree of forks: one file for each that was sampled, and none else')
def _():
    with Scratch() as s:
        run(s, 'forktree', 4)
        names = os.listdir(s.path)
        want(25 <= len(names) <= 31, '%d files of 31 processes' % len(names))
        want(all(re.fullmatch(r'p(_\d+)?', n) for n in names), 'other files: %s' % names)
        for n in names:
            right_total(Profile(s.name(n)))


def other_program(scene):
    with Scratch() as s:
        r = run(s, scene)
        child = r.said(r'child (\d+)')
        equal(sorted(os.listdir(s.path)), ['p', 'p_' + child], 'files')
        its = Profile(r.path + '_' + child)
        right_total(its)
        about(its.total, 30)


t.add('an exec after fork: a file of its own', other_program, 'exec')
t.add('posix_spawn and vfork', other_program, 'spawn')


@t('a child in a sandbox that kills it for any system call is sampled, and lives')
def _():
    with Scratch() as s:
        r = run(s, 'sandbox')
        equal(r.said(r'status (\d+)'), '0', 'status of the child')
        p = Profile(r.path + '_' + r.said(r'child (\d+)'))
        want(p.total > 3, '%d samples' % p.total)
        rows, total = shares(r.path + '_' + r.said(r'child (\d+)'))
        most(rows, total, 'count')
        most(rows, total, 'main')


@t('a program that closes all descriptors, and one that changes its directory')
def _():
    with Scratch() as s:
        right_total(Profile(run(s, 'close').path))
        run(s, 'chdir', env={'CPUPROFILE': 'relative'})
        right_total(Profile(s.name('relative')))


# --- code that comes and goes --------------------------------------------------------------------------------------

@t('libraries that were unloaded keep their names, at one address and another')
def _():
    with Scratch() as s:
        r = run(s, 'plugins', E['PLUGIN_A'] + ':' + E['PLUGIN_B'], hz=1000)
        rows, total = shares(r.path)
        red, blue = incl_of(rows, 'red_work'), incl_of(rows, 'blue_work')
        want(red + blue >= .95 * total, 'red %d, blue %d of %d: %s' % (red, blue, total, rows))
        want(abs(red / total - 2 / 3) < .06, 'red %d of %d' % (red, total))
        most(rows, total, 'main')


@t('three hundred dlopen and dlclose: the list of mappings stays small')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'pluginloop', E['PLUGIN_A'], hz=4000).path)
        want(sum(os.path.basename(E['PLUGIN_A']) in x for x in p.lines) <= 2, '\n'.join(p.lines))
        right_total(p)


@t('code without a file: its caller is found by its frame')
def _():
    with Scratch() as s:
        rows, total = shares(run(s, 'jit', hz=1000).path)
        most(rows, total, 'call_jit')
        most(rows, total, 'main')


@t('stacks of coroutines')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'coroutines', hz=1000).path)
        rows, total = shares(s.name('p'))
        want(incl_of(rows, 'coroutine') > .8 * total, 'coroutine: %s of %d' % (rows.get('coroutine'), total))
        equal(p.count('samples of stacks that break off'), 0, 'stacks that break off')


# --- signals ------------------------------------------------------------------------------------------------------

@t('frames below a signal handler')
def _():
    with Scratch() as s:
        rows, total = shares(run(s, 'handler', hz=1000).path)
        most(rows, total, 'on_usr1')
        most(rows, total, 'raise_here')
        most(rows, total, 'main')


@t('the end of the stack, and a handler on a stack of its own')
def _():
    with Scratch() as s:
        right_total(Profile(run(s, 'stackend', hz=1000).path))


@t('a storm of signals, of another kind and of ours')
def _():
    with Scratch() as s:
        right_total(Profile(run(s, 'storm', hz=4000).path), 2)


@t('the program has a profiling timer of its own: both see their own signals')
def _():
    with Scratch() as s:
        r = run(s, 'owntimer')
        p = Profile(r.path)
        right_total(p)
        # The kernel counts no overruns of setitimer(): on a busy machine its ticks are fewer.
        want(10 <= int(r.said(r'ticks (\d+)')) <= 65, '%s ticks of about 50' % r.said(r'ticks (\d+)'))
        want('handles the profiling signal too' in r.err, 'it is not said: %r' % r.err)
        want(any('handles the signal too' in x for x in p.lines), 'it is not in the file')


@t('a handler that was there first is left alone, and the profile is made')
def _():
    with Scratch() as s:
        r = run(s, 'ownfirst', s.name('q'), path=False)
        equal(r.said(r'started (\d)'), '1', 'ProfilerStart')
        equal(r.said(r'ticks (\d+)'), '0', 'what its handler saw')
        about(Profile(s.name('q')).total, 40)


@t('sleeps are not cut short in wall mode')
def _():
    with Scratch() as s:
        r = run(s, 'sleep', hz=1000, env={'CPUPROFILE_REALTIME': '1'})
        equal(r.said(r'left (\d+)'), '0', 'seconds left')
        want(float(r.said(r'slept ([\d.]+)')) >= 1.3, 'it slept %s s, not 1.3' % r.said(r'slept ([\d.]+)'))


@t('CPUPROFILESIGNAL begins and ends profiles')
def _():
    with Scratch() as s:
        env = dict(os.environ, LD_PRELOAD=PROFILER, CPUPROFILE=s.name('p'), CPUPROFILESIGNAL='12')
        child = subprocess.Popen([SCENES, 'loop', '3000'], env=env)
        for _ in range(4):
            try:
                child.wait(timeout=0.4)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGUSR2)
        equal(child.wait(), 0, 'exit status')
        equal(sorted(os.listdir(s.path)), ['p.0', 'p.1'], 'files')
        for n in ('p.0', 'p.1'):
            right_total(Profile(s.name(n)))


# --- the API ------------------------------------------------------------------------------------------------------

@t('Start, Flush, GetCurrentState and Stop tell the truth')
def _():
    with Scratch() as s:
        r = run(s, 'api', s.name('q'), path=False, preload=False, program=LINKED)
        equal(r.said(r'first (\d)'), '1', 'the first Start')
        equal(r.said(r'second (\d)'), '0', 'a second one')
        equal(r.said(r'enabled (\d)'), '1', 'enabled')
        equal(r.said(r'name (.*)'), s.name('q'), 'name')
        equal(r.said(r'bad (\d)'), '0', 'Start with a file that cannot be')
        p = Profile(s.name('q'))
        # Time whose tick had not come when the profile ended is in the file, too.
        late = p.count('samples of threads that ended before them')
        equal(int(r.said(r'samples (\d+)')) + late, p.total, 'samples')
        right_total(p)


@t('filter_in_thread')
def _():
    with Scratch() as s:
        run(s, 'filter', s.name('q'), path=False)
        p = Profile(s.name('q'))
        about(p.total, 20)
        equal(p.said['filter'], 'filter_in_thread', 'what the file says of it')
        again = converted(s, 'again', 'convert', '-q', s.name('q'), '-t', 'gperf')
        equal(Profile(again).lines, p.lines, 'list, written again')
        want('filter' not in Profile(run(s, 'loop', 50).path).said, 'there is no filter')


@t('threads that are older than the profile')
def _():
    with Scratch() as s:
        run(s, 'late', s.name('q'), path=False)
        p = Profile(s.name('q'))
        right_total(p, 2)
        want(0 < p.total <= 45, '%d samples of 40 at most' % p.total)
        rows, total = shares(s.name('q'))
        most(rows, total, 'thread_shares')


@t('two hundred profiles, one after the other')
def _():
    with Scratch() as s:
        run(s, 'startstop', s.name('q'), path=False, hz=4000)
        equal(os.listdir(s.path), ['q'], 'files')
        right_total(Profile(s.name('q')))


@t('two processes that write to one name do not harm each other')
def _():
    with Scratch() as s:
        env = dict(os.environ, LD_PRELOAD=PROFILER, CPUPROFILE=s.name('p'))
        a = subprocess.Popen([SCENES, 'loop', '800'], env=env)
        b = subprocess.Popen([SCENES, 'loop', '1200'], env=env)
        equal((a.wait(), b.wait()), (0, 0), 'exit status')
        files = os.listdir(s.path)
        want(len(files) == 2 and 'p' in files, 'files: %s' % files)
        for n in files:
            right_total(Profile(s.name(n)))


@t('a file that somebody has made and not yet written to is theirs')
def _():
    with Scratch() as s:
        with open(s.name('p'), 'wb') as theirs:
            fcntl.flock(theirs, fcntl.LOCK_EX)
            run(s, 'loop', 100)
            equal(os.fstat(theirs.fileno()).st_size, 0, 'bytes in their file')
            want(os.fstat(theirs.fileno()).st_ino != os.stat(s.name('p')).st_ino, 'theirs was replaced')
        right_total(Profile(s.name('p')))


@t('what is no file, cannot be made or cannot be written to is told, and the program runs on')
def _():
    with Scratch() as s:
        for path, words in (('/dev/null', ''), ('/dev/full', "the profile is lost, it can't be written to: /dev/full"),
                            (s.path, "this file can't be made: " + s.path)):
            r = run(s, 'loop', 50, env={'CPUPROFILE': path})
            want(words in r.err if words else not r.err, 'with %s it said %r' % (path, r.err))
        equal(os.listdir(s.path), [], 'files')


# --- the file ------------------------------------------------------------------------------------------------------

# --- what the file says of the run lives on --------------------------------------------------------------------------

def converted(s, name, *args):
    out = s.name(name)
    r = tap.assay(*args, '-o', out)
    equal(r.code, 0, 'status of assay %s: %s' % (args, r.err))
    return out


def facts(path):
    """What assay says of a profile: the facts that the recorder's lines are."""
    j = tap.info(path)
    said = {m['key']: m['text'] for m in j['metadata'] if m['key']}
    return {'command': j['command'], 'pid': j['pid'], 'epoch': j['epoch'], 'duration': j['duration'],
            'clock': said.get('assay: clock'), 'cpu time': said.get('assay: cpu time')}


def wanted_facts(p):
    whole, part = p.said['started'].split('.')
    return {'command': p.said['command'].replace('%3d', '='), 'pid': int(p.said['process']),
            'epoch': time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(int(whole))) + ('.' + part).rstrip('0').rstrip('.') + 'Z',
            'duration': int(p.said['duration'].replace('.', '')), 'clock': p.said['clock'], 'cpu time': p.said['cpu time']}


@t('what a file says of its run is a fact, and is written again as it was')
def _():
    with Scratch() as s:
        for scene, env in (('calibrated', {}), ('plugins', {}), ('loop', {'CPUPROFILE_REALTIME': '1'})):
            arg = E['PLUGIN_A'] + ':' + E['PLUGIN_B'] if scene == 'plugins' else 200
            p = Profile(run(s, scene, arg, hz=1000, env=env).path)
            equal(facts(s.name('p')), wanted_facts(p), 'facts of ' + scene)
            again = converted(s, 'again', 'convert', '-q', '-y', s.name('p'), '-t', 'gperf')
            equal(Profile(again).lines, p.lines, 'list of ' + scene)
            equal(Profile(again).total, p.total, 'samples of ' + scene)


@t('a command line with = and % is the one that ran')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'loop', 100, 'a=b', '100%').path)
        want(p.said['command'].endswith(' a%3db 100%25'), p.said['command'])
        equal(tap.info(s.name('p'))['command'], ' '.join([SCENES, 'loop', '100', 'a=b', '100%']), 'command')


@t('through pprof and Callgrind and back: the same facts; pprof has build ids and times')
def _():
    with Scratch() as s:
        p = Profile(run(s, 'calibrated', 200, hz=1000).path)
        for kind in ('pprof', 'callgrind'):
            other = converted(s, kind, 'convert', '-q', s.name('p'), '-t', kind)
            equal(facts(other), wanted_facts(p), 'facts in ' + kind)
            back = converted(s, 'back.' + kind, 'convert', '-q', other, '-t', 'gperf')
            equal(facts(back), wanted_facts(p), 'facts back from ' + kind)
        ids = dict(re.findall(r'-[0-9a-f]+ r-xp \S+ \S+ \d+ (\S+)\nassay: build id: [0-9a-f]+ ([0-9a-f]+)', '\n'.join(p.lines)))
        want(len(ids) >= 2, 'build ids: %s' % ids)
        if not shutil.which('go'):
            return
        raw = subprocess.run(['go', 'tool', 'pprof', '-raw', '-symbolize=none', s.name('pprof')], stdout=subprocess.PIPE).stdout.decode()
        maps = dict(re.findall(r'(?m)^\d+: 0x\S+ (\S+) ([0-9a-f]{8,})', raw))
        want(SCENES in maps, 'mappings of pprof: ' + raw[-1500:])
        equal({k: ids[k] for k in maps}, maps, 'build ids by go tool pprof')
        want('Duration: ' in raw and 'Time: 20' in raw, 'no times: ' + raw[:500])


@t('a merge of two runs says what is true of both, a filter what is true of the part')
def _():
    with Scratch() as s:
        one = Profile(shutil.copy(run(s, 'loop', 150, hz=1000).path, s.name('one')))
        two = Profile(shutil.copy(run(s, 'loop', 250, hz=1000).path, s.name('two')))
        both = Profile(converted(s, 'both', 'merge', '-q', s.name('one'), s.name('two'), '-t', 'gperf'))
        equal(both.total, one.total + two.total, 'samples')
        equal(set(both.said) & {'command', 'process', 'cpu time', 'threads'}, set(), 'facts that differ')
        equal(both.said['started'], one.said['started'], 'the earlier start')
        equal(both.said['clock'], 'cpu', 'clock')
        for key in ('signals', 'squares of their samples'):
            equal(both.count(key), one.count(key) + two.count(key), key)
        took = [int(p.said['duration'].replace('.', '')) for p in (one, two, both)]
        equal(took[2], took[0] + took[1], 'duration')
        twice = Profile(converted(s, 'twice', 'merge', '-q', s.name('one'), s.name('one'), '-t', 'gperf'))
        equal(twice.said['command'], one.said['command'], 'command of a run with itself')
        equal(set(twice.said) & {'cpu time', 'threads'}, set(), 'numbers of one run')
        two = Profile(shutil.copy(run(s, 'calibrated', 300, hz=1000).path, s.name('three')))
        part = Profile(converted(s, 'part', 'filter', '-q', '--focus', 'half', s.name('three'), '-t', 'gperf'))
        want(part.total < two.total, '%d of %d samples' % (part.total, two.total))
        for key in ('command', 'process', 'started', 'clock', 'duration', 'cpu time'):
            equal(part.said[key], two.said[key], key)
        want('threads' not in part.said, 'samples of threads that are not there')


@t('a binary that was rebuilt since is not used for names')
def _():
    with Scratch() as s:
        program = shutil.copy(SCENES, s.name('program'))
        path = run(s, 'loop', 200, hz=1000, program=program).path
        want(incl_of(shares(path)[0], 'burn') > 0, 'no names')
        data = tap.contents(program)
        line = next(x for x in Profile(path).lines if x.endswith(' ' + program))
        i = Profile(path).lines.index(line)
        there = bytes.fromhex(Profile(path).lines[i + 1].split()[-1])
        equal(data.count(there), 1, 'build ids in the program')
        with open(program, 'wb') as f:
            f.write(data.replace(there, bytes(len(there))))
        r = tap.assay('top', path, '--symbols', 'auto')
        want('another build than the one that was recorded' in r.err, 'it is not said: %r' % r.err)
        want('burn' not in (r.out if isinstance(r.out, str) else r.out.decode()), 'names of another build')


def pprof_total(args, pattern):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    m = re.search(pattern, p.stdout.decode())
    want(m, 'no total in: ' + p.stdout.decode()[:500])
    return m.group(1)


@t('google-pprof and go tool pprof read the same totals of what is written again')
def _():
    if not shutil.which('google-pprof') or not shutil.which('go'):
        return 'skip:google-pprof or go is not installed'
    with Scratch() as s:
        p = Profile(run(s, 'calibrated', 300, hz=1000).path)
        for name, args in (('convert', ('convert',)), ('merge', ('merge', s.name('p'))), ('filter', ('filter', '--focus', 'thread'))):
            out = converted(s, name, *args, '-q', s.name('p'), '-t', 'gperf')
            total = Profile(out).total
            equal(total, p.total * 2 if name == 'merge' else total if name == 'filter' else p.total, 'samples after ' + name)
            want(total > 0, 'nothing is left')
            equal(int(pprof_total(['google-pprof', '--text', SCENES, out], r'Total: (\d+) samples')), total, 'google-pprof, ' + name)
            raw = pprof_total(['go', 'tool', 'pprof', '-raw', '-symbolize=none', out], r'(?s)Samples:\n(.*?)\nLocations')
            equal(sum(int(x) for x in re.findall(r'(?m)^\s*(\d+)\s+\d+:', raw)), total, 'go tool pprof, ' + name)


@t('formats of other people\'s have the names at once; our own has addresses')
def _():
    with Scratch() as s:
        for ext in 'folded', 'callgrind', 'pb.gz':
            r = subprocess.run(tap.ASSAY + ['record', '-q', '-o', s.name('x.' + ext), '--', SCENES, 'loop', '600'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            equal(r.returncode, 0, r.stdout.decode())
            rows, total = shares(s.name('x.' + ext), '--symbols', 'none')
            want(incl_of(rows, 'burn') > .9 * total, 'burn in %s: %s of %d' % (ext, rows.get('burn'), total))


@t('bytes on disk: no more than libprofiler needs')
def _():
    if not os.path.exists(LIBPROFILER):
        return 'skip:libprofiler is not installed'
    with Scratch() as s:
        ours = os.path.getsize(run(s, 'calibrated', 1000).path)
        theirs = os.path.getsize(run(s, 'calibrated', 1000, preload=False, env={'LD_PRELOAD': LIBPROFILER}).path)
        want(ours <= theirs, '%d bytes, libprofiler %d' % (ours, theirs))


@t('libprofiler is in the program, too: the profile is ours, and no word of its handler')
def _():
    other = LIBPROFILER
    if not os.path.exists(other):
        return 'skip:libprofiler is not installed'
    with Scratch() as s:
        r = run(s, 'loop', 300, hz=1000, env={'LD_PRELOAD': PROFILER + ':' + other})
        want('handles' not in r.err, 'it said %r' % r.err)
        p = Profile(r.path)
        equal(p.period, 1000, 'period')
        right_total(p)


@t('a rate above the limit is the limit')
def _():
    with Scratch() as s:
        equal(Profile(run(s, 'loop', 50, hz=10000).path).period, 250, 'period')


t.run()
