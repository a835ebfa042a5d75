#!/usr/bin/env python3
"""Random profiles, written here by the rules of the formats, read by assay and by the independent readers: no difference.

The seeds are fixed (ASSAY_TEST_SEEDS sets how many a format), so a failure can be repeated: its title names the seed.
What is generated stays within what the specifications and notes decide; the odd cases are in run_callgrind_edge.py.
"""
import gzip
import os
import random
import re
import struct

import tap
from tap import Scratch, assay, by_function, check, contents, cycles, equal, nothing, same, top, totals, want, wanted_cycles
import callgrind_oracle
import dcpi_oracle
import dump
import gperf_oracle
import make_dcpi
from random_callgrind import Writer

t = tap.Tap('random profiles')
SEEDS = int(os.environ.get('ASSAY_TEST_SEEDS', '60'))


# --- Callgrind ------------------------------------------------------------------------------------------------------------

def difference(a, b):
    a, b = a.decode('utf-8', 'replace').split('\n'), b.decode('utf-8', 'replace').split('\n')
    left, right = set(a), set(b)
    return ['- ' + x for x in a if x not in right][:5] + ['+ ' + x for x in b if x not in left][:5]


def key(f):
    return tuple(nothing(x) for x in f)


def callgrind(seed):
    data = Writer(seed).text()
    p = callgrind_oracle.read_bytes(data)
    equal([w for w in p.warnings], [], 'this test itself')
    with Scratch() as s:
        path = s.file('random', data if seed % 10 else gzip.compress(data))
        try:
            compare_callgrind(path, p)
            out = s.name('out')
            r = assay('convert', path, '-t', 'callgrind', '-o', out, *[[], ['-O', 'compress-strings=no'], ['-O', 'compress-pos=no'], ['-O', 'full-rows=yes']][seed % 4])
            want(r.code == 0, 'convert', r)
            compare_written(callgrind_oracle.read(out), p)
            # an object of functions without any cost is not written
            a, b = (re.sub(rb'(?m)^object "[^"]*"\n', b'', assay('dump', x).out) for x in (path, out))
            want(a == b, 'the dump of what was written differs', *difference(a, b))
            code, findings = check(out)
            equal([f for f in findings if f['severity'] == 'error'], [], 'errors in what was written')
        except tap.Bad as e:
            raise tap.Bad('%s\nthe text:\n%s' % (e, data.decode('utf-8', 'replace')[:1500]))


def places(p):
    out = {}
    for part, ref, file, line, addr, cost, ob in p.costs:
        k = part, (nothing(ref[1]), nothing(ref[2]), nothing(ref[0].name)), nothing(file), line or None, addr or None
        callgrind_oracle.add(out.setdefault(k, [0] * len(p.events)), p.vector(cost))
    return {k: v for k, v in out.items() if any(v)}


