#!/usr/bin/env python3
"""Files of perf: assay against the figures of independent readers, and what `perf report` printed of them.

The files are those of neighbours-binary/perf beside this repository; where that folder is not there, the golden files of
src/formats/perfdata, for which the same figures stand here.
"""
import collections
import collections
import os
import re
import shutil
import struct
import subprocess
import tempfile
import shutil
import subprocess

import perf_report
import tap
from tap import ROOT, Scratch, assay, data_path, equal, want

t = tap.Tap('perfdata')
ALL = os.environ.get('ASSAY_TEST_FILES') != 'small'  # perf itself reads each file, and not our own alone
FOLDER = data_path('neighbours-binary')
GOLDEN = os.path.join(ROOT, 'src', 'formats', 'perfdata', 'golden')

# Read by a program of its own, which was compared with perf report: {file: {event: (samples, weight)}}.
OWN = {
    'clock.data': {'cpu-clock': (23, 76923063)},
    'period.data': {'task-clock': (38, 76000000)},
    'pipe.data': {'cpu-clock': (47, 94188376)},
    'regs.data': {'cpu-clock': (7, 70707070)},
    'stat.data': {'cpu-clock': (42, 140468202), 'page-faults': (5, 577)},
    'switches.data': {'sched:sched_switch': (4, 4)},
    'system.data': {'cpu-clock': (57, 575757570)},
    'z.data': {'cpu-clock': (390, 195097500)},
}
# Names that the manifest's reader did not have; these are perf's.
NAMES = {'event0': 'cycles:ppH', 'event1': 'instructions:ppH', 'event2': 'branches:ppH'}


# Where perf report is wrong, or has something else in mind: (file, thread, object).
OTHERWISE = {
    # a thread that is ending has the number 0 but its process's own: perf takes it for the idle task
    ('perf/quipper/perf.data.armv7.perf_3.14-3.8', 'swapper', '[kernel.kallsyms]'),
    # code of the kernel outside its own mapping: perf calls it unknown
    ('perf/quipper/perf.data.piped.lost_samples-4.4', 'echo', '[kernel.kallsyms]'),
}


def rows():
    """(file, {event: (samples, weight)}, lost, what perf report printed) of the manifest"""
    path = os.path.join(FOLDER, 'manifest.tsv')
    if not os.path.exists(path):
        return
    for line in open(path, encoding='utf-8'):
        field = line.rstrip('\n').split('\t') + [''] * 5
        if not field[0].startswith('perf/') or 'samples=' not in field[3]:
            continue
        figures = {NAMES.get(m[0], m[0]): (int(m[1]), int(m[2]) if m[2] else None)
                   for m in re.findall(r'(\S+) samples=(\d+)(?: period=(\d+))?', field[3])}
        lost = re.search(r'LOST=(\d+) LOST_SAMPLES=(\d+)', field[3])
        yield field[0], figures, max(map(int, lost.groups())) if lost else 0, field[4]


def events(path):
    r = assay('info', '-f', 'json', '--symbols', 'none', path)
    want(r.code == 0, 'info failed', r)
    return {e['name']: int(e['total']) for e in r.json()['events']}, r


def same_figures(path, figures):
    got, _ = events(path)
    for name, (samples, weight) in figures.items():
        if name.startswith('dummy'):
            continue
        equal(got.get(name + ' samples'), samples, f'samples of {name}')
        if weight is not None:
            equal(got.get(name), weight, f'weight of {name}')


def same_losses(path, lost):
    r = assay('check', '-f', 'json', path)
    want(r.code in (0, 1), 'check failed', r)
    said = [re.match(r'(\d+) sample', f['message']) for f in r.json()['findings'] if f['code'] == 'pd-lost']
    equal([int(m[1]) for m in said], [lost] if lost else [], 'lost samples')


