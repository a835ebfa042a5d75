#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs to record a machine all the time: assay daemon beside perf record -a, interleaved with the bare machine.

Three Markdown tables. Work on every processor is done with nobody looking, under the daemon in each of its modes, and under
perf record -a, in rounds of changing order: its CPU time as a ratio to bare, the recorder's own CPU time for a sample, what of
the busy time the samples stand for, and what is lost. Then what a storm of processes does to the daemon's memory. Then what an
hour of the same takes in the database, minute by minute and rolled up. If asked for, a soak: what the daemon holds, uses and
misses over an hour of processes that come and go. Needs the rights of `assay record -a`.
"""
import argparse
import glob
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

CPUS = os.cpu_count() or 1


def say(text):
    print(text, file=sys.stderr, flush=True)


def cpu_of(pid):
    """CPU seconds of the threads of a process that runs, to the nanosecond."""
    total = 0
    for path in glob.glob('/proc/%d/task/*/schedstat' % pid):
        with open(path) as f:
            total += int(f.read().split()[0])
    return total / 1e9


def memory_of(pid, what='VmHWM'):
    """MiB that a process has had at most, or (VmRSS) has now."""
    with open('/proc/%d/status' % pid) as f:
        return int(re.search(what + r':\s+(\d+)', f.read()).group(1)) / 1024


def files_of(pid):
    """What a process has open."""
    for path in glob.glob('/proc/%d/fd/*' % pid):
        try:
            yield os.readlink(path)
        except FileNotFoundError:
            pass


def work(loops):
    """A fixed amount of work on each processor; its CPU seconds."""
    text = 'x = 0\nfor i in range(%d): x += i & 7' % int(loops)
    children = [subprocess.Popen([sys.executable, '-S', '-c', text]) for _ in range(CPUS)]
    return sum(sum(os.wait4(c.pid, 0)[2][:2]) for c in children)


def loops_of(seconds):
    """How many loops take that long here."""
    return int(seconds * CPUS * 10e6 / work(10 * 1000 * 1000))


class Bare:
    label = 'bare'

    def start(self, folder):
        pass

    def stop(self):
        return {}


class Daemon:
    def __init__(self, assay, label, *args):
        self.assay, self.label, self.args = assay, label, args

    def ask(self, *words):
        return subprocess.run([self.assay, 'daemon', *words], env=self.env, stdout=subprocess.PIPE, check=True).stdout.decode()

    def status(self):
        return dict(line.rsplit(' ', 1) for line in self.ask('status').replace(' s\n', '\n').splitlines())

    def start(self, folder):
        self.env = dict(os.environ, ASSAY_DB=os.path.join(folder, 'db'))
        self.p = subprocess.Popen([self.assay, 'daemon', '-q', '--segment', '3600', *self.args], env=self.env)
        while not glob.glob(self.env['ASSAY_DB'] + '/*/socket') or subprocess.run(
                [self.assay, 'daemon', 'status'], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
            time.sleep(.05)
        self.before, self.cpu = self.status(), cpu_of(self.p.pid)

    def stop(self):
        # what is waiting is taken by an answer, and the answer itself, which the second is alone, is no recording
        now, cpu = self.status(), cpu_of(self.p.pid)
        self.status()
        cpu = 2 * cpu - cpu_of(self.p.pid) - self.cpu
        peak = memory_of(self.p.pid)
        self.p.send_signal(signal.SIGTERM)
        self.p.wait()
        samples = int(now['counted']) - int(self.before['counted'])
        return {'cpu': cpu, 'samples': samples, 'lost': int(now['lost']), 'peak': peak,
                'sampled': (float(now['sampled']) - float(self.before['sampled'])) / (float(now['busy']) - float(self.before['busy']))}


class Perf:
    def __init__(self, label, *args):
        self.label, self.args = label, args

    def start(self, folder):
        self.path = os.path.join(folder, 'perf.data')
        self.p = subprocess.Popen(['perf', 'record', '-q', '-a', '-e', 'cpu-clock', '-o', self.path, *self.args],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not any('perf_event' in x for x in files_of(self.p.pid)):
            time.sleep(.05)
        time.sleep(.5)      # they are switched on when all are there
        self.cpu = cpu_of(self.p.pid)

    def stop(self):
        cpu, peak = cpu_of(self.p.pid) - self.cpu, memory_of(self.p.pid)
        self.p.send_signal(signal.SIGINT)
        self.p.wait()
        out = subprocess.run(['perf', 'report', '-i', self.path, '--stats'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.decode()
        n = re.search(r'SAMPLE events:\s+(\d+)', out)
        return {'cpu': cpu, 'samples': int(n.group(1)) if n else 0, 'peak': peak}


def variants(assay):
    yield Bare()
    for hz in ('99', '1000'):
        for label, args in (('flat', ['--flat']), ('frame pointers', ['--stacks', 'fp']), ('copies', ['--stacks', 'copies'])):
            yield Daemon(assay, 'daemon, %s, %s Hz' % (label, hz), '-F', hz, *args)
    if shutil.which('perf'):
        for hz in ('99', '1000'):
            yield Perf('perf record -a, flat, %s Hz' % hz, '-F', hz)
            yield Perf('perf record -a -g, %s Hz' % hz, '-F', hz, '-g')


def cost(o):
    rng, rows = random.Random(1), {}
    for turn in range(o.rounds):
        all_of = list(variants(o.assay))
        rng.shuffle(all_of)
        for v in all_of:
            with tempfile.TemporaryDirectory(prefix='assay-bench-') as folder:
                v.start(folder)
                cpu = work(o.loops)
                rows.setdefault(v.label, []).append((cpu, v.stop()))
        say('round %d of %d' % (turn + 1, o.rounds))
    bare = statistics.median(c for c, _ in rows['bare'])
    print('| recorder | work, times bare (least of all) | recorder, us a sample | recorder, % of the machine | sampled of busy | lost | MiB |')
    print('| --- | --- | --- | --- | --- | --- | --- |')
    least = min(c for c, _ in rows['bare'])
    for label in [v.label for v in variants(o.assay)]:
        got = rows[label]
        mid = lambda key, by=1: statistics.median(d[key] / by for _, d in got if key in d) if any(key in d for _, d in got) else None
        each = [d['cpu'] / d['samples'] * 1e6 for _, d in got if d.get('samples')]
        cells = ['%.3f (%.3f)' % (statistics.median(c for c, _ in got) / bare, min(c for c, _ in got) / least),
                 '%.2f' % statistics.median(each) if each else '', '%.3f' % (mid('cpu') / bare * 100) if each else '',
                 '%.3f' % mid('sampled') if mid('sampled') else '', '%d' % sum(d.get('lost', 0) for _, d in got) if mid('sampled') else '',
                 '%.0f' % max(d['peak'] for _, d in got) if each else '']
        print('| %s | %s |' % (label, ' | '.join(cells)))


def storm(o):
    """Processes that begin and end at once, of which each maps what a program maps."""
    print('\n| a storm of processes | processes a second | of unknown code | lost | busy, by samples | MiB at most |')
    print('| --- | --- | --- | --- | --- | --- |')
    for label, args in (('flat, 99 Hz', ['--flat']), ('copies, 99 Hz', ['--stacks', 'copies'])):
        d = Daemon(o.assay, label, '-F', '99', '--segment', '10', *args)
        with tempfile.TemporaryDirectory(prefix='assay-bench-') as folder:
            d.start(folder)
            script = 'i=0; while [ $i -lt %d ]; do /bin/true; i=$((i+1)); done' % (o.processes // CPUS)
            began = time.monotonic()
            for c in [subprocess.Popen(['sh', '-c', script]) for _ in range(CPUS)]:
                c.wait()
            took, now = time.monotonic() - began, d.status()
            got = d.stop()
            print('| %s | %.0f | %s of %s | %s | %.3f | %.0f |' % (label, o.processes / took, now['unknown'], now['counted'], now['lost'],
                                                             got['sampled'], got['peak']))


def kib_of(paths):
    return sum(os.path.getsize(p) for p in paths if os.path.isfile(p)) / 1024


def size(o):
    """Minutes of the same work, one of them in so many seconds: an hour is sixty times as much, or what they are rolled up to."""
    print('\n| database | a minute, KiB | an hour of minutes, KiB | the minutes as one, KiB |')
    print('| --- | --- | --- | --- |')
    for label, args in (('flat, 99 Hz', ['--flat']), ('copies, 99 Hz', ['--stacks', 'copies'])):
        d = Daemon(o.assay, label, '-F', '99', *args)
        with tempfile.TemporaryDirectory(prefix='assay-bench-') as folder:
            d.start(folder)
            for _ in range(o.minutes):
                work(o.loops * 60 / o.seconds)
                d.ask('flush')
            d.stop()
            took = kib_of(glob.glob(folder + '/db/*/2*/**', recursive=True)) / o.minutes
            one = folder + ('/one/' if '--flat' in args else '/one.pb.gz')
            subprocess.run([o.assay, 'merge', '-q', '-t', 'dcpi' if '--flat' in args else 'pprof', '-o', one, folder + '/db'], check=True)
            whole = kib_of(glob.glob(folder + '/one*') + glob.glob(folder + '/one/*'))
            print('| %s | %.1f | %.0f | %.0f |' % (label, took, took * 60, whole))


def bytes_of(db):
    files = [f for f in glob.glob(db + '/**', recursive=True) if os.path.isfile(f)]
    return len(files), kib_of(files)


def soak(o):
    """Short processes all the time, beside whatever else the machine does."""
    churn = 'while :; do i=0; while [ $i -lt 50 ]; do /bin/true; i=$((i+1)); done; %s -S -c "x=sum(range(1000000))"; sleep .5; done' % sys.executable
    d = Daemon(o.assay, 'soak', '-F', '99', '--segment', '60')
    print('\n| minute | MiB now | at most | CPU s of the recorder | samples | unknown | lost | sampled of busy | files | KiB |')
    print('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
    with tempfile.TemporaryDirectory(prefix='assay-bench-') as folder:
        d.start(folder)
        load = subprocess.Popen(['sh', '-c', churn], start_new_session=True)
        began = time.monotonic()
        try:
            for minute in range(0, o.soak + 1, o.step):
                time.sleep(max(0, began + 60 * minute - time.monotonic()))
                now, pid = d.status(), d.p.pid
                print('| %d | %.1f | %.1f | %.2f | %s | %s | %s | %.4f | %d | %.0f |' % (
                    minute, memory_of(pid, 'VmRSS'), memory_of(pid), cpu_of(pid), now['counted'], now['unknown'], now['lost'],
                    float(now['sampled']) / max(float(now['busy']), .01), *bytes_of(d.env['ASSAY_DB'])), flush=True)
        finally:
            os.killpg(load.pid, signal.SIGKILL)
            load.wait()
            d.stop()


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--assay', required=True)
    p.add_argument('--rounds', type=int, default=5)
    p.add_argument('--seconds', type=float, default=10, help='CPU seconds of work on each processor, a turn')
    p.add_argument('--processes', type=int, default=100000, help='of the storm')
    p.add_argument('--minutes', type=int, default=3)
    p.add_argument('--only', choices=('cost', 'storm', 'size', 'soak'))
    p.add_argument('--soak', type=int, default=60, metavar='MINUTES')
    p.add_argument('--step', type=int, default=5, metavar='MINUTES', help='between two lines of the soak')
    o = p.parse_args()
    if o.only == 'soak':
        soak(o)
        return
    o.loops = loops_of(o.seconds)
    for part in (cost, storm, size):
        if o.only in (None, part.__name__):
            part(o)


main()
