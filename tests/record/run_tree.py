#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trees of processes, recorded by `assay record`: what took no library in is recorded from outside, or told, and counted once.

What is asserted: samples against the CPU time that the kernel charged to the tree (wait4), and what a child was told to do.
Environment: ASSAY, SCENES, SCENES_STATIC.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

SCENES, STATIC = os.environ.get('SCENES'), os.environ.get('SCENES_STATIC')
NOBODY = 65534
t = tap.Tap('tree')
if not SCENES:
    t.skip_all('SCENES is not set')
CHECKS = {c['about']: c['state'] for c in tap.Run(['doctor', '-f', 'json']).json()['checks']}
if CHECKS.get('sampler') != 'ok':
    t.skip_all('there is no sampler')
WHOLE = CHECKS.get('all processes') == 'ok'


class Recorded:
    """A recording of a shell's command: the CPU time of its tree, and what was said."""

    def __init__(self, scratch, command, *options, user=None, name='p.prof'):
        self.path = scratch.name(name)
        args = [*tap.ASSAY, 'record', '--no-show', *options, '-o', self.path, 'sh', '-c', command]
        p = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, user=user, group=user,
                             extra_groups=[] if user else None, cwd=scratch.path)
        self.err = p.stderr.read().decode()
        _, status, used = os.wait4(p.pid, 0)
        equal(status, 0, 'status: ' + self.err)
        self.used = used.ru_utime + used.ru_stime
        info = tap.Run(['info', '-f', 'json', self.path]).json()
        self.duration, self.parts = (info['duration'] or 0) * 1e-9, info['parts']
        j = tap.top(self.path)
        self.total = j['events'][0]['total'] * .001
        self.missed = float((re.search(r'([\d.]+) s of [\d.]+ s CPU time are in no sample', self.err) or [0, 0])[1])
        self.outside = float((re.search(r'([\d.]+) s of CPU time in \d+ process', self.err) or [0, 0])[1])


def once(r, child, mine):
    """CHILD and MINE: CPU seconds of what has no sampler, and of what has one. What assay itself takes is in r.used."""
    want(r.total <= r.used + .05, '%.3f s of samples, %.3f s of CPU time: %s' % (r.total, r.used, r.err))
    if WHOLE:
        want(abs(r.outside - child) <= .15 * child + .03, '%.3f s from outside of %.3f: %s' % (r.outside, child, r.err))
        want(abs(r.total - child - mine) <= .15 * (child + mine) + .05, '%.3f s of %.3f: %s' % (r.total, child + mine, r.err))
        equal(r.missed, 0, 'missed')
    else:
        want(abs(r.missed - child) <= .15 * child + .08, '%.3f s are said to be missed, of %.3f' % (r.missed, child))


@t('a static child')
def _():
    if not STATIC:
        return 'skip:no static libc'
    with Scratch() as s:
        once(Recorded(s, '%s loop 300; %s loop 500; :' % (SCENES, STATIC), '-F', '1000'), .5, .3)


@t('a child without its environment')
def _():
    with Scratch() as s:
        once(Recorded(s, '%s loop 300; env -i %s loop 500; :' % (SCENES, SCENES), '-F', '1000'), .5, .3)


@t('a child with rights of its own')
def _():
    if os.getuid() != 0:
        return 'skip:needs root, to give rights'
    with Scratch() as s:
        os.chmod(s.path, 0o755)
        shutil.copy(SCENES, s.name('other'))
        os.chown(s.name('other'), NOBODY, NOBODY)
        os.chmod(s.name('other'), 0o4755)
        once(Recorded(s, '%s loop 300; ./other loop 500; :' % SCENES, '-F', '1000'), .5, .3)


@t('children that have the sampler are not recorded from outside as well')
def _():
    with Scratch() as s:
        r = Recorded(s, '%s loop 300; %s fork; :' % (SCENES, SCENES), '-F', '1000')
        equal((r.outside, r.missed), (0, 0), 'from outside, and missed: ' + r.err)
        want(r.total <= r.used + .05, '%.3f s of samples, %.3f s of CPU time' % (r.total, r.used))