def printed(report, figures):
    """(event, percent, comm, dso, symbol) of what perf report printed, where it weighs what we do"""
    event = None
    for part in report.split('; '):
        head = re.search(r'\[(\S+) \d+K?\]$', part)
        if head:
            event = head[1] if head[1] in figures else None
            continue
        count = re.match(r'count=(\d+)$', part)
        if count and event and figures[event][1] != int(count[1]):
            event = None                                    # branches, or a group's sum
        row = re.match(r'([\d.]+)% (\S+) (?:\[[.k]\] )?(\S+)$', part)
        if event and row:
            yield event, row[1], row[2], row[3], '[.]' in part or '[k]' in part


def share(path, event, by, pick, *extra):
    r = assay('top', '-f', 'json', '-n', '0', '-e', event, '--by', by, *extra, path)
    if r.code == 1:
        return 0.0                                          # nothing is left
    want(r.code == 0, 'top failed', r)
    return 100 * sum(int(row['self'][0]) for row in r.json()['rows'] if pick(row))


def same_shares(path, event, total, rows_, binary):
    for percent, first, second, named in rows_:
        if not named:                                       # a thread's name, and an object
            first = 'perf-exec' if first == 'perf-ex' else first    # it was cut
            got = share(path, event, 'object', lambda row, o=second: os.path.basename(row['object'] or '') == o,
                        '--symbols', 'none', '--thread', first)
        elif first == 'work':                               # the binary is beside the file
            got = share(path, event, 'function', lambda row, f=second: row['function'] == f,
                        '--inline', 'off', '--symbols', 'auto', '--binary', binary)
        else:
            continue
        want(abs(got / total - float(percent)) <= 0.0051, f'{first} {second}: {got / total:.2f} %, perf report says {percent}')


# Rows of perf report that mean something else: (end of the file's name, dso, only with children), and why.
HOTTEST_OTHERWISE = (
    ('', '[unknown]', True),            # where nothing is mapped is one frame; perf has one for each address, 0 among them
    ('perf.dwarf.data', None, True),    # perf unwinds copies of stacks by the files of this machine
    ('perf.lost.data', None, True),     # the same
    ('system.data', 'libbfd-2.40-system.so', False),    # of a stranger: perf takes it for what another one had there
    ('perf.data.branch-4.14', None, False),             # perf counts branches, docs/formats/perfdata.md
)


def is_otherwise(name, dso, children):
    return any(name.endswith(f) and d in (dso, None) and (children or not only) for f, d, only in HOTTEST_OTHERWISE)


def hottest(path, name):
    """The ten hottest symbols of perf report, by themselves and with children, have the same share here."""
    if not shutil.which('perf'):
        return 'skip: perf is not installed (linux-perf)'
    with Scratch() as s:
        beside = os.path.join(FOLDER, 'perf', 'own', 'work')    # where it stood when it was recorded
        if os.path.exists(beside):
            os.makedirs(s.name('srv/lab/data'))
            shutil.copy(beside, s.name('srv/lab/data'))
        told = perf_report.rows(path, s.path)
    had = {e for e in events(path)[0]}
    told = {e: rows_ for e, rows_ in told.items() if e in had and rows_}
    seen = [hottest_of(path, name, event, rows_) for event, rows_ in told.items()]
    return None if sum(seen) else 'n/a: perf report has no symbols of it, or means something else'


def hottest_of(path, name, event, told):
    """How many rows were compared."""
    paths, functions = perf_report.Paths(path, event), None
    seen = 0
    for children in (False, True):
        at = 0 if children else 1
        if not paths.total or told[0][at] is None:
            continue
        for row in sorted(told, key=lambda r, at=at: -r[at])[:10]:
            dso, symbol = row[2:]
            if not row[at] or is_otherwise(name, dso, children):
                continue
            if perf_report.ADDRESS.fullmatch(symbol):
                got = paths.percent(dso, int(symbol, 16), children)
            elif dso == 'work':
                functions = functions or by_name(path, event)
                got = functions.get(symbol, (0, 0))[children]
            else:
                continue                                        # of a library that is not that of the recording
            want(abs(got - row[at]) <= .0051, '%s %s: %.2f %%, perf report says %.2f' % (dso, symbol, got, row[at]))
            seen += 1
    return seen


