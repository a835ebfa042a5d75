#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay daemon beside what machines do: a build, a storm of processes, python, libraries that come and go, a container.

The sum over all processes is the busy time of /proc/stat, that of a process what the kernel counted for it (3 sigma), flat and
stacks agree. Environment: ASSAY, SCENES, PLUGIN_A, PLUGIN_B, TRUTH_SECONDS (of each kind of work; 60 for a close look).
"""
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

t = tap.Tap('truth')
needs(t, 'SCENES', 'PLUGIN_A', 'PLUGIN_B')
SECONDS = float(E.get('TRUTH_SECONDS', '10'))
HZ, PERIOD = 99, 10038e-6       # as src/record has it: a little less than 1 / HZ
CC = E.get('CC_FOR_TRUTH', 'cc')


def ask(env, *words):
    p = subprocess.run([E['ASSAY'], 'daemon', *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    want(p.returncode == 0, p.stderr.decode())
    return dict(line.rsplit(' ', 1) for line in p.stdout.decode().replace(' s\n', '\n').splitlines())


class Watched:
    """What ran in the meantime, as the daemon and the kernel have it."""

    def __init__(self, scratch, *args):
        self.env = dict(E, ASSAY_DB=scratch.name('db'))
        self.args = args

    def __enter__(self):
        self.p = subprocess.Popen([E['ASSAY'], 'daemon', '-F', str(HZ), '--segment', '3600', *self.args], env=self.env, stderr=subprocess.DEVNULL)
        for _ in range(500):
            if subprocess.run([E['ASSAY'], 'daemon', 'status'], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0:
                break
            time.sleep(.02)
        self.before = ask(self.env, 'status')
        return self

    def __exit__(self, *_):
        if self.p.poll() is None:
            self.p.kill()
            self.p.wait()

    def end(self):
        now = ask(self.env, 'status')
        self.p.send_signal(signal.SIGTERM)
        self.p.wait(60)
        for what in ('lost', 'not stored'):
            want(int(now[what]) == 0, '%s: %s' % (what, now))
        counted = int(now['counted']) - int(self.before['counted'])
        busy = float(now['busy']) - float(self.before['busy'])
        want(int(now['unknown']) <= .001 * counted + 1, '%s of %d are unknown: %s' % (now['unknown'], counted, now))
        # the kernel's own figure is counted in ticks
        slack = .01 + 3 / math.sqrt(busy * os.sysconf('SC_CLK_TCK'))
        want(abs(counted * PERIOD - busy) <= slack * busy, '%.2f s by samples, %.2f s by the kernel' % (counted * PERIOD, busy))
        return glob.glob(self.env['ASSAY_DB'] + '/*/2*/*.[pd]*')[0]


def answer(*args):
    p = subprocess.run([E['ASSAY'], *args, '-q', '-f', 'json', '-e', 'samples', '-n', '0'], stdout=subprocess.PIPE, check=True)
    return json.loads(p.stdout)


def by(path, key):
    for label in answer('tags', path)['labels']:
        if label['label'] == key:
            return {v['value']: v['self'][0] for v in label['values']}
    return {}


def selfs(key, *files):
    """Samples by the name of the object's file, and by function if asked for: what has no name is one function of its object."""
    sums = {}
    for r in answer('top', '--by', key, *files)['rows']:
        row = os.path.basename(r['object'] or ''), r.get('function') or ''
        sums[row] = sums.get(row, 0) + r['self'][0]
    return sums


def near(samples, seconds, what):
    wanted = seconds / PERIOD
    want(abs(samples - wanted) <= 3 * math.sqrt(wanted) + .01 * wanted + 2, '%s: %d samples, %.1f by the kernel' % (what, samples, wanted))


def run(argv, **more):
    """Run it, and the CPU time of it and of what it started."""
    p = subprocess.Popen(argv, stdout=subprocess.DEVNULL, **more)
    _, status, used = os.wait4(p.pid, 0)
    p.returncode = status
    want(status == 0, '%s: status %d' % (argv[0], status))
    return p.pid, used.ru_utime + used.ru_stime


with Scratch() as first:
    tried = subprocess.run([E['ASSAY'], 'record', '--all', '--no-show', '-y', '-o', first.name('x.pb.gz'), 'true'],
                           stderr=subprocess.PIPE, check=False)
    if tried.returncode:
        t.skip_all('events of processors are not allowed here: %s' % tried.stderr.decode().strip())


def labelled(env, *argv):
    return [E['ASSAY'], 'record', '--label', 'it', '--', *argv], {'env': env}


