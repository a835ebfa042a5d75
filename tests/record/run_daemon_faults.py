#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay daemon that is killed at any moment, whose disk is full, whose clock jumps: what was stored is there once, and whole.

The daemon works under load with segments of a second. Each is read when it is first seen, by readers that are not assay's, and
must be there later, alone or in the sum of what it was rolled up to (ledger.py). daemon_shim.c is preloaded: its clock is ours,
so hours and days go by, and it can be killed at its n-th call that changes the disk.

Environment: ASSAY, SCENES, DAEMON_SHIM_SO, FAULTS_KILLS, FAULTS_FULL, FAULTS_JUMPS (how often; 200, 50, 20).
"""
import fcntl
import itertools
import mmap
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ledger import Ledger  # noqa: E402
from scene import E, Scratch, needs, tap, want  # noqa: E402

t = tap.Tap('daemon faults')
needs(t, 'SCENES', 'DAEMON_SHIM_SO')
KILLS, FULL, JUMPS = (int(E.get('FAULTS_' + x, n)) for x, n in (('KILLS', 200), ('FULL', 50), ('JUMPS', 20)))
HOUR, DAY = 3600, 86400
MODES = ('stacks', 'flat')
ALL_MODES = [mode + events for mode in MODES for events in ('', ' of several events')]
EVENTS = ['-e', 'cpu-clock,page-faults:50,context-switches:3']
PAGES = itertools.count()
# the page of daemon_shim.c, in numbers of 8 bytes
OFFSET, LEFT, LEFT_CHILD, WRITES, WRITES_CHILD, CHILD, CHILD_ALONE, CHILD_WAITS = range(8)


class Page:
    def __init__(self, path):
        with open(path, 'wb') as f:
            f.write(bytes(4096))
        self.path = path
        with open(path, 'r+b') as f:
            self.map = mmap.mmap(f.fileno(), 4096)

    def __getitem__(self, i):
        return struct.unpack_from('<q', self.map, 8 * i)[0]

    def __setitem__(self, i, value):
        struct.pack_into('<q', self.map, 8 * i, value)

    def jump(self, seconds):
        self[OFFSET] += int(seconds * 1e9)

    def clear(self):
        for i in range(LEFT, CHILD_WAITS + 1):
            self[i] = 0


class Daemon:
    """One that records into DB, under the shim."""
    living = set()

    def __init__(self, scratch, mode, db=None, hz=199, more=()):
        self.db = db or scratch.name('db')
        self.page = Page(scratch.name('page%d' % next(PAGES)))
        self.ledger = Ledger(self.db + '/box')
        self.args = ['--db', self.db, '--host', 'box', '-F', str(hz), *(['--flat'] if 'flat' in mode else []),
                     *(EVENTS if 'events' in mode else []), *more]
        self.env = {**E, 'LD_PRELOAD': E['DAEMON_SHIM_SO'], 'DAEMON_SHIM': self.page.path, 'ASSAY_SYMBOLS': 'none'}
        self.said = ''
        self.stored = 0         # of this process, by the ledger
        self.bad = []

    def start(self, wait=True, segment='1'):
        self.page.clear()
        self.stored = 0
        self.p = subprocess.Popen([E['ASSAY'], 'daemon', '--segment', segment, *self.args], env=self.env, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
        self.living.add(self.p)
        if wait and not self.ready():
            raise RuntimeError('it does not begin: %s' % self.close())
        return self

    def ready(self):
        for _ in range(1000):
            if self.p.poll() is not None:
                return False
            if self.ask('status', quiet=True):
                return True
            time.sleep(.01)
        return False

    def connect(self):
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(300)       # a machine that is busy may let it wait for long
        s.connect(self.db + '/box/socket')
        return s

    def ask(self, word, connection=None, quiet=False):
        """The answer, "ok" with what comes behind it; "" if nobody answers."""
        why = 'an empty one'
        try:
            with connection or self.connect() as s:
                s.sendall(word.encode() + b'\n')
                answer = b''.join(iter(lambda: s.recv(1 << 16), b'')).decode()
        except OSError as e:
            answer, why = '', str(e)
        want(answer or quiet, 'no answer to %s: %s' % (word, why if self.p.poll() is None else 'it has ended, %s' % self.p.returncode))
        return answer

    def status(self):
        lines = self.ask('status').replace(' s\n', '\n').splitlines()[1:]
        s = dict(line.rsplit(' ', 1) for line in lines)
        s = {k: int(v) if v.isdigit() else v for k, v in s.items()}
        if s['counted'] != s['stored'] + s['pending'] + s['not stored']:
            self.bad.append('what was counted is not what became of it: %s' % s)
        return s

    def look(self):
        bad, new = self.ledger.look()
        self.bad += bad
        self.stored += sum(s.total for s in new)
        return new

    def agree(self):
        """What it says that it has stored is in the database. On a busy machine it may store more than we look at meanwhile, so it
        stands still."""
        for _ in range(20):
            before = self.status()
            self.p.send_signal(signal.SIGSTOP)
            try:
                self.look()
            finally:
                self.p.send_signal(signal.SIGCONT)
            if before['stored'] == self.stored:
                break
        if before['stored'] != self.stored:
            self.bad.append('%d samples in the database, stored are %d: %s' % (self.stored, before['stored'], before))
        return before

    def cut(self):
        """A segment ends, and what goes with that, as rolling up."""
        before = self.status()
        self.p.send_signal(signal.SIGHUP)
        for _ in range(2000):
            now = self.status()
            if now['segments'] + now['failed writes'] > before['segments'] + before['failed writes']:
                return now
            time.sleep(.01)
        raise tap.Bad('it does not heed SIGHUP')

    def child_ends(self):
        for _ in range(2000):
            if not self.page[CHILD]:
                return
            time.sleep(.01)
        raise tap.Bad('it rolls up for ever')

    def close(self):
        """After its end: what it has said. Its child has its stderr, too."""
        said = self.p.communicate(timeout=60)[1].decode('utf-8', 'replace')
        self.living.discard(self.p)
        self.said += said
        return said

    def kill(self):
        self.p.kill()
        said = self.close()
        self.bad += [said] if 'assert' in said or 'Sanitizer' in said else []

    def end(self, how=signal.SIGTERM):
        self.p.send_signal(how)
        return self.close()


class Load:
    """What runs meanwhile: a loop, and processes that come and go."""

    def __enter__(self):
        self.p = [subprocess.Popen([E['SCENES'], 'loop', '3600000'], stdout=subprocess.DEVNULL),
                  subprocess.Popen(['sh', '-c', 'while :; do /bin/true; /bin/sleep .01; done'])]

    def __exit__(self, *_):
        for p in self.p:
            p.kill()
            p.wait()


def side_by_side(f, items):
    """f(item) of each in a thread of its own; the first exception of any is ours."""
    done = []

    def run(item):
        try:
            done.append((f(item), None))
        except Exception as e:      # noqa: BLE001, it is raised below
            done.append((None, e))

    threads = [threading.Thread(target=run, args=(i,)) for i in items]
    for x in threads:
        x.start()
    for x in threads:
        x.join()
    for _, e in done:
        if e:
            raise e
    return [result for result, _ in done]


def test(title):
    """No daemon outlives its test."""
    def keep(f):
        def run():
            try:
                return f()
            finally:
                for p in Daemon.living:
                    p.kill()
                    p.communicate()
                Daemon.living.clear()
        return t(title)(run)
    return keep


def nothing_wrong(d):
    want(not d.bad, '\n'.join(d.bad[:12]))


with Scratch() as first:
    tried = subprocess.run([E['ASSAY'], 'record', '--all', '--no-show', '-y', '-o', first.name('x.pb.gz'), 'true'],
                           stderr=subprocess.PIPE, check=False)
    if tried.returncode:
        t.skip_all('events of processors are not allowed here: %s' % tried.stderr.decode().strip())


# ---- kill -9 ---------------------------------------------------------------------------------------------------------

def kill_early(d, rng):
    d.start(wait=False)
    time.sleep(rng.random() * .15)
    return 'while it begins'


def kill_any_time(d, rng):
    d.start()
    if rng.random() < .5:
        d.ask('flush')
        d.agree()
    time.sleep(rng.random() * 1.3)
    return 'while it records'


def wait_for_end(d, seconds):
    try:
        d.p.wait(seconds)
    except subprocess.TimeoutExpired:
        pass


def kill_writing(d, rng):
    d.start()
    time.sleep(rng.random() * .2)
    d.page[LEFT] = rng.randrange(1, 60 if '--flat' in d.args else 12)
    d.p.send_signal(signal.SIGHUP)
    wait_for_end(d, 1.5)
    return 'while it records'


def kill_rolling(d, rng):
    """Hours and days go by between segments: those before are rolled up."""
    d.start()
    for _ in range(rng.randrange(2, 4)):
        time.sleep(rng.random() * .1)
        d.ask('flush')
    d.agree()
    d.page.jump(rng.choice((HOUR, HOUR, 26 * HOUR)))
    d.page[CHILD_ALONE] = rng.random() < .2
    d.page[LEFT_CHILD] = rng.choice((0, rng.randrange(1, 12), rng.randrange(1, 200)))
    d.cut()
    wait_for_end(d, rng.random())
    return 'while it records'


def killed_one(d, rng):
    """The phase in which it was killed."""
    how = rng.choices((kill_early, kill_any_time, kill_writing, kill_rolling), (1, 3, 3, 4))[0]
    try:
        phase = how(d, rng)
    except tap.Bad:
        wait_for_end(d, 5)
        if d.p.poll() is None:      # else the shim killed it while we asked
            raise
        phase = 'while it records'
    d.kill()
    page = d.page
    phase = ('while it writes a segment' if page[WRITES] else 'while it writes what was rolled up' if page[WRITES_CHILD]
             else 'while it rolls up' if page[CHILD] else phase)
    d.look()
    return phase


def killed(job):
    mode, n = job
    rng, phases = random.Random(mode), Counter()
    with Scratch() as s:
        d = Daemon(s, mode)
        for _ in range(n):
            phases[killed_one(d, rng)] += 1
            nothing_wrong(d)
        d.start()       # who comes next sweeps what the others left, and rolls up what they did not
        d.ask('flush')
        d.page.jump(26 * HOUR)
        d.cut()
        d.agree()
        d.end()
        d.look()
        want(d.page[CHILD] == 0, 'the last one has not rolled up')
        d.bad += ['%s is left' % x for x in d.ledger.leftovers()]
        nothing_wrong(d)
        return phases, len(d.ledger.leaves), d.ledger.sums


@test('killed %d times' % KILLS)
def _():
    with Load():
        results = side_by_side(killed, [(mode, KILLS // 4) for mode in ALL_MODES])
    phases = sum((r[0] for r in results), Counter())
    print('# %s; %d segments, %d sums of them' % (', '.join('%s %d' % x for x in sorted(phases.items())), sum(r[1] for r in results),
                                                 sum(r[2] for r in results)))
    want(KILLS < 100 or (len(phases) == 5 and min(phases.values()) > 1), phases)


@test('what it has started ends with it, and keeps nobody from the database')
def _():
    with Scratch() as s:
        d = Daemon(s, 'stacks').start()
        for _ in range(3):
            d.ask('flush')
        d.page[CHILD_WAITS] = 1
        with d.connect() as asked_later:
            d.ask('status')
            d.page.jump(HOUR)
            d.cut()
            want(d.page[CHILD], 'it does not roll up')
            want(d.ask('status', asked_later), 'no answer')
        d.agree()
        d.p.kill()
        d.p.wait()
        after = Daemon(s, 'stacks')
        after.page[OFFSET], after.ledger = d.page[OFFSET], d.ledger
        # It takes the other one's child a moment to end: so long we have the lock for it.
        with open(d.db + '/box/lock', 'rb') as lock:
            for _ in range(500):
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(.01)
            after.start(wait=False)
            time.sleep(.5)
        want(after.ready(), 'it does not begin')
        after.ask('flush')
        after.agree()
        after.end()
        d.close()
        nothing_wrong(after)


@test('a second daemon is refused, names the first, and changes nothing')
def _():
    with Load(), Scratch() as s:
        d = Daemon(s, 'stacks').start()
        d.ask('flush')
        for _ in range(10):
            p = subprocess.run([E['ASSAY'], 'daemon', '--for', '1s', *d.args], stderr=subprocess.PIPE, check=False)
            want(p.returncode and b'process %d ' % d.p.pid in p.stderr, '%d: %s' % (p.returncode, p.stderr.decode()))
        d.ask('flush')
        d.agree()
        want(' 0 not stored' in d.end(), d.said)
        nothing_wrong(d)


# ---- a full disk -----------------------------------------------------------------------------------------------------

class Room:
    """A file system of our own, of some megabytes."""

    def __init__(self, scratch, size):
        self.path = scratch.name('room')
        os.mkdir(self.path)
        self.there = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=%d' % size, 'none', self.path], stderr=subprocess.DEVNULL,
                                    check=False).returncode == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.there:
            subprocess.run(['umount', '-l', self.path], check=False)

    def fill(self, left):
        """But for LEFT bytes."""
        with open(self.path + '/ballast', 'ab', buffering=0) as f:
            for _ in range(100):
                st = os.statvfs(self.path)
                if st.f_bavail * st.f_frsize <= left:
                    break
                try:
                    os.posix_fallocate(f.fileno(), f.seek(0, os.SEEK_END), st.f_bavail * st.f_frsize - left)
                except OSError:     # somebody else has taken it
                    pass

    def free(self):
        if os.path.exists(self.path + '/ballast'):
            os.unlink(self.path + '/ballast')


def fill_once(d, room, rng):
    """What became of it."""
    early = rng.random() < .2
    if early:
        room.fill(rng.choice((0, 4096)))
    d.start()
    if not early:
        d.ask('flush')
    room.fill(rng.choice((0, 4096, rng.randrange(40) * 4096)))
    if rng.random() < .5:
        d.page.jump(rng.choice((HOUR, 26 * HOUR)))
    for _ in range(rng.randrange(1, 4)):
        time.sleep(rng.random() * .3)
        d.cut()
        d.agree()
    waits = d.status()
    how = rng.choice(('room', 'room', 'killed', 'ended'))
    if how == 'room':
        room.free()
        answer = d.ask('flush')
        now = d.agree()
        if not answer.startswith('ok') or now['stored'] < waits['counted'] or now['not stored']:
            d.bad.append('there is room, and yet: %s%s' % (answer, now))
        d.end()
    elif how == 'killed':
        d.kill()
    else:
        said = d.end()
        if (d.p.returncode == 0) != (' 0 not stored' in said):
            d.bad.append('exit status %d, %s' % (d.p.returncode, said))
    room.free()
    d.look()
    return how, waits['failed writes'] > 0


def filled(job):
    mode, n = job
    rng, seen = random.Random(mode), Counter()
    # more than a busy machine's database of that time takes: who makes room finds some
    with Scratch() as s, Room(s, 96 << 20) as room:
        if not room.there:
            return None
        d = Daemon(s, mode, room.path)
        for _ in range(n):
            how, failed = fill_once(d, room, rng)
            seen[how + (', refused' if failed else '')] += 1
            nothing_wrong(d)
        d.start()
        d.ask('flush')
        d.page.jump(26 * HOUR)
        d.cut()
        d.agree()
        d.end()
        d.look()
        d.bad += ['%s is left' % x for x in d.ledger.leftovers()]
        nothing_wrong(d)
        want('No space left' in d.said, d.said)
    return seen


@test('a full disk, %d times' % FULL)
def _():
    with Load():
        seen = side_by_side(filled, [(mode, FULL // 4) for mode in ALL_MODES])
    if None in seen:
        return 'skip:no file system can be mounted'
    seen = sum(seen, Counter())
    print('# %s' % ', '.join('%s %d' % x for x in sorted(seen.items())))
    want(FULL < 50 or all(seen[x + ', refused'] for x in ('room', 'killed', 'ended')), seen)
    return None


@test('what was lost while a segment waited is told where it is stored')
def _():
    with Scratch() as s, Room(s, 24 << 20) as room:
        if not room.there:
            return 'skip:no file system can be mounted'
        d = Daemon(s, 'stacks', room.path, hz=20000)
        with Load():
            d.start(segment='3600')
            d.ask('flush')
            room.fill(0)
            d.p.send_signal(signal.SIGSTOP)
            time.sleep(3)
            d.p.send_signal(signal.SIGCONT)
            waits = d.cut()
        want(waits['lost'] > 0 and waits['pending'] > 0, waits)
        room.free()
        d.ask('flush')
        d.agree()
        facts = sum((x.facts for x in d.ledger.leaves.values()), Counter())
        want(facts['lost'] >= waits['lost'], '%d lost in the database, %d were said' % (facts['lost'], waits['lost']))
        d.end()
        nothing_wrong(d)
        return None


@test('where there is no room to roll up, what is more than there may be is removed')
def _():
    with Scratch() as s, Room(s, 4 << 20) as room:
        if not room.there:
            return 'skip:no file system can be mounted'
        d = Daemon(s, 'stacks', room.path, more=('--keep-size', '1K'))
        for _ in range(6):
            d.start()
            for _ in range(2):
                d.ask('flush')
            d.end()
        epochs = len(os.listdir(d.db + '/box'))
        d.start()
        d.ask('flush')
        room.fill(0)
        d.page.jump(HOUR)
        d.cut()
        d.end()
        want(len(os.listdir(d.db + '/box')) < epochs, ' '.join(os.listdir(d.db + '/box')))
        return None


# ---- a clock that jumps ----------------------------------------------------------------------------------------------

def far(rng):
    return rng.choice((1, -1)) * rng.choice((.3, 2, 90, HOUR, 3 * HOUR + 7, DAY, 30 * DAY, 400 * DAY))


def jumped(mode):
    rng = random.Random(mode)
    with Scratch() as s:
        d = Daemon(s, mode)
        for _ in range(5):      # epochs that a clock which is wrong for a while could make too old
            d.start()
            d.ask('flush')
            d.end()
            d.look()
        d.start()
        d.ask('flush')
        d.agree()
        now = time.time()
        for i in range(JUMPS):
            by = (2, -2, HOUR, -HOUR, 30 * DAY, -30 * DAY, 400 * DAY, -800 * DAY)[i] if i < 8 else far(rng)
            before, epochs = now, {x.epoch for x in d.ledger.leaves.values()}
            d.page[CHILD_WAITS] = 1     # what it rolls up it removes: not before we have seen it
            d.page.jump(by)
            time.sleep(rng.random() * .5)
            d.cut()             # of what began before it,
            d.cut()             # and behind it
            d.cut()
            new = d.look()
            d.page[CHILD_WAITS] = 0
            d.child_ends()
            now = time.time() + d.page[OFFSET] / 1e9
            if not any(abs(x.end / 1e9 - now) < 60 for x in new):
                d.bad.append('%s after a jump by %d s, when it is %d' % ([x.name for x in new], by, now))
            if len({x.epoch for x in new} - epochs) > (by < 0 or before // DAY != now // DAY):
                d.bad.append('epochs after a jump by %d s: %s' % (by, sorted({x.epoch for x in new} - epochs)))
            d.agree()
        want(' 0 not stored' in d.end(), d.said)
        d.look()
        nothing_wrong(d)
        want(d.said.count('the clock has jumped back') >= 4 or JUMPS < 8, d.said)


@test('a clock that jumps, %d times' % JUMPS)
def _():
    with Load():
        side_by_side(jumped, MODES)


@test('a clock that jumps back while segments wait for room')
def _():
    with Scratch() as s, Room(s, 24 << 20) as room:
        if not room.there:
            return 'skip:no file system can be mounted'
        d = Daemon(s, 'stacks', room.path).start()
        for by in (-HOUR, HOUR, -3 * DAY, 5):
            d.ask('flush')
            room.fill(0)
            for _ in range(2):
                time.sleep(.2)
                d.cut()
            d.page.jump(by)
            d.cut()
            room.free()
            d.cut()
            d.agree()
        want(' 0 not stored' in d.end(), d.said)
        d.look()
        nothing_wrong(d)
        return None


t.run()
