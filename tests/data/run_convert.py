#!/usr/bin/env python3
"""Acceptance 5 and "nothing is lost silently": the 3 x 3 matrix of conversions, identity of read-write-read, merging.

What assay wrote is read by the independent readers; totals are compared with those of the source, read independently too.
"""
import os
import re

import tap
from tap import Scratch, assay, contents, data_path, equal, info, nothing, same, top, totals, want
import callgrind_oracle
import dcpi_oracle
import gperf_oracle
import make_dcpi

t = tap.Tap('conversion')
CG, GP = data_path('callgrind'), data_path('gperftools')

INSTR = """# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 7
cmd: ./x
part: 1

positions: instr line
events: Ir
summary: 1042

ob=(1) /bin/x
fl=(1) a.c
fn=(1) main
0x1000 10 20
+4 11 22
cfn=(2) f
calls=3 0x2000 40
* * 1000

fn=(2)
0x2000 40 600
+8 42 400

totals: 1042
"""
LINES = INSTR.replace('instr line', 'line').replace('0x1000 10 20', '10 20').replace('+4 11 22', '11 22').replace('calls=3 0x2000 40\n* * 1000', 'calls=3 40\n* 1000') \
    .replace('0x2000 40 600', '40 600').replace('+8 42 400', '42 400')
TWO = INSTR.replace('events: Ir', 'events: Ir Dr').replace('summary: 1042', 'summary: 1042 7').replace('totals: 1042', 'totals: 1042 7').replace('40 600', '40 600 7')


def gperf_sample():
    import struct
    return struct.pack('<22Q', 0, 3, 0, 10000, 0, 5, 3, 0x401000, 0x402005, 0x403005, 2, 3, 0x401010, 0x402015, 0x403005, 1, 2, 0x401020, 0x403005, 0, 1, 0) + \
        b'00400000-00500000 r-xp 00000000 00:00 1234       /tmp/prog\n'


SOURCES = {'callgrind': (INSTR.encode(), 1042), 'gperf': (gperf_sample(), 8), 'dcpi': (make_dcpi.golden(), 47)}


def total_of(format, path):
    """[total] of a file, by the independent reader of that format; folders (several DCPI files) are added up"""
    if os.path.isdir(path):
        return sum(total_of(format, os.path.join(path, x)) for x in sorted(os.listdir(path)))
    if format == 'callgrind':
        p = callgrind_oracle.read(path)
        want(len(p.parts) >= 1 and p.events, 'no events written')
        for part in p.parts:
            if part.totals is not None and len(p.parts) == 1:
                equal(part.totals, p.total(), 'totals: of what was written')
        return p.total()[0]
    if format == 'gperf':
        f = gperf_oracle.read(path)
        equal(f.profiles[0].problems, [], 'problems of what was written')
        return f.samples
    return sum(dcpi_oracle.read(path).offsets().values())


def convert(source, to, out, *extra):
    return assay('convert', source, '-t', to, '-o', out, *extra)


def losses(r):
    """[(amount, line)] of the lines on stderr that begin, after an optional prefix, with an amount"""
    out = []
    for line in r.err.split('\n'):
        m = re.search(r'(\d[\d,.\' ]*)\s+\S', line)
        if m and not line.startswith('#'):
            out.append(line)
    return out


# what a format cannot hold of the others' evidence: this must be said and --strict must refuse
LOSSY = {('callgrind', 'gperf'), ('callgrind', 'dcpi'), ('gperf', 'callgrind'), ('gperf', 'dcpi')}


