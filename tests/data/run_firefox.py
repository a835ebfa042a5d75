#!/usr/bin/env python3
"""Profiles of the Firefox Profiler: assay against a reader in Python and the Firefox Profiler's own figures; and what assay writes."""
import collections
import csv
import fractions
import glob
import gzip
import json
import os
import re
import shutil
import subprocess

from dump import Dump
from tap import Scratch, Tap, assay, data_path, equal, want

t = Tap('firefox')
FOLDER = data_path('neighbours-text')
MANIFEST = os.path.join(FOLDER, 'manifest.tsv')
HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = os.path.join(HERE, '../../src/formats')
GOLDEN = sorted(glob.glob(os.path.join(FORMATS, 'firefox/golden/*.json')))
# What is damaged on purpose, which a reader of whole files does not read.
DAMAGED = ('bad_', 'cut', 'trailing', 'nested_deep', 'far_', 'uneven', 'gecko', 'devtools', 'no_samples', 'rounded')
# Of files with two kinds of weights the Firefox Profiler's figure is the sum of both.
MIXED = {'profile_counters_with_sorted_processes.v66.json': 'one thread counts bytes, the other samples'}
# What is beyond 64 bits, lines beyond 2^53, and frames that say nothing but bytes which the model does not know.
NOT_WRITTEN = ('extremes.folded', 'empty_line.pb', 'python.folded')
HEX = re.compile(r'(0x|fun_)([0-9a-f]+)\Z')


def load(path):
    """The file, its numbers exact."""
    with (gzip.open if path.endswith('.gz') else open)(path, 'rb') as f:
        return json.loads(f.read().decode('utf-8-sig'), parse_float=fractions.Fraction)


# What a sample weighs by: our event, and what a weight of 1 is there.
WEIGHTS = {'samples': ('weight', 1), 'tracing-ms': ('time', 1000000), 'bytes': ('bytes', 1)}


def stacks(profile, thread):
    """For each stack its frames, root first: (name or None, library's path or None, line)."""
    shared = profile.get('shared', {})
    table = {k: thread.get(k) or shared.get(k) for k in ('stackTable', 'frameTable', 'funcTable', 'resourceTable', 'stringArray')}
    stack, frame, func = table['stackTable'], table['frameTable'], table['funcTable']
    out = []
    for i, f in enumerate(stack['frame']):
        up = stack['prefix'][i] if 'prefix' in stack else (i - stack['prefixOffset'][i] if stack['prefixOffset'][i] else None)
        fn = frame['func'][f]
        name, resource = table['stringArray'][func['name'][fn]], func['resource'][fn]
        lib = frame['lib'][f] if 'lib' in frame else table['resourceTable']['lib'][resource] if resource not in (None, -1) else None
        hexed = HEX.match(name)
        if lib is not None and hexed and int(hexed.group(2), 16) == frame['address'][f]:
            name = None
        out.append((out[up] if up is not None else ()) + ((name, frame['line'][f] or None),))
    return out


def threads(profile):
    """(thread's name, what it weighs by, stack, weight) of each sample."""
    for thread in profile['threads']:
        samples = thread['samples']
        if not samples['stack']:
            continue
        known = stacks(profile, thread)
        weight = samples.get('weight') or [1] * len(samples['stack'])
        for i, stack in enumerate(samples['stack']):
            column, scale = WEIGHTS[samples.get('weightType', 'samples')]
            yield thread['name'], column, known[stack] if stack is not None else (), weight[i] * scale


def ours(path):
    d = Dump(path)
    out = collections.defaultdict(collections.Counter)
    for part, stack, values in d.samples:
        key = tuple((f.get('fn'), f.get('line')) for f in stack)
        for event, value in zip(d.events, values):
            out[event][d.parts[part].get('thread'), key] += value
    return out, d


def as_a_reader_in_python_reads_it(path):
    """Samples and weights by thread and stack, exactly."""
    profile = load(path)
    weights, counts = collections.defaultdict(collections.Counter), collections.Counter()
    for name, column, stack, weight in threads(profile):
        weights[column][name, stack] += weight
        counts[name, stack] += 1
    mine, _ = ours(path)
    equal(mine['samples'], counts, 'samples')
    for column, wanted in weights.items():
        if column in mine or wanted != counts and len(weights) == 1:  # weights of one each are the samples
            equal(without_zero(mine[column]), without_zero(wanted), column)


