#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay beside perf itself: one program that both record at once, and a compile that perf records with all that runs.

What is asserted: shares that differ by no more than chance makes them, and what perf report says of processes and threads.
Environment: ASSAY, SCENES_FRAMED = with frame pointers, PEER_MS = how long each of its threads runs.
COMPILE = a shell's command, COMPILE_SECONDS = how long it may take: another compile than that of some files of a few lines.
"""
import collections
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import dump  # noqa: E402
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

FRAMED = os.environ.get('SCENES_FRAMED')
MS = int(os.environ.get('PEER_MS', '3000'))
NAMES = ('half', 'third', 'seventh', 'twentieth')
t = tap.Tap('peer')
if not FRAMED:
    t.skip_all('SCENES_FRAMED is not set')
if not shutil.which('perf'):
    t.skip_all('perf is not installed (linux-perf)')
CHECKS = {c['about']: c['state'] for c in tap.Run(['doctor', '-f', 'json']).json()['checks']}
for check in ('perf events', 'all processes', 'attach'):
    if CHECKS.get(check) != 'ok':
        t.skip_all('%s: not here' % check)


def watches(pid):
    """Whether process PID has perf events."""
    folder = '/proc/%d/fd' % pid
    for fd in os.listdir(folder):
        try:
            if 'perf_event' in os.readlink(os.path.join(folder, fd)):
                return True
        except FileNotFoundError:       # closed meanwhile
            pass
    return False


# perf 6.1 aborts where a build id has more than 20 bytes, as some linkers make them: it is told to write none, by -B.
def begin(*args):
    p = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while not watches(p.pid):
        want(p.poll() is None, '%s ended: %s' % (args[0], p.returncode))
        time.sleep(.01)
    return p


def both(s, hz):
    """The same program, recorded by perf and by assay; without its build id."""
    program = s.name('program')
    subprocess.run(['objcopy', '-R', '.note.gnu.build-id', FRAMED, program], check=True)
    with subprocess.Popen([program, 'calibrated', str(MS)]) as p:
        perf = begin('perf', 'record', '-q', '-B', '-g', '-e', 'cpu-clock', '-F', str(hz), '-p', str(p.pid), '-o', s.name('x.perf.data'))
        ours = begin(*tap.ASSAY, 'record', '--no-show', '-F', str(hz), '-p', str(p.pid), '-o', s.name('y.pb.gz'))
        equal(ours.wait(), 0, 'assay record: ' + ours.stderr.read().decode())
        equal(perf.wait(), 0, 'perf record')


class Died(Exception):
    """perf report, of a build id."""


def report(path, *options):
    done = subprocess.run(['perf', 'report', '--stdio', '--no-children', '-g', 'none', *options, '-i', path], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if done.returncode == -signal.SIGABRT:
        raise Died()
    equal(done.returncode, 0, 'perf report')
    return done.stdout.decode('utf-8', 'replace')


def unless_it_dies(f):
    try:
        return f()
    except Died:
        return 'n/a: perf report aborted, as it does where something that ran has a build id of more than 20 bytes'


def of_perf(path):
    """{function: samples} as perf report has them"""
    out = report(path, '-F', 'sample,sym')
    return {m[1]: int(m[0]) for m in re.findall(r'(?m)^ +(\d+) +\[.\] (\S+) *$', out)}


def of_assay(path, *options):
    j = tap.top(path, 'function', '--inline', 'off', *options)
    return {r['function']: r['self'][0] for r in j['rows']}


def sigmas(a, b):
    """{function: how many standard deviations its shares in A and B are apart}"""
    n, m = (sum(x.get(name, 0) for name in NAMES) for x in (a, b))
    out = {}
    for name in NAMES:
        p, q = a.get(name, 0) / n, b.get(name, 0) / m
        both_ = (a.get(name, 0) + b.get(name, 0)) / (n + m)
        out[name] = (p - q) / math.sqrt(both_ * (1 - both_) * (1 / n + 1 / m))
    return out


def at_once():
    with Scratch() as s:
        for again in (False, True):
            both(s, 499)
            told, own = of_perf(s.name('x.perf.data')), of_assay(s.name('y.pb.gz'), '-e', 'samples')
            event = [e['name'] for e in tap.info(s.name('x.perf.data'))['events'] if e['name'].endswith(' samples')]
            read = of_assay(s.name('x.perf.data'), '-e', event[0])
            for name in NAMES:
                equal(read.get(name), told.get(name), 'samples of %s in what perf recorded' % name)
            apart = sigmas(told, own)
            print('# %d and %d samples; apart, in sigma: %s' % (sum(told.values()), sum(own.values()), {k: round(v, 2) for k, v in apart.items()}))
            worst = max(abs(x) for x in apart.values())
            want(worst <= 5, 'shares are %.1f sigma apart: %s %s' % (worst, told, own))
            if worst <= 3:
                return
            want(not again, 'shares are %.1f sigma apart, and were before: %s %s' % (worst, told, own))
            os.remove(s.name('x.perf.data'))
            os.remove(s.name('y.pb.gz'))


def compile_recorded(s):
    path = s.name('machine.perf.data')
    command = os.environ.get('COMPILE')
    if not command:
        for i in range(6):
            s.file('x%d.c' % i, '#include <stdio.h>\n#include <stdlib.h>\n' + ''.join(
                'int f%d_%d(int a) { for (int i = 0; i < a; i++) a ^= i * %d; return a; }\n' % (i, k, k) for k in range(400)))
        command = 'for i in 0 1 2 3 4 5; do cc -O2 -c %s/x$i.c -o %s/x$i.o & done; wait' % (s.path, s.path)
    perf = begin('perf', 'record', '-q', '-B', '-a', '-g', '-e', 'cpu-clock', '-F', '499', '--all-cgroups', '-o', path)
    p = subprocess.Popen(['sh', '-c', command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         start_new_session=True)
    deadline = time.monotonic() + float(os.environ.get('COMPILE_SECONDS', '60'))
    while time.monotonic() < deadline and not os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        time.sleep(.05)
    perf.send_signal(signal.SIGINT)
    perf.wait()
    if not os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        os.killpg(p.pid, signal.SIGTERM)
    p.wait()
    return path


def perf_sums(path, *keys):
    """{values of KEYS: samples} of perf report"""
    out = report(path, '-F', 'sample,' + ','.join(keys), '--percent-limit', '0', '-t', '\x1f')
    sums = collections.Counter()
    for line in out.split('\n'):
        field = [x.strip() for x in line.split('\x1f')]
        if len(field) == len(keys) + 1 and field[0].isdigit():
            sums[tuple(field[1:])] += int(field[0])
    return sums


def rows(path, by):
    r = tap.assay('top', '-f', 'json', '-n', '0', '--by', by, '-e', 'cpu-clock samples', '--symbols', 'none', path)
    want(r.code == 0, 'top --by ' + by, r)
    return r.json()['rows']


def sums_of(threads, key):
    sums = collections.Counter()
    for r in threads:
        sums[r[key]] += r['self'][0]
    return sums


def by_number(path):
    """{number of the thread: samples}: in a dump each thread is a part"""
    d, sums = dump.Dump(path), collections.Counter()
    column = d.events.index('cpu-clock samples')
    for part, _, v in d.samples:
        tid = int(d.parts[part].get('tid', -1))
        sums[tid if tid < 1 << 31 else -1] += v[column]
    return sums


def same_but_gone(got, told, gone):
    """A thread that has gone so far that it has no number is one of GONE to perf, and here still one of its process."""
    n = told.pop(gone, 0) - got.pop(gone, 0)
    more = {k: got[k] - told[k] for k in {*got, *told} if got[k] != told[k]}
    want(all(v > 0 for v in more.values()) and sum(more.values()) == n, 'more samples here: %s; %d have gone' % (more, n))


def a_compile():
    with Scratch() as s:
        path = compile_recorded(s)
        told = perf_sums(path, 'pid', 'comm')
        want(sum(told.values()) > 100, 'perf report says %s' % told)
        numbers, by_name = collections.Counter(), collections.Counter()
        for (pid, comm), n in told.items():
            numbers[int(pid.split(':')[0])] += n       # perf calls it a pid: it is the thread's
            by_name[comm] += n
        equal(sum(r['self'][0] for r in rows(path, 'process')), sum(told.values()), 'samples of all processes')
        threads = rows(path, 'thread')
        same_but_gone(sums_of(threads, 'thread'), by_name, ':-1')
        same_but_gone(by_number(path), numbers, -1)
        units(path)
        print('# %d samples of %d threads, with %d names of threads' % (sum(told.values()), len(numbers), len(by_name)))


def units(path):
    groups = perf_sums(path, 'cgroup')
    want(groups, 'perf report knows no control groups')
    wanted = collections.Counter()
    for (group,), n in groups.items():
        unit = [x for x in group.split('/') if re.search(r'\.(service|scope|slice|socket)$', x) and not x.endswith('.slice')]
        wanted[unit[-1] if unit else None] += n
    r = tap.assay('top', '-f', 'json', '-n', '0', '--by', 'unit', '-e', 'cpu-clock samples', '--symbols', 'none', path)
    if not any(wanted):  # a machine without systemd
        want(r.code == 1 and "no sample has a label 'unit'" in r.err, 'top --by unit of none', r)
        return {}
    want(r.code == 0, 'top --by unit', r)
    got = {row['labels'][0]['value']: row['self'][0] for row in r.json()['rows'] if row['labels']}
    wanted.pop(None, None)
    tap.same(got, dict(wanted), 'samples of units')
    return got


def a_unit():
    """A program in a control group that has the name of a service, while all else runs outside of it."""
    top = next((g for g in ('/sys/fs/cgroup', '/sys/fs/cgroup/unified') if os.path.exists(g + '/cgroup.controllers')), None)
    name = 'assay-peer-%d.service' % os.getpid()
    group = '%s/%s' % (top, name)
    try:
        os.mkdir(group)
    except OSError:
        return 'skip:no control group can be made'
    try:
        with Scratch() as s:
            path = s.name('machine.perf.data')
            perf = begin('perf', 'record', '-q', '-B', '-a', '-e', 'cpu-clock', '-F', '499', '--all-cgroups', '-o', path)
            program = 'import sys\nwith open(sys.argv[1], "w") as f: f.write("0")\nx = 0\nfor i in range(20000000): x += i & 7'
            p = subprocess.Popen([sys.executable, '-S', '-c', program, group + '/cgroup.procs'])
            used = os.wait4(p.pid, 0)[2]
            perf.send_signal(signal.SIGINT)
            perf.wait()
            n, wanted = units(path).get(name, 0), 499 * (used.ru_utime + used.ru_stime)
            want(.8 * wanted - 20 < n < 1.2 * wanted + 20, '%d samples of the unit, %.0f by its CPU time' % (n, wanted))
    finally:
        os.rmdir(group)
    return None


t.add('a program recorded at once by perf record -g and assay record -p: the same shares', unless_it_dies, at_once)
t.add('a compile that perf records with all that runs: processes, threads and units are those of perf report', unless_it_dies, a_compile)
t.add('a unit that perf records with all that runs: its samples are those of perf report, as many as its CPU time is', unless_it_dies, a_unit)
t.run()
