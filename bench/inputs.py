# SPDX-License-Identifier: Apache-2.0
"""The tools of the benchmark and the inputs they generate, made when needed and kept."""
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parent

# tool -> its sources; the rest of the sources are headers of all of them
SOURCES = {
    'gen_callgrind': ['gen_callgrind.c', 'gen_program.c'],
    'gen_dcpi': ['gen_dcpi.c'],
    'gen_firefox': ['gen_firefox.c'],
    'gen_folded': ['gen_folded.c'],
    'gen_gperf': ['gen_gperf.c'],
    'gen_heap': ['gen_heap.c'],
    'gen_jfr': ['gen_jfr.c'],
    'gen_perfdata': ['gen_perfdata.c'],
    'gen_perfscript': ['gen_perfscript.c'],
    'gen_pprof': ['gen_pprof.c'],
    'gen_speedscope': ['gen_speedscope.c'],
    'timerun': ['timerun.c'],
    'yardstick': ['yardstick.c'],
}

# shape -> generator and its options
SHAPES = {
    'line1': ('gen_callgrind', []),
    'instr13': ('gen_callgrind', ['-i', '-e', '13']),
    'gperf': ('gen_gperf', []),
    'pprof': ('gen_pprof', []),
    'jfr': ('gen_jfr', []),
    'dcpi': ('gen_dcpi', []),
    'firefox': ('gen_firefox', []),
    'folded': ('gen_folded', []),
    'heap': ('gen_heap', []),
    'perfdata': ('gen_perfdata', []),
    'perfscript': ('gen_perfscript', []),
    'speedscope': ('gen_speedscope', []),
}

ENDINGS = {'jfr': '.jfr'}  # the JDK's tool insists on it


# Six seconds of calls from C to Python and back.
DEEP = '''
import time
def f(n, k):
    return sum(f(n - 1, k) for _ in range(k)) if n else 1
def g(n):
    return h(n - 1) + 1 if n else f(6, 3)
def h(n):
    return g(n - 1) + 1 if n else f(5, 4)
start = time.process_time()
while time.process_time() - start < 6:
    g(10), h(9)
'''


def speedscope(folder, version):
    """The folder of speedscope's package, fetched once; None where npm cannot."""
    package = folder / 'node_modules/speedscope'
    if not package.exists() and shutil.which('npm'):
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-audit',
                        '--no-fund', f'speedscope@{version}'], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
    return package if package.exists() else None


def clear_false_marks(path):
    """Some kernels mark mappings as having a build id, and write the numbers of a device and a file in its place: perf
    ends with an assertion then. Those marks are taken off."""
    mmap2, mark = 10, 1 << 14
    data = bytearray(path.read_bytes())
    at, size = struct.unpack_from('<QQ', data, 40)
    end = at + size
    while at + 8 <= end:
        kind, misc, length = struct.unpack_from('<IHH', data, at)
        if kind == mmap2 and misc & mark and data[at + 40] > 20:
            struct.pack_into('<H', data, at + 4, misc & ~mark)
        if length < 8:
            break
        at += length
    path.write_bytes(data)


def say(text):
    print(text, file=sys.stderr, flush=True)


def bytes_of(size):
    """'100m' -> 100000000"""
    return int(float(size[:-1]) * {'k': 1e3, 'm': 1e6, 'g': 1e9}[size[-1].lower()])


def find_assay(path):
    """The program under test: as told, or where ninja puts it."""
    for candidate in (path, os.environ.get('ASSAY'), ROOT / 'build/src/cli/assay',
                      ROOT / 'build/assay'):
        if candidate and os.access(candidate, os.X_OK):
            return str(pathlib.Path(candidate).resolve())
    built = sorted(ROOT.glob('build*/**/assay'), key=lambda p: p.stat().st_mtime, reverse=True)
    return next((str(p) for p in built if p.is_file() and os.access(p, os.X_OK)), None)