def without_zero(counter):
    return {k: v for k, v in counter.items() if v}


def as_the_firefox_profiler_reads_it(row):
    path = os.path.join(FOLDER, row['file'])
    samples, weight = (int(re.search(word + r' (\d+)', row['total'] + row['samples'] + row['unit']).group(1)) for word in ('samples', 'weight'))
    mine, _ = ours(path)
    equal(sum(mine['samples'].values()), samples, 'samples')
    column = next((e for e in ('weight', 'time', 'bytes') if e in mine), 'samples')
    if os.path.basename(path) in MIXED:
        return 'n/a: ' + MIXED[os.path.basename(path)]
    equal(sum(mine[column].values()), weight, 'weight')
    return None


# ---- markers ----

START, END = 2, 3


def nanos(ms):
    return round(ms * 1000000)


def marker_rows(markers):
    """(name's row, start, end or None, phase) of each; of older files there is one time."""
    n = len(markers['name'])
    start, end = markers.get('startTime', markers.get('time')), markers.get('endTime', [None] * n)
    phase = markers.get('phase', [0] * n)
    return list(zip(markers['name'], start, end, phase))


def markers_in_python(path):
    """(thread, name, when it began, how long it was) of each, in nanoseconds of the file's clock; what has neither time is left out."""
    profile, out = load(path), []
    for thread in profile['threads']:
        strings = thread.get('stringArray') or thread.get('stringTable') or profile.get('shared', {}).get('stringArray', [])
        open_ = collections.defaultdict(list)
        for name, start, end, phase in marker_rows(thread.get('markers') or {'name': []}):
            if name >= len(strings):
                continue
            if phase == START:
                open_[name].append(start)
                continue
            if phase == END:     # its own start is 0, or null
                start = open_[name].pop() if open_[name] else None
            times = [x for x in (start, end if phase else None) if x is not None]
            if times:
                out.append((thread['name'], strings[name], nanos(times[0]), max(0, nanos(times[-1]) - nanos(times[0]))))
        out += [(thread['name'], strings[name], nanos(start), 0) for name, starts in open_.items() for start in starts]
    return sorted(out)


def markers_of(path):
    d = Dump(path)
    if 'markers' not in d.events:
        return [], d
    # A moment names its sample's path by its number, and has its thread by the part; names are asked for one by one.
    column = d.events.index('markers')
    counts = collections.Counter()
    for part, stack, values in d.samples:
        if values[column]:
            equal(len(stack), 1, 'frames of a marker')
            counts[d.parts[part].get('thread', ''), stack[0].get('fn') or ''] += values[column]
    return counts, d


def marker_times(d):
    return sorted((int(time), int(duration or 0)) for time, duration in
                  re.findall(r'^moment (\d+) \d+ "markers": 1(?: duration=(\d+))?$', d.raw.decode(), re.M))


def markers_as_python_has_them(path):
    """Each is 1 in a sample of its name, and has a moment; they are the last event, and `top` does not ask for them."""
    wanted = markers_in_python(path)
    counts, d = markers_of(path)
    equal(dict(counts), dict(collections.Counter((thread, name) for thread, name, _, _ in wanted)), 'by thread and name')
    if not wanted:
        return 'n/a: it has none'
    equal(d.events.index('markers'), len(d.events) - 1, 'the last event')
    equal(d.total[-1], len(wanted), 'total')
    mine, theirs = marker_times(d), sorted((time, duration) for _, _, time, duration in wanted)
    equal(len(mine), len(theirs), 'moments')
    shift = mine[0][0] - theirs[0][0]     # files without a date begin with their first moment
    equal(mine, [(time + shift, duration) for time, duration in theirs], 'when, and how long')
    r = assay('top', '-n', '0', '-f', 'json', path)
    want(not any(e['name'] == 'markers' for e in json.loads(r.out)['events']), 'top has markers unasked', r)
    r = assay('top', '-n', '0', '-f', 'json', '-e', 'markers', path)
    equal(json.loads(r.out)['events'][0]['total'], len(wanted), 'top -e markers')
    return None


