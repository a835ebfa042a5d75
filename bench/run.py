#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay and its peers on the same generated inputs, in one run, interleaved.

Prints a Markdown table: median wall time, peak memory, the ratio to the yardstick, to `wc -l`
or to the peer, and whether the goal is met. Ratios are what counts: the machine is noisy, and
all that one ratio compares ran within the same minute. bench/README.md explains the inputs.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys

from inputs import BENCH, ROOT, SHAPES, Inputs, bytes_of, find_assay, say, speedscope

RUNS_TO_MERGE = 100
SMALL_RUNS = 60       # starts of a process on a small file
SMALL_LIMIT = 100000  # bytes
TIMEOUT = 900         # seconds, for one run of anything
GOAL_SIZE = '100m'    # the goals are for this size
PPROF_SIZE = '26m'    # of profile.proto, before it is compressed
LARGE_TOP = {'line1': 0.6, 'instr13': 0.6, 'gperf': 0.5, 'folded': 0.1,
             'perfdata': 0.2}  # memory over size


class Sample:
    """One run of a command."""

    def __init__(self, line):
        wall, user, system, kib, status = line.split()
        self.wall = float(wall)
        self.cpu = float(user) + float(system)
        self.rss = int(kib) * 1024
        self.status = int(status)


class Command:
    """Something to time. READS bytes of input; OUTPUT is removed before each run, and not to
    write it is a failure. With PRINTS, so is an empty stdout. Without ARGV it is not run."""

    def __init__(self, label, argv, reads=0, rounds=None, output=None, repeat=1, prints=False):
        self.label, self.argv, self.reads = label, [str(a) for a in argv], reads
        self.rounds, self.output, self.repeat, self.prints = rounds, output, repeat, prints
        self.samples = []
        self.wrote = 0
        self.empty = False

    @property
    def failed(self):
        """Why its times mean nothing, or None."""
        if self.empty:
            return 'no output'
        return next((f'status {s.status}' for s in self.samples if s.status), None)

    @property
    def wall(self):
        return statistics.median(s.wall for s in self.samples)

    @property
    def rss(self):
        return max(s.rss for s in self.samples)

    @property
    def usable(self):
        return bool(self.samples) and self.failed is None


class Runner:
    def __init__(self, inputs, rounds):
        self.timerun = inputs.tool('timerun')
        self.tmp = inputs.folder / 'tmp'
        self.rounds = rounds
        # pprof keeps files in its home; libraries of the profile must not be searched for
        self.env = dict(os.environ, HOME=str(self.tmp), PPROF_TMPDIR=str(self.tmp),
                        PPROF_BINARY_PATH=str(self.tmp), LC_ALL='C',
                        ASSAY_SYMBOLS=os.environ.get('ASSAY_SYMBOLS', 'none'))

    def once(self, command):
        result = self.tmp / 'result'
        result.unlink(missing_ok=True)
        if command.output:
            pathlib.Path(command.output).unlink(missing_ok=True)
        with subprocess.Popen(
                [self.timerun, '-n', str(command.repeat), '-o', result, *command.argv],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=self.env, cwd=self.tmp, start_new_session=True) as process:
            try:
                process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                command.samples.append(Sample(f'{TIMEOUT} 0 0 0 124'))
                return
        command.samples += [Sample(line) for line in result.read_text().splitlines()]
        if command.output:
            written = pathlib.Path(command.output)
            command.wrote = written.stat().st_size if written.exists() else 0
            command.empty = command.wrote == 0
            written.unlink(missing_ok=True)

    def prove(self, command):
        """Once without the clock: what prints nothing and exits with 0 would be very fast."""
        with open(self.tmp / 'stdout', 'w+b') as out:
            subprocess.run(command.argv, stdin=subprocess.DEVNULL, stdout=out,
                           stderr=subprocess.DEVNULL, env=self.env, cwd=self.tmp, timeout=TIMEOUT,
                           check=False)
            command.wrote = out.seek(0, os.SEEK_END)
        command.empty = command.wrote == 0
        (self.tmp / 'stdout').unlink()

    def all(self, commands):
        """Every command in every round, the order turned round each time. One that failed is
        not run again."""
        for command in commands:
            if command.prints:
                self.prove(command)
        for number in range(self.rounds):
            for command in commands if number % 2 == 0 else reversed(commands):
                if number < (command.rounds or self.rounds) and command.failed is None:
                    self.once(command)


