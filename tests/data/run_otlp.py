#!/usr/bin/env python3
"""OpenTelemetry's profiles: the figures of all layouts, and what assay writes, read by the reader that protoc makes of the schema."""
import glob
import os

import tap
from tap import Scratch, assay, data_path, equal, same, want

import otlp_oracle  # in tests/oracle, which tap puts into the path

t = tap.Tap('otlp')
if not otlp_oracle.GENERATED:
    t.skip_all('protobuf-compiler and python3-protobuf are not installed')
FOLDER = data_path(os.path.join('neighbours-binary', 'otlp', 'own'))
FILES = sorted(glob.glob(os.path.join(FOLDER, '*')))
GOLDEN = sorted(glob.glob(os.path.join(tap.ROOT, 'src', 'formats', 'otlp', 'golden', '*.otlp')))
OTHERS = sorted(glob.glob(os.path.join(tap.ROOT, 'src', 'formats', '*', 'golden', '*')))
# By google.protobuf with the schema of each release: mix 10, fib < fib 5, cmp inlined into sort_phase 3; 10 ms each
COUNTS = {'mix': 10, 'fib': 5, 'cmp': 3}
NANOS = 10000000


def has_cpu(name):
    return 'timestamps' not in name and 'v1.5' not in name


def t_figures(path):
    name = os.path.basename(path)
    times = 2 if name.endswith('.lp') else 1
    got = dump(path)
    counts = {f: [n * times] + ([n * times * NANOS] if has_cpu(name) else []) for f, n in COUNTS.items()}
    sums = {}
    for stack, cost in got['samples']:
        leaf = sums.setdefault(stack[-1][0], [0] * len(cost))
        sums[stack[-1][0]] = [a + b for a, b in zip(leaf, cost)]
    same(sums, counts, 'self costs by function')
    equal(got['total'], [18 * times] + ([18 * times * NANOS] if has_cpu(name) else []), 'total')
    equal(len(got['samples']), 3, 'samples')
    equal(got['threads'], ['worker-1', 'worker-2'], 'threads')
    want([('cmp', True), ('sort_phase', False)] == [(f, i) for f, i in reversed(
        next(s for s, _ in got['samples'] if s[-1][0] == 'cmp'))][:2], 'cmp is inlined into sort_phase', got['samples'])


def dump(path):
    """What the canonical text of assay says: samples as [((name, inlined), ...), costs]."""
    r = assay('convert', '-q', path, '-t', 'dump', '-o', '-')
    want(r.code == 0, 'convert', r)
    out = {'samples': [], 'threads': [], 'events': [], 'moments': 0}
    for line in r.out.decode().splitlines():
        word = line.split(' ', 1)[0]
        if word == 'sample':
            stack, costs = line.rsplit(': ', 1)
            frames = [f.strip() for f in stack.split(' ', 2)[2].split(';')] if stack.count(' ') > 1 else []
            out['samples'].append((tuple((f.split('fn="')[-1].split('"')[0] if 'fn="' in f else '', f.endswith('inlined'))
                                         for f in frames), [int(c) for c in costs.split()]))
        elif word == 'event':
            out['events'].append(line.split('"')[1])
        elif word == 'total':
            out['total'] = [int(c) for c in line.split()[1:]]
        elif 'label "thread.name"' in line:
            out['threads'].append(line.rsplit('"', 2)[1])
        elif word == 'moment':
            out['moments'] += 1
    return out


def t_written(path):
    """Both forms say the same to the oracle, and what assay read."""
    with Scratch() as s:
        pb, js, back = s.name('x.otlp'), s.name('x.otlp-json'), s.name('back.otlp')
        for out in (pb, js):
            r = assay('convert', '-q', path, '-o', out)
            want(r.code == 0, 'convert', r)
        data, mapped = (otlp_oracle.message(open(x, 'rb').read()) for x in (pb, js))
        want(data == mapped, 'protocol buffers and JSON are not one message')
        equal(data.ByteSize(), os.path.getsize(pb), 'bytes that the schema makes of it')
        a = otlp_oracle.samples(data)
        ours = dump(path)
        equal(sorted(v for v in otlp_oracle.totals(a).values() if v), sorted(v for v in ours['total'] if v), 'totals')
        sums = {}
        for stack, cost in ours['samples']:
            for v in cost:
                sums[stack[-1][0] if stack else ''] = sums.get(stack[-1][0] if stack else '', 0) + v
        theirs = {}
        for (_, name), v in otlp_oracle.self_costs(a).items():
            theirs[name] = theirs.get(name, 0) + v
        same({k: v for k, v in theirs.items() if v}, {k: v for k, v in sums.items() if v}, 'self costs by function')
        equal(sum(len(x['times']) for x in a), ours['moments'], 'times')
        want(all(len(x['times']) in (0, len(x['values'])) for x in a), 'times beside values')
        r = assay('convert', '-q', js, '-o', back)
        want(r.code == 0, 'convert', r)
        want(open(back, 'rb').read() == open(pb, 'rb').read(), 'JSON back to protocol buffers: other bytes')


def t_totals(path):
    """Of other formats: what is written adds up to what was read, or it is told."""
    with Scratch() as s:
        out = s.name('x.otlp')
        r = assay('convert', path, '-o', out)
        if r.code:
            return 'n/a: not written: ' + r.err.strip().splitlines()[0]
        theirs = otlp_oracle.totals(otlp_oracle.read(open(out, 'rb').read()))
        ours = dict(zip(dump(path)['events'], dump(path)['total'], strict=True))
        equal(bool(ours.pop('markers', 0)), ' of markers' in r.err, 'markers are told as lost')
        equal(sorted(v for v in theirs.values() if v), sorted(v for v in ours.values() if v), 'totals')


for file in FILES:
    t('figures: ' + os.path.basename(file))(lambda file=file: t_figures(file))
for file in FILES + [g for g in GOLDEN if os.path.exists(g + '.dump')]:
    t('written: ' + os.path.basename(file))(lambda file=file: t_written(file))
for file in OTHERS:
    if os.path.exists(file + '.dump') and file not in GOLDEN:
        t('totals: ' + '/'.join(file.split('/')[-3::2]))(lambda file=file: t_totals(file))

t.run()