def compare_callgrind(path, p):
    d = dump.Dump(path)
    equal(d.events, p.events, 'events')
    got = {}
    for part, position, values in d.self:
        k = part, key(dump.function(position)), nothing(position.get('at', position.get('fl'))), position.get('line') or None, position.get('addr') or None
        callgrind_oracle.add(got.setdefault(k, [0] * len(values)), values)
    same({k: v for k, v in got.items() if any(v)}, places(p), 'self per (part, function, file, line, address)')
    edges = {}
    for k, v in dump.edges(d).items():
        row = edges.setdefault(tuple(map(key, k)), [0, [0] * len(p.events)])
        row[0] += v[0]
        callgrind_oracle.add(row[1], v[1])
    same(edges, {k: [v[0], p.vector(v[1])] for k, v in p.graph(key)[2].items()}, 'edges')
    equal(sum(v[0] for *_, v in d.jumps), sum(j[4] for j in p.jumps), 'executed jumps')
    equal(sum(v[1] for *_, v in d.jumps), sum(j[5] for j in p.jumps), 'followed jumps')
    for options, kw in (((), dict(kc_exact=False)), (('--cycles=no',), dict(kc_exact=False, cycles=False))):
        j = top(path, 'function', '--contexts', 'keep', *options)
        equal(totals(j), p.total(), 'totals')
        rows, groups = p.inclusive(rename=key, **kw)
        rows = {k: [own, incl if p.edges else None, called] for k, (incl, own, called) in rows.items()}
        got = by_function(j)
        zero = [0] * len(p.events)
        for k in set(rows) - set(got):
            want(not any(rows[k][0]) and not any(rows[k][1] or []) and not rows[k][2], 'function missing: %s %s' % (k, rows[k]))
        for k, v in got.items():
            w = rows.get(k)
            want(w is not None, 'function made up: %s %s' % (k, v))
            equal((v[0], v[1], v[2] or 0), (w[0], w[1], w[2]), 'self, inclusive, calls of %s%s' % (k, options))
        equal(cycles(j), wanted_cycles(groups), 'cycles (inclusive, self, calls, members)')
    files = {}
    for r in top(path, 'file')['rows']:
        callgrind_oracle.add(files.setdefault(nothing(r['file']), [0] * len(p.events)), r['self'])
    wanted = {}
    for k, v in places(p).items():
        callgrind_oracle.add(wanted.setdefault(k[2], [0] * len(p.events)), v)
    same({k: v for k, v in files.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, 'self per file')


def compare_written(q, p):
    equal(q.total(), p.total(), 'totals of what was written')
    named = lambda x: {k: [n for e, n in sorted(zip(x.events, v)) if n] for k, v in places(x).items()}
    same(named(q), named(p), 'self per (part, function, file, line, address) of what was written')
    same(*({k: x.vector(v[1]) for k, v in x.graph(key)[2].items()} for x in (q, p)), 'edges of what was written')
    equal(sum(j[4] for j in q.jumps), sum(j[4] for j in p.jumps), 'executed jumps of what was written')


# --- gperftools ------------------------------------------------------------------------------------------------------------

def random_gperf(seed):
    r = random.Random(seed)
    bits, order = r.choice([32, 64]), r.choice('<>')
    code = 'I' if bits == 32 else 'Q'
    high = [0x400000, 0xb7000000] if bits == 32 else [0x400000, 0x7f0000000000]
    maps = [(high[0], 0x10000, 0, '/bin/p'), (high[1], 0x10000, 0x1000, '/lib/q q.so'), (high[1] + 0x20000, 0x8000, 0x3000, '/lib/r.so')]
    pool = [start + r.randrange(1, size) for start, size, _, _ in maps for _ in range(8)] + [0x100 + r.randrange(4)]
    slots = [0, 3, 0, r.choice([1000, 10000, 333]), 0]
    stacks = [[r.choice(pool) for _ in range(r.randint(1, r.choice([3, 12, 60])))] for _ in range(r.randint(0, 20))]
    for _ in range(r.randint(0, 40) if stacks else 0):
        stack = r.choice(stacks)
        slots += [r.choice([1, 1, r.randint(1, 5000)]), len(stack)] + stack
    slots += [0, 1, 0]
    text = ''.join('%08x-%08x r-xp %08x 00:00 %-11d %s\n' % (a, a + n, o, 7, path) for a, n, o, path in maps if r.random() < 0.9)
    text += '%08x-%08x rw-p 00000000 00:00 0           [heap]\n' % (high[0] + 0x100000, high[0] + 0x101000)
    return struct.pack('%s%d%s' % (order, len(slots), code), *slots) + text.encode()


def gperf(seed):
    data = random_gperf(seed)
    f = gperf_oracle.read_bytes(data)
    equal(f.profiles[0].problems, [], 'this test itself')
    with Scratch() as s:
        path = s.file('random.prof', data)
        compare_gperf(path, f)
        out = s.name('out.prof')
        options = [[], ['-O', 'width=64', '-O', 'order=big'], ['-O', 'order=little'], ['-O', 'width=64']][seed % 4]
        r = assay('convert', path, '-t', 'gperf', '-o', out, *options)
        want(r.code == 0, 'convert', r)
        g = gperf_oracle.read(out)
        same(g.stacks(), f.stacks(), 'stacks of what was written')
        equal(len(g.profiles[0].records), len({x for _, x in g.profiles[0].records}), 'a stack was written twice')
        want(assay('dump', path).out == assay('dump', out).out, 'the dump of what was written differs')
        for to, total in (('callgrind', lambda p: sum(callgrind_oracle.read(p).total())), ('dcpi', None)):
            out = s.name('out.' + to)
            r = assay('convert', path, '-t', to, '-o', out if to == 'callgrind' else out + '/')
            far = to == 'dcpi' and '32 bits' in r.err and r.code in (4, 6)     # bare addresses may lie more than 4 GiB apart
            want(r.code == 0 or f.samples == 0 or far, 'convert to %s' % to, r)
            if r.code == 0 and to == 'callgrind':
                equal(total(out), f.samples, 'total in callgrind')
                q = callgrind_oracle.read(out)
                rows, _ = q.inclusive(kc_exact=False)
                want(all(v[0][0] <= f.samples for v in rows.values()), 'inclusive above the total in callgrind')
            elif r.code == 0:
                have = sum(sum(dcpi_oracle.read(os.path.join(out, x)).offsets().values()) for x in os.listdir(out))
                equal(have, f.samples, 'total in dcpi')


def compare_gperf(path, f):
    j = top(path, 'address')
    equal(totals(j), [f.samples], 'samples')
    wanted, bare = f.places()
    got = {}
    for r in j['rows']:
        k = nothing(r['object']), int(r['address'], 16)
        equal(got.get(k), None, 'twice: %s' % (k,))
        got[k] = [r['self'][0], r['inclusive'][0]]
    same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, '[self, inclusive] per (object, offset)')
    d = dump.Dump(path)
    stacks = {}
    for part, frames, values in d.samples:
        k = tuple((nothing(x.get('ob')), x.get('addr', x['fn'] if isinstance(x.get('fn'), int) else 0)) for x in reversed(frames))
        stacks[k] = stacks.get(k, 0) + values[0]
    same(stacks, f.stacks(), 'samples per stack')


