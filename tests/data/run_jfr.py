#!/usr/bin/env python3
"""Recordings of Java Flight Recorder: assay against the figures of the manifest, and against `jfr summary` and `jfr print`."""
import ast
import collections
import csv
import functools
import gzip
import json
import os
import re
import shutil
import subprocess

from dump import Dump
from tap import Scratch, Tap, assay, contents, data_path, equal, same, want

t = Tap('jfr')
FOLDER = data_path('neighbours-binary')
MANIFEST = next((m for m in (os.path.join(FOLDER, 'manifest.tsv'), os.path.join(FOLDER, 'jfr', 'manifest.tsv')) if os.path.exists(m)), None)
JFR = shutil.which('jfr')
# The columns of the manifest end after 1200 letters: what is cut off there is left out.
EVENT = re.compile(r'(\S+) (\d+) null (\d+) trunc (\d+) top (.*?)(?=; (?:[a-z]+\.[A-Za-z.]+ \d+ null |sums \{|states \{)|$)')
CHUNK = re.compile(r'chunk (\d+) v(\d\.\d) size (\d+) .*? start (\d+) dur (\d+) ')


def plain(path):
    return gzip.decompress(contents(path)) if path.endswith('.gz') else contents(path)


def method(position):
    """A leaf as others name it: class and method, with the numbers of a hidden class; a library and its function."""
    if 'sys' in position:
        return position['sys'].partition('(')[0]
    return '.'.join(x for x in (position.get('ob'), position.get('fn')) if x)


class Recording:
    """What a dump says, by events."""

    def __init__(self, path):
        self.dump = d = Dump(path)
        self.column = {name: i for i, name in enumerate(d.events)}

    def total(self, event):
        return sum(values[self.column[event]] for _, _, values in self.dump.samples)

    def by(self, event, key):
        out = collections.Counter()
        for part, stack, values in self.dump.samples:
            if values[self.column[event]]:
                out[key(part, stack)] += values[self.column[event]]
        return out

    def leaves(self, event):
        return self.by(event, lambda part, stack: method(stack[-1]) if stack else '(no stack)')

    def states(self, event):
        return self.by(event, lambda part, stack: self.dump.parts[part].get('labels', {}).get('state'))


recording = functools.lru_cache(None)(Recording)


def t_events(path, figures):
    r = recording(path)
    found = EVENT.findall(figures)
    for name, count, null, truncated, tops in found:
        # of wall time the manifest adds up samples, of which an event has several
        weight = name + '.samples' if name.endswith('WallClockSample') else name
        equal(r.total(name), int(count), name)
        leaves = r.leaves(weight)
        if '(no stack)' in leaves or int(null):
            equal(leaves['(no stack)'], int(null), name + ' without a stack')
        cut = r.by(weight, lambda part, stack: bool(stack) and stack[0].get('ob') == '[truncated]')
        equal(cut[True], int(truncated), name + ' truncated')
        for top in tops.split('; '):
            at = re.fullmatch(r'(.*) (\d+)', top)
            if at and not (top == tops.split('; ')[-1] and figures.endswith(top)):      # which may be cut
                equal(leaves[at.group(1)], int(at.group(2)), '%s: %s' % (name, at.group(1)))


def dictionary(figures, word):
    m = re.search(word + r' (\{[^}]*\})', figures)
    return ast.literal_eval(m.group(1)) if m else {}


def t_sums(path, figures, per_second):
    r = recording(path)
    for name, amount in dictionary(figures, 'sums').items():
        got = r.total(name)
        if name.endswith('.duration') and per_second != 10**9:       # the manifest has ticks; each event was rounded
            count = r.total(name.rpartition('.')[0])
            want(abs(got - amount * 10**9 / per_second) <= count / 2 + 1, '%s: %s ticks of 1/%s s are not %s ns' % (name, amount, per_second, got))
        else:
            equal(got, amount, name)
    for both, count in dictionary(figures, 'states').items():
        name, state = both.split(':')
        equal(r.states(name)[state], count, both)