def markers_are_written(path, form):
    """Read back they are the same; other formats tell them as lost."""
    before, d = markers_of(path)
    if not before:
        return 'n/a: it has none'
    with Scratch() as s:
        to = s.name('x.json')
        want(assay('convert', '-y', '-t', form, path, '-o', to).code == 0, 'cannot be written')
        if form == 'firefox':
            profile = load(to)
            equal(list(complaints(profile)), [], 'complaints')
            equal(sum(thread['markers']['length'] for thread in profile['threads']), sum(before.values()), 'rows')
            equal(sorted(x[1:] for x in markers_in_python(to)), sorted(x[1:] for x in shifted(path, d)), 'in Python')
        after, written_ = markers_of(to)
        equal(dict(after), dict(before), 'by thread and name')
        a, b = marker_times(d), marker_times(written_)
        equal([(time - b[0][0], duration) for time, duration in b], [(time - a[0][0], duration) for time, duration in a], 'when')
        r = assay('convert', '-y', path, '-o', s.name('x.folded'))
        want(re.search(r'lost: \d+ records? of markers', r.err), 'the loss is not told', r)
    return None


def shifted(path, d):
    wanted = markers_in_python(path)
    shift = marker_times(d)[0][0] - min(time for _, _, time, _ in wanted)
    return [(thread, name, time + shift, duration) for thread, name, time, duration in wanted]


for _path in GOLDEN:
    if not os.path.basename(_path).startswith(DAMAGED):
        t.add(os.path.basename(_path), as_a_reader_in_python_reads_it, _path)
    if os.path.basename(_path) == 'markers.json':
        t.add('markers: markers.json', markers_as_python_has_them, _path)
        t.add('markers written: markers.json', markers_are_written, _path, 'firefox')
for _row in csv.DictReader(open(MANIFEST, encoding='utf-8'), delimiter='\t') if os.path.exists(MANIFEST) else ():
    if _row['format'] == 'fx-processed':
        t.add(_row['file'] + ', as the Firefox Profiler reads it', as_the_firefox_profiler_reads_it, _row)
        t.add('markers: ' + _row['file'], markers_as_python_has_them, os.path.join(FOLDER, _row['file']))
        for _form in ('firefox', 'traceevent'):
            t.add(f'markers written as {_form}: ' + _row['file'], markers_are_written, os.path.join(FOLDER, _row['file']), _form)
        if 'fxprof/processed' not in _row['file']:  # whose columns are older
            t.add(_row['file'], as_a_reader_in_python_reads_it, os.path.join(FOLDER, _row['file']))
if not os.path.exists(MANIFEST):
    t.add('files of others', lambda: 'n/a: the data of others are not here')

# ---- what is written ----

# The Firefox Profiler shows nothing, or fails, where one of these is missing.
META = ('preprocessedProfileVersion', 'interval', 'markerSchema')
TABLES = {
    'stackTable': ('length', 'frame', 'prefix'),
    'frameTable': ('length', 'address', 'inlineDepth', 'category', 'subcategory', 'func', 'nativeSymbol', 'innerWindowID', 'line', 'column'),
    'funcTable': ('length', 'name', 'isJS', 'relevantForJS', 'resource', 'source', 'lineNumber', 'columnNumber'),
    'resourceTable': ('length', 'lib', 'name', 'host', 'type'),
    'nativeSymbols': ('length', 'libIndex', 'address', 'name', 'functionSize'),
    'sources': ('length', 'filename', 'uuid'),
}
THREAD = ('registerTime', 'unregisterTime', 'samples', 'markers', 'name', 'pid', 'tid')
SAMPLES = ('length', 'stack', 'time', 'weight', 'weightType')
MARKERS = ('length', 'data', 'name', 'startTime', 'endTime', 'phase', 'category')
# Column -> the table whose rows it names.
NAMES = {('stackTable', 'frame'): 'frameTable', ('frameTable', 'func'): 'funcTable', ('funcTable', 'resource'): 'resourceTable',
         ('funcTable', 'source'): 'sources', ('funcTable', 'name'): 'stringArray', ('resourceTable', 'name'): 'stringArray',
         ('sources', 'filename'): 'stringArray', ('resourceTable', 'lib'): 'libs'}