@t('a build by make -j')
def _():
    with Scratch() as s:
        lines = ['all: ' + ' '.join('o%d' % i for i in range(400)), 'o%:',
                 '\t@test $$(date +%%s) -ge $(END) || %s -O2 -x c -c -o $@ big.c' % CC, '']
        s.file('Makefile', '\n'.join(lines))
        s.file('big.c', ''.join('int f%d(int x) { for (int i = 0; i < x; i++) x ^= x * %d + i; return x; }\n' % (i, i) for i in range(300)))
        with Watched(s) as w:
            # no compiler is killed: what it takes is known of one that ends
            argv, more = labelled(w.env, 'make', '-s', '-j4', '-C', s.path, 'END=%d' % (time.time() + SECONDS))
            _, used = run(argv, **more)
            path = w.end()
        near(by(path, 'label').get('it', 0), used, 'the build')


@t('a storm of short processes')
def _():
    with Scratch() as s, Watched(s) as w:
        argv, more = labelled(w.env, 'sh', '-c', 'end=$(($(date +%%s) + %d)); while [ $(date +%%s) -lt $end ]; do for i in 1 2 3 4 5 6 7 8 9; do /bin/true; '
                                                 'done; done' % SECONDS)
        _, used = run(argv, **more)
        near(by(w.end(), 'label').get('it', 0), used, 'the storm')


@t('python')
def _():
    with Scratch() as s, Watched(s) as w:
        pid, used = run([sys.executable, '-c', 'import time\nend = time.time() + %f\nwhile time.time() < end: sum(range(999))' % SECONDS])
        near(by(w.end(), 'pid').get(str(pid), 0), used, 'python')


@t('libraries that are loaded and unloaded in turn')
def _():
    with Scratch() as s, Watched(s) as w:
        began, pids = time.time(), {}
        while time.time() - began < SECONDS:
            pid, used = run([E['SCENES'], 'plugins', E['PLUGIN_A'] + ':' + E['PLUGIN_B']])
            pids[pid] = used
        path = w.end()
        got = by(path, 'pid')
        near(sum(got.get(str(p), 0) for p in pids), sum(pids.values()), 'all of them')
        rows = {r['function']: r['inclusive'][0] for r in answer('top', path, '--tagfocus', 'comm=scenes')['rows']}
        near(rows.get('red_work', 0), .4 * len(pids), 'red')
        near(rows.get('blue_work', 0), .2 * len(pids), 'blue')


@t('a container')
def _():
    with Scratch() as s, Watched(s) as w:
        os.mkdir(s.name('m'))
        name = 'hidden%d' % os.getpid()
        inner = 'mount -t tmpfs none {0} && cp "$0" {0}/{1} && exec {0}/{1} loop {2:.0f}'.format(s.name('m'), name, SECONDS * 1000)
        p = subprocess.run(['unshare', '-m', '-p', '-f', 'sh', '-c', inner, E['SCENES']], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if p.returncode:
            return 'skip:no file system can be mounted: %s' % p.stderr.decode().strip()
        near(by(w.end(), 'process').get(name, 0), SECONDS, 'the program in it')
        return None


def apart(key):
    """Who has clearly more samples of a row, those with stacks (1) or flat ones (-1), of one time; by object, or function too."""
    with Scratch() as s, Scratch() as other, Watched(s) as w, Watched(other, '--flat') as flat:
        _, used = run([E['SCENES'], 'loop', '%d' % (SECONDS * 1000)])
        stacks, files = w.end(), glob.glob(flat.end() + '/*.dcpi*')
        one, two = selfs(key, stacks), selfs(key, *files)
    mine = sum(n for row, n in two.items() if row[0] == 'scenes')
    want(mine > .5 * used / PERIOD, two)
    off = {row: one.get(row, 0) - two.get(row, 0) for row in set(one) | set(two)}
    return {row: math.copysign(1, d) for row, d in off.items() if abs(d) > 3 * math.sqrt(one.get(row, 0) + two.get(row, 0)) + 2}, one, two


@t('flat and stacks of the same time agree by object, and by function')
def _():
    for key in ('object', 'function'):
        was, one, two = apart(key)
        print('# by %s: %d and %d rows, %d and %d samples; beyond 3 sigma: %s' % (key, len(one), len(two), sum(one.values()), sum(two.values()), was))
        if was:     # of many rows one may be, by chance; not the same one again, on the same side
            again, one, two = apart(key)
            same = {row: (one.get(row, 0), two.get(row, 0)) for row in was if again.get(row) == was[row]}
            want(not same, 'with stacks, and flat: %s' % same)


t.run()
