#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay daemon: a machine recorded into a database, against the kernel's own counts, and asked while it runs.

The truth is /proc/stat, rusage of programs that we start, and conservation: what the kernel took is in the files. Environment:
ASSAY, SCENES, ASSAY_KILLS (how often the daemon is killed).
"""
import glob
import gzip
import hashlib
import math
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'oracle'))
import dcpi_oracle  # noqa: E402
from daemons import HZ, Daemon, Made, answer, labels, run, total  # noqa: E402
from scene import E, Scratch, needs, tap, want  # noqa: E402

t = tap.Tap('daemon')
needs(t, 'SCENES')
PERIOD = 4994e-6        # as run_machine.py has it
KILLS = int(E.get('ASSAY_KILLS', '5'))
TICK = os.sysconf('SC_CLK_TCK')


def add(sums, more):
    for k, v in more.items():
        sums[k] = sums.get(k, 0) + v


def near(samples, seconds, slack, what):
    wanted = seconds / PERIOD
    want(abs(samples - wanted) <= 5 * math.sqrt(wanted) + slack * wanted, '%s: %d samples, %.0f by the kernel' % (what, samples, wanted))


with Scratch() as first:
    tried = subprocess.run([E['ASSAY'], 'record', '--all', '--no-show', '-y', '-o', first.name('x.pb.gz'), 'true'],
                           stderr=subprocess.PIPE, check=False)
    if tried.returncode:
        t.skip_all('events of processors are not allowed here: %s' % tried.stderr.decode().strip())


@t('what the kernel counted is in the files, segment after segment; processes have their CPU time, all together the busy time')
def _():
    with Scratch() as s, Daemon(s, '--segment', '1') as d:
        before = d.status()
        looped = subprocess.Popen([E['SCENES'], 'loop', '2500'], stdout=subprocess.DEVNULL)
        subprocess.run(['sh', '-c', 'i=0; while [ $i -lt 700 ]; do /bin/true; i=$((i+1)); done'], check=True)
        used = os.wait4(looped.pid, 0)[2]
        d.ask('flush')
        after = d.status()
        said = d.end()
        want(int(after['counted']) == int(after['stored']) + int(after['pending']) + int(after['not stored']), after)
        want('0 lost' in said and '0 not stored' in said, said)
        sums, whole = {}, 0
        for path in d.segments():
            add(sums, labels(path, 'pid'))
            whole += total(path)
        want(len(d.segments()) >= 3, 'segments: %s' % d.segments())
        want(whole >= int(after['counted']), '%d samples in the files, %s were counted' % (whole, after['counted']))
        want('%d samples' % whole == said.split(' in ')[0].split(': ')[-1].split('\n')[-1], '%d: %s' % (whole, said))
        near(sums.get(str(looped.pid), 0), used.ru_utime + used.ru_stime, .06, 'one process')
        near(int(after['counted']) - int(before['counted']), float(after['busy']) - float(before['busy']), .06, 'the machine')
        want(int(after['unknown']) <= .001 * whole + 1, after)


@t('a segment ends with the second, however late the recorder gets its turn')
def _():
    with Scratch() as s, Daemon(s, '--segment', '1') as d:
        while len(d.segments()) < 7:
            time.sleep(.1)
        d.end()
        took = sorted(float(re.search(r'Z-([0-9.]+)\.pb\.gz$', f).group(1)) for f in d.segments()[1:-1])
        want(took[len(took) // 2] < 1.4, 'seconds of each: %s' % took)
        off = sorted((float(f.split('T')[-1].split('Z-')[0][4:]) + .5) % 1 - .5 for f in d.segments()[1:])
        want(abs(off[len(off) // 2]) < .25, 'seconds from a whole one, at which they begin: %s' % off)


@t('a tree of processes has a label, from a word of the daemon\'s and of record\'s')
def _():
    with Scratch() as s, Daemon(s) as d:
        d.ask('label', 'night shift', '--', 'sh', '-c', '"$0" loop 300 >/dev/null; exit 0', E['SCENES'])
        run('record', '--label', 'other', '--', E['SCENES'], 'loop', '300', env=d.env)
        run('record', '--label', 'x', '--', 'sh', '-c', 'exit 7', code=7, env=d.env)
        d.ask('label', 'odd \x1b[31m\x07', '--', E['SCENES'], 'loop', '200')
        d.end()
        got = labels(d.segments()[0], 'label')
        near(got.get('night shift', 0), .3, .3, 'the first')
        near(got.get('other', 0), .3, .3, 'the second')
        shown = run('tags', d.segments()[0])[0]
        want('odd \x1b[31m\x07' in got and 'odd \\x1b[31m\\x07' in shown and '\x1b' not in shown, (got, shown))


@t('a script has one name, however long it runs')
def _():
    with Scratch() as s, Daemon(s) as d:
        script = s.file('count', '#!/bin/sh\ni=0; while [ $i -lt $1 ]; do i=$((i+1)); done\n')
        os.chmod(script, 0o755)
        d.ask('label', 'it', '--', 'sh', '-c', '"$0" 400000; i=0; while [ $i -lt 60 ]; do "$0" 9000; i=$((i+1)); done', script)
        d.end()
        want(b'assay: command' not in gzip.decompress(tap.contents(d.segments()[0])), 'a command as that of all')
        got = labels(d.segments()[0], 'process')
        mine = {r['process']: r['self'][0] for r in answer('top', d.db, '--by', 'process', '--label', 'label=it', '--relative')['rows']}
        want(got.get('count', 0) == mine.get('count') > 20 and mine.get('sh', 0) < .3 * mine['count'], str(mine))


@t('epochs begin when asked for, and are not changed any more; SIGHUP flushes, quit ends')
def _():
    with Scratch() as s, Daemon(s) as d:
        run_loop = [E['SCENES'], 'loop', '200']
        subprocess.run(run_loop, stdout=subprocess.DEVNULL, check=True)
        was = d.status()['epoch']
        name = d.ask('epoch').strip()
        want(name != was, '%s after %s' % (name, was))
        frozen = {f: hashlib.sha256(tap.contents(f)).digest() for f in d.segments()}
        want(frozen and all('/%s/' % was in f for f in frozen), frozen)
        subprocess.run(run_loop, stdout=subprocess.DEVNULL, check=True)
        d.p.send_signal(signal.SIGHUP)
        for _ in range(500):
            if len(d.segments()) > len(frozen):
                break
            time.sleep(.02)
        want(any('/%s/' % name in f for f in d.segments()), d.segments())
        d.ask('quit')
        d.p.wait(60)
        want(d.p.returncode == 0, 'exit status %d' % d.p.returncode)
        want(all(hashlib.sha256(tap.contents(f)).digest() == h for f, h in frozen.items()), 'a closed epoch changed')
        d.ask('status', code=3)


@t('a second daemon on the database is refused, and names the first')
def _():
    with Scratch() as s, Daemon(s) as d:
        _, said = run('daemon', '--for', '1s', code=None, env=d.env)
        want(str(d.p.pid) in said, said)
        d.end()


@t('killed at any moment it has damaged nothing, and lost no segment that was closed')
def _():
    with Scratch() as s:
        rng, busy = random.Random(1), subprocess.Popen([E['SCENES'], 'loop', '600000'], stdout=subprocess.DEVNULL)
        try:
            for _ in range(KILLS):
                with Daemon(s, '--segment', '1') as d:
                    d.ask('flush')
                    closed = set(d.segments())
                    time.sleep(rng.random() * 1.5)
                    d.p.kill()
                    d.p.communicate()
                    want(closed <= set(d.segments()), 'gone: %s' % (closed - set(d.segments())))
                    run('check', *d.segments())
            with Daemon(s) as d:
                d.end()
                left = [f for f in glob.glob(d.db + '/*/.*') + glob.glob(d.db + '/*/*/.*')]
                want(not left, 'left behind: %s' % left)
        finally:
            busy.kill()
            busy.wait()


@t('thousands of processes begin and end on one processor while the daemon has no turn')
def _():
    with Scratch() as s, Daemon(s) as d:
        d.p.send_signal(signal.SIGSTOP)
        try:
            subprocess.run(['sh', '-c', 'i=0; while [ $i -lt 2500 ]; do /bin/true; i=$((i+1)); done'], check=True,
                           preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
        finally:
            d.p.send_signal(signal.SIGCONT)
        d.ask('flush')
        want(d.status()['records of processes lost'] == '0', str(d.status()))
        d.end()


@t('flat: DCPI profiles, which an independent reader reads to the same sums')
def _():
    with Scratch() as s, Daemon(s, '--flat') as d:
        subprocess.run([E['SCENES'], 'loop', '700'], stdout=subprocess.DEVNULL, check=True)
        d.ask('flush')
        said = d.end()
        whole = 0
        for folder in d.segments('dcpi'):
            files = glob.glob(folder + '/*.dcpi*')
            if files:
                run('check', *files)
            theirs = sum(sum(dcpi_oracle.read(f).offsets(1).values()) for f in files)
            whole += theirs
            stored = [x.split() for x in tap.contents(folder + '/facts').decode().splitlines() if ' stored' in x]
            want(not stored or int(stored[0][-1]) == theirs, '%s: %s, %d in the files' % (folder, stored, theirs))
        want(('%d samples' % whole) in said, '%d in the files: %s' % (whole, said))
        want(whole >= .5 / PERIOD, '%d samples' % whole)


@t('a container: its own mounts, processes and root')
def _():
    with Scratch() as s, Daemon(s) as d:
        name = 'hidden%d' % os.getpid()
        inner = 'mount -t tmpfs none {0} && cp "$0" {0}/{1} && exec {0}/{1} loop 500'.format(s.name('m'), name)
        os.mkdir(s.name('m'))
        p = subprocess.run(['unshare', '-m', '-p', '-f', 'sh', '-c', inner, E['SCENES']], stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, check=False)
        if p.returncode:
            return 'skip:no file system can be mounted: %s' % p.stderr.decode().strip()
        d.end()
        got = labels(d.segments()[0], 'process')
        near(got.get(name, 0), .5, .2, 'the container\'s program')
        objects = {r['object']: r['self'][0] for r in answer('top', d.segments()[0], '--by', 'object', '--tagfocus', 'process=' + name)['rows']}
        ours = sum(n for o, n in objects.items() if o and o.endswith('/' + name))
        users = sum(n for o, n in objects.items() if o != '[kernel.kallsyms]')  # the kernel has more where others want the processor, too
        want(ours >= .9 * users, objects)
        return None


@t('code that processes have made has the names that each tells, at one address as in a container')
def _():
    with Scratch() as s, Daemon(s) as d, Made('red', 'blue') as made:
        if made.fails():
            return 'skip:no file system can be mounted: %s' % made.fails()
        for _ in range(20):     # however little of the machine they get
            time.sleep(1)
            d.ask('flush')
            rows = {r['function']: r['self'][0] for r in answer('top', d.db, '--symbols', 'none')['rows']}
            if rows.get('red', 0) > 20 and rows.get('blue', 0) > 20:
                break
        d.end()
        want(rows.get('red', 0) > 20 and rows.get('blue', 0) > 20, str(rows))
        pid = str(made.p[0].pid)
        rows = {r['function']: r['self'][0] for r in answer('top', d.db, '--process', pid, '--symbols', 'none')['rows']}
        want(rows.get('red', 0) > 20 and 'blue' not in rows, str(rows))
        objects = run('dump', d.segments()[-1])[0].count('object "[vdso]"')
        want(objects <= 1, '%d objects of one path' % objects)
        return None


@t('code that a process has made has its names when it has ended before the segment has')
def _():
    with Scratch() as s, Daemon(s, '--segment', '600') as d:
        p, began = subprocess.Popen([E['SCENES'], 'jitnamed', 'green'], stdout=subprocess.DEVNULL), time.monotonic()
        while ran(p) < .7 or time.monotonic() - began < 3:
            time.sleep(.1)
        p.kill()
        p.wait()
        d.end()
        rows = {r['function']: r['self'][0] for r in answer('top', d.db, '--process', str(p.pid), '--symbols', 'none')['rows']}
        os.unlink('/tmp/perf-%d.map' % p.pid)
        want(rows.get('green', 0) > .8 * sum(rows.values()) > 20, str(rows))


@t('a full disk: it is said, nothing is damaged, and the samples wait for room')
def _():
    with Scratch() as s:
        room = s.name('room')
        os.mkdir(room)
        if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=2m', 'none', room], stderr=subprocess.DEVNULL, check=False).returncode:
            return 'skip:no file system can be mounted'
        try:
            d = Daemon(s, '--segment', '1')
            d.db = room
            d.env = dict(E, ASSAY_DB=room)
            with d:
                d.ask('flush')
                with open(room + '/ballast', 'wb') as f:
                    try:
                        f.write(b'x' * (4 << 20))
                        f.flush()
                    except OSError:
                        pass
                subprocess.run([E['SCENES'], 'loop', '1500'], stdout=subprocess.DEVNULL, check=True)
                d.ask('flush', code=3)
                waits = d.status()
                want(int(waits['pending']) > 0 and int(waits['failed writes']) > 0, waits)
                os.unlink(room + '/ballast')
                d.ask('flush')
                after = d.status()
                want(int(after['stored']) >= int(waits['counted']) and int(after['not stored']) == 0, (waits, after))
                d.end()
                want(sum(total(f) for f in d.segments()) >= int(after['stored']), after)
                want(all(pid.isdigit() for f in d.segments() for pid in labels(f, 'pid')), 'a sample of two processes')
                run('check', *d.segments())
        finally:
            subprocess.run(['umount', room], check=False)
        return None


def ran(process):
    """CPU seconds until now."""
    with open('/proc/%d/schedstat' % process.pid) as f:
        return float(f.read().split()[0]) * 1e-9


def watched(daemon):
    """Events that it has open."""
    fds = '/proc/%d/fd/' % daemon.pid
    return sum('perf_event' in os.readlink(fds + fd) for fd in os.listdir(fds))


@t('another user records its own processes, those that ran before, and those that come')
def _():
    if os.geteuid() != 0 or not 1 <= int(open('/proc/sys/kernel/perf_event_paranoid').read()) <= 2:
        return 'skip:needs rights that can be given up'
    nobody = 61184 + os.getpid() % 4096     # of whom nothing else runs
    with Scratch() as s:
        os.chmod(s.path, 0o755)
        os.mkdir(s.name('db'))
        os.chown(s.name('db'), nobody, nobody)
        for name in ('ASSAY', 'SCENES'):
            shutil.copy(E[name], s.name(name))
            os.chmod(s.name(name), 0o755)
        who = {'user': nobody, 'group': nobody, 'env': dict(E, ASSAY_DB=s.name('db'), HOME=s.path), 'stdout': subprocess.DEVNULL}
        before = subprocess.Popen([s.name('SCENES'), 'loop', '60000'], **who)
        d = subprocess.Popen([s.name('ASSAY'), 'daemon', '-F', str(HZ), '--segment', '600'], stderr=subprocess.PIPE, **who)
        for _ in range(1500):       # by ourselves, of whom nothing is recorded
            if subprocess.run([E['ASSAY'], 'daemon', 'status'], env=who['env'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0:
                break
            time.sleep(.02)
        had, events, began = ran(before), watched(d), time.monotonic()
        later = subprocess.Popen([s.name('SCENES'), 'loop', '60000'], **who)
        # It looks for those that come once in a second, and a machine that is busy lets it wait.
        while ran(later) < .7 or time.monotonic() - began < 3 or (watched(d) <= events and time.monotonic() - began < 60):
            time.sleep(.1)
        had, used = ran(before) - had, ran(later)
        d.send_signal(signal.SIGTERM)
        said = d.communicate(timeout=60)[1].decode()
        for p in (before, later):
            p.kill()
            p.wait()
        want(d.returncode == 0 and 'those of this user are' in said, said)
        path = glob.glob(s.name('db') + '/*/*/*.pb.gz')[0]
        got = labels(path, 'pid')
        want(set(got) <= {str(x.pid) for x in (before, later, d)}, '%s of %d, %d' % (got, before.pid, later.pid))
        want(got.get(str(before.pid), 0) and got.get(str(later.pid), 0), '%s of %d, %d' % (got, before.pid, later.pid))
        want(total(path) >= .9 * (had + .3 * used) / PERIOD - 5, '%d: %.2f and %.2f s' % (total(path), had, used))
        for command in (['daemon'], ['record', '-a']):
            p = subprocess.run([s.name('ASSAY'), *command, '--for', '1s', '-o', s.name('db') + '/x.pb.gz'], stderr=subprocess.PIPE, check=False, **who)
            want(p.returncode == 5 and 'assay daemon --for 1s' in p.stderr.decode(), p.stderr)
        return None


class Talk:
    """A connection to the daemon's socket, without the program."""

    def __init__(self, d, text=b''):
        self.c = socket.socket(socket.AF_UNIX)
        self.c.connect(next(iter(glob.glob(d.db + '/*/socket'))))
        self.c.sendall(text)

    def says(self, text=b'', end=False):
        if text:
            self.c.sendall(text)
        if end:
            self.c.shutdown(socket.SHUT_WR)
        got = b''
        while more := self.c.recv(1 << 16):
            got += more
        self.c.close()
        return got.decode()