# --- DCPI ------------------------------------------------------------------------------------------------------------------

def dcpi(seed):
    r = random.Random(seed)
    chunks, at = [], 0
    for _ in range(r.randint(0, 12)):
        at += 4 * r.choice([0, 1, 2, 3, 50, 100000])
        counts = [r.choice([0, 0, 1, r.randint(1, 1000), r.randint(0, 1 << 24)]) for _ in range(r.choice([1, 1, 2, 9]))]
        if any(counts):
            chunks.append((at, counts))
            at += 4 * len(counts)
    header = make_dcpi.HEADER[:]
    header[7] = ('tsize', str(max(at, 4)))
    if r.random() < 0.5:
        header.append(('weather', 'fair  '))
    data = make_dcpi.make(header, chunks, pad=r.random() < 0.5)
    p = dcpi_oracle.read_bytes(data)
    wanted = p.addresses()
    with Scratch() as s:
        path, out, again = s.file('random.dcpi', data), s.name('out'), s.name('again')
        j = top(path, 'address')
        equal(totals(j), [sum(wanted.values())], 'samples')
        same({int(x['address'], 16): x['self'][0] for x in j['rows'] if any(x['self'])}, wanted, 'self per address')
        r = assay('convert', path, '-t', 'dcpi', '-o', out)
        want(r.code == 0, 'convert', r)
        q = dcpi_oracle.read(out)
        equal(q.addresses(), wanted, 'what was written')
        equal([x for x in q.lines], [x for x in p.lines], 'header lines of what was written')
        whole = contents(out)
        equal(whole.index(b'\nsamples') % 4 is not None and len(whole[:whole.index(b'\n', whole.index(b'\nsamples') + 1) + 1]) % 4, 0, 'header length, modulo 4')
        r = assay('convert', out, '-t', 'dcpi', '-o', again)
        want(r.code == 0 and contents(again) == contents(out), 'canonical form is not stable')
        code, findings = check(out)
        equal([f for f in findings if f['severity'] == 'error'], [], 'errors in what was written')


# --- merging -----------------------------------------------------------------------------------------------------------------

def merge(seed):
    """order does not matter to the sums, and the sums are those of the inputs"""
    with Scratch() as s:
        data = [Writer(seed * 100 + i).text() for i in range(3)]
        paths = [s.file('in%d' % i, x) for i, x in enumerate(data)]
        wanted, total = {}, {}
        for x in data:
            p = callgrind_oracle.read_bytes(x)
            for k, v in p.graph(key)[0].items():
                row = wanted.setdefault(k, {})
                for e, n in v.items():
                    row[e] = row.get(e, 0) + n
        for order in ((0, 1, 2), (2, 0, 1)):
            out = s.name('out%d' % order[0])
            r = assay('merge', *[paths[i] for i in order], '-o', out)
            want(r.code == 0, 'merge', r)
            q = callgrind_oracle.read(out)
            same({k: {e: n for e, n in v.items() if n} for k, v in q.graph(key)[0].items() if any(v.values())},
                 {k: {e: n for e, n in v.items() if n} for k, v in wanted.items() if any(v.values())}, 'self per function')
    with Scratch() as s:
        data = [random_gperf(seed * 100 + i) for i in range(3)]
        paths = [s.file('in%d.prof' % i, x) for i, x in enumerate(data)]
        wanted = {}
        for x in data:
            for k, v in gperf_oracle.read_bytes(x).places()[0].items():
                row = wanted.setdefault(k, [0, 0])
                row[0] += v[0]
                row[1] += v[1]
        if len({gperf_oracle.read_bytes(x).profiles[0].period for x in data}) == 1:
            out = s.name('out.prof')
            r = assay('merge', *paths, '-o', out)
            want(r.code == 0, 'merge', r)
            got = {(nothing(x['object']), int(x['address'], 16)): [x['self'][0], x['inclusive'][0]] for x in top(out, 'address')['rows']}
            same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, '[self, inclusive] per (object, offset)')


for _f in (callgrind, gperf, dcpi):
    for _seed in range(SEEDS):
        t.add('%s, seed %d' % (_f.__name__, _seed), _f, _seed)
for _seed in range(SEEDS // 4):
    t.add('merge, seed %d' % _seed, merge, _seed)

if __name__ == '__main__':
    t.run()
