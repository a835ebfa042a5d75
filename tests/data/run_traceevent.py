#!/usr/bin/env python3
"""Traces of events: assay against the figures of the manifest, against a reader of the JSON of its own, and what it
writes against speedscope, the npm package, run in node."""
import collections
import csv
import functools
import glob
import gzip
import json
import os
import re
import subprocess

from dump import Dump
from npm_peer import package, usable
from tap import ROOT, Scratch, Tap, assay, data_path, equal, want

t = Tap('traceevent')
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
PEER = os.path.join(ROOT, 'tests/peers/speedscope.cjs')
PACKAGE, WHY = usable(PEER, *package('speedscope', '1.25.0'))
# What speedscope has otherwise: an end of an outer call ends those inside, and what has no end lasts to the last event.
OURS = {
    'mismatched-name.json': {'alpha': 10},
    'unbalanced-name.json': {'alpha': 1, 'beta': 8},
    'out-of-order-unbalanced-name.json': {'alpha': 1, 'beta': 8},
}


def ours(path):
    """event -> function -> self cost"""
    d = Dump(path)
    leaf = collections.defaultdict(collections.Counter)
    for _, stack, values in d.samples:
        for event, value in zip(d.events, values):
            leaf[event][stack[-1].get('fn') if stack else '(root)'] += value
    return leaf


def events(path):
    raw = (gzip.open if path.endswith('.gz') else open)(path, 'rb').read().decode('utf-8').strip()
    if raw.startswith('[') and not raw.endswith(']'):
        raw = raw.rstrip(',') + ']'
    whole = json.loads(raw)
    return whole if isinstance(whole, list) else whole['traceEvents']


def by_thread(path, event):
    """Beginnings and ends of what is read as EVENT, a list for each thread."""
    threads = collections.defaultdict(list)
    if event == 'time':
        for e in events(path):
            if e['ph'] in 'BEX':
                threads[e['pid'], e['tid']] += [e['ts'], e['ts'] + e.get('dur', e.get('tdur', 0))]
    else:
        for e in json.load(open(path, encoding='utf-8'))['samples']:
            threads[e['pid'], e['tid']].append(int(e['ts']))
    return threads.values()


def span(times):
    return max(times) - min(times)


def plain(name):
    """speedscope has arguments in names."""
    return re.sub(r' \{.*\}$', '', name)