def matrix(a, b):
    data, total = SOURCES[a]
    with Scratch() as s:
        source, out, back = s.file('in', data), s.name('out'), s.name('back')
        equal(total_of(a, source), total, 'this test itself')
        r = convert(source, b, out)
        want(r.code == 0, 'convert %s -> %s' % (a, b), r)
        want(not r.out, 'something on stdout: %r' % r.out[:200])
        equal(total_of(b, out), total, 'total in what was written')
        equal(totals(top(out, 'address'))[0], total, 'total that assay reads back')
        x = convert(out, a, back)
        want(x.code == 0, 'back: %s -> %s' % (b, a), x)
        equal(total_of(a, back), total, 'total after the way back')
        if (a, b) in LOSSY:
            want(losses(r), 'nothing is said to be lost from %s to %s' % (a, b), r.err)
            refused = s.name('strict')
            z = convert(source, b, refused, '--strict')
            want(z.code in (1, 2, 4, 6) and not z.crashed, '--strict: exit status %s' % z.code, z)
            want(not os.path.exists(refused), '--strict left a file behind')
            want(z.err.strip(), '--strict says nothing')
        if a == b:
            want(not losses(r), 'losses from a format to itself', r.err)
            z = convert(source, b, s.name('strict'), '--strict')
            equal(z.code, 0, '--strict from a format to itself')
            d1, d2 = assay('dump', source), assay('dump', out)
            want(d1.code == 0 and d1.out == d2.out, 'the dumps differ', difference(d1.out, d2.out))
        places = {'callgrind': places_callgrind, 'gperf': places_gperf, 'dcpi': places_dcpi}
        wanted, got = places[a](source), places[b](out)
        equal(got, wanted, 'self per address')


def places_callgrind(path):
    out = {}
    for part, ref, file, line, addr, cost, ob in callgrind_oracle.read(path).costs:
        for n in cost.values():
            out[addr] = out.get(addr, 0) + n
            break
    return {k: n for k, n in out.items() if n}


def places_gperf(path):
    return {k[1]: v[0] for k, v in gperf_oracle.read(path).places()[0].items() if v[0]}


def places_dcpi(path):
    if os.path.isdir(path):
        out = {}
        for x in os.listdir(path):
            out.update(places_dcpi(os.path.join(path, x)))
        return out
    return dcpi_oracle.read(path).addresses()


for _a in SOURCES:
    for _b in SOURCES:
        t.add('matrix: %s -> %s -> %s, totals conserved, losses listed' % (_a, _b, _a), matrix, _a, _b)


def difference(a, b):
    a, b = a.decode('utf-8', 'replace').split('\n'), b.decode('utf-8', 'replace').split('\n')
    left, right = set(a), set(b)
    out = ['- ' + x for x in a if x not in right][:6] + ['+ ' + x for x in b if x not in left][:6]
    return '\n'.join(out) or 'the same lines in another order'


# --- losses in detail ---------------------------------------------------------------------------------------------------------

def several_events():
    with Scratch() as s:
        source = s.file('in', TWO)
        for to in ('gperf', 'dcpi'):
            out = s.name('out.' + to)
            r = convert(source, to, out)
            if to == 'dcpi' and r.code != 0:        # one file per event: a folder is needed
                out = s.name('folder') + '/'
                r = convert(source, to, out)
                want(r.code == 0, 'convert to a folder', r)
                equal(sorted(sum(dcpi_oracle.read(os.path.join(out, x)).offsets().values()) for x in os.listdir(out)), [7, 1042], 'totals of the files')
                continue
            want(r.code == 0, 'convert', r)
            equal(total_of(to, out), 1042, 'first event')
            want('event' in r.err, 'the second event is lost silently', r.err)


t.add('a second event is lost to gperf with a word; DCPI writes one file per event', several_events)


def several_objects():
    text = INSTR.replace('fn=(2)\n0x2000', 'ob=(2) /lib/y.so\nfl=(2) y.c\nfn=(2)\n0x2000').replace('cfn=(2) f', 'cob=(2) /lib/y.so\ncfi=(2) y.c\ncfn=(2) f')
    with Scratch() as s:
        source, out = s.file('in', text), s.name('folder') + '/'
        equal(total_of('callgrind', source), 1042, 'this test itself')
        r = convert(source, 'dcpi', out)
        want(r.code == 0, 'convert to a folder', r)
        files = sorted(os.listdir(out))
        equal(len(files), 2, 'files: one per image')
        equal(sorted(total_of('dcpi', os.path.join(out, x)) for x in files), [42, 1000], 'totals of the files')
        one = s.name('one.dcpi')
        r = convert(source, 'dcpi', one)
        want(r.code != 0 and not os.path.exists(one), 'two images in one DCPI file', r)