def t_chunks(path, figures):
    chunks = CHUNK.findall(figures)
    r = assay('info', path)
    equal(re.search(r'^format +(.*)$', r.out.decode(), re.M).group(1), 'jfr ' + chunks[0][1], 'format and version')
    start = min(int(c[3]) for c in chunks)
    end = max(int(c[3]) + int(c[4]) for c in chunks)
    raw = recording(path).dump.raw.decode()
    equal(int(re.search(r'^duration (\d+)$', raw, re.M).group(1)), end - start, 'duration')


def counts_of(summary):
    return {m.group(1): int(m.group(2)) for m in re.finditer(r'(?:^|; )\s*([a-zA-Z]\S*) +(\d+) +(\d+)(?=$|;)', summary, re.M)}


def compare_summary(path, summary):
    r = recording(path)
    counts = {k: v for k, v in counts_of(summary).items() if v}
    return {k: (r.total(k), v) for k, v in counts.items() if k in r.column and r.total(k) != v}, counts, r


def t_summary_column(path, summary):
    wrong, counts, r = compare_summary(path, summary.replace(' (17.0.15):', ';'))
    equal(wrong, {}, 'events that `jfr summary` counts otherwise')
    for name in counts:
        want(name in r.column, 'event %s is missing' % name)


def t_summary(path):
    """Of every event that we tell."""
    if not JFR:
        return 'n/a: there is no JDK'
    with Scratch() as scratch:
        out = subprocess.run([JFR, 'summary', scratch.file('x.jfr', plain(path))], capture_output=True, text=True, check=True).stdout
    wrong, counts, r = compare_summary(path, out)
    equal(wrong, {}, 'events that `jfr summary` counts otherwise')
    told = {e for e in r.column if e != 'markers' and not any(e.startswith(o + '.') and e != o for o in r.column if o in counts)}
    want(told and told <= set(counts), 'events that `jfr summary` does not have', told - set(counts))


@functools.lru_cache(None)
def print_events(path, names):
    with Scratch() as scratch:
        out = subprocess.run([JFR, 'print', '--json', '--stack-depth', '2048', '--events', ','.join(names), scratch.file('x.jfr', plain(path))],
                             capture_output=True, text=True, check=True).stdout
    return json.loads(out)['recording']['events']


def events_of(r):
    return tuple(e for e in r.column if e != 'markers' and not any(e.startswith(o + '.') for o in r.column))


def printed(path, names):
    """Of each event type: how often each stack, the root first, as (method, descriptor, line, inlined)."""
    stacks = collections.defaultdict(collections.Counter)
    for e in print_events(path, names):
        trace = e['values']['stackTrace']
        frames = [] if not trace else [
            (f['method']['type']['name'].replace('/', '.') + '.' + f['method']['name'] + f['method']['descriptor'], max(f['lineNumber'], 0),
             f['type'] == 'Inlined') for f in reversed(trace['frames'])]
        stacks[e['type']][tuple(frames)] += 1
    return stacks


def t_print(path):
    if not JFR:
        return 'n/a: there is no JDK'
    r = recording(path)
    names = events_of(r)
    wanted = printed(path, names)
    for name in names:
        got = r.by(name, lambda part, stack: tuple((p['sys'], p.get('line', 0), p.get('inlined', False)) for p in stack))
        same(got, wanted[name], name)


def nanos(text):
    """Of "2026-11-22T19:42:46.430960167Z": what stands behind the day."""
    h, m, s = text.rstrip('Z').partition('T')[2].split(':')
    whole, _, part = s.partition('.')
    return ((int(h) * 60 + int(m)) * 60 + int(whole)) * 10**9 + int(part.ljust(9, '0'))