def against_speedscope(row):
    """Its figures are microseconds; it shows the first three functions."""
    name = os.path.basename(row['file'])
    mine = ours(os.path.join(FOLDER, row['file']))
    event = 'sampled-time' if 'sampled-time' in mine else 'time'
    if name in OURS:
        equal({f: v // 1000 for f, v in mine[event].items() if v}, OURS[name], 'by hand')
        return
    total, top = re.search(r'total ([\d+….]+) microseconds, top ([^;]*)', row['top self'] or row['total']).groups()
    # Its total is the time from the first event of a thread to the last one, also where no call is open.
    spans = [span(rows) for rows in by_thread(os.path.join(FOLDER, row['file']), event)]
    if '…' not in total:
        equal(sorted(spans), sorted(int(x) for x in total.split('+')), 'time that the events span')
    want(sum(mine[event].values()) <= sum(spans) * 1000, 'more than there is')
    theirs = collections.Counter()
    for text in re.findall(r'(\S.*?)=([\d.]+)(?:, |$)', top.strip()):
        theirs[plain(text[0])] += int(text[1])
    want(theirs, 'there are none')
    for function, cost in theirs.items():
        want(mine[event][function] >= cost * 1000, f'{function}: {mine[event][function]} < {cost}')


def calls(row):
    """Each beginning and each whole call is one; the file says how many there are."""
    path = os.path.join(FOLDER, row['file'])
    found = collections.Counter(e['name'] for e in events(path) if e['ph'] in 'BX')
    equal(+ours(path)['calls'], found, 'calls')


def v8(path):
    """(pid, id) -> names of samples and microseconds that pass behind each, of the JSON itself."""
    start, names, samples = {}, collections.defaultdict(dict), collections.defaultdict(list)
    for e in sorted(events(path), key=lambda e: float(e.get('ts', 0))):
        key = e['pid'], e.get('id')
        data = e.get('args', {}).get('data', {}) if e['ph'] == 'P' else {}
        if e['name'] == 'Profile':
            start[key] = data['startTime']
        if e['name'] != 'ProfileChunk':
            continue
        inside = data.get('cpuProfile', {})
        for n in inside.get('nodes', ()):
            names[key][n['id']] = n['callFrame']['functionName'] or '(anonymous)'
        samples[key] += zip(inside.get('samples', ()), data.get('timeDeltas', ()))
    count, passed = collections.Counter(), collections.Counter()
    for key, rows in samples.items():
        at, timed = 0, []
        for node, delta in rows:
            at += delta
            if node in names[key]:
                timed.append((at, len(timed), names[key][node]))
        timed.sort()
        for i, (when, _, name) in enumerate(timed):
            count[name] += 1
            passed[name] += (timed[i + 1][0] if i + 1 < len(timed) else when) - when
    return count, passed


def against_v8(row):
    path = os.path.join(FOLDER, row['file'])
    mine = ours(path)
    count, passed = v8(path)
    equal(+mine['samples'], count, 'samples')
    theirs = collections.Counter()
    for text in re.findall(r'([^,|]+?)=(\d+)', row['top self']):
        theirs[text[0].strip()] += int(text[1])
    known = {name: n for name, n in theirs.items() if not name.isdigit()}
    want(known, 'there are none')
    for name, n in known.items():
        want(mine['samples'][name] >= n, f'{name}: {mine["samples"][name]} < {n}')
    lost = sum(n for name, n in theirs.items() if name.isdigit())
    stated = sum(int(x) for x in re.findall(r'(\d+) \(tid', row['samples']))
    want(bool(lost) or sum(mine['samples'].values()) == stated, 'samples of the manifest')
    for name in passed:     # the last sample of a profile may have a time that only its end tells
        want(mine['sampled-time'][name] >= passed[name] * 1000, name)


def by_lines(path):
    """Samples of each (function, line) are those of the pieces of V8's profiles."""
    wanted, nodes = collections.Counter(), {}
    for e in sorted((e for e in events(path) if e['name'] == 'ProfileChunk'), key=lambda e: e['ts']):
        data = e['args']['data']
        profile, own = data.get('cpuProfile', {}), nodes.setdefault((e['pid'], e['id']), {})
        own.update((n['id'], n['callFrame']['functionName'] or '(anonymous)') for n in profile.get('nodes', ()))
        samples = profile.get('samples', [])
        for node, line in zip(samples, data.get('lines', [0] * len(samples))):
            if line:
                wanted[own[node], line] += 1
    d, mine = Dump(path), collections.Counter()
    for _, stack, values in d.samples:
        if stack and stack[-1].get('line'):
            mine[stack[-1]['fn'], int(stack[-1]['line'])] += values[d.events.index('samples')]
    want(wanted, 'there are none')
    equal(+mine, wanted, 'samples of lines')


# Phases of markers: both ends of those that lasted, and points in time.
BEGINS, ENDS, POINTS = 'bS', 'eF', 'iIRnTp'


def markers_in_python(path):
    """(pid, tid, name, when, how long) in nanoseconds. Ends find the last beginning of their category, id and name."""
    rows, open_, out = [], collections.defaultdict(list), []
    for e in events(path):
        v8 = e['ph'] in 'PI' and e.get('args') and e['name'] in ('Profile', 'ProfileChunk', 'CpuProfile')
        if e['ph'] in BEGINS + ENDS + POINTS and 'ts' in e and not v8:
            rows.append((round(float(e['ts']) * 1000), len(rows), e))
    for now, _, e in sorted(rows, key=lambda row: row[:2]):
        id2 = e.get('id2', {})
        name = e.get('name') or '(anonymous)'
        key = e.get('cat', ''), (e['pid'], id2['local']) if 'local' in id2 else str(id2.get('global', e.get('id', ''))), name
        who = str(e['pid']), str(e['tid']), name
        if e['ph'] in BEGINS:
            open_[key].append((*who, now))
        elif e['ph'] in ENDS and open_[key]:
            *begun, start = open_[key].pop()
            out.append((*begun, start, now - start))
        else:
            out.append((*who, now, 0))
    return sorted(out + [(*row, 0) for rows in open_.values() for row in rows])


def markers_of(path):
    d = Dump(path)
    column = d.events.index('markers') if 'markers' in d.events else None
    counts = collections.Counter()
    for part, stack, values in d.samples:
        if column is not None and values[column]:
            counts[d.parts[part].get('pid'), d.parts[part].get('tid'), stack[0]['fn']] += values[column]
    times = sorted((int(time), int(duration or 0)) for time, duration in
                   re.findall(r'^moment (\d+) \d+ "markers": 1(?: duration=(\d+))?$', d.raw.decode(), re.M))
    return dict(counts), times


def markers(path):
    wanted = markers_in_python(path)
    counts, times = markers_of(path)
    equal(counts, dict(collections.Counter(row[:3] for row in wanted)), 'by thread and name')
    equal([duration for _, duration in times], [duration for _, duration in sorted(row[3:] for row in wanted)], 'how long')
    theirs = sorted(row[3:] for row in wanted)
    equal([(time - times[0][0], d) for time, d in times], [(time - theirs[0][0], d) for time, d in theirs], 'when')
    with Scratch() as s:
        for form in ('traceevent', 'firefox'):
            out = s.name('x.json')
            r = assay('convert', '-y', path, '-t', form, '-o', out)
            want(r.code == 0, 'convert failed', r)
            again, when = markers_of(out)
            equal(again, counts, form)
            equal([(time - when[0][0], d) for time, d in when], [(time - times[0][0], d) for time, d in times], form)
            if form == 'traceevent':
                equal([row[:3] + row[4:] for row in markers_in_python(out)], [row[:3] + row[4:] for row in wanted], 'what is written, in Python')
        r = assay('convert', '-y', path, '-o', s.name('x.folded'))
        want(re.search(r'lost: \d+ records? of markers', r.err), 'the loss is not told', r)
    return None


ROWS = [row for row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t')] if os.path.exists(MANIFEST) else []
ROWS = [row for row in ROWS if row['format'].startswith('trace-event')]
for _path in [os.path.join(ROOT, 'src/formats/traceevent/golden/markers.json')] + [os.path.join(FOLDER, row['file']) for row in ROWS]:
    if markers_in_python(_path):
        t.add('markers: ' + os.path.basename(_path), markers, _path)
for _row in ROWS:
    if 'ProfileChunk' in _row['format']:
        t.add(_row['file'], against_v8, _row)
        if 'chromium156' in _row['file']:
            t.add('lines: ' + _row['file'], by_lines, os.path.join(FOLDER, _row['file']))
    else:
        t.add(_row['file'], against_speedscope, _row)
        t.add('calls: ' + _row['file'], calls, _row)
if not ROWS:
    t.add('files of others', lambda: 'n/a: the data of others are not here')


# ---- what is written ----

def nested(file):
    """(time of its own in nanoseconds, calls) of each name, of events that are in one another and end in their order."""
    passed, count, open_, last = collections.Counter(), collections.Counter(), collections.defaultdict(list), {}
    for e in file['traceEvents']:
        if e['ph'] not in 'BE':
            continue
        thread, now = (e['pid'], e['tid']), round(e['ts'] * 1000)
        want(now >= last.get(thread, now), 'not in order', e)
        if open_[thread]:
            passed[open_[thread][-1]] += now - last[thread]
        last[thread] = now
        if e['ph'] == 'B':
            open_[thread].append(e['name'])
            count[e['name']] += 1
        else:
            equal(open_[thread].pop(), e['name'], 'what ends')
    want(not any(open_.values()), 'some do not end')
    return passed, count


def listed(file):
    """(samples, weights) of each name"""
    samples, weights = collections.Counter(), collections.Counter()
    for e in file.get('samples', ()):
        name = file['stackFrames'][str(e['sf'])]['name'] if 'sf' in e else '(root)'
        samples[name] += 1
        weights[name] += e['weight']
    return samples, weights


def named(counter):
    """Code without a name is called otherwise in each file."""
    out = collections.Counter()
    for name, value in counter.items():
        out['[' if not isinstance(name, str) or name.startswith('[') else name] += value
    return +out


SCRATCH = Scratch().__enter__()


def out_of(path):
    return SCRATCH.name('%d.json' % SOURCES.index(path))


@functools.cache
def write(path):
    return assay('convert', path, '-t', 'traceevent', '-o', out_of(path))


def written(path):
    r, out = write(path), out_of(path)
    if 'does not say when' in r.err:
        return 'n/a: it has no times'
    want(r.code == 0, 'convert failed', r)
    file = json.load(open(out, encoding='utf-8'))
    want(file['traceEvents'], 'to speedscope it is no trace')
    passed, count = nested(file)
    samples, weights = listed(file)
    before, after = ours(path), ours(out)
    if passed and not re.search(r'not within|without a stack|did not last', r.err):
        made = re.search(r'(\d+) nanoseconds in calls', r.err)
        equal(sum(passed.values()), sum(before['time'].values()) + int(made.group(1) if made else 0), 'time in all')
        if not made:
            equal(named(passed), named(before['time']), 'time')
    if 'calls' in before and 'written as' not in r.err:
        equal(named(count), named(before['calls']), 'calls')
    if samples:
        of = [event for event, cost in before.items() if named(cost) == named(samples)]
        want(of, 'samples of no event', samples)
        want(named(weights) in [named(cost) for cost in before.values()], 'weights of no event', weights)
    for event, mine in (('time', passed), ('calls', count), ('samples', samples)):
        equal(named(after[event]), named(mine), 'read back: ' + event)
    return None


# ---- what is written, opened by speedscope ----

@functools.cache
def peer_reads():
    """file: what speedscope makes of it. It begins slowly: one run for all."""
    files = [out_of(path) for path in SOURCES if write(path).code == 0]
    done = subprocess.run(['node', PEER, PACKAGE, *files], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=True)
    return dict(zip(files, map(json.loads, done.stdout.splitlines()), strict=True))


def between(file):
    """(pid, tid) -> name -> nanoseconds from its samples to the next ones: speedscope does not read weights."""
    threads = collections.defaultdict(list)
    for e in file['samples']:
        threads[str(e['pid']), str(e['tid'])].append(e)
    for rows in threads.values():
        passed = collections.Counter()
        for e, after in zip(rows, rows[1:]):
            if 'sf' in e:
                passed[file['stackFrames'][str(e['sf'])]['name']] += round(float(after['ts']) * 1000) - round(float(e['ts']) * 1000)
        yield passed


def opened(path):
    """As many threads; in each of them, of each function, the same time of its own."""
    if write(path).code:
        return 'n/a: it is not written'
    theirs = peer_reads()[out_of(path)]
    want(isinstance(theirs, list), theirs)
    file = json.load(open(out_of(path), encoding='utf-8'))
    if 'samples' in file:
        mine = list(between(file))
    else:
        threads = {(e['pid'], e['tid']) for e in file['traceEvents'] if e['ph'] in 'BEX'}  # others have marks alone, which are no profile of its
        mine = [nested({'traceEvents': [e for e in file['traceEvents'] if (e['pid'], e['tid']) == id]})[0] for id in threads]
    got = [collections.Counter() for _ in theirs]
    for names, profile in zip(got, theirs):
        for name, value in profile['self'].items():
            names[plain(name)] += round(value * 1000)
    equal(sorted(sorted((+names).items()) for names in got), sorted(sorted((+names).items()) for names in mine), 'time of each function')
    return None


SOURCES = [path for name in ('traceevent/golden/*.json', 'uftrace/golden/*.uftrace', 'cpuprofile/golden/*profile', 'perfscript/golden/*.perf',
                             'perfdata/golden/*.data', 'jfr/golden/*.jfr', 'firefox/golden/*.json', 'stackprof/golden/*.json', 'speedscope/golden/*.json')
           for path in sorted(glob.glob(os.path.join(ROOT, 'src/formats', name))) if os.path.exists(path + '.dump') and not path.endswith('/frame.json')]     # a dump does not have its unknown frames
SOURCES += [os.path.join(FOLDER, row['file']) for row in ROWS]
for _path in SOURCES:
    t.add('written: ' + '/'.join(_path.split('/')[-3:]), written, _path)
    t.add('opened by speedscope: ' + '/'.join(_path.split('/')[-3:]), opened if PACKAGE else lambda _: WHY, _path)

try:
    t.run()
finally:
    SCRATCH.__exit__()