class Inputs:
    """Tools and generated files under one folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / 'tmp').mkdir(exist_ok=True)
        self.known = {}

    def stamp(self, tool):
        """Changes whenever the tool's sources do."""
        digest = hashlib.sha256()
        for name in SOURCES[tool] + sorted(p.name for p in BENCH.glob('*.h')):
            digest.update((BENCH / name).read_bytes())
        return digest.hexdigest()[:16]

    def tool(self, name):
        """Compiled with -O2, whatever assay is built with: the yardstick must not depend on it."""
        stamp = self.stamp(name)
        path = self.folder / 'tmp' / f'{name}-{stamp}'
        if name not in self.known:
            if not path.exists():
                cc = os.environ.get('CC', 'cc').split()
                part = path.with_suffix('.part')
                subprocess.run(cc + ['-O2', '-std=c11', '-ffp-contract=off', '-o', part]
                               + [BENCH / source for source in SOURCES[name]], check=True)
                part.rename(path)
            self.known[name] = str(path)
        return self.known[name]

    def make(self, shape, size, name=None, extra=()):
        """(path, facts) of a generated input; the facts are what the generator counted."""
        generator, options = SHAPES[shape]
        if shape == 'perfdata':  # the objects that it names stand beside it
            objects = self.folder / 'perfdata-objects'
            objects.mkdir(exist_ok=True)
            extra = ['-o', str(objects), *extra]
        argv = ['-s', size, *options, *extra]
        key = ' '.join([generator, self.stamp(generator), *argv])
        path = self.folder / (name or f'{shape}-{size}{ENDINGS.get(shape, "")}')
        facts_path = path.with_name(path.name + '.facts')
        if path.exists() and facts_path.exists():
            facts = json.loads(facts_path.read_text())
            if facts.pop('made by') == key and facts['bytes'] == path.stat().st_size:
                return str(path), facts
        if shutil.disk_usage(self.folder).free < 2 * bytes_of(size):
            raise SystemExit(f'bench: no room for {path}')
        if bytes_of(size) >= 50e6:
            say(f'making {path.name} ...')
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + '.part')
        with open(part, 'wb') as out:
            done = subprocess.run([self.tool(generator), *argv], stdout=out,
                                  stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise SystemExit(f'bench: {generator} {" ".join(argv)}: {done.stderr}')
        facts = {k: int(v) for k, v in (line.split() for line in done.stderr.splitlines())}
        part.rename(path)
        facts_path.write_text(json.dumps({'made by': key, **facts}, indent=1) + '\n')
        return str(path), facts

    def recorded_copies(self):
        """A perf.data of some 100 MB with copies of 8 KB of the stack, as perf records a program here; None if it
        cannot."""
        path = self.folder / 'copies.data'
        if not path.exists():
            say('recording copies of stacks ...')
            part = path.with_name(path.name + '.part')
            done = subprocess.run(['perf', 'record', '-q', '-B', '-e', 'cpu-clock', '-F', '2000', '--call-graph',
                                   'dwarf,8192', '-o', part, sys.executable, '-c', DEEP],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if done.returncode or not part.exists():
                return None
            clear_false_marks(part)
            part.rename(path)
        return str(path)

    def runs(self, count, size):
        """COUNT gperftools profiles of one program, each run loaded elsewhere."""
        return [self.make('gperf', size, f'runs-{size}/{run:03}.prof',
                          ['-a', '-r', str(run)]) for run in range(1, count + 1)]

    def compressed(self, plain):
        """PLAIN, a profile.proto, as .pb.gz beside it."""
        path = f'{plain}.pb.gz'
        if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(plain):
            with open(plain, 'rb') as data, open(path + '.part', 'wb') as file, \
                    gzip.GzipFile('', 'wb', 6, file, 0) as out:
                shutil.copyfileobj(data, out)
            os.rename(path + '.part', path)
        return path

    def pprof_runs(self, count, size):
        """COUNT compressed profile.protos of one program; SIZE is that of the samples alone."""
        made = [self.make('pprof', size, f'runs-pb-{size}/{run:03}', ['-r', str(run)])
                for run in range(1, count + 1)]
        return [(self.compressed(path), facts) for path, facts in made]
