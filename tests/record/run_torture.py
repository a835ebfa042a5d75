#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What programs do to themselves, with the sampler in them: no crash, no hang, no file left over, and the totals right.

Each in CPU mode and in wall mode at 4000 Hz, where signals come by the thousand. Under valgrind and with sanitizers, too.
Environment: ASSAY, PROFILER, SCENES, PLUGIN_A; SCENES_STATIC, SCENES_ASAN, SCENES_UBSAN, SCENES_TSAN where they could be built.
"""
import os
import re
import shutil
import stat
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import E, PROFILER, SCENES, Profile, Scratch, equal, incl_of, most, needs, right_total, run, shares, tap, want  # noqa: E402

t = tap.Tap('torture')
needs(t, 'PROFILER', 'SCENES', 'PLUGIN_A')
NOBODY = 65534
MODES = {'CPU': {}, 'wall': {'CPUPROFILE_REALTIME': '1'}}


def in_both(title):
    """The test, in either mode: it gets a folder, and runs scenes in that mode."""
    def keep(f):
        for mode, env in MODES.items():
            def test(mode=mode, env=env):
                with Scratch() as s:
                    return f(s, lambda *args, **kw: run(s, *args, hz=4000, env=dict(env, **kw.pop('env', {})), **kw), mode == 'wall')
            t.add('%s, %s time' % (title, mode), test)
        return f
    return keep


def only(s, *names):
    equal(sorted(os.listdir(s.path)), sorted(names), 'files')


def whole(path, wall, threads=1):
    """A file that is right from end to end."""
    p = Profile(path)
    code, findings = tap.check(path)
    equal([f for f in findings if f['severity'] != 'info'], [], 'findings')
    if not wall and 'cpu time' in p.said:
        right_total(p, threads)
    want(p.total > 0, 'no samples')
    return p


# --- descriptors, limits and folders ------------------------------------------------------------------------------

@in_both('a daemon closes everything, and counts on the numbers 0, 1 and 2')
def _(s, go, wall):
    r = go('daemon')
    equal(r.said(r'descriptors (.*)'), '0 1 2', 'what it got')
    whole(r.path, wall)
    only(s, 'p')


def limited(what, cut):
    def test(s, go, wall):
        r = go('limited', what)
        equal(r.said(r'memory (\d)'), '1', 'memory')
        want(('larger than it should be' in r.err) == cut, 'it said %r' % r.err)
        p = whole(r.path, wall)
        want(p.total > 2400, '%d samples of about 3000' % p.total)
        only(s, 'p')
    in_both('a program limits itself: ' + what)(test)


limited('fsize', True)
limited('nofile', True)
limited('as', False)


@in_both('a program whose root becomes another')
def _(s, go, wall):
    if os.geteuid() != 0:
        return 'skip:needs rights'
    os.mkdir(s.name('root'))
    p = whole(go('chroot', s.name('root')).path, wall)
    want(p.total > 2400, '%d samples of about 3000' % p.total)
    only(s, 'p', 'root')
    equal(os.listdir(s.name('root')), [], 'files in the new root')


def in_tmpfs(s, size, *args):
    """The scene with a file system of SIZE at s/disk, whose files come to s/kept."""
    if os.geteuid() != 0 or subprocess.run(['unshare', '-m', 'true'], stderr=subprocess.DEVNULL).returncode:
        return None
    os.mkdir(s.name('disk'))
    script = 'mount -t tmpfs -o size=%s none disk && "$@"; rc=$?; cp -r disk kept; exit $rc' % size
    return run(s, *args, hz=4000, env=dict(MODES['wall'], CPUPROFILE=s.name('disk/p')), by=('unshare', '-m', 'sh', '-c', script, 'sh'))


@t('a disk that becomes full: the samples count, their stacks are lost, and it is told')
def _():
    with Scratch() as s:
        r = in_tmpfs(s, '192k', 'limited', 'nothing')
        if not r:
            return 'skip:no file system can be mounted'
        equal(os.listdir(s.name('kept')), ['p'], 'files')
        want(Profile(s.name('kept/p')).total > 2400, 'samples are missing')
        want('assay: ' in r.err, 'it is not told')


@t('a disk that is full: it is told, and the program runs')
def _():
    with Scratch() as s:
        r = in_tmpfs(s, '4k', 'loop', 100)
        if not r:
            return 'skip:no file system can be mounted'
        want("this file can't be made" in r.err, 'it said %r' % r.err)
        equal(os.listdir(s.name('kept')), [], 'files')


@t('a folder that is not ours: it is told, and the program runs')
def _():
    if os.geteuid() != 0 or not shutil.which('setpriv'):
        return 'skip:needs another user'
    with Scratch() as s:
        os.chmod(s.path, 0o755)
        probe = subprocess.run(['setpriv', '--reuid', str(NOBODY), '--clear-groups', 'test', '-r', PROFILER, '-a', '-x', SCENES])
        if probe.returncode:
            return 'skip:another user can\'t reach the build'
        r = run(s, 'loop', 100, by=('setpriv', '--reuid', str(NOBODY), '--clear-groups'))
        want("this file can't be made" in r.err, 'it said %r' % r.err)
        only(s)


# --- stacks, threads and code -------------------------------------------------------------------------------------

@in_both('stacks end in four threads, whose handlers have small stacks of their own')
def _(s, go, wall):
    r = go('stackends')
    whole(r.path, wall, 4)
    rows, total = shares(r.path)
    want(incl_of(rows, 'on_overflow') > .2 * total, 'on_overflow: %s of %d' % (rows.get('on_overflow'), total))
    only(s, 'p')


@in_both('a thread by clone() alone')
def _(s, go, wall):
    p = Profile(go('rawthread').path)
    want(p.total >= 1100, '%d samples of 1200 at least' % p.total)
    if not wall:
        right_total(p)


@in_both('libraries come and go in four threads')
def _(s, go, wall):
    whole(go('plugincrowd', E['PLUGIN_A']).path, wall, 4)
    only(s, 'p')


@in_both('code that is made, run and thrown away in four threads')
def _(s, go, wall):
    whole(go('jitcrowd').path, wall, 4)
    only(s, 'p')


@t('three thousand threads at 4000 Hz, wall time')
def _():
    with Scratch() as s:
        p = whole(run(s, 'threads', 3000, hz=4000, env=MODES['wall']).path, True)
        equal(p.count('threads that could not be sampled'), 0, 'threads without a timer')
        only(s, 'p')


@in_both('a thread that waits for another one of the sampler sleeps: where many run, it would starve who it waits for')
def _(s, go, wall):
    r = go('unyielding', 1600)
    equal(r.out, 'through\n', 'what it said')
    whole(r.path, wall)


@t('a thread gets on while it waits for its first signal')
def _():
    with Scratch() as s:
        bare, cost = (float(x.said('cpu ([0-9.]+)')) for x in (run(s, 'steps', 400, preload=False, path=False), run(s, 'steps', 400, hz=4000)))
        want(cost < 2 * bare + .1, '%.3f s of CPU time, bare %.3f s' % (cost, bare))


@t('to close a library that stays, or was never sampled, costs nothing, however long the list of mappings is')
def _():
    with Scratch() as s:
        for what in ('5000', '5000:' + E['PLUGIN_A']):
            bare, cost = (float(x.said('cpu ([0-9.]+)'))
                          for x in (run(s, 'mappings', what, preload=False, path=False), run(s, 'mappings', what)))
            want(cost < 2 * bare + .2, '%s: %.3f s of CPU time, bare %.3f s' % (what, cost, bare))


# --- calls: a program must not notice -----------------------------------------------------------------------------

def unnoticed(*scene):
    """What it prints and how it ends, bare and in either mode, at two rates: a signal comes late in a call, or early."""
    with Scratch() as s:
        bare = run(s, *scene, preload=False, path=False)
        for mode, env in MODES.items():
            for hz in (100, 1000):
                r = run(s, *scene, hz=hz, env=env)
                equal(r.out, bare.out, '%s in %s time at %d Hz' % (scene, mode, hz))
                Profile(r.path)
        want('=' in bare.out or 'through' in bare.out, 'it said %r' % bare.out)


t.add('calls that a signal can end or cut short return what they do without it', unnoticed, 'calls')
t.add('code at the first byte of a mapping, rax as where a signal ended a call', unnoticed, 'edge')
for what in ('first', 'ends', 'makes', 'polls', 'unloads', 'strict'):
    t.add('a sandbox: nothing is called in it: ' + what, unnoticed, 'confined', what)


@t('500 threads that sleep cost nothing in wall time, and their time counts')
def _():
    with Scratch() as s:
        r = run(s, 'idle', 500, hz=100, env=MODES['wall'])
        p = Profile(r.path)
        want(p.observations() > .9 * p.total, '%d observations of %d samples' % (p.observations(), p.total))
        bare, cost = (float(x.said('cpu ([0-9.]+)')) for x in (run(s, 'idle', 500, preload=False, path=False), r))
        want(cost < 2 * bare, '%.3f s of CPU time, bare %.3f s' % (cost, bare))
        want(p.seconds() > .9 * 500 * .3, '%.1f s of samples' % p.seconds())
        rows, total = shares(r.path)
        most(rows, total, 'asleep', .9)


@t('a stack before there is a profile')
def _():
    with Scratch() as s:
        want(int(run(s, 'stack', path=False).said(r'frames (\d+)')) >= 3, 'frames')


# --- signals ------------------------------------------------------------------------------------------------------

@in_both('calls that wait for signals or time see the program\'s signals, and those alone')
def _(s, go, wall):
    r = go('waits')
    equal(r.said(r'sigwait (\d+)'), '15', 'sigwait')
    equal(r.said(r'sigtimedwait (-?\d+)'), '-1', 'sigtimedwait')
    equal((r.said(r'ppoll (-?\d+)'), r.said(r'pselect (-?\d+)')), ('0', '0'), 'ppoll and pselect')
    for call in ('sigtimedwait -1 after', 'sigsuspend', 'pause', 'ppoll 0', 'pselect 0'):
        want(float(r.said(call + r' ([\d.]+)')) >= .199, '%s ended after %s s, not .2' % (call, r.said(call + r' ([\d.]+)')))
    p = whole(r.path, wall, 2)
    if wall:
        want(p.seconds() >= .97 * float(p.said['duration']), '%.3f s of samples in %s s' % (p.seconds(), p.said['duration']))


@in_both('a storm of signals')
def _(s, go, wall):
    whole(go('storm').path, wall, 2)


# --- processes ----------------------------------------------------------------------------------------------------

@in_both('children that no handler of fork() sees leave the file alone')
def _(s, go, wall):
    p = whole(go('rawfork').path, wall)
    rows, total = shares(s.name('p'))
    equal(incl_of(rows, 'burning_thread'), 0, 'samples of the child\'s thread')
    if not wall:
        want(1150 <= p.total <= 1300, '%d samples of about 1200' % p.total)
    only(s, 'p')


@in_both('160 forks out of four threads')
def _(s, go, wall):
    whole(go('forkcrowd').path, wall, 4)
    for n in os.listdir(s.path):
        want(re.fullmatch(r'p(_\d+)?', n), 'a file is left over: ' + n)
        Profile(s.name(n))


def filtered(how):
    def test(s, go, wall):
        r = go('sandboxfilter', *how)
        equal(r.said(r'status (\d+)'), '0', 'status of the child')
        child = s.name('p_' + r.said(r'child (\d+)'))
        rows, total = shares(child)
        want(total > 100, '%d samples' % total)
        most(rows, total, 'count', .8 if wall else .9)
    in_both('a child whose filter kills it for any call but the last, by %s()' % (how and 'syscall' or 'prctl'))(test)


filtered(())
filtered((1,))


@t('an exec of a program that takes no library in: it runs, and leaves nothing')
def _():
    if not E.get('SCENES_STATIC'):
        return 'skip:no static program could be built'
    with Scratch() as s:
        r = run(s, 'execother', E['SCENES_STATIC'])
        equal(r.said(r'status (\d+)'), '0', 'status')
        right_total(Profile(r.path))
        only(s, 'p')


@t('a program that gets rights: assay record says so, LD_PRELOAD can do nothing and harms nothing')
def _():
    if os.geteuid() != 0:
        return 'skip:needs rights'
    with Scratch() as s:
        os.chmod(s.path, 0o755)
        program = s.name('rights')
        shutil.copy(SCENES, program)
        os.chown(program, NOBODY, NOBODY)
        os.chmod(program, 0o755 | stat.S_ISUID)
        r = run(s, 'loop', 100, program=program, env={'CPUPROFILE': s.name('p')})
        equal(r.err, '', 'what is said')
        only(s, 'rights')
        r = tap.assay('record', '-o', s.name('q.prof'), '--', program, 'loop', '200')
        want('gets rights of its own when it starts' in r.err, 'assay record says %r' % r.err)
        want(not r.crashed, 'assay record', r)
        want(os.path.exists(s.name('q.prof')) or 'error' in r.err or 'no samples' in r.err, 'there is no profile, and no word of it: %r' % r.err)


@t('a program of another kind of machine: assay record says so')
def _():
    with Scratch() as s:
        data = bytearray(tap.contents(SCENES))
        data[18:20] = (183 if data[18] == 62 else 62).to_bytes(2, 'little')
        os.chmod(s.file('other', bytes(data)), 0o755)
        r = tap.assay('record', '-o', s.name('q.prof'), '--', s.name('other'))
        want(r.code != 0 and 'of another kind' in r.err, 'assay record says %r' % r.err)
        want(not [n for n in os.listdir(s.path) if n.startswith('.')], 'a folder is left over')


# --- valgrind and sanitizers --------------------------------------------------------------------------------------

@t('valgrind finds no error')
def _():
    if not shutil.which('valgrind'):
        return 'skip:valgrind is not installed'
    with Scratch() as s:
        for scene in (('loop', 50), ('threads', 16), ('fork',), ('pluginloop', E['PLUGIN_A']), ('deep', 60), ('sort', 100)):
            r = run(s, *scene, under=('valgrind', '-q', '--error-exitcode=99', '--trace-children=yes', '--child-silent-after-fork=no'))
            want('==' not in r.err, 'valgrind says of %s: %s' % (scene, r.err[:2000]))
            for n in os.listdir(s.path):
                Profile(s.name(n))
                os.unlink(s.name(n))


def sanitized(kind):
    program = E.get('SCENES_' + kind)
    if not program:
        return 'skip:no program could be built with it'
    options = {'ASAN_OPTIONS': 'verify_asan_link_order=0:detect_leaks=1:allocator_may_return_null=1', 'UBSAN_OPTIONS': 'print_stacktrace=1'}
    with Scratch() as s:
        for scene in (('loop', 200), ('threads', 64), ('calibrated', 200), ('storm',), ('coroutines',) if kind == 'UBSAN' else ('sort',), ('fork',)):
            r = run(s, *scene, hz=1000, program=program, env=options, code=None)
            equal((r.code, tap.SANITIZER.findall(r.err)), (0, []), 'status of %s and what it says: %s' % (scene, r.err[:1500]))
            p = Profile(r.path)
            want(p.total > 0, 'no samples of %s' % (scene,))
            if scene[0] == 'calibrated':
                right_total(p, 4)
                rows, total = shares(r.path)
                want(incl_of(rows, 'shares') > .8 * total, 'shares: %s of %d' % (rows.get('shares'), total))


for name in ('ASAN', 'UBSAN', 'TSAN'):
    t.add('programs with %s' % name, sanitized, name)


t.run()
