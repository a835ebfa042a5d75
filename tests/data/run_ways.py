#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is read only becomes pprof, folded stacks, Callgrind and OTLP, and is read back: every total is conserved, every loss is told.

What assay wrote is read by the independent readers of those formats, too.
"""
import collections
import glob
import os
import re

import tap
from dump import Dump
from tap import Scratch, assay, contents, data_path, equal, is_asked, same, want

import callgrind_oracle  # in tests/oracle, which tap puts into the path
import otlp_oracle
import pprof_oracle

t = tap.Tap('ways')
FORMATS = ('gmon', 'jfr', 'legacy', 'otlp', 'perfdata', 'uftrace')
WAYS = ('pprof', 'folded', 'callgrind', 'otlp')


def sources():
    for name in FORMATS:
        for dump in sorted(glob.glob(os.path.join(tap.ROOT, 'src', 'formats', name, 'golden', '*.dump'))):
            yield dump[:-len('.dump')]
    for folder in ('perf/own', 'perf/linux-perf-data', 'perf/quipper', 'jfr/own', 'legacy/own', 'legacy/pprof', 'gmon', 'otlp/own'):
        for path in sorted(glob.glob(os.path.join(data_path('neighbours-binary'), folder, '*'))):
            if os.path.isfile(path) and is_asked(path) and not assay('info', path).code:
                yield path


def independent(way, path):
    """The totals of each event that costs anything, by a reader that is not ours."""
    if way == 'otlp':
        if not otlp_oracle.GENERATED:
            return None
        out = collections.Counter()
        for s in otlp_oracle.read(contents(path)):
            out[s['type']] += otlp_oracle.cost(s)
    elif way == 'pprof':
        p = pprof_oracle.read(path)
        out = {i: sum(values[i] for _, _, values in p.samples) for i in range(len(p.types))}
    elif way == 'folded':
        out = {0: sum(int(line.rpartition(b' ')[2]) for line in contents(path).splitlines() if not line.startswith(b'#'))}
    else:
        p = callgrind_oracle.read(path)
        out = dict(enumerate(p.total()))
    return sorted(v for v in out.values() if v)


def self_costs(d, event):
    """{function: self cost}; '' for what has no name, and for the stack of no frames"""
    out = collections.Counter()
    for _, stack, values in d.samples:
        out[stack[-1].get('fn', '') if stack else ''] += values[event]
    for _, position, values in d.self:
        out[position.get('fn', '')] += values[event]
    return {k: v for k, v in out.items() if v}


def nanos_of(d):
    period, unit = re.search(rb' period=(\d+) period-unit="(\w+)"', d.raw).groups()
    return int(period) * {b'nanoseconds': 1, b'microseconds': 1000}[unit]


def t_way(path, source, way):
    with Scratch() as s:
        out = s.name('x')
        r = assay('convert', path, '-t', way, '-o', out)
        if r.code:
            want(r.code in (4, 6) and r.err.strip() and not os.path.exists(out), 'refused without a reason, or half written', r)
            return 'n/a: ' + r.err.strip().splitlines()[0]
        back = Dump(out)
        marks = source.total[-1] if source.events[-1:] == ['markers'] else 0  # an event of moments, which no way here carries
        events = source.events[:-1] if marks else source.events
        n = 1 if way == 'folded' else len(events)
        kept = [v for v in source.total[:n] if v]
        if way == 'pprof' and kept and n == 1 and len(back.events) == 2:
            kept.append(kept[0] * nanos_of(source))  # samples of a known period are written as time, too
        equal([v for v in back.total if v], kept, 'totals, read back')
        got = independent(way, out)
        want(got is None or got == sorted(kept), 'totals by an independent reader: wanted %s, got %s' % (sorted(kept), got))
        told = {what: int(number) for number, what in re.findall(r'^assay: lost: (\d+) (.*)$', r.err, re.M)}
        lost = {what.rstrip('s'): number for what, number in told.items()}
        equal(lost.get('event', 0), len(events) - n, 'events lost')
        equal(lost.get('records of marker', 0), marks, 'markers lost')
        moments = source.raw.count(b'\nmoment ') - marks
        if not moments:  # there are none, or those that there are do not add up: as many everywhere
            moments = LEFT.setdefault(path, lost.get('time stamp', 0))
        elif way == 'otlp':
            moments = 0
        equal(lost.get('time stamp', 0), moments, 'time stamps lost')
        for k in range(n if back.events and way in ('pprof', 'otlp') else 0):
            same(self_costs(back, k), self_costs(source, k), 'self costs of ' + events[k])
        strict = assay('convert', path, '-t', way, '-o', s.name('strict'), '--strict')
        want(strict.code or not told, '--strict writes what loses %s' % told, strict)
        want(not strict.code or (strict.err.strip() and not os.path.exists(s.name('strict'))), '--strict gives no reason, or left a file', strict)
    return None


READ, LEFT = {}, {}


def source_of(path):
    if path not in READ:
        READ.clear()
        READ[path] = Dump(path)
    return READ[path]


for file in sources():
    for to in WAYS:
        t.add('%s -> %s' % ('/'.join(file.split('/')[-3:]), to), lambda file=file, to=to: t_way(file, source_of(file), to))
t.run()