def complaints(profile):
    """Why the Firefox Profiler would not show it, by what each of its fields is needed for."""
    shared = profile.get('shared', {})
    for key in META:
        if key not in profile.get('meta', {}):
            yield 'meta.' + key
    for category in profile.get('meta', {}).get('categories', ()):
        if 'subcategories' not in category:
            yield 'meta.categories.subcategories'
    if 'stringArray' not in shared:
        yield 'shared.stringArray'
    for name, columns in TABLES.items():
        table = shared.get(name, {})
        for column in columns:
            if column not in table:
                yield f'{name}.{column}'
            elif column != 'length' and len(table[column]) != table.get('length'):
                yield f'{name}.{column}: its length'
    for (name, column), to in NAMES.items():
        rows = profile.get('libs') if to == 'libs' else shared.get(to, ())
        n = len(rows) if isinstance(rows, list) else rows.get('length', 0) if rows else 0
        if any(v is not None and v != -1 and not 0 <= v < n for v in shared.get(name, {}).get(column, ())):
            yield f'{name}.{column} names no row'
    if any(v is not None and not 0 <= v < i for i, v in enumerate(shared.get('stackTable', {}).get('prefix', ()))):
        yield 'a stack stands on a later one'
    yield from thread_complaints(profile, len(shared.get('stackTable', {}).get('frame', ())))


def thread_complaints(profile, n):
    tids = [thread.get('tid') for thread in profile.get('threads', ())]
    if len(set(tids)) != len(tids) or not tids:
        yield 'tids differ'
    for thread in profile.get('threads', ()):
        for key in THREAD:
            if key not in thread:
                yield 'thread.' + key
        if not isinstance(thread.get('pid'), str):
            yield 'thread.pid is a text'
        samples, markers = thread.get('samples', {}), thread.get('markers', {})
        for key in SAMPLES:
            if key not in samples:
                yield 'samples.' + key
            elif isinstance(samples[key], list) and len(samples[key]) != samples.get('length'):
                yield f'samples.{key}: its length'
        for key in MARKERS:
            if key not in markers:
                yield 'markers.' + key
        if not samples.get('stack'):
            yield 'no sample'
        if any(v is not None and not 0 <= v < n for v in samples.get('stack', ())):
            yield 'samples.stack names no row'
        if samples.get('time') != sorted(samples.get('time', ())):
            yield 'times in order'


def written(path, s, *opts):
    to = s.name('x.json')
    r = assay('convert', '-y', '-t', 'firefox', path, '-o', to, *opts)
    want(r.code == 0, 'cannot be written', r)
    return to


def the_firefox_profiler_shows_what_is_written(path):
    with Scratch() as s:
        to = written(path, s)
        with open(to, 'rb') as f:
            want(f.read(7) == b'{"meta"', 'Perfetto knows it by its beginning')
        profile = load(to)
        equal(list(complaints(profile)), [], 'complaints')
        equal(profile['meta']['preprocessedProfileVersion'], 60, 'version')
        before, _ = ours(path)
        after, _ = ours(to)
        equal({e: without_zero(v) for e, v in after.items() if any(v.values())}, {e: without_zero(v) for e, v in before.items() if any(v.values())}, 'costs by thread and stack')
        wanted = collections.Counter()
        for event, costs in before.items():
            for (thread, stack), cost in costs.items() if event != 'markers' else ():
                wanted[event, thread or '', stack[-1][0] if stack else None] += cost
        equal(self_costs(profile), without_zero(wanted), 'self costs by thread and function, in Python')
    return None


def self_costs(profile):
    """(event, thread, function or None) -> what the file says, without our reader."""
    out, shared = collections.Counter(), profile['shared']
    for thread in profile['threads']:
        event, samples = thread['assayEvent'], thread['samples']
        unit = {'nanoseconds': 1, 'microseconds': 1000, 'milliseconds': 1000000, 'seconds': 1000000000}.get(event['unit'])
        equal(samples['weightType'], 'tracing-ms' if unit else 'bytes' if event['unit'] == 'bytes' else 'samples', 'weightType')
        for stack, w in zip(samples['stack'], samples['weight']):
            name = None
            if stack is not None:
                func = shared['frameTable']['func'][shared['stackTable']['frame'][stack]]
                name = shared['stringArray'][shared['funcTable']['name'][func]]
            if not name or HEX.match(name):
                name = None
            out[event['name'], thread['name'].rpartition(' · ')[0], name] += w * 1000000 / unit if unit else w
    return without_zero(out)


