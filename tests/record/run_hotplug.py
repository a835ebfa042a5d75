#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay daemon while a processor goes and comes back: in what the daemon reads of it, and, where that can be done, in truth.

In truth it is gone for some tenths of a second each time. The truth is the kernel's count of the CPU time of a program that is bound
to that processor. Environment: ASSAY, SCENES, ASSAY_SWITCH=1 (really: it takes the processor away from all that runs).
"""
import atexit
import glob
import json
import math
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import E, Scratch, needs, tap, want  # noqa: E402

t = tap.Tap('hotplug')
needs(t, 'SCENES')
HZ, PERIOD = 199, 4994e-6
LIST = '/sys/devices/system/cpu/online'
CPU = max(os.sched_getaffinity(0))
SWITCH = '/sys/devices/system/cpu/cpu%d/online' % CPU
if CPU == 0:
    t.skip_all('n/a: there is one processor only')


def switch(on):
    with open(SWITCH, 'w', encoding='ascii') as f:
        f.write('%d' % on)


def can_switch():
    """Why not, if not."""
    try:
        switch(False)
        switch(True)
    except OSError as e:
        return 'skip:needs rights to switch a processor off: %s' % e
    atexit.register(switch, True)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    return None


class Daemon:
    """ONLINE: the list of processors that it reads."""

    def __init__(self, scratch, online=LIST):
        self.env = dict(E, ASSAY_DB=scratch.name('db'))
        self.online = online

    def __enter__(self):
        argv = [E['ASSAY'], 'daemon', '-F', str(HZ), '--segment', '3600']
        if self.online != LIST:
            argv = ['unshare', '-m', 'sh', '-c', 'mount --bind "$1" %s && shift && exec "$@"' % LIST, 'sh', self.online, *argv]
        self.p = subprocess.Popen(argv, env=self.env, stderr=subprocess.PIPE)
        while self.p.poll() is None and self.ask(check=False).returncode:
            time.sleep(.02)
        return self

    def __exit__(self, *_):
        if self.p.poll() is None:
            self.p.kill()
        self.p.communicate()

    def ask(self, check=True):
        return subprocess.run([E['ASSAY'], 'daemon', 'status'], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=check)

    def status(self):
        lines = self.ask().stdout.decode().replace(' s\n', '\n').splitlines()
        return dict(line.rsplit(' ', 1) for line in lines)

    def notice(self, before):
        """Until the processor is watched again."""
        while self.p.poll() is None and float(self.status()['unwatched']) <= before:
            time.sleep(.05)

    def events(self):
        fds = '/proc/%d/fd/' % self.p.pid
        return sum('perf_event' in os.readlink(fds + fd) for fd in os.listdir(fds))

    def end(self):
        """What it said, and samples by pid."""
        self.p.send_signal(signal.SIGTERM)
        said = self.p.communicate(timeout=60)[1].decode()
        want(self.p.returncode == 0, 'exit status %d: %s' % (self.p.returncode, said))
        path, = glob.glob(self.env['ASSAY_DB'] + '/*/2*/*.pb.gz')
        p = subprocess.run([E['ASSAY'], 'tags', path, '-q', '-f', 'json', '-n', '0'], stdout=subprocess.PIPE, check=True)
        of = {row['label']: row for row in json.loads(p.stdout)['labels']}['pid']
        return said, {int(v['value']): v['self'][0] for v in of['values']}


def bound(scene, arg):
    """A program that is bound to the processor, from its first instruction on: its number and its CPU time, by the kernel."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {CPU})  # a child that bound itself would begin anywhere, and could have a sample there
    try:
        p = subprocess.Popen([E['SCENES'], scene, arg], stdout=subprocess.DEVNULL)
    finally:
        os.sched_setaffinity(0, before)
    used = os.wait4(p.pid, 0)[2]
    return p.pid, used.ru_utime + used.ru_stime


def near(samples, seconds, what):
    wanted = seconds / PERIOD
    want(abs(samples - wanted) <= 5 * math.sqrt(wanted) + .06 * wanted, '%s: %d samples, %.0f by the kernel' % (what, samples, wanted))


def check(d, *programs):
    said, of = d.end()
    want('before they were watched' in said, said)
    for pid, used in programs:
        near(of.get(pid, 0), used, 'what ran there')
    return of


with Scratch() as first:
    tried = subprocess.run([E['ASSAY'], 'record', '--all', '--no-show', '-y', '-o', first.name('x.pb.gz'), 'true'],
                           stderr=subprocess.PIPE, check=False)
    if tried.returncode:
        t.skip_all('events of processors are not allowed to all here: %s' % tried.stderr.decode().strip())


@t('a processor that the list has no more has no samples, and has them again when it is back in the list')
def _():
    if subprocess.run(['unshare', '-m', 'mount', '--bind', LIST, LIST], stderr=subprocess.DEVNULL, check=False).returncode:
        return 'skip:no file system can be mounted'
    with Scratch() as s:
        whole = tap.contents(LIST).decode()
        online = s.file('online', whole)
        with Daemon(s, online) as d:
            want(d.p.poll() is None, 'it has ended')
            events = d.events()
            one = bound('loop', '500')
            s.file('online', ','.join(str(i) for i in range(CPU)) + '\n')
            while d.events() > events - 2:
                time.sleep(.02)
            two = bound('loop', '300')
            want(float(d.status()['unwatched']) == 0, d.status())
            s.file('online', whole)
            d.notice(0)
            want(d.events() == events, '%d events, there were %d' % (d.events(), events))
            three = bound('loop', '800')
            now = d.status()
            want(now['lost'] == '0' and now['damaged'] == '0', now)
            of = check(d, one, three)
            want(of.get(two[0], 0) == 0, '%d samples of what nobody watched' % of.get(two[0], 0))
    return None


SWITCHED = can_switch() if E.get('ASSAY_SWITCH') else 'n/a: ASSAY_SWITCH is not set: it takes a processor away from all others'


@t('a processor goes and comes back in truth: what runs there before and after has its samples')
def _():
    if SWITCHED:
        return SWITCHED
    with Scratch() as s, Daemon(s) as d:
        one = bound('loop', '500')
        switch(False)
        time.sleep(.3)
        switch(True)
        d.notice(0)
        two = bound('loop', '800')
        now = d.status()
        want(now['lost'] == '0' and now['damaged'] == '0', now)
        check(d, one, two)
    return None


@t('so does one that is back before anybody looks')
def _():
    if SWITCHED:
        return SWITCHED
    with Scratch() as s, Daemon(s) as d:
        switch(False)
        switch(True)
        d.notice(0)
        check(d, bound('loop', '800'))
    return None


@t('one that comes later than the daemon')
def _():
    if SWITCHED:
        return SWITCHED
    with Scratch() as s:
        d = Daemon(s)
        switch(False)
        try:
            d.__enter__()
        finally:
            switch(True)
        try:
            d.notice(0)
            check(d, bound('loop', '800'))
        finally:
            d.__exit__()
    return None


t.run()