t.add('DCPI: one file per image into a folder; a single file is refused', several_objects)


def no_addresses():
    with Scratch() as s:
        source = s.file('in', LINES)
        equal(total_of('callgrind', source), 1042, 'this test itself')
        for to in ('dcpi', 'gperf'):
            out = s.name('out.' + to)
            r = convert(source, to, out)
            want(not r.crashed and r.code in (0, 1, 4, 6), 'exit status', r)
            want(r.err.strip(), 'nothing is said', r)
            if r.code == 0:
                kept = total_of(to, out)
                want(kept == 1042 or str(1042 - kept) in r.err, 'kept %d of 1042, and the rest is not named' % kept, r.err)


t.add('no addresses: refused, or converted with all that is dropped named', no_addresses)


def overflow():
    with Scratch() as s:
        source, out = s.file('in', INSTR.replace('0x2000 40 600', '0x2000 40 4294967296')), s.name('out')
        r = convert(source, 'dcpi', out)
        want(r.code == 6 or r.code in (1, 4), 'a count above 32 bits: exit status %s' % r.code, r)
        want(not os.path.exists(out), 'a file was left behind')
        want(len(r.err.strip()) > 10, 'no reason', r)


t.add('DCPI: a count above 32 bits is refused, never wrapped', overflow)


def text_offset():
    with Scratch() as s:
        source, out = s.file('in', INSTR.replace('0x2000 40 600', '0x200000000 40 600')), s.name('out')
        r = convert(source, 'dcpi', out)
        if r.code == 0:
            equal(dcpi_oracle.read(out).addresses().get(0x200000000), 600, 'the far address')
        else:
            want(not os.path.exists(out) and r.err.strip(), 'no reason, or a file left behind', r)


t.add('DCPI: a text of 4 GiB or more is right or refused', text_offset)


def overwrite():
    with Scratch() as s:
        source, out = s.file('in', INSTR), s.file('out', b'precious')
        r = convert(source, 'callgrind', out)
        want(r.code != 0, 'an existing file was overwritten without -y', r)
        equal(contents(out), b'precious', 'the existing file')
        r = convert(source, 'callgrind', out, '-y')
        equal(r.code, 0, 'with -y')
        equal(total_of('callgrind', out), 1042, 'total')
        equal([x for x in os.listdir(s.path) if x not in ('in', 'out')], [], 'temporaries left behind')


t.add('an existing file needs -y; no temporary is left', overwrite)


def recursion():
    """paths -> calls: edges exact, recursion counted once a sample"""
    import struct
    data = struct.pack('<15Q', 0, 3, 0, 10000, 0, 4, 5, 0x401000, 0x402005, 0x402005, 0x402005, 0x403005, 0, 1, 0) + b'00400000-00500000 r-xp 00000000 00:00 1234       /tmp/prog\n'
    with Scratch() as s:
        source, out = s.file('in', data), s.name('out')
        r = convert(source, 'callgrind', out)
        want(r.code == 0, 'convert', r)
        p = callgrind_oracle.read(out)
        equal(p.total(), [4], 'total')
        want(all(v[1].get(p.events[0], 0) <= 4 for v in p.edges.values()), 'an edge costs more than the profile: %s' % p.edges)
        functions, cycles = p.inclusive(kc_exact=False)
        equal(sorted(v[0][0] for v in functions.values()), [4, 4, 4], 'inclusive of the three functions')
        want(all(v[0] >= 1 for v in p.edges.values()), 'calls=0 was written')


t.add('gperf -> callgrind: recursion is counted once, calls are at least 1', recursion)