@t('where events of processors are not allowed it is told how much is missing')
def _():
    if os.getuid() != 0 or not STATIC:
        return 'skip:needs root, to be somebody else, and a static libc'
    with open('/proc/sys/kernel/perf_event_paranoid') as f:
        if int(f.read()) < 1:
            return 'skip:they are allowed to all'
    with Scratch() as s:
        os.chmod(s.path, 0o777)
        for program in (SCENES, STATIC):
            shutil.copy(program, s.path)
            os.chmod(s.name(os.path.basename(program)), 0o755)
        try:
            r = Recorded(s, './%s loop 200; ./%s loop 500; :' % tuple(map(os.path.basename, (SCENES, STATIC))), '-F', '1000', user=NOBODY)
        except PermissionError:
            return 'skip:nobody else may run what is built here'
        equal(r.outside, 0, 'from outside')
        want(abs(r.missed - .5) <= .15, '%.3f s are said to be missed: %s' % (r.missed, r.err))


@t('a process that outlives the recording is named')
def _():
    with Scratch() as s:
        r = Recorded(s, 'sleep 600 2>/dev/null & echo $! >left; %s loop 100; :' % SCENES)
        os.kill(int(tap.contents(s.name('left'))), signal.SIGKILL)
        want(re.search(r'1 process that it started runs on \(\d+ sleep\): what comes is not recorded', r.err), r.err)


@t('a tree has the command that was typed, and the time that passed')
def _():
    with Scratch() as s:
        for name in ('p.prof', 'p.pb.gz'):
            command = '%s loop 300 & %s loop 300; wait' % (SCENES, SCENES)
            began = time.monotonic()
            r = Recorded(s, command, name=name)
            passed = time.monotonic() - began
            equal({p['command'] for p in r.parts}, {'sh -c ' + command}, 'command of ' + name)
            want(0 < r.duration <= passed, '%.3f s, of %.3f that passed' % (r.duration, passed))
        r = Recorded(s, command, name='p.cg')
        # the shell may have a sample of its own, also in a child that is not yet another program
        programs = [p['command'] for p in r.parts if p['command'] != 'sh -c ' + command]
        equal(programs, 2 * ['%s loop 300' % SCENES], 'a part for each process')
        equal(tap.Run(['info', '-f', 'json', r.path]).json()['command'], 'sh -c ' + command, 'command of p.cg')
        want('sh -c ' + command in tap.Run(['show', r.path]).out.decode().splitlines()[0], 'the first line')
        for again in ('again.cg', 'again.prof'):
            equal(tap.Run(['convert', '-q', r.path, '-o', s.name(again)]).code, 0, 'converted')
            equal(tap.Run(['info', '-f', 'json', s.name(again)]).json()['command'], 'sh -c ' + command, 'command of ' + again)