def by_name(path, event):
    """{function of the program: its share, and with what it calls}"""
    j = tap.top(path, 'function', '-e', event, '--inline', 'off', '--symbols', 'auto', '--binary',
                os.path.join(FOLDER, 'perf', 'own', 'work'))
    total = j['events'][0]['total']
    return {r['function']: (100 * r['self'][0] / total, 100 * r['inclusive'][0] / total) for r in j['rows']
            if os.path.basename(r['object'] or '') == 'work'}


def script(path):
    """[(nanoseconds, event)] of perf script; [] if perf cannot read it."""
    done = subprocess.run(['perf', 'script', '--no-itrace', '--ns', '-F', 'time,event', '-i', path], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    rows_ = re.findall(r'^ *(\d+)\.(\d{9}): +(\S.*?): *$', done.stdout.decode('utf-8', 'replace'), re.MULTILINE)
    return [(int(s + ns), event) for s, ns, event in rows_]


def counts(path, *when):
    """{event: samples} of a stretch of time"""
    r = assay('info', '-f', 'json', '--symbols', 'none', *when, path)
    if r.code == 1 and when:
        return {}                                           # nothing is left
    want(r.code == 0, 'info failed', r)
    return {e['name'][:-len(' samples')]: e['total'] for e in r.json()['events'] if e['name'].endswith(' samples') and e['total']}


def before_samples(path):
    """How long threads are known not to have run before the first sample: that is the beginning then."""
    if 'off-cpu' not in events(path)[0]:
        return 0
    return min(int(at) for at in re.findall(r'^moment (\d+) \d+ "[^"]* samples"', assay('dump', path).out.decode(), re.M))


def same_times(path):
    """Five stretches of time have the samples that perf script prints; all together, and in buckets, they are all samples."""
    if not shutil.which('perf'):
        return 'skip: perf is not installed (linux-perf)'
    told = script(path)
    if not told:
        timeline_adds_up(path)
        return 'n/a: perf script does not read it, or it has no samples'
    first, last, off = min(told)[0], max(told)[0], before_samples(path)
    cuts = [(last - first + 1) * k // 5 for k in range(6)]
    for a, b in zip(cuts, cuts[1:]):
        wanted = dict(collections.Counter(event for at, event in told if a <= at - first < b))
        equal(counts(path, '--from', f'{a + off}ns', '--to', f'{b + off}ns'), wanted, f'samples from {a} to {b} ns')
    equal(counts(path), dict(collections.Counter(event for _, event in told)), 'all samples')
    return timeline_adds_up(path)


def lines(path):
    """{(process, thread, its name): what it cost in each of 7 stretches}"""
    r = assay('timeline', '-f', 'json', '-n', '0', '-b', '7', '--symbols', 'none', path)
    want(r.code == 0, 'timeline failed', r)
    out = {}
    for row in r.json()['rows']:
        key = row['pid'], row['tid'], row['thread']
        out[key] = [a + b for a, b in zip(out.get(key, [0] * 7), row['buckets'])]
    return out


def same_in_otlp(path):
    if not counts(path):
        return 'n/a: no samples'
    with Scratch() as s:
        r = assay('convert', path, '-o', s.name('x.otlp'))
        want(r.code == 0 and 'time stamps' not in r.err, 'convert', r)
        tap.same(lines(s.name('x.otlp')), lines(path), 'lines of threads')
        return None


def timeline_adds_up(path):
    for event in counts(path):
        r = assay('timeline', '-f', 'json', '-n', '0', '-b', '7', '--symbols', 'none', '-e', event + ' samples', path)
        want(r.code == 0, 'timeline failed', r)
        equal(sum(sum(row['buckets']) for row in r.json()['rows']), counts(path)[event], f'buckets of {event}')


for name, wanted in OWN.items():
    @t(f'times golden {name}')
    def _(name=name):
        return same_times(os.path.join(GOLDEN, name))

    @t(f'hottest golden {name}')
    def _(name=name):
        return hottest(os.path.join(GOLDEN, name), name)

    @t(f'threads and times in OTLP, golden {name}')
    def _(name=name):
        return same_in_otlp(os.path.join(GOLDEN, name))

    @t(f'golden {name}')
    def _(name=name, wanted=wanted):
        same_figures(os.path.join(GOLDEN, name), wanted)

for name, wanted, lost_, report_ in rows():
    path_ = os.path.join(FOLDER, name)

    @t(f'figures {name}')
    def _(path=path_, wanted=wanted):
        same_figures(path, wanted)

    if 'perf.dir.data' not in name:
        @t(f'losses {name}')
        def _(path=path_, lost=lost_):
            same_losses(path, lost)

    if ALL:
        @t(f'times {name}')
        def _(path=path_):
            return same_times(path)

        @t(f'hottest {name}')
        def _(path=path_, name=name):
            return hottest(path, name)

    @t(f'threads and times in OTLP, {name}')
    def _(path=path_):
        return same_in_otlp(path)

    shares = [s for s in printed(report_, wanted) if (name, s[2], s[3]) not in OTHERWISE]

    @t(f'shares {name}')
    def _(path=path_, wanted=wanted, shares=shares):
        if not shares:
            return 'n/a: perf report did not read it, or weighs it otherwise'
        for event in sorted({s[0] for s in shares}):
            same_shares(path, event, wanted[event][1], [s[1:] for s in shares if s[0] == event],
                        os.path.join(FOLDER, 'perf', 'own', 'work'))
        return None

# --- code that processes make at run time --------------------------------------------------------------------------

def dump_entries(data):
    """(start, limit, time, name) of what a jit-PID.dump loads"""
    at = struct.unpack_from('<I', data, 8)[0]
    while at + 16 <= len(data):
        kind, size, time = struct.unpack_from('<IIQ', data, at)
        if kind == 0:
            start, length = struct.unpack_from('<QQ', data, at + 32)
            yield start, start + length, time, data[at + 56:data.index(b'\0', at + 56)].decode()
        at += size


def map_entries(data):
    for line in data.decode().splitlines():
        start, length, name = line.split(' ', 2)
        yield int(start, 16), int(start, 16) + int(length, 16), 0, name


def leaves(path, *more):
    """name of the innermost frame: samples"""
    r = assay('top', '-f', 'json', '-n', '0', '-e', 'cpu-clock samples', '--inline', 'off', '--names', 'full', *more, path)
    want(r.code == 0, 'failed', r)
    return {row['function'] or '': int(row['self'][0]) for row in r.json()['rows'] if int(row['self'][0])}


for name, beside, entries in (('nodejit/raw.data', 'nodejit/jit-25833.dump.zst', dump_entries),
                              ('perf.node-map.data', 'perf-11872.map', map_entries),
                              ('perf.py.data', 'perf-3950.map', map_entries)):
    where = os.path.join(FOLDER, 'perf', 'own')
    if not os.path.exists(os.path.join(where, name)):
        continue

    @t(f'names of made code in {name}')
    def _(data=os.path.join(where, name), beside=os.path.join(where, beside), entries=entries):
        with tempfile.TemporaryDirectory() as folder:
            names = os.path.join(folder, os.path.basename(beside).replace('.zst', ''))
            if beside.endswith('.zst'):
                if not shutil.which('zstd'):
                    return 'skip:zstd is not installed'
                subprocess.run(['zstd', '-dq', beside, '-o', names], check=True)
            else:
                shutil.copy(beside, names)
            got = leaves(data, '--symbols', 'auto', '--binary', names)
            known = list(entries(open(names, 'rb').read()))
        expected = collections.Counter()
        r = assay('top', '-f', 'json', '-n', '0', '-e', 'cpu-clock samples', '--symbols', 'none', '--by', 'address', data)
        want(r.code == 0, 'top failed', r)
        for row in r.json()['rows']:
            for start, limit, _, what in reversed(known if row['object'] == '//anon' else []):
                if start <= int(row['address'], 16) < limit:
                    expected[what] += int(row['self'][0])
                    break
        want(expected or 'perf.py' in data, 'nothing was sampled in made code')
        equal({n: got.get(n) for n in expected if expected[n]}, {n: c for n, c in expected.items() if c}, 'samples in made code')


def record(kind, misc, body):
    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body


def text(s):
    return s.encode() + b'\0' * (8 - len(s) % 8)


def stream(dump, *samples):
    """A stream of perf: process 7 has DUMP mapped, and makes code at 0x10000; samples are (time, address)."""
    kind = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 8                            # IP, TID, TIME, PERIOD
    attr = struct.pack('<IIQQQQQIIQQQQIi', 1, 96, 0, 1000, kind, 0, 1 << 18 | 1 << 20 | 1 << 25, 0, 0, 0, 0, 0, 0, 0, 1)
    out = b'PERFILE2' + struct.pack('<Q', 16) + record(64, 0, attr)
    for start, path in ((0x10000, '//anon'), (0x90000, dump)):
        out += record(1, 2, struct.pack('<IIQQQ', 7, 7, start, 0x10000, 0) + text(path) + struct.pack('<IIQ', 7, 7, 1))
    return out + b''.join(record(9, 2, struct.pack('<QIIQQ', ip, 7, 7, time, 1000)) for time, ip in samples)


def jitdump(pid, *loads):
    """A jit-PID.dump of (time, start, size, name)."""
    out = struct.pack('<IIIIIIQQ', 0x4a695444, 1, 40, 62, 0, pid, 1, 0)
    for time, start, size, name in loads:
        body = struct.pack('<IIQQQQ', pid, pid, start, start, size, 0) + name.encode() + b'\0'
        out += struct.pack('<IIQ', 0, 16 + len(body), time) + body
    return out


@t('a dump is used if it is a plain file of the process, at the time of the sample')
def _():
    with tempfile.TemporaryDirectory() as folder:
        dump, data = os.path.join(folder, 'jit-7.dump'), os.path.join(folder, 'x.data')
        first = jitdump(7, (100, 0x10000, 64, 'early'), (200, 0x10020, 16, 'late'))
        with open(data, 'wb') as f:
            f.write(stream(dump, (150, 0x10021), (150, 0x10001), (250, 0x10021), (251, 0x10021), (252, 0x10031)))
        for what, made, named in (('the process\'s', first, True), ('another process\'s', jitdump(8, (100, 0x10000, 64, 'other')), False),
                                  ('garbage', b'DTiJ' * 100, False), ('a link', None, False)):
            if made is None:
                os.rename(dump, dump + '.real')
                with open(dump + '.real', 'wb') as f:
                    f.write(first)
                os.symlink(dump + '.real', dump)
            else:
                with open(dump, 'wb') as f:
                    f.write(made)
            got = leaves(data, '--symbols', 'auto')
            if named:
                equal(got, {'early': 3, 'late': 2}, what)
            else:
                want(not set(got) & {'early', 'late', 'other'}, what, got)
        got = leaves(data, '--symbols', 'auto', '--binary', dump)       # what the user names is right
        equal(got, {'early': 3, 'late': 2}, 'a link that is named')
        want(not set(leaves(data, '--symbols', 'none', '--binary', dump)) & {'early', 'late'}, '--symbols none')


t.run()