def moments(path):
    return sorted(re.findall(r'^moment (\d+) \d+ "([^"]*)": (-?\d+)', Dump(path).raw.decode(), re.M))


def moments_are_kept(path):
    with Scratch() as s:
        before = moments(path)
        equal(moments(written(path, s)), before, 'moments')
        return None if before else 'n/a: it does not say when'


# One of the checks above for each field: without it there is a complaint.
def each_field_is_asked_for():
    path = os.path.join(FORMATS, 'firefox/golden/minimal.v60.json')
    with Scratch() as s:
        whole = load(written(path, s))
        places = [('meta', k) for k in META] + [('shared', 'stringArray')] + [('shared', n, c) for n, cs in TABLES.items() for c in cs]
        places += [('threads', 0, k) for k in THREAD if k not in ('name', 'tid')] + [('threads', 0, 'samples', k) for k in SAMPLES]
        places += [('threads', 0, 'markers', k) for k in MARKERS] + [('meta', 'categories', 0, 'subcategories')]
        want(len(places) >= 46, 'all fields that are needed')
        for place in places:
            less = json.loads(json.dumps(whole, default=float))
            at = less
            for key in place[:-1]:
                at = at[key]
            del at[place[-1]]
            want(any(True for _ in complaints(less)), 'nobody misses ' + '.'.join(map(str, place)))


# ---- samply's addresses ----

PROGRAM = 'int work(int n) { volatile int x = 0; while (n--) x += n; return x; }\nint main(void) { return work(1000) & 1; }\n'


def addresses_get_their_names(flag):
    """An object that is linked to run anywhere, and one that is not: addresses count from its lowest segment."""
    if not shutil.which('gcc') or not shutil.which('readelf') or not shutil.which('nm'):
        return 'skip: no gcc, no binutils'
    with Scratch() as s:
        program = s.name('program')
        with open(program + '.c', 'w', encoding='utf-8') as f:
            f.write(PROGRAM)
        subprocess.run(['gcc', '-O0', '-g', flag, '-Wl,--build-id=sha1', '-o', program, program + '.c'], check=True)
        headers = subprocess.run(['readelf', '-lnW', program], capture_output=True, text=True, check=True).stdout
        base = min(int(m, 16) for m in re.findall(r'^\s+LOAD\s+\S+\s+(\S+)', headers, re.M))
        build_id = re.search(r'Build ID: ([0-9a-f]+)', headers).group(1)
        symbols = subprocess.run(['nm', program], capture_output=True, text=True, check=True).stdout
        work = int(re.search(r'^([0-9a-f]+) T work$', symbols, re.M).group(1), 16) + 4 - base
        with open(os.path.join(FORMATS, 'firefox/golden/own.v57.json'), encoding='utf-8') as f:
            text = f.read()
        profile = json.loads(text)
        profile['libs'][0].update(path=program, codeId=build_id)
        thread = profile['threads'][0]
        thread['frameTable']['address'][2] = work
        thread['stringArray'][2] = hex(work)
        with open(s.name('p.json'), 'w', encoding='utf-8') as f:
            json.dump(profile, f)
        r = assay('top', '-n', '20', '--symbols', 'auto', s.name('p.json'))
        want(r.code == 0 and re.search(rb'^ +2 .* work +program\.c', r.out, re.M), 'the name of the address', r)
    return None


t.add('each field that the Firefox Profiler needs is asked for', each_field_is_asked_for)
t.add('addresses of a program that runs anywhere', addresses_get_their_names, '-pie')
t.add('addresses of a program that does not', addresses_get_their_names, '-no-pie')
# Of every kind of profile that the tests have.
OTHERS = [os.path.join(FORMATS, p) for p in ('perfdata/golden', 'perfscript/golden', 'jfr/golden', 'pprof/golden', 'otlp/golden', 'gperf/golden', 'folded/golden')]
for _path in [p for p in GOLDEN if os.path.exists(p + '.dump')] + [
        f for o in OTHERS for f in sorted(glob.glob(o + '/*')) if os.path.exists(f + '.dump') and not f.endswith(NOT_WRITTEN)]:
    _name = os.path.join(*_path.split('/')[-3:])
    t.add('written: ' + _name, the_firefox_profiler_shows_what_is_written, _path)
    t.add('when: ' + _name, moments_are_kept, _path)
t.run()