def estimated():
    with Scratch() as s:
        source, out = s.file('in', INSTR), s.name('out')
        r = convert(source, 'gperf', out)
        want(r.code == 0, 'convert', r)
        f = gperf_oracle.read(out)
        deep = [x for x in f.profiles[0].records if len(x[1]) > 1]
        if deep:
            want('estimat' in r.err.lower(), 'stacks were made up from calls without the word "estimated"', r.err)


t.add('callgrind -> gperf: made-up stacks are called estimated', estimated)


# --- identity ------------------------------------------------------------------------------------------------------------------

def identity(path, format, *extra):
    with Scratch() as s:
        out = s.name('out')
        r = convert(path, format, out)
        want(r.code == 0, 'convert', r)
        a, b = assay('dump', path), assay('dump', out)
        want(a.code == 0 and b.code == 0, 'dump', a, b)
        if format == 'gperf' and len(gperf_oracle.read(path).profiles) > 1:
            want('part' in r.err, 'several profiles became one, and it is not said', r.err)
            return
        if b'\npartial\n' in a.out:
            want('could be read' in r.err, 'a cut file was converted, and it is not said', r.err)
        source = a.out.replace(b'\npartial\n', b'\n')  # what is written is whole
        old, new = header_free(source, b.out)
        want(old == new, 'read, write, read is not the identity', difference(old, new), r.err)
        if source != b.out:
            invented.append(os.path.relpath(path, data_path()))
        again = s.name('again')
        r = convert(out, format, again)
        want(r.code == 0 and contents(again) == contents(out), 'writing twice gives other bytes', r)
        for option in extra:
            form = s.name('form' + option.replace(' ', '').replace('=', ''))
            r = convert(path, format, form, *option.split(' '))
            want(r.code == 0, 'convert %s' % option, r)
            c = assay('dump', form)
            want(c.out == b.out, 'with %s the dump differs' % option, difference(b.out, c.out))


invented = []


def header_free(a, b):
    """the dumps without a creator and a `positions: line` that only the second one has; see no_invention()"""
    added = rb'(?m)^(part \d+(?: [^\n]*?)?)( creator="assay[^"\n]*")((?: [^\n]*?)?)$'
    if not re.search(rb'(?m)^part \d+.* creator="', a):
        b = re.sub(added, rb'\1\3', b)
    if not re.search(rb'(?m)^part \d+.* positions=', a):
        b = re.sub(rb'(?m)^(part \d+.*) positions=line$', rb'\1', b)
    return a, b


def no_invention():
    equal(invented, [], 'files that got a creator or positions: of assay\'s own where the source has none')


def find_files():
    for folder in ('real', 'gprof2dot', 'producers', 'qtcreator', 'speedscope', 'valgrind-tests', 'pprof'):
        path = os.path.join(CG, folder)
        for name in sorted(os.listdir(path)) if os.path.isdir(path) else ():
            if re.search(r'\.(txt|stderr|exp|snap|vgtest|sh|log\.)$', name) or name in ('commands.log', 'rec', 'rec_O2', 'thr', 'thr4', 'thr_dump', 'tmpl', 'src') \
                    or name == 'callgrind.subposition-compression.log':
                continue
            file = os.path.join(path, name)
            if os.path.isfile(file) and os.path.getsize(file):
                yield 'callgrind', file
    for folder, pick in (('real/prof', r'.'), ('pprof_profile', r'(cppbench|go.crc32|gobench|java)\.cpu$')):
        path = os.path.join(GP, folder)
        for name in sorted(os.listdir(path)) if os.path.isdir(path) else ():
            file = os.path.join(path, name)
            if re.search(pick, name) and os.path.getsize(file):
                yield 'gperf', file


SIGNED = ('cachegrind.out.diff', 'cachegrind.out.selfdiff', 'ann2.cgout')