@t('who is silent, or has said half a line, keeps nobody waiting; what is no request is refused')
def _():
    with Scratch() as s, Daemon(s) as d:
        half, silent = Talk(d, b'sta'), [Talk(d) for _ in range(3)]
        was = d.status()['epoch']
        want(half.says(b'tus\n').startswith('ok\ndatabase '), 'half a line, and the rest')
        for line in ('epoch ../../x', 'flush now', 'quit please', 'status 1', 'restart', '', ' ', 'live x', 'live 1 2', 'label', 'label x',
                     'label 1', 'label x y', 'label 99999999999 y', '\x1b[31m\x00'):
            got = Talk(d).says(line.encode() + b'\n')
            want(got.startswith('error ') and got.count('\n') == 1, '%r: %r' % (line, got))
        want('not a whole line' in Talk(d).says(b'quit', end=True), 'a line without an end')
        want('not a whole line' in Talk(d).says(end=True), 'no line')
        want('too long' in Talk(d, b'status' + 506 * b' ').says(), 'a long line')
        want(d.status()['epoch'] == was, 'an epoch has begun')
        many = [Talk(d) for _ in range(40)]
        want(d.status()['epoch'] == was and 'too many' in many[0].says(), 'many of them')
        want(silent[0].says() and many[-1].says(b'status\n').startswith('ok\n'), 'the first goes, not the last')
        d.end()


