#!/usr/bin/env python3
"""pprof's profile.proto: what assay writes is, to `go tool pprof`, what it read.

`go tool pprof -raw` prints a profile with numbers that depend on the order in the file.  So both prints are brought into
one form: the numbers of a sample's locations become the text of the location, and a location's number of its mapping
becomes the mapping; equal samples are added up; nothing depends on the order of samples and mappings but which mapping is
the first, the program's.  The head (period, time, duration, comments) is compared as it is.
"""
import gzip
import os
import re
import shutil
import subprocess

import tap
from tap import Scratch, assay, contents, data_path, equal, info, same, top, totals, want

t = tap.Tap('pprof')
FOLDER = data_path('gperftools')


def profiles(folder):
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith('.pb.gz'))


FILES = profiles(FOLDER)
OTHERS = profiles(data_path('neighbours-binary')) + profiles(data_path('neighbours-text'))


def pprof(*args):
    env = dict(os.environ, PPROF_BINARY_PATH='/nowhere', PPROF_TMPDIR='/nowhere', LC_ALL='C')
    done = subprocess.run(['go', 'tool', 'pprof', '-symbolize=none', *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=env, timeout=120, check=False)
    want(done.returncode == 0, 'go tool pprof %s' % ' '.join(args), done.stderr.decode('utf-8', 'replace')[:400])
    return done.stdout.decode('utf-8', 'replace')


def canonical(text):
    """(head, [sample], [mapping]) of what -raw printed"""
    head, rest = text.split('Samples:\n', 1)
    rest, maps = rest.split('Mappings\n', 1)
    samples, locations = rest.split('Locations\n', 1)
    mapping = dict(re.findall(r'^(\d+): (.*)$', maps, re.M))
    where, last = {}, None
    for line in locations.splitlines():
        m = re.match(r' {0,5}(\d+): (.*)$', line)
        if m:
            last = m.group(1)
            where[last] = re.sub(r' M=(\d+)', lambda n: ' M=' + mapping[n.group(1)], m.group(2))
        elif line.strip():
            where[last] += '\n' + line.strip()
    lines = samples.splitlines()
    sums = {}
    key = None
    flat = []
    for line in lines[1:]:
        m = re.match(r'((?: *-?\d+)+): ([\d ]*)$', line)
        if m:
            key = [tuple(where[x].strip() for x in m.group(2).split()), [], [int(x) for x in m.group(1).split()]]
            flat.append(key)
        elif line.strip():
            key[1].append(line.strip())
    for stack, labels, values in flat:
        k = stack, tuple(labels)
        sums[k] = [a + b for a, b in zip(sums.get(k, [0] * len(values)), values)]
    return head + lines[0], sums, [mapping.get('1')] + sorted(mapping.values())


def t_same(path):
    with Scratch() as s:
        out = s.name('out.pb.gz')
        r = assay('convert', path, '-o', out)
        want(r.code == 0, 'convert', r)
        want('lost' not in r.err, 'something is lost', r)
        a, b = canonical(pprof('-raw', path)), canonical(pprof('-raw', out))
        equal(b[0], a[0], 'head')
        same(b[1], a[1], 'samples')
        equal(b[2], a[2], 'mappings')
        again = s.name('again.pb.gz')
        r = assay('convert', out, '-o', again)
        want(r.code == 0, 'convert again', r)
        want(contents(again) == contents(out), 'written again it has other bytes')
        want(gzip.decompress(contents(out)) != contents(out), 'not compressed')


def t_default(path):
    """Unasked, pprof shows default_sample_type, or else the last type: so the first event is that one, in every command."""
    m = re.search(r'^Type: (.*)$', pprof('-top', path), re.M)
    want(m, 'pprof names no type')
    equal(top(path, 'function', '--symbols', 'none')['events'][0]['name'], m.group(1), 'the first event')
    equal(info(path)['events'][0]['name'], m.group(1), 'the first event of info')
    with Scratch() as s:
        out = s.name('out.pb')
        for fmt in ('pprof', 'callgrind'):
            want(assay('convert', path, '-t', fmt, '-o', out, '-y').code == 0, 'convert to ' + fmt)
            equal(top(out, 'function', '--symbols', 'none')['events'][0]['name'], m.group(1), 'the first event in ' + fmt)


def number(text):
    """'1.12s' or '150' as a number of the unit that is asked for"""
    return float(re.match(r'-?[\d.]+', text).group(0))


def t_totals(path):
    j = top(path, 'function', '--symbols', 'none')
    for i, event in enumerate(j['events']):
        text = pprof('-top', '-nodefraction=0', '-sample_index=' + event['name'], '-unit=' + (event.get('unit') or 'count'), path)
        m = re.search(r'of (\S+) total', text)
        want(m, 'no total in', text[:400])
        want(abs(number(m.group(1)) - totals(j)[i]) <= 0.005, 'total of %s' % event['name'], m.group(0), totals(j)[i])


def t_flat(path):
    """Each function's own value, added up by name: pprof's table has no objects.  Not where pprof drops frames."""
    if any(m['key'] == 'drop_frames' for m in info(path)['metadata']):
        return 'n/a: pprof drops frames of this profile'
    j = top(path, 'function', '--symbols', 'none')
    for i, event in enumerate(j['events']):
        got, wanted = {}, {}
        for row in j['rows']:
            if row['function'] and row['self'][i]:
                got[row['function']] = got.get(row['function'], 0) + row['self'][i]
        text = pprof('-top', '-nodefraction=0', '-sample_index=' + event['name'], '-unit=' + (event.get('unit') or 'count'), path)
        for line in text.splitlines():
            m = re.match(r' *(-?[\d.]+)\S* +\S+% +\S+% +\S+ +\S+% +(.*?)( \(inline\))?$', line)
            if m and number(m.group(1)) and not m.group(2).startswith('['):
                wanted[m.group(2)] = wanted.get(m.group(2), 0) + number(m.group(1))
        same({k: round(v) for k, v in got.items()}, {k: round(v) for k, v in wanted.items()}, 'own values of ' + event['name'])


def t_gperftools(path):
    """gperftools to pprof: what Go's legacy reader makes of the file, but for the frames that it cuts."""
    with Scratch() as s:
        out = s.name('out.pb.gz')
        r = assay('convert', path, '--compat=pprof', '-o', out)
        want(r.code == 0, 'convert', r)
        a, b = canonical(pprof('-raw', path)), canonical(pprof('-raw', out))
        equal(b[0], a[0], 'head')

        def addresses(sums):
            flat = {}
            for (stack, labels), values in sums.items():
                k = tuple(x.split(' M=')[0] for x in stack), labels
                flat[k] = [x + y for x, y in zip(flat.get(k, [0] * len(values)), values)]
            return flat
        same(addresses(b[1]), addresses(a[1]), 'samples')


def t_callgrind():
    """pprof's own callgrind writer makes 20,480 ms of these 3,120 (research/pprof.md 2.4)."""
    if not shutil.which('callgrind_annotate'):
        return 'skip: no callgrind_annotate'
    with Scratch() as s:
        pb, cg = s.name('pie.pb.gz'), s.name('callgrind.out.pie')
        prof = os.path.join(FOLDER, 'real/prof/pie_100hz.prof')
        binaries = os.path.join(FOLDER, 'real/bin')
        r = assay('symbolize', prof, '--binary', os.path.join(binaries, 'app_pie'), '--binary', os.path.join(binaries, 'libwork.so'),
                  '--no-symbol-cache', '-o', pb)
        want(r.code == 0, 'symbolize', r)
        r = assay('convert', pb, '-o', cg)
        want(r.code == 0, 'convert', r)
        text = subprocess.run(['callgrind_annotate', '--show=cpu', '--inclusive=yes', '--threshold=100', cg], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False).stdout.decode()
        want(re.search(r'^3,120,000,000 \(100\.0%\)  PROGRAM TOTALS', text, re.M), 'totals', text[:900])
        for name, ms in (('is_even', 530), ('fib', 140)):
            m = re.search(r'^ *([\d,]+) \([ \d.]+%\)  \S+:' + name + ' ', text, re.M)
            want(m, name + ' is not there', text[:900])
            equal(int(m.group(1).replace(',', '')), ms * 10**6, 'inclusive cost of ' + name)
        j = top(pb, 'function')
        incl = {r['function']: r['inclusive'] for r in j['rows']}
        cpu = [e['name'] for e in j['events']].index('cpu')
        equal([incl[x][cpu] for x in ('is_even', 'fib', 'msort_with_tmp')], [530 * 10**6, 140 * 10**6, 130 * 10**6], 'inclusive, of the paths')


def t_fuzz(path):
    """Files that were found to break readers: no crash, and refused as something else, or as damaged."""
    r = assay('check', path)
    want(not r.crashed, r.crashed, r)
    want(r.code in (0, 1, 3, 4), 'exit status', r)


if not os.path.isdir(FOLDER):
    t.skip_all('no test data in ' + FOLDER)
if not shutil.which('go'):
    t.skip_all('no go')

for f in FILES:
    t.add('written and read again: ' + os.path.basename(f), t_same, f)
    t.add('totals: ' + os.path.basename(f), t_totals, f)
    t.add('own values: ' + os.path.basename(f), t_flat, f)
for f in FILES + OTHERS:
    t.add('the type to show: ' + os.path.basename(f), t_default, f)
for name in ('pie_100hz', 'pie_100hz_b', 'pie_perthread_1000hz', 'loop_100hz', 'single_100hz'):
    t.add('from gperftools: ' + name, t_gperftools, os.path.join(FOLDER, 'real/prof', name + '.prof'))
t.add('to callgrind, and recursion', t_callgrind)
for at, _, names in os.walk(os.path.join(FOLDER, 'pprof_fuzz')):
    for name in sorted(names):
        t.add('no crash: ' + name, t_fuzz, os.path.join(at, name))
t.run()
