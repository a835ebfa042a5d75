#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command on every shape of input in three sizes: CPU seconds, peak memory, and how they grow.

Prints a Markdown table, and behind it what lies over its goal: seconds and memory at 100 MB where GOALS has some, else a
multiple of what `top` takes of the same file, and a slope. A command that has no answer to a shape is shown as refused.
bench/README.md says how to read it.
"""
import argparse
import math
import os
import pathlib
import pty
import re
import select
import signal
import statistics
import subprocess
import sys
import time

from inputs import ROOT, SHAPES, Inputs, find_assay, say
from run import TIMEOUT, Command, Runner, Sample

GOAL_SIZE = '100m'
SLOPE = 1.2           # of CPU seconds, from size to size; 1 is linear
TELLS = 0.05          # seconds: what is below tells of no slope, and is over no multiple
ROUGH = 4             # times as long as top
REFUSED = 0.1         # seconds, for what has no answer

FORMATS = ['callgrind', 'pprof', 'folded', 'gperf', 'dcpi', 'perfscript', 'speedscope', 'firefox', 'cpuprofile',
           'traceevent', 'otlp']

# name -> arguments; FILE is the input, OUT what is written, and RE matches names of it: those of most shapes have an 'a'
COMMANDS = {
    'top': 'top -n 10 FILE',
    'top --symbols auto': 'top -n 10 --symbols auto FILE',
    'top --focus': 'top -n 10 --focus RE FILE',
    'top --by line': 'top -n 10 --by line FILE',
    'top --by address': 'top -n 10 --by address FILE',
    'show': 'show FILE',
    'info': 'info FILE',
    'check': 'check FILE',
    'objects': 'objects FILE',
    'files': 'files FILE',
    'tags': 'tags FILE',
    'tree': 'tree FILE',
    'tree --bottom-up': 'tree --bottom-up FILE',
    'traces': 'traces -n 10 FILE',
    'peek': 'peek RE -n 10 FILE',
    'list': 'list RE -n 10 FILE',
    'cycles': 'cycles FILE',
    'graph': 'graph -f dot FILE',
    'treemap': 'treemap -o OUT.svg FILE',
    'flame': 'flame -o OUT.svg FILE',
    'flame --chart': 'flame --chart -o OUT.svg FILE',
    'timeline': 'timeline FILE',
    'diff': 'diff FILE FILE',
    'stats': 'stats FILE FILE',
    'merge': 'merge -o OUT FILE FILE',
    'filter': 'filter --focus RE -o OUT FILE',
    'dump': 'dump FILE',
    'share': 'share -o OUT.html FILE',
    'browse': 'browse FILE',
    **{f'convert -t {name}': f'convert -t {name} -o OUT FILE' for name in FORMATS},
}

MATCHES = {'speedscope': 'o'}
# (command, shape) -> more arguments: another format than that of the input, which assay does not write; names to look for
MORE = {
    **{(name, shape): ['-t', 'pprof'] for name in ('merge', 'filter') for shape in ('heap', 'jfr', 'perfdata')},
    **{(name, 'perfdata'): ['--symbols', 'auto'] for name in ('peek', 'list')},
}

# (command, shape) -> CPU seconds and MB at 100 MB
GOALS = {
    ('convert -t pprof', 'line1'): (2.5, 400),
    ('convert -t folded', 'line1'): (2.5, 400),
    ('convert -t pprof', 'instr13'): (2.5, 400),
    ('convert -t folded', 'instr13'): (2.5, 400),
    ('top --by line', 'line1'): (1.2, 250),
    ('top --by line', 'instr13'): (1.2, 400),
    ('top --focus', 'line1'): (1.0, None),
    ('top --focus', 'instr13'): (1.0, None),
    ('top --symbols auto', 'dcpi'): (0.3, 100),
    ('flame', 'dcpi'): (1.0, None),
    **{('share', shape): (3.0, None) for shape in ('line1', 'instr13', 'dcpi', 'gperf', 'folded', 'pprof', 'perfdata')},
}

# How many times as long as top; ROUGH for all else. Those that write say much, and dump says all.
TIMES = {
    'flame': 2, 'top --symbols auto': 2, 'info': 2, 'objects': 2, 'check': 3, 'show': 3, 'diff': 6, 'stats': 6, 'merge': 12,
    'dump': 20, 'share': 12, **{f'convert -t {name}': 12 for name in FORMATS},
}


class Terminal(Runner):
    """What needs somebody at a terminal: the key q is pressed when the first screen is there."""

    def once(self, command):
        result = self.tmp / 'result'
        result.unlink(missing_ok=True)
        ours, theirs = pty.openpty()
        with subprocess.Popen([self.timerun, '-o', result, *command.argv], stdin=theirs, stdout=theirs,
                              stderr=subprocess.DEVNULL, env={**self.env, 'TERM': 'xterm'}, cwd=self.tmp,
                              start_new_session=True) as process:
            os.close(theirs)
            self.press(process, ours)
        os.close(ours)
        lines = result.read_text().splitlines() if result.exists() else []
        command.samples += [Sample(line) for line in lines or [f'{TIMEOUT} 0 0 0 124']]

    @staticmethod
    def press(process, terminal):
        """A bar on the first lines comes before the screen: the key is pressed again until the program ends."""
        end, seen = time.monotonic() + TIMEOUT, 0
        while process.poll() is None:
            if time.monotonic() > end:
                os.killpg(process.pid, signal.SIGKILL)
            try:
                if select.select([terminal], [], [], 0.3)[0]:
                    seen += len(os.read(terminal, 1 << 16))
                elif seen:
                    os.write(terminal, b'q')
            except OSError:  # the program is gone
                process.wait()


class Cell:
    """A command on a shape, in all sizes."""

    def __init__(self, name, shape):
        self.name, self.shape = name, shape
        self.commands = {}  # by size
        self.top = {}       # CPU seconds of top, by size

    def cpu(self, size):
        samples = self.commands[size].samples if size in self.commands else []
        return statistics.median(s.cpu for s in samples) if samples else None

    def status(self):
        return max((s.status for c in self.commands.values() for s in c.samples), default=0)

    def memory(self, size):
        return max(s.rss for s in self.commands[size].samples) / 1e6

    def times_top(self, size):
        return self.cpu(size) / max(self.top[size], 0.01)  # a process start

    def slope(self):
        """Of the two largest sizes of which the smaller one takes long enough."""
        told = [(self.commands[size].reads, self.cpu(size)) for size in self.commands if (self.cpu(size) or 0) >= TELLS]
        if len(told) < 2:
            return None
        (small, fast), (large, slow) = told[-2:]
        return math.log(slow / fast) / math.log(large / small)

    def over(self):
        """What lies over its goal, as words."""
        size = GOAL_SIZE if GOAL_SIZE in self.commands else list(self.commands)[-1]
        cpu, memory = self.cpu(size), self.memory(size)
        if self.status():
            if cpu > REFUSED:
                yield f'refused after {cpu:.2f} s ({REFUSED} s)'
            return
        seconds, most = GOALS.get((self.name, self.shape), (None, None)) if size == GOAL_SIZE else (None, None)
        if seconds and cpu > seconds:
            yield f'{cpu:.2f} s ({seconds} s)'
        if most and memory > most:
            yield f'{memory:.0f} MB ({most} MB)'
        times = TIMES.get(self.name, ROUGH)
        if not seconds and cpu > TELLS and self.times_top(size) > times:
            yield f'{self.times_top(size):.1f}x top ({times}x)'
        slope = self.slope()
        if slope and slope > SLOPE:
            yield f'slope {slope:.2f} ({SLOPE})'


class Slopes:
    def __init__(self, options):
        self.options = options
        self.assay = find_assay(options.assay) or sys.exit('slope: no assay; build it, or name it by --assay')
        self.inputs = Inputs(options.dir)
        self.runners = {'browse': Terminal(self.inputs, options.rounds)}
        self.runner = Runner(self.inputs, options.rounds)
        self.cells = []

    def input(self, shape, size):
        """OTLP has no generator: it is what assay writes of pprof's."""
        if shape != 'otlp':
            return self.inputs.make(shape, size)[0]
        path = pathlib.Path(self.inputs.folder) / f'otlp-{size}'
        if not path.exists():
            subprocess.run([self.assay, 'convert', '-q', '-t', 'otlp', '-o', path, self.inputs.make('pprof', size)[0]], check=True)
        return str(path)

    def command(self, name, shape, path):
        out = str(self.runner.tmp / 'slope-out')
        words = [re.sub('^RE$', MATCHES.get(shape, 'a'), re.sub('^OUT', out, word)).replace('FILE', path)
                 for word in COMMANDS[name].split()]
        output = next((word for word in words if word.startswith(out)), None)
        return Command(name, [self.assay, *words, *MORE.get((name, shape), []), '--jobs', '1'], os.path.getsize(path), output=output)

    def measure(self, shape):
        top = {}
        for name in COMMANDS:
            if not self.options.only.search(f'{shape} {name}') and name != 'top':
                continue
            cell = Cell(name, shape)
            cell.top = top
            for size in self.options.sizes:
                command = self.command(name, shape, self.input(shape, size))
                say(f'{shape} {size} {name}')
                for _ in range(self.options.rounds):
                    self.runners.get(name, self.runner).once(command)
                cell.commands[size] = command
                if name == 'top':
                    top[size] = cell.cpu(size)
                if cell.cpu(size) > self.options.longest:
                    say(f'{shape} {name}: over {self.options.longest} s, larger ones are left out')
                    break
            self.cells.append(cell)

    def run(self):
        for shape in [*SHAPES, 'otlp']:
            if any(self.options.only.search(f'{shape} {name}') for name in COMMANDS):
                self.measure(shape)

    def markdown(self):
        sizes = self.options.sizes
        print('| input | command | ' + ' | '.join(f'{size}, CPU s' for size in sizes) + ' | peak MB | slope | x top | over its goal |')
        print('| --- | --- |' + ' ---: |' * (len(sizes) + 3) + ' --- |')
        for cell in self.cells:
            last = list(cell.commands)[-1]
            seconds = ' | '.join('' if cell.cpu(size) is None else f'{cell.cpu(size):.2f}' for size in sizes)
            slope = cell.slope()
            print(f'| {cell.shape} | `{cell.name}` | {seconds} | {cell.memory(last):.0f} | '
                  f'{"" if slope is None else f"{slope:.2f}"} | {cell.times_top(last):.1f} | '
                  f'{"refused; " if cell.status() else ""}{"; ".join(cell.over())} |')
        over = [cell for cell in self.cells if any(cell.over())]
        print(f'\n{len(over)} of {len(self.cells)} lie over their goal:\n')
        for cell in over:
            print(f'- {cell.shape} `{cell.name}`: {"; ".join(cell.over())}')
        return over


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--assay', metavar='PATH', help='the program to measure')
    parser.add_argument('--sizes', default='1m,10m,100m', metavar='LIST', help='1m,10m,100m')
    parser.add_argument('--large', action='store_true', help='1 GB, too')
    parser.add_argument('--rounds', type=int, default=1, metavar='N')
    parser.add_argument('--longest', type=float, default=60, metavar='S', help='CPU seconds; a size that takes longer is the last')
    parser.add_argument('--only', type=re.compile, default=re.compile(''), metavar='REGEX',
                        help=f'"line1 flame", "browse"; inputs: {", ".join(SHAPES)}, otlp')
    parser.add_argument('--dir', default=ROOT / 'build/bench-data', metavar='DIR', help='where inputs are made and kept')
    parser.add_argument('--gate', action='store_true', help='exit with 1 if anything lies over its goal')
    options = parser.parse_args()
    options.sizes = options.sizes.split(',') + (['1g'] if options.large else [])
    return options


def main():
    options = parse_options()
    slopes = Slopes(options)
    slopes.run()
    over = slopes.markdown()
    crashed = [cell for cell in slopes.cells if cell.status() >= 124]
    for cell in crashed:
        say(f'slope: {cell.shape} {cell.name}: status {cell.status()}')
    return 1 if crashed or (over and options.gate) else 0


if __name__ == '__main__':
    sys.exit(main())