@t('once it has quit, all samples are in the database, and another one may record')
def _():
    with Scratch() as s, Daemon(s) as d:
        subprocess.run([E['SCENES'], 'loop', '300'], stdout=subprocess.DEVNULL, check=True)
        counted = int(d.status()['counted'])
        d.ask('quit')
        want(sum(total(f) for f in d.segments()) >= counted > 0, '%d were counted' % counted)
        run('daemon', '--for', '0.1s', '-q', env=d.env)


@t('words that make no sense')
def _():
    with Scratch() as s:
        env = dict(E, ASSAY_DB=s.name('db'))
        for args, said in ((['restart'], "'restart' is nothing"), (['epoch', '../x'], "'epoch' takes nothing more: '../x'"), (['-F', '0'], 'from 1 to 20000'), (['--keep-age', 'x'], 'takes a time'),
                           (['--event', 'fault'], "there is no event 'fault'"), (['--flat', '--stacks', 'fp'], 'has no stacks'),
                           (['-o', 'x.pb.gz'], "'--for' says"), (['label', 'x'], 'a label and a program'),
                           (['label', ' ', 'true'], 'one line'), (['label', 'a\nb', 'true'], 'one line'), (['label', 401 * 'x', 'true'], '400')):
            want(said in run('daemon', *args, code=2, env=env)[1], '%s' % args)
        want('no daemon records' in run('daemon', 'status', code=3, env=env)[1], 'status')
        want("'--flat'" in run('daemon', '--flat', '--for', '1s', '-o', 'x.pb.gz', code=2, env=env)[1], 'a file of addresses')
        s.file('no folder', '')
        want('no folder/' in run('daemon', '--for', '1s', code=3, env=dict(E, ASSAY_DB=s.name('no folder')))[1], 'what is no folder')


@t('one file of a minute is record --all')
def _():
    with Scratch() as s:
        path = s.name('m.pb.gz')
        other = subprocess.Popen([E['SCENES'], 'loop', '60000'], stdout=subprocess.DEVNULL)    # an idle machine has no samples
        try:
            run('daemon', '--for', '0.5s', '-o', path, '-q')
        finally:
            other.kill()
            other.wait()
        want(0 < total(path) < 1e4 and labels(path, 'pid'), path)


t.run()