@t('whose a sample is stands in its labels where the format has no parts')
def _():
    with Scratch() as s:
        r = Recorded(s, '%s loop 300 & echo $! >child; %s loop 300; wait' % (SCENES, SCENES), '-F', '1000', name='p.pb.gz')
        want('lost: which of' not in r.err, r.err)
        child = int(open(s.name('child')).read())
        j = tap.Run(['tags', '-f', 'json', r.path]).json()
        at = [e['name'] for e in j['events']].index('samples')
        cost = {v['number']: v['self'][at] for x in j['labels'] if x['label'] == 'pid' for v in x['values']}
        want(len(cost) >= 2 and child in cost, '%s: %s' % (child, cost))
        want(.2 <= cost[child] * .001 <= .6, '%d samples of 0.3 s' % cost[child])
        text = tap.Run(['top', '--by', 'label', r.path]).out.decode()
        want('pid=%d' % child in text, text)
        pprof = tap.find_go_pprof()
        if not pprof:
            return 'n/a: no go'
        ask = lambda *how: subprocess.run([pprof, '-sample_index=samples', *how, r.path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()  # noqa: E731
        text = ask('-tags')
        want(re.search(r'(?m)^ *%d\.0 \( *[0-9.]+%%\): %d$' % (cost[child], child), text), text)
        text = ask('-top', '-tagfocus', 'pid=%d' % child)
        want('accounting for %d,' % cost[child] in text, text)


@t('where there is no /proc, that is said')
def _():
    with Scratch() as s:
        shell = 'mount -t tmpfs none /proc && exec "$@"'
        p = subprocess.run(['unshare', '-r', '-m', 'sh', '-c', shell, 'sh', *tap.ASSAY, 'record', '-o', s.name('p.prof'), SCENES, 'loop', '1'],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=s.path)
        text = p.stderr.decode()
        if 'unshare' in text or 'mount: ' in text:
            return 'skip:no file system can be mounted'
        want('/proc is not mounted' in text and 'make install' not in text, text)


@t('a recorder that was killed leaves what it recorded, and the next one says where')
def _():
    with Scratch() as s:
        p = subprocess.Popen([*tap.ASSAY, 'record', '-F', '1000', '--no-show', '-o', s.name('p.prof'), SCENES, 'loop', '1000'],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=s.path)
        end = time.monotonic() + 60
        left = []
        while not left and time.monotonic() < end:
            time.sleep(.05)
            left = [d for d in os.listdir(s.path) if d.startswith('.assay-record-') and os.listdir(s.name(d))]
        want(left, 'no folder')
        beside = Recorded(s, ':', name='q.prof')
        want('that was killed' not in beside.err, 'it runs still: ' + beside.err)
        p.kill()
        p.wait()
        r = Recorded(s, ':', name='r.prof')
        want('a recording that was killed left ' in r.err and left[0] in r.err, r.err)
        time.sleep(.2)
        _, findings = tap.check(os.path.join(s.path, left[0], 'profile'))
        equal([f for f in findings if f['severity'] == 'error'], [], 'findings')


@t('cycles, and rates above 4000 Hz, from outside')
def _():
    with Scratch() as s:
        got = tap.Run(['record', '-F', '9000', '--no-show', '-o', s.name('p.prof'), SCENES, 'loop', '100'])
        equal(got.code, 2, got.err)
        want('up to 20000' in got.err, got.err)
        got = tap.Run(['record', '-F', '9000', '--stacks', 'frames', '--no-show', '-o', s.name('p.prof'), SCENES, 'loop', '100'])
        if got.code == 5:
            return 'skip:perf events are not allowed here'
        equal(got.code, 0, got.err)
        equal(tap.Run(['info', '-f', 'json', s.name('p.prof')]).json()['events'][0]['period'], 111, 'period')
        got = tap.Run(['record', '--event', 'cycles', '--no-show', '-o', s.name('q.prof'), SCENES, 'loop', '100'])
        equal(got.code, 0, got.err)
        want('hardware cycles' in got.err or 'no cycle counter' in got.err, got.err)


MAIN = """#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
__attribute__((noipa)) void unit(void) { for (volatile int i = 0; i < 100; i++) ; }
static void units(int n) { while (n--) unit(); }
int main(int n, char **v)
{
	char *again[] = {v[0], "child", 0};
	pid_t pid;
	if (strcmp(v[1], "child") == 0) {
		units(100);
		return 0;
	}
	units(50);
	if (*v[1] == 'e') /* becomes the other itself */
		return execv(v[0], again);
	if (*v[1] == 's')
		posix_spawn(&pid, v[0], 0, 0, again, environ);
	else if (!(pid = *v[1] == 'v' ? vfork() : fork())) {
		if (*v[1] != 'f')
			_exit(execv(v[0], again));
		units(100);
		return 0;
	}
	waitpid(pid, 0, 0);
	units(50);
	return 0;
}
"""


@t('exact counts: what a process did counts once, whatever it makes or becomes')
def _():
    if not shutil.which('valgrind') or not shutil.which('cc'):
        return 'skip:valgrind or a compiler is not installed'
    with Scratch() as s:
        with open(s.name('f.c'), 'w') as f:
            f.write(MAIN)
        subprocess.run(['cc', '-O1', '-g', '-w', '-o', s.name('f'), s.name('f.c')], check=True)
        for how, wanted in (('fork', 200), ('vfork', 200), ('spawn', 200), ('exec', 150), ('x: fork, then exec', 200)):
            path = s.name(how[0] + '.callgrind')
            got = tap.Run(['record', '--callgrind', '--no-show', '-o', path, s.name('f'), how])
            equal(got.code, 0, got.err)
            j = tap.Run(['peek', '-f', 'json', 'unit', path]).json()
            equal(sum(c['calls'] for f in j['functions'] for c in f['callers']), wanted, 'calls of unit: ' + how)


t.run()
