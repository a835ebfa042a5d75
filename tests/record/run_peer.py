#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay beside perf itself: one program that both record at once, and a compile that perf records with all that runs.

What is asserted: shares that differ by no more than chance makes them, and what perf report says of processes and threads.
Environment: ASSAY, SCENES_FRAMED = with frame pointers. COMPILE = a shell's command, COMPILE_SECONDS: another compile than
that of some files of a few lines.
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


def of_perf(path):
    """{function: samples} as perf report has them"""
    out = subprocess.run(['perf', 'report', '--stdio', '--no-children', '-g', 'none', '-F', 'sample,sym', '-i', path],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
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


@t('a program recorded at once by perf record -g and assay record -p: the same shares')
def _():
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
    _, _, used = os.wait4(p.pid, 0)
    return path, used.ru_utime + used.ru_stime


def perf_sums(path, *keys):
    """{values of KEYS: samples} of perf report"""
    out = subprocess.run(['perf', 'report', '--stdio', '--no-children', '-g', 'none', '-F', 'sample,' + ','.join(keys), '--percent-limit', '0',
                          '-t', '\x1f', '-i', path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    sums = collections.Counter()
    for line in out.stdout.decode('utf-8', 'replace').split('\n'):
        field = [x.strip() for x in line.split('\x1f')]
        if len(field) == len(keys) + 1 and field[0].isdigit():
            sums[tuple(field[1:])] += int(field[0])
    return sums


def rows(path, by):
    r = tap.assay('top', '-f', 'json', '-n', '0', '--by', by, '-e', 'cpu-clock samples', '--symbols', 'none', path)
    want(r.code == 0, 'top --by ' + by, r)
    return r.json()['rows']


@t('a compile that perf records with all that runs: processes, threads and units are those of perf report')
def _():
    with Scratch() as s:
        path, used = compile_recorded(s)
        told = perf_sums(path, 'pid', 'comm')
        want(sum(told.values()) > 100, 'perf report says %s' % told)
        by_pid, by_name = collections.Counter(), collections.Counter()
        for (pid, comm), n in told.items():
            by_pid[int(pid.split(':')[0])] += n
            by_name[comm] += n
        equal(sum(r['self'][0] for r in rows(path, 'process')), sum(told.values()), 'samples of all processes')
        got = collections.Counter()
        for r in rows(path, 'thread'):
            got[r['thread']] += r['self'][0]
        # a thread that has gone so far that it has no number is perf's ":-1", and here still one of its process
        gone = by_name.pop(':-1', 0)
        more = {k: got[k] - by_name[k] for k in {*got, *by_name} if got[k] != by_name[k]}
        want(all(n > 0 for n in more.values()) and sum(more.values()) == gone, 'threads by name: %s, %d have gone' % (more, gone))
        units(path)
        compiler = sum(n for (_, comm), n in told.items() if re.match(r'cc1|as$|cc$|gcc|collect2|ld$|sh$|clang|ccache|ninja', comm))
        print('# %d samples, %d processes, %.2f s of the compile by wait4, %.2f s by its samples' % (sum(told.values()), len(by_pid), used, compiler / 499))


def units(path):
    groups = perf_sums(path, 'cgroup')
    want(groups, 'perf report knows no control groups')
    wanted = collections.Counter()
    for (group,), n in groups.items():
        unit = [x for x in group.split('/') if re.search(r'\.(service|scope|slice|socket)$', x) and not x.endswith('.slice')]
        wanted[unit[-1] if unit else None] += n
    r = tap.assay('top', '-f', 'json', '-n', '0', '--by', 'unit', '-e', 'cpu-clock samples', '--symbols', 'none', path)
    got = {row['unit']: row['self'][0] for row in r.json()['rows']} if r.code == 0 else {}
    got.pop(None, None)
    wanted.pop(None, None)
    tap.same(got, dict(wanted), 'samples of units')


t.run()