def signed_identity(path):
    """negative counts: refused, or told and conserved (research §1.8 wants none written)"""
    with Scratch() as s:
        out = s.name('out')
        r = convert(path, 'callgrind', out)
        want(not r.crashed and r.code in (0, 1, 4, 6), 'exit status', r)
        want(r.code == 0 or r.err.strip(), 'no reason')
        if r.code == 0:
            a, b = assay('dump', path), assay('dump', out)
            old, new = header_free(a.out, b.out)
            want(old == new or 'negative' in r.err, 'the dump differs and nothing is said', difference(old, new))


# --- merging --------------------------------------------------------------------------------------------------------------------

def merged(paths, format, total, sum_):
    with Scratch() as s:
        a, b = s.name('a'), s.name('b')
        r = assay('merge', *paths, '-o', a)
        want(r.code == 0, 'merge', r)
        equal(total(a), sum_, 'total of the merged file')
        r = assay('merge', *reversed(paths), '-o', b)
        want(r.code == 0, 'merge the other way round', r)
        equal(total(b), sum_, 'total the other way round')
        return contents(a) == contents(b)


def merge_callgrind():
    paths = [os.path.join(CG, 'real', 'callgrind.out.dump' + x) for x in ('.1', '.2', '.3', '')]
    if not os.path.exists(paths[0]):
        return 'n/a: the data have no dumps'
    merged(paths, 'callgrind', lambda p: callgrind_oracle.read(p).total(), [137893 + 27357 + 7560 + 4148])


def merge_dcpi():
    with Scratch() as s:
        a = s.file('a', make_dcpi.golden())
        b = s.file('b', make_dcpi.make(make_dcpi.HEADER, [(0x6cbb8, [1]), (0x7000, [5])]))
        want(merged([a, b], 'dcpi', lambda p: dcpi_oracle.read(p).addresses(), dict(make_dcpi.ROWS, **{}) | {0x12006cbb8: 30, 0x120007000: 5}),
             'the order of the inputs changes the bytes')


def merge_dcpi_mismatch():
    """other image, event, period or text start: refused, or kept apart; never added up as if they were one"""
    for key, value in (('image', 'ff'), ('event', 'imiss'), ('period', '4096'), ('tstart', '200000000')):
        with Scratch() as s:
            a = s.file('a', make_dcpi.golden())
            b = s.file('b', make_dcpi.make([(k, value if k == key else v) for k, v in make_dcpi.HEADER], [(0x6cbb8, [1])]))
            out = s.name('out')
            r = assay('merge', a, b, '-o', out, '-t', 'dcpi')
            want(not r.crashed, r.crashed, r)
            if r.code == 0 and os.path.isfile(out):
                got = dcpi_oracle.read(out).addresses()
                want(got.get(0x12006cbb8) != 30, 'profiles of another %s were added up' % key, r.err)


t.add('merge: four dumps of one run', merge_callgrind)
t.add('merge: two DCPI files of one image; the order does not matter', merge_dcpi)
t.add('merge: DCPI files that do not agree are not added up', merge_dcpi_mismatch)


def merge_self():
    """A + A has twice the cost of A, for every shape"""
    for format, (data, total) in SOURCES.items():
        with Scratch() as s:
            a, out = s.file('a', data), s.name('out')
            b = s.file('b', data)
            r = assay('merge', a, b, '-o', out)
            want(r.code == 0, 'merge %s' % format, r)
            equal(total_of(format, out), 2 * total, 'total of %s + itself' % format)


t.add('merge: a profile with itself has twice the cost', merge_self)


if __name__ == '__main__':
    for _format, _path in find_files():
        name = os.path.relpath(_path, data_path())
        if os.path.basename(_path) in SIGNED:
            t.add('identity: %s (negative counts)' % name, signed_identity, _path)
        else:
            extra = ('-O compress-strings=no', '-O compress-pos=no', '-O full-rows=yes') if _format == 'callgrind' and os.path.getsize(_path) < 500000 else ()
            t.add('identity: %s' % name, identity, _path, _format, *extra)
    t.add('identity: no header is invented', no_invention)
    t.run()