class Row:
    """One line of the table: a command, what it is compared with, and its goals."""

    def __init__(self, job, source, command, *goals, note=''):
        self.job, self.source, self.command, self.goals = job, source, command, goals
        self.note = note


class Goal:
    """A number about a command that should be at most (or, with least, at least) LIMIT."""

    def __init__(self, text, unit, measure, limit, least=False, reach=None):
        self.text, self.unit, self.measure, self.limit = text, unit, measure, limit
        self.least, self.reach = least, reach

    def judge(self):
        """(shown value, True/False/None); None if it cannot be told."""
        value = self.measure()
        if value is None:
            return 'not measured', None
        met = value >= self.limit if self.least else value <= self.limit
        shown = (f'{value:.2f}' if value < 10 else f'{value:.0f}') + self.unit
        if self.reach is not None and met and value <= self.reach:
            shown += ', reach met'
        return shown, met


def ratio(over, under):
    """Wall of one command over that of another, or None."""
    return over.wall / under.wall if over.usable and under and under.usable else None


def times(command, other, name, limit, reach=None):
    """Goal: at most LIMIT times the wall of OTHER."""
    text = f'≤ {limit:g}× {name}' + (f' (reach {reach:g}×)' if reach else '')
    return Goal(text, '×', lambda: ratio(command, other), limit, reach=reach)


def faster(command, other, name, limit):
    """Goal: OTHER takes at least LIMIT times as long."""
    return Goal(f'≥ {limit:g}× as fast as {name}', '×', lambda: ratio(other, command), limit,
                least=True)


def memory(command, limit, text):
    return Goal(f'RSS ≤ {text}', ' MB', lambda: command.rss / 1e6 if command.usable else None,
                limit / 1e6)


def milliseconds(command, limit):
    return Goal(f'≤ {limit:g} ms', ' ms', lambda: command.wall * 1e3 if command.usable else None,
                limit)


def writes(stream, read, limit, text):
    """Goal: output bytes over what converting to stdout takes longer than reading. The
    difference of two noisy times: not told when it is within a tenth of them."""

    def measure():
        if not (stream.usable and read.usable):
            return None
        seconds = stream.wall - read.wall
        return stream.wrote / 1e6 / seconds if seconds > 0.1 * stream.wall else None
    return Goal(f'writes ≥ {text}', ' MB/s', measure, limit, True)


def reads(command, size, limit):
    """Goal: so many megabytes of the file in a second."""
    return Goal(f'reads ≥ {limit} MB/s', ' MB/s', lambda: size / 1e6 / command.wall if command.usable else None, limit, True)