def t_time(path):
    """How often each event began in each half second."""
    if not JFR:
        return 'n/a: there is no JDK'
    raw = recording(path).dump.raw.decode()
    start = nanos(re.search(r'^epoch "(.*)"$', raw, re.M).group(1))
    names = events_of(recording(path))
    got = collections.Counter((m.group(2), int(m.group(1)) // 500000000)
                              for m in re.finditer(r'^moment (-?\d+) \d+ "([^"]*)"', raw, re.M) if m.group(2) in names)
    same(got, collections.Counter((e['type'], (nanos(e['values']['startTime']) - start) // 500000000) for e in print_events(path, names)), 'events')
    cut = assay('top', path, '--from', '1s', '--to', '2s', '-e', 'jdk.ExecutionSample', '-f', 'json', '-n', '0')
    want(cut.code == 0, 'top --from failed', cut)
    equal(sum(row['self'][0] for row in cut.json()['rows']), got['jdk.ExecutionSample', 2] + got['jdk.ExecutionSample', 3], 'samples of a second')


PAUSES = ('jdk.GarbageCollection', 'jdk.GCPhasePause')


def length(text):
    """Of "PT0.112297456S", in nanoseconds."""
    m = re.fullmatch(r'PT(?:(\d+)M)?(\d+)(?:\.(\d+))?S', text)
    return (60 * int(m.group(1) or 0) + int(m.group(2))) * 10**9 + int((m.group(3) or '').ljust(9, '0'))


def t_pauses(path):
    """Collections and pauses are markers: how many of each name, when each began and how long it was."""
    if not JFR:
        return 'n/a: there is no JDK'
    r = recording(path)
    raw = r.dump.raw.decode()
    start = nanos(re.search(r'^epoch "(.*)"$', raw, re.M).group(1))
    names, times = collections.Counter(), collections.Counter()
    for e in print_events(path, PAUSES):
        v = e['values']
        names[e['type'].partition('.')[2] + ': ' + v['name']] += 1
        times[nanos(v['startTime']) - start, length(v['duration'])] += 1
    want(names, 'there are none')
    same(r.by('markers', lambda part, stack: stack[0]['fn']), names, 'names')
    same(collections.Counter((int(m.group(1)), int(m.group(2) or 0))
                             for m in re.finditer(r'^moment (-?\d+) \d+ "markers": 1(?: duration=(\d+))?$', raw, re.M)), times, 'times')


def t_private(path):
    """What is nobody's business is in the file, and in nothing that is made of it."""
    data = plain(path)
    secrets = [s for s in (b'java.class.path', b'sun.java.command', b'-XX:+UseSerialGC', b'java.vm.specification.name') if s in data]
    want(secrets, 'the file has none of these')
    with Scratch() as scratch:
        for target in ('dump', 'pprof', 'folded', 'callgrind'):
            out = scratch.name('out.' + target)
            r = assay('convert', path, '-t', target, '-o', out)
            want(r.code == 0, 'convert failed', r)
            for secret in secrets:
                want(secret not in contents(out) and secret not in r.err.encode(), '%s is in %s' % (secret, target))


def t_killed(path):
    r = assay('check', path, '--format', 'json')
    want(r.code == 0, 'a warning alone is no error', r)
    equal([f['code'] for f in r.json()['findings']], ['jfr-unfinished'], 'findings')


def rows():
    with open(MANIFEST, encoding='utf-8', newline='') as f:
        for row in csv.reader(f, delimiter='\t', quoting=csv.QUOTE_NONE):
            if row[0].startswith('jfr/') and '.jfr' in row[0] and len(row) > 4:
                yield row[0], row[3], row[4]


if not MANIFEST:
    t.skip_all('n/a: the folder of test data has no recordings')
for file, figures, summary in rows():
    path = os.path.join(FOLDER, file)
    per_second = int(re.search(r'ticks/s (\d+)', figures).group(1))
    t.add('%s: events, stacks, leaves' % file, t_events, path, figures)
    t.add('%s: sums, states' % file, t_sums, path, figures, per_second)
    t.add('%s: chunks' % file, t_chunks, path, figures)
    t.add('%s: jfr summary, as the manifest has it' % file, t_summary_column, path, summary)
OWN = os.path.join(FOLDER, 'jfr', 'own')
for name in sorted(n for n in os.listdir(OWN) if '.jfr' in n):
    path = os.path.join(OWN, name)
    t.add('%s: jfr summary, of every event' % name, t_summary, path)
    if 'killed' in name:
        t.add('%s: that nobody finished it is told' % name, t_killed, path)
    else:
        t.add('%s: jfr print, every stack' % name, t_print, path)
        t.add('%s: jfr print, when each event began' % name, t_time, path)
        t.add('%s: jfr print, collections and pauses' % name, t_pauses, path)
        t.add('%s: what is private stays in the file' % name, t_private, path)
t.run()