class Bench:
    def __init__(self, options):
        self.options = options
        self.inputs = Inputs(options.dir)
        self.runner = Runner(self.inputs, options.rounds)
        self.assay = find_assay(options.assay)
        self.rows, self.notes, self.facts = [], [], {}
        self.wrong = False
        self.peers = {name: shutil.which(name)
                      for name in ('callgrind_annotate', 'google-pprof', 'go', 'jfr', 'node', 'perf', 'wc')}
        for name, path in self.peers.items():
            if not path:
                self.notes.append(f'{name} is not installed: its rows are left out.')
        if not self.assay:
            self.notes.append('assay is not built: only its peers were measured.')

    # ---- building blocks ----

    def out(self, name):
        return self.runner.tmp / name

    def ours(self, *argv, **more):
        return Command('assay ' + argv[0], [self.assay or '/nonexistent/assay', *argv], **more)

    def yardstick(self, path, size):
        return Command('yardstick', [self.inputs.tool('yardstick'), path], size)

    def go_pprof(self, path, size, rounds=3, **more):
        return Command('go tool pprof', ['go', 'tool', 'pprof', '-top', '-symbolize=none', path],
                       size, rounds, **more)

    def google_pprof(self, path, size, rounds=1, **more):
        # it insists on a program; any will do, none of the profile's symbols can be found
        return Command('google-pprof', ['google-pprof', '--text', self.inputs.tool('gen_gperf'),
                                        path], size, rounds, **more)

    def annotate(self, path, size, rounds=1, **more):
        return Command('callgrind_annotate', ['callgrind_annotate', '--auto=no', path], size,
                       rounds, **more)

    def flame(self, path, n, top, goal):
        flame = self.ours('flame', '--jobs', 1, '-f', 'svg', path, reads=n, prints=True)
        return flame, [times(flame, top, '`top`', 2.0)] if goal else [], 'SVG, 1 thread'

    def conversion(self, path, size, target, limits=(), writer=None):
        """Rows: read in full detail; convert to a file; convert to nowhere, which is what the
        writer's speed is taken from, as it waits for no disk. LIMITS: of time and memory."""
        out = self.out(f'converted.{target}')
        to = ['-t', target, '--jobs', 1]
        check = self.ours('check', '--jobs', 1, path, reads=size)
        saved = self.ours('convert', path, '-o', out, '-y', *to, reads=size, output=out)
        stream = self.ours('convert', path, '-o', '-', *to, reads=size, prints=True)
        return [(check, [goal(check) for goal in limits], 'full detail'),
                (saved, [goal(saved) for goal in limits], f'to {target}, into a file'),
                (stream, [writes(stream, check, *writer)] if writer else [],
                 f'to {target}, > /dev/null')]

    def measure(self, job, source, rows):
        """Keep the rows that are asked for and can run; run their commands."""
        wanted = []
        for command, goals, note in rows:
            ours = command.label.startswith('assay')
            peer = command.label.split()[0]
            if (ours and not self.assay) or (peer in self.peers and not self.peers[peer]):
                continue
            wanted.append(Row(job, source, command, *goals, note=note))
        if not self.options.only.search(f'{job} {source}'):
            return
        say(f'{job}, {source} ...')
        self.runner.all([row.command for row in wanted if row.command.argv])
        self.rows += wanted

    def verify(self, shape, path, facts):
        """The totals that assay reads are those that the generator wrote: speed is no answer."""
        if not self.assay:
            return
        done = subprocess.run([self.assay, 'info', '--format', 'json', path],
                              capture_output=True, text=True, check=False)
        try:
            events = {e['name']: e['total'] for e in json.loads(done.stdout)['events']}
        except (ValueError, KeyError, TypeError):
            self.notes.append(f'{shape}: assay info gives no totals, so nothing was verified.')
            return
        want = {k[len('total_'):]: v for k, v in facts.items() if k.startswith('total_')}
        if want:
            equal = events == want
        else:  # other formats have names of their own for it
            equal = facts.get('ticks', facts['samples']) in events.values()
        self.wrong |= not equal
        self.notes.append(
            f'{shape}: the totals that assay reads are those generated.' if equal else
            f'**{shape}: WRONG TOTALS {events}, generated {want or facts}**')

    def generated(self, shape, size):
        path, facts = self.inputs.make(shape, size)
        if self.options.only.search(f'{shape} {size}'):
            self.facts[f'{shape} {size}'] = facts
            self.verify(f'{shape} {size}', path, facts)
        return path, facts

    # ---- the jobs ----

    def callgrind(self, shape, size):
        if not self.options.only.search(f'{shape} {size}'):
            return
        path, facts = self.generated(shape, size)
        n, goal, huge = facts['bytes'], size == GOAL_SIZE, size == '1g'
        yard = self.yardstick(path, n)
        top1 = self.ours('top', '--jobs', 1, '-n', 10, path, reads=n, prints=True)
        top2 = self.ours('top', '--jobs', 2, '-n', 10, path, reads=n, prints=True)
        limit = (6e8, '600 MB') if huge else (0.5 * n, '0.5× the file')
        rows = [
            (yard, [], 'the plain loop'),
            (top1, [times(top1, yard, 'yardstick', 2.0, 1.2), memory(top1, *limit)]
             if goal or huge else [], '1 thread'),
            (top2, [times(top2, yard, 'yardstick', 1.2), memory(top2, *limit)]
             if goal or huge else [], '2 threads'),
        ]
        if not huge:
            rows.append(self.flame(path, n, top1, goal))
            limits = (lambda c: times(c, yard, 'yardstick', 5),
                      lambda c: memory(c, n, '1.0× the file'))
            rows += self.conversion(path, n, 'callgrind', limits if goal else (),
                                    (200, '200 MB/s') if goal else None)
        if bytes_of(size) <= 10e6 or (self.options.slow and not huge):
            rows.append((self.annotate(path, n), [], 'Perl'))
        self.measure(f'{shape} {size}', 'Callgrind', rows)

    def gperf(self, size):
        if not self.options.only.search(f'gperf {size}'):
            return
        path, facts = self.generated('gperf', size)
        n, goal = facts['bytes'], size == GOAL_SIZE
        top = self.ours('top', '--jobs', 1, '-n', 10, path, reads=n, prints=True)
        go = self.go_pprof(path, n)
        rows = [
            (top, [faster(top, go, 'go pprof', 45), memory(top, 64e6, '64 MB')] if goal else [],
             '1 thread'),
            self.flame(path, n, top, goal),
            *self.conversion(path, n, 'gperf', writer=(1000, '1 GB/s') if goal else None),
            (go, [], '-symbolize=none'),
        ]
        if bytes_of(size) <= 10e6:
            rows.append((self.google_pprof(path, n), [], 'Perl'))
        self.measure(f'gperf {size}', 'gperftools', rows)

    def pprof(self, size):
        """A symbolized profile.proto, as it is and compressed, beside its own tool."""
        if not self.options.only.search(f'pprof {size}'):
            return
        plain, facts = self.generated('pprof', size)
        path = self.inputs.compressed(plain)
        n, goal = facts['bytes'], size == PPROF_SIZE
        zcat = Command('gzip -dc', ['gzip', '-dc', path], n)
        top = self.ours('top', '--jobs', 1, '-n', 10, path, reads=n, prints=True)
        raw = self.ours('top', '--jobs', 1, '-n', 10, plain, reads=n, prints=True)
        tree = self.ours('tree', '--jobs', 1, path, reads=n, prints=True)
        otlp, n_otlp = self.as_otlp(plain)
        top_otlp = self.ours('top', '--jobs', 1, '-n', 10, otlp, reads=n_otlp, prints=True)
        target = self.out('out.pb.gz')
        convert = self.ours('convert', path, '-o', target, '-y', reads=n, output=target)
        go = self.go_pprof(path, n, 1)
        proto = Command('go tool pprof -proto', ['go', 'tool', 'pprof', '-proto', '-symbolize=none',
                                                 '-output', target, path], n, 1,
                        output=target)
        self.measure(f'pprof {size}', 'pprof', [
            (zcat, [], 'only decompresses'),
            (top, [faster(top, go, 'go pprof', 20), memory(top, 100e6, '100 MB')] if goal else [],
             '.pb.gz, 1 thread'),
            (raw, [], 'not compressed'),
            (top_otlp, [times(top_otlp, raw, 'pprof, not compressed, by the byte',
                              1.2 * n_otlp / n)] if goal else [], 'as OTLP'),
            (tree, [], '.pb.gz, 1 thread'),
            (go, [], '-symbolize=none'),
            (convert, [faster(convert, proto, 'go pprof', 5)] if goal else [], 'to .pb.gz'),
            (proto, [], 'to .pb.gz'),
        ])

    def as_otlp(self, path):
        """PATH written as OTLP, and its bytes."""
        otlp = self.out('profile.otlp')
        subprocess.run([self.assay, 'convert', path, '-t', 'otlp', '-o', otlp, '-y'], check=True)
        return otlp, os.path.getsize(otlp)

    def dcpi(self, size):
        if not self.options.only.search(f'dcpi {size}'):
            return
        path, facts = self.generated('dcpi', size)
        n, goal = facts['bytes'], size == GOAL_SIZE
        wc = Command('wc -l', ['wc', '-l', path], n)
        top = self.ours('top', '--jobs', 1, '-n', 10, path, reads=n, prints=True)
        self.measure(f'dcpi {size}', 'DCPI', [
            (wc, [], ''),
            (top, [times(top, wc, '`wc -l`', 4)] if goal else [], '1 thread'),
            *self.conversion(path, n, 'dcpi', writer=(1000, '1 GB/s') if goal else None),
        ])

    def jfr(self, size):
        """A recording of Java Flight Recorder, beside the JDK's own tool, which prints each event."""
        if not self.options.only.search(f'jfr {size}'):
            return
        path, facts = self.generated('jfr', size)
        n, goal = facts['bytes'], size == GOAL_SIZE
        top = self.ours('top', '--jobs', 1, '-n', 10, path, reads=n, prints=True)
        tree = self.ours('tree', '--jobs', 1, path, reads=n, prints=True)
        jdk = Command('jfr print', ['jfr', 'print', path], n, 1)
        every = Command('jfr summary', ['jfr', 'summary', path], n, 1)
        self.measure(f'jfr {size}', 'JFR', [
            (top, [faster(top, jdk, '`jfr print`', 10)] if goal else [], '1 thread'),
            (tree, [], ''),
            (jdk, [], '5 frames of each stack'),
            (every, [], 'counts types alone'),
        ])

    def firefox(self, size):
        """A profile of the Firefox Profiler, beside what its page does first with one: JSON.parse()."""
        if not self.options.only.search(f'firefox {size}'):
            return
        path, facts = self.generated('firefox', size)
        n, goal = facts['bytes'], size == GOAL_SIZE
        top = self.ours('top', '--jobs', 1, '-n', 10, '--symbols', 'none', path, reads=n, prints=True)
        tree = self.ours('tree', '--jobs', 1, '--symbols', 'none', path, reads=n, prints=True)
        parse = Command('node', ['node', '-e', 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))', path], n, 3)
        self.measure(f'firefox {size}', 'Firefox Profiler', [
            (top, [reads(top, n, 250), memory(top, n, '1× the file')] if goal else [], '1 thread'),
            (tree, [], ''),
            (parse, [], 'JSON.parse() alone'),
            *self.conversion(path, n, 'firefox'),
        ])

    def perfdata(self, size):
        """A perf.data whose code has names, beside perf itself, which has the same ones to find."""
        if not self.options.only.search(f'perfdata {size}'):
            return
        path, facts = self.generated('perfdata', size)
        n, goal = facts['bytes'], size == GOAL_SIZE
        named = ['--jobs', 1, '--symbols', 'auto', path]
        top = self.ours('top', '-n', 10, *named, reads=n, prints=True)
        tree = self.ours('tree', *named, reads=n, prints=True)
        fold = self.ours('symbolize', '-t', 'folded', '-o', '-', path, reads=n, prints=True)
        perf = Command('perf report', ['perf', 'report', '-f', '--stdio', '--no-children', '-i',
                                       path], n, 3)
        script = Command('perf script', ['sh', '-c', 'perf script -f -i "$0" | awk -f "$1"', path,
                                         BENCH / 'fold.awk'], n, 3)
        self.measure(f'perfdata {size}', 'perf.data', [
            (top, [faster(top, perf, '`perf report`', 15),
                   faster(top, script, '`perf script`, folded', 10)] if goal else [], '1 thread'),
            (tree, [], ''),
            (fold, [], 'to folded'),
            (perf, [], '--stdio --no-children'),
            (script, [], 'folded by awk'),
        ])

    def perfscript(self, size):
        """Text of perf script, beside scripts that fold it."""
        if not self.options.only.search(f'perfscript {size}'):
            return
        path, facts = self.generated('perfscript', size)
        n, goal = facts['bytes'], size == GOAL_SIZE
        top = self.ours('top', '--jobs', 1, '-n', 10, path, reads=n, prints=True)
        fold = self.ours('convert', '--jobs', 1, path, '-t', 'folded', '-o', '-', reads=n, prints=True)
        peer = shutil.which('stackcollapse-perf.pl')
        perl = Command('stackcollapse-perf.pl', ['perl', peer, path], n, 3) if peer else \
            Command('fold.pl', ['perl', BENCH / 'fold.pl', path], n, 3)
        awk = Command('fold.awk', ['awk', '-f', BENCH / 'fold.awk', path], n, 3)
        self.measure(f'perfscript {size}', 'text of perf script', [
            (top, [faster(top, perl, f'`{perl.label}`', 10)] if goal else [], '1 thread'),
            (fold, [], 'to folded'),
            (perl, [], 'as found on PATH' if peer else 'as stackcollapse-perf.pl, which is not on PATH'),
            (awk, [], 'the first word of names'),
        ])

    def speedscope(self, size):
        """A file of speedscope's, beside speedscope's own importer."""
        if not self.options.only.search(f'speedscope {size}'):
            return
        path, facts = self.generated('speedscope', size)
        n, goal = facts['bytes'], bytes_of(size) >= 10e6
        top = self.ours('top', '--jobs', 1, '-n', 10, path, reads=n, prints=True)
        rows = [(top, [], '1 thread')]
        package = speedscope(self.inputs.folder / 'speedscope', '1.25.0')
        if not package:
            self.notes.append('npm could not fetch speedscope: its rows are left out.')
        else:
            node = self.speedscope_importer(package, path, n)
            rows = [(top, [faster(top, node, 'speedscope', 10)] if goal else [], '1 thread'),
                    (node, [], 'its importer, in node')]
        self.measure(f'speedscope {size}', 'speedscope', rows)

    def speedscope_importer(self, package, path, n):
        """Its importer on N bytes; where the machine has less memory than it takes, nothing that runs."""
        heap, spare, rounds = (4000, 2000, 3) if n <= 10e6 else (12000, 4000, 1)   # megabytes
        have = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') // 1_000_000
        if have < heap + spare:
            self.notes.append(f"speedscope's importer is given {heap:,} MB for {n:,} bytes; this machine has "
                              f'{have:,} MB: not measured.')
            return Command('speedscope', [], n)
        return Command('speedscope', ['node', f'--max-old-space-size={heap}',
                                      ROOT / 'tests/peers/speedscope.cjs', package, path], n, rounds)

    def copies(self):
        """Copies of 8 KB of the stack, recorded: perf unwinds them with the same tables as assay."""
        if not self.peers['perf'] or not self.options.only.search('perfdata copies'):
            return
        path = self.inputs.recorded_copies()
        if not path:
            self.notes.append('perf could not record copies of stacks: their rows are left out.')
            return
        n = os.path.getsize(path)
        top = self.ours('top', '-n', 10, '--jobs', 1, '--symbols', 'auto', path, reads=n, prints=True)
        script = ['perf', 'script', '-f', '-i', path]
        plain = Command('perf script', script, n, 3)
        frames = Command('perf script', [*script, '--no-inline'], n, 3)
        self.measure('perfdata copies', 'perf.data', [
            (top, [faster(top, plain, '`perf script`', 5)], '1 thread'),
            (plain, [], ''),
            (frames, [], '--no-inline'),
        ])

    def folded(self, size):
        if not self.options.only.search(f'folded {size}'):
            return
        path, facts = self.generated('folded', size)
        n, goal = facts['bytes'], size == GOAL_SIZE
        yard = self.yardstick(path, n)
        top = self.ours('top', '--jobs', 1, '-n', 10, path, reads=n, prints=True)
        tree = self.ours('tree', '--jobs', 1, path, reads=n, prints=True)
        self.measure(f'folded {size}', 'folded stacks', [
            (yard, [], 'the plain loop'),
            (top, [times(top, yard, 'yardstick', 2.0), memory(top, 0.5 * n, '0.5× the file')]
             if goal else [], '1 thread'),
            (tree, [], ''),
            self.flame(path, n, top, goal),
            *self.conversion(path, n, 'folded', writer=(200, '200 MB/s') if goal else None),
        ])

    def heap(self, size):
        """A heap as text, whose numbers are scaled up row by row."""
        if not self.options.only.search(f'heap {size}'):
            return
        path, facts = self.generated('heap', size)
        n, goal = facts['bytes'], size == GOAL_SIZE
        top = self.ours('top', '--jobs', 1, '-n', 10, path, reads=n, prints=True)
        go = self.go_pprof(path, n, 1)
        self.measure(f'heap {size}', 'heap as text', [
            (top, [faster(top, go, 'go pprof', 20), memory(top, 2.5 * n, '2.5× the file')] if goal else [],
             '1 thread'),
            (go, [], '-symbolize=none'),
        ])

    def large(self, shape):
        """What is asked of a profile of 1 GB, and how much memory it takes."""
        job = f'{shape} 1g'
        if not self.options.only.search(f'{job} large'):
            return
        path, facts = self.inputs.make(shape, '1g')
        self.verify(job, path, facts)
        n = facts['bytes']
        yard = self.yardstick(path, n)
        rows = [(yard, [], 'the plain loop')]
        for argv, most in ((['top', '-n', 10, path], LARGE_TOP[shape]), (['tree', path], 1.5),
                           (['diff', path, path], 1.0)):
            command = self.ours(*argv, '--jobs', 1, reads=n * argv.count(path), rounds=1)
            rows.append((command, [memory(command, most * n, f'{most:g}× the file')], '1 thread'))
        self.measure(job, 'large', rows)

    def merge(self):
        job = f'merge {RUNS_TO_MERGE} × 1m'
        if not self.options.only.search(f'{job} gperftools'):
            return
        made = self.inputs.runs(RUNS_TO_MERGE, '1m')
        paths, n = [path for path, _ in made], sum(facts['bytes'] for _, facts in made)
        self.facts[job] = {key: sum(facts[key] for _, facts in made)
                           for key in ('bytes', 'records', 'samples')}
        target, proto = self.out('merged.prof'), self.out('merged.pb.gz')
        ours = self.ours('merge', *paths, '-o', target, '-t', 'gperf', '-y', reads=n,
                         output=target)
        # the first of several arguments is taken for the program, even where it is a profile
        go = Command('go tool pprof', ['go', 'tool', 'pprof', '-proto', '-symbolize=none',
                                       '-output', proto, self.inputs.tool('gen_gperf'), *paths],
                     n, 3, output=proto)
        self.measure(job, 'gperftools', [
            (ours, [faster(ours, go, 'go pprof -proto', 10)], ''),
            (go, [], '-proto'),
        ])

    def merge_pprof(self):
        job = f'merge {RUNS_TO_MERGE} .pb.gz'
        if not self.options.only.search(f'{job} pprof'):
            return
        made = self.inputs.pprof_runs(RUNS_TO_MERGE, '42k')
        paths, n = [path for path, _ in made], sum(os.path.getsize(path) for path, _ in made)
        self.facts[job] = {'bytes': n, 'samples': sum(facts['samples'] for _, facts in made)}
        target, proto = self.out('merged.pb.gz'), self.out('merged.go.pb.gz')
        ours = self.ours('merge', *paths, '-o', target, '-y', reads=n, output=target)
        go = Command('go tool pprof', ['go', 'tool', 'pprof', '-proto', '-symbolize=none',
                                       '-output', proto, self.inputs.tool('gen_gperf'), *paths],
                     n, 3, output=proto)
        self.measure(job, 'pprof', [
            (ours, [faster(ours, go, 'go pprof -proto', 5)], ''),
            (go, [], '-proto'),
        ])

    def small(self):
        """The largest real profiles that the tests ship, from process start to exit."""
        if not self.options.only.search('small files'):
            return
        best = {}
        for path in sorted((ROOT / 'tests/fixtures').glob('*')):
            if not path.is_file() or not 0 < path.stat().st_size <= SMALL_LIMIT:
                continue
            head = path.read_bytes()[:4096]
            kind = ('gperftools' if head[:16] == bytes(8) + b'\3' + bytes(7) else
                    'Callgrind' if b'\nevents: ' in head else None)
            if kind and path.stat().st_size > best.get(kind, (0,))[0]:
                best[kind] = (path.stat().st_size, path)
        if not best:
            path, facts = self.inputs.make('gperf', '57k')
            best['gperftools'] = (facts['bytes'], pathlib.Path(path))
            self.notes.append('tests/fixtures has no small profile: a generated one was taken.')
        rounds = self.options.rounds
        for kind, (n, path) in sorted(best.items()):
            each = -(-SMALL_RUNS // rounds)
            answer = self.ours(str(path), reads=n, repeat=each, prints=True)
            answer.label = 'assay FILE'
            top = self.ours('top', '-n', 10, path, reads=n, repeat=each, prints=True)
            rows = [(answer, [milliseconds(answer, 10)], f'{each * rounds} runs'),
                    (top, [milliseconds(top, 10)], f'{each * rounds} runs')]
            if kind == 'gperftools':
                rows += [(self.go_pprof(path, n, rounds, repeat=2), [], f'{2 * rounds} runs'),
                         (self.google_pprof(path, n, rounds, repeat=2), [], f'{2 * rounds} runs')]
            else:
                rows.append((self.annotate(path, n, rounds, repeat=2), [], f'{2 * rounds} runs'))
            self.measure(f'small files: {path.name}', kind, rows)

    def run(self):
        for size in self.options.sizes:
            for shape in ('line1', 'instr13'):
                self.callgrind(shape, size)
            if size != '1g':
                self.gperf(size)
                self.dcpi(size)
                self.folded(size)
                self.heap(size)
                self.firefox(size)
                self.jfr(size)
                self.perfdata(size)
                self.perfscript(size)
                self.speedscope(size)
            else:
                for shape in LARGE_TOP:
                    self.large(shape)
        self.copies()
        self.pprof(PPROF_SIZE)
        self.merge()
        self.merge_pprof()
        self.small()

    # ---- the report ----

    def yard_of(self, row):
        """What a row's time is shown as a multiple of: the yardstick or wc on the same file."""
        for other in self.rows:
            if other.job == row.job and other.command.label in ('yardstick', 'wc -l'):
                return other.command
        return None

    def markdown(self):
        print(f'assay and its peers, {cpu_name()}, {os.cpu_count()} cores, '
              f'{kernel()}; medians of {self.options.rounds} '
              'interleaved rounds (the slow peers fewer), page cache warm\n')
        print('| input | tool | wall ms (min–max) | MB/s | peak RSS MB | × yardstick or wc '
              '| goal | measured | met |')
        print('| --- | --- | ---: | ---: | ---: | ---: | --- | --- | --- |')
        last = None
        for row in self.rows:
            print('| ' + ' | '.join(self.cells(row, row.job != last)) + ' |')
            last = row.job
        print()
        for name, facts in self.facts.items():
            keys = ('bytes', 'lines', 'functions', 'calls', 'records', 'distinct_stacks',
                    'distinct_addresses', 'chunks', 'counts')
            print(f'- {name}: ' + ', '.join(f'{facts[k]:,} {k.replace("_", " ")}' for k in keys
                                           if k in facts))
        for note in self.notes:
            print(f'- {note}')

    def cells(self, row, first):
        command = row.command
        tool = command.label + (f' ({row.note})' if row.note else '')
        cells = [row.job if first else '', tool]
        if not command.usable:
            why = f'failed: {command.failed}' if command.failed else 'not run'
            return cells + [why, '', '', '', '; '.join(g.text for g in row.goals), '',
                            'no' if row.goals else '']
        walls = [1e3 * s.wall for s in command.samples]
        speed = command.reads / 1e6 / command.wall
        yard = self.yard_of(row)
        multiple = ratio(command, yard) if yard else None
        judged = [goal.judge() for goal in row.goals]
        digits = 0 if command.wall >= 0.05 else 1
        return cells + [
            f'{1e3 * command.wall:.{digits}f} ({min(walls):.{digits}f}–{max(walls):.{digits}f})',
            f'{speed:.3g}' if speed < 10 else f'{speed:.0f}', f'{command.rss / 1e6:.1f}',
            f'{multiple:.2f}' if multiple else '', '; '.join(goal.text for goal in row.goals),
            '; '.join(shown for shown, _ in judged),
            '; '.join({True: 'yes', False: '**no**', None: '?'}[met] for _, met in judged)]

    def json(self):
        rows = []
        for row in self.rows:
            command = row.command
            rows.append({
                'input': row.job, 'format': row.source, 'tool': command.label, 'note': row.note,
                'reads': command.reads, 'wrote': command.wrote, 'failed': command.failed,
                'wall_s': [s.wall for s in command.samples],
                'cpu_s': [s.cpu for s in command.samples],
                'rss_bytes': [s.rss for s in command.samples],
                'goals': [dict(zip(('measured', 'met'), goal.judge()), goal=goal.text)
                          for goal in row.goals]})
        return {'schema': 'assay.bench/1', 'cpu': cpu_name(), 'cores': os.cpu_count(),
                'system': kernel(), 'inputs': self.facts,
                'rows': rows, 'notes': self.notes}


def cpu_name():
    try:
        text = pathlib.Path('/proc/cpuinfo').read_text(encoding='utf-8')
    except OSError:
        return platform.machine()
    found = re.search(r'^model name\s*: (.*)$', text, re.M)
    return found.group(1).strip() if found else platform.machine()


def kernel():
    """'Linux 6.18': the rest of the release names a machine, not a system."""
    return f'{platform.system()} {".".join(platform.release().split(".")[:2])}'


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--assay', metavar='PATH', help='the program to measure')
    parser.add_argument('--sizes', default='10m,100m', metavar='LIST', help='10m,100m,1g')
    parser.add_argument('--rounds', type=int, default=5, metavar='N')
    parser.add_argument('--only', type=re.compile, default=re.compile(''), metavar='REGEX',
                        help=f'inputs to run: {", ".join(SHAPES)}, merge, small; "line1 100m"')
    parser.add_argument('--dir', default=ROOT / 'build/bench-data', metavar='DIR',
                        help='where inputs are made and kept')
    parser.add_argument('--large', action='store_true',
                        help='1 GB files too: top, tree, diff; minutes, and 6 GB of disk')
    parser.add_argument('--slow', action='store_true',
                        help='callgrind_annotate on 100 MB too: a minute each')
    parser.add_argument('--gate', action='store_true', help='exit with 1 if a goal is missed')
    parser.add_argument('--json', metavar='FILE', help='all samples as JSON, - for stdout')
    options = parser.parse_args()
    options.sizes = options.sizes.split(',') + (['1g'] if options.large else [])
    if not all(re.fullmatch(r'\d+[km]|1g', size) for size in options.sizes):
        parser.error('sizes are like 10m, 100m, 1g')
    if options.rounds < 1:
        parser.error('at least one round')
    return options


def main():
    options = parse_options()
    bench = Bench(options)
    bench.run()
    if options.json != '-':
        bench.markdown()
    if options.json:
        text = json.dumps(bench.json(), indent=1, ensure_ascii=False) + '\n'
        if options.json == '-':
            sys.stdout.write(text)
        else:
            pathlib.Path(options.json).write_text(text, encoding='utf-8')
    missed = any(met is False for row in bench.rows for _, met in (g.judge() for g in row.goals))
    failed = any(row.command.failed for row in bench.rows)
    return 1 if bench.wrong or failed or (missed and options.gate) else 0


if __name__ == '__main__':
    sys.exit(main())
