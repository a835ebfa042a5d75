#!/usr/bin/env python3
"""Acceptance 2: every example of the three specifications, typed in from their text."""
import struct

import tap
from tap import Scratch, assay, by_function, check, contents, equal, info, nothing, same, top, totals, want
import callgrind_oracle
import dcpi_oracle
import gperf_oracle
import make_dcpi

t = tap.Tap('spec examples')

# --- spec 001, Callgrind: the screens, letter for letter -----------------------------------------------------------------

SIMPLE = """events: Cycles Instructions Flops
fl=file.f
fn=main
15 90 14 2
16 20 12
"""

EXTENDED = """events: Instructions

fl=file1.c
fn=main
16 20
cfn=func1
calls=1 50
16 400
cfl=file2.c
cfn=func2
calls=3 20
16 400

fn=func1
51 100
cfl=file2.c
cfn=func2
calls=2 20
51 300

fl=file2.c
fn=func2
20 700
"""

COMPRESSED = """events: Instructions

fl=(1) file1.c
fn=(1) main
16 20
cfn=(2) func1
calls=1 50
16 400
cfl=(2) file2.c
cfn=(3) func2
calls=3 20
16 400

fn=(2)
51 100
cfl=(2)
cfn=(3)
calls=2 20
51 300

fl=(2)
fn=(3)
20 700
"""

UPFRONT = """events: Instructions

# define file ID mapping
fl=(1) file1.c
fl=(2) file2.c
# define function ID mapping
fn=(1) main
fn=(2) func1
fn=(3) func2

fl=(1)
fn=(1)
16 20
cfn=(2)
calls=1 50
16 400
cfl=(2)
cfn=(3)
calls=3 20
16 400

fn=(2)
51 100
cfl=(2)
cfn=(3)
calls=2 20
51 300

fl=(2)
fn=(3)
20 700
"""

INSTR = """positions: instr line
events: ticks

fn=func
0x80001234 90 1
0x80001237 90 5
0x80001238 91 6
"""

INSTR_COMPRESSED = """positions: instr line
events: ticks

fn=func
0x80001234 90 1
+3 * 5
+1 +1 6
"""

INHERITED = """event: Ir : Instruction Fetches
event: Sum = Ir + Dr
events: Ir Dr
fl=a.c
fn=f
1 5 3
2 6
"""


def file_of(text):
    def keep(f):
        def go():
            with Scratch() as s:
                return f(s.file('example.callgrind', text))
        return go
    return keep


def rows(path):
    return {k[2]: v for k, v in by_function(top(path)).items()}


@t('callgrind simple example: Cycles 110, Instructions 26, Flops 2')
@file_of(SIMPLE)
def _(path):
    j = top(path)
    equal([(e['name'], e['total']) for e in j['events']], [('Cycles', 110), ('Instructions', 26), ('Flops', 2)], 'events')
    equal({k: v[0] for k, v in by_function(j).items()}, {(None, 'file.f', 'main'): [110, 26, 2]}, 'functions')
    equal(j['profile']['shape'], 'places', 'shape: nothing is said of calls')
    want(all(r['inclusive'] is None for r in j['rows']), 'inclusive must be null')


def extended(path):
    got = by_function(top(path))
    equal(got, {(None, 'file1.c', 'main'): [[20], [820], got[(None, 'file1.c', 'main')][2]],
                (None, 'file1.c', 'func1'): [[100], [400], 1], (None, 'file2.c', 'func2'): [[700], [700], 5]}, 'rows [self, inclusive, calls]')
    want(got[(None, 'file1.c', 'main')][2] in (0, None), 'calls of main')


for _title, _text in (('as printed', EXTENDED), ('with compressed names', COMPRESSED), ('with ids defined up front', UPFRONT)):
    t.add('callgrind extended example %s: main 820 inclusive, 20 self' % _title, file_of(_text)(extended))


@t('callgrind extended example: plain, compressed and up-front forms have one dump')
def _():
    with Scratch() as s:
        dumps = []
        for name, text in (('a', EXTENDED), ('b', COMPRESSED), ('c', UPFRONT)):
            r = assay('dump', s.file(name, text))
            want(r.code == 0, 'dump', r)
            dumps.append(r.out)
        equal(dumps[1], dumps[0], 'compressed')
        equal(dumps[2], dumps[0], 'up front')


@t('callgrind subpositions: the absolute and the relative form are equal')
def _():
    with Scratch() as s:
        a, b = s.file('a', INSTR), s.file('b', INSTR_COMPRESSED)
        for path in (a, b):
            got = {int(r['address'], 16): (r['line'], r['self']) for r in top(path, 'address')['rows']}
            equal({k: v[1] for k, v in got.items()}, {0x80001234: [1], 0x80001237: [5], 0x80001238: [6]}, 'self per address')
            equal({(r['line'], tuple(r['self'])) for r in top(path, 'line')['rows']}, {(90, (6,)), (91, (6,))}, 'self per line')
        equal(assay('dump', b).out, assay('dump', a).out, 'dumps')


@t('callgrind long names and inherited types: Ir, Dr, and Sum = Ir + Dr')
@file_of(INHERITED)
def _(path):
    j = top(path)
    equal([(e['name'], e['total']) for e in j['events']][:2], [('Ir', 11), ('Dr', 3)], 'events')
    text = info(path)
    want('Instruction Fetches' in str(text), 'the long name is not shown', text)
    want('Sum' in str(text), 'the inherited type is not shown', text)


@t('callgrind summary: above the sum of the cost lines is no error')
@file_of('events: I\nsummary: 12\nfl=a.c\nfn=f\n1 5\n')
def _(path):
    code, findings = check(path)
    equal([f for f in findings if f['severity'] == 'error'], [], 'errors')


for _name, _text in (('simple', SIMPLE), ('extended', EXTENDED), ('compressed', COMPRESSED), ('subposition', INSTR), ('relative', INSTR_COMPRESSED)):
    def _go(path):
        code, findings = check(path)
        equal([f for f in findings if f['severity'] == 'error'], [], 'errors in an example of the specification')
    t.add('callgrind %s example: check finds no error' % _name, file_of(_text)(_go))


# --- spec 000, gperftools ---------------------------------------------------------------------------------------------------

MAPLINE = b'40000000-40015000 r-xp 00000000 03:01 12845071   /lib/ld-2.3.2.so\n'
WORDS32 = bytes.fromhex('00000000 03000000 00000000 10270000 00000000')                                 # the header table, row 2
WORDS64 = bytes.fromhex('00000000 00000000 03000000 00000000 00000000 00000000 10270000 00000000 00000000 00000000')    # row 3


def slots(bits, order, *values):
    return struct.pack(order + str(len(values)) + ('I' if bits == 32 else 'Q'), *values)


@t('gperftools header: the bytes of the table, 32-bit and 64-bit little-endian')
def _():
    equal(slots(32, '<', 0, 3, 0, 10000, 0), WORDS32, 'this test itself, 32-bit')
    equal(slots(64, '<', 0, 3, 0, 10000, 0), WORDS64, 'this test itself, 64-bit')
    for bits, head in ((32, WORDS32), (64, WORDS64)):
        with Scratch() as s:
            path = s.file('a.prof', head + slots(bits, '<', 0, 1, 0) + MAPLINE)
            equal(totals(top(path, 'address')), [0] * len(top(path, 'address')['events']), 'a profile without records')


def whole(bits, order):
    return slots(bits, order, 0, 3, 0, 10000, 0) + slots(bits, order, 5, 3, 0xa0000, 0xc0000, 0xe0000) + slots(bits, order, 0, 1, 0) + MAPLINE


for _bits in (32, 64):
    for _order in '<>':
        def _go(bits=_bits, order=_order):
            with Scratch() as s:
                path = s.file('a.prof', whole(bits, order))
                got = {int(r['address'], 16): (r['self'][0], r['inclusive'][0]) for r in top(path, 'address')['rows']}
                equal(got, {0xa0000: (5, 5), 0xbffff: (0, 5), 0xdffff: (0, 5)}, '(self, inclusive): 5 ticks at three PCs, callers one before the return address')
                code, findings = check(path)
                equal([f for f in findings if f['severity'] == 'error'], [], 'errors')
                out = s.name('b.prof')
                r = assay('convert', path, '-t', 'gperf', '-o', out)
                want(r.code == 0, 'convert', r)
                f = gperf_oracle.read(out).profiles[0]
                equal((f.words, f.version, f.period, f.records, f.trailer), (3, 0, 10000, [(5, (0xa0000, 0xc0000, 0xe0000))], True), 'written again')
                want(MAPLINE.strip() in f.text or f.maps == [(0x40000000, 0x40015000, b'r-xp', 0, b'/lib/ld-2.3.2.so')], 'the text list', f.text)
                if (f.bits, f.order) == (bits, order):
                    equal(contents(out)[:f.binary], whole(bits, order)[:-len(MAPLINE)], 'the binary part, byte for byte')
        t.add('gperftools example record, %d-bit %s: 5 ticks, 3 PCs' % (_bits, 'LE' if _order == '<' else 'BE'), _go)


@t('gperftools: records of one call chain are summed')
def _():
    with Scratch() as s:
        path = s.file('a.prof', slots(64, '<', 0, 3, 0, 10000, 0, 5, 3, 0xa0000, 0xc0000, 0xe0000, 2, 3, 0xa0000, 0xc0000, 0xe0000, 0, 1, 0) + MAPLINE)
        equal(totals(top(path, 'address'))[0], 7, 'samples')
        equal(info(path)['counts']['paths'], 1, 'distinct stacks')


@t('gperftools text list: build= with leading blanks, the last one counts, unrecognized lines are ignored')
def _():
    text = b'  build=/wrong\nnonsense\n  build=/path/to/binary\n000a0000-000c0000 r-xp 00000000 03:01 12845071   $build\n000c0000-000f0000 r-xp 00000000 03:01 1   $builds/x\n'
    with Scratch() as s:
        path = s.file('a.prof', whole(64, '<')[:-len(MAPLINE)] + text)
        got = {r['object'] for r in top(path, 'address')['rows']}
        equal(got, {'/path/to/binary', '$builds/x'}, 'objects')


# --- spec 002, DCPI ------------------------------------------------------------------------------------------------------------

def dcpi_rows(path):
    return {int(r['address'], 16): r['self'][0] for r in top(path, 'address')['rows'] if any(r['self'])}


@t('DCPI golden file of research/dcpi.md §a4: 47 samples at 6 addresses')
def _():
    with Scratch() as s:
        path = s.file('golden', make_dcpi.golden())
        j = top(path, 'address')
        equal([e['total'] for e in j['events']], [47], 'samples')
        equal([e['name'] for e in j['events']], ['cycles'], 'event')
        equal(dcpi_rows(path), make_dcpi.ROWS, 'self per address')
        want(all(r['inclusive'] is None for r in j['rows']), 'inclusive must be null for places')
        equal(j['profile']['shape'], 'places', 'shape')
        equal({r['object'] for r in j['rows']}, {'/usr/local/bin/xemacs'}, 'object')
        code, findings = check(path)
        equal([f for f in findings if f['severity'] != 'info'], [], 'findings in the golden file')


@t('DCPI golden file: byte-identical when written again')
def _():
    with Scratch() as s:
        path, out = s.file('golden', make_dcpi.golden()), s.name('out.dcpi')
        r = assay('convert', path, '-t', 'dcpi', '-o', out)
        want(r.code == 0, 'convert', r)
        equal(contents(out), make_dcpi.golden(), 'bytes')


@t('DCPI golden file as dcpicat prints it: 0x%012x addresses, counts')
def _():
    with Scratch() as s:
        path, out = s.file('golden', make_dcpi.golden()), s.name('out.txt')
        r = assay('convert', path, '-t', 'dcpicat', '-o', out)
        want(r.code == 0, 'convert', r)
        lines = contents(out).decode().split('\n')
        got = [tuple(x.split()) for x in lines if x.startswith('0x')]
        equal(got, [('0x%012x' % a, str(n)) for a, n in sorted(make_dcpi.ROWS.items())], 'rows')
        back = s.name('back.dcpi')
        r = assay('convert', out, '-t', 'dcpi', '-o', back)
        want(r.code == 0, 'dcpicat back to dcpi', r)
        equal(dcpi_oracle.read(back).addresses(), make_dcpi.ROWS, 'back again')


def dcpi(title, data):
    def keep(f):
        def go():
            with Scratch() as s:
                return f(s.file('a.dcpi', data))
        t.add('DCPI ' + title, go)
        return f
    return keep


H = make_dcpi.HEADER
CHUNKS = [(0x6cbb8, [29]), (0x6cbd0, [10, 1, 2, 0, 3, 0, 2])]


def reads(path):
    equal(dcpi_rows(path), make_dcpi.ROWS, 'self per address')


for _n in range(4):
    dcpi('header length %d mod 4' % _n, make_dcpi.make([(k, v + 'x' * _n if k == 'platform' else v) for k, v in H], CHUNKS, pad=False))(reads)
dcpi('version 0.06', make_dcpi.make([('version', 'pdb-0.06')] + H[1:], CHUNKS))(reads)
dcpi('version last', make_dcpi.make(H[1:] + H[:1], CHUNKS))(reads)
dcpi('tabs as <space>', make_dcpi.golden().replace(b'image                ', b'image\t\t'))(reads)
dcpi('samples followed by tabs', make_dcpi.make(H, CHUNKS, pad=False).replace(b'\nsamples\n', b'\nsamples\t \t\n'))(reads)
dcpi('a chunk a number=1 each', make_dcpi.make(H + [('stride', '1')], [(a - 0x120000000, [n]) for a, n in sorted(make_dcpi.ROWS.items())]))(reads)
dcpi('no version line (the seed lost it): assumed 0.07', make_dcpi.make(H[1:], CHUNKS))(reads)


@dcpi('unknown header lines survive rewriting, in order', make_dcpi.make(H + [('zebra', 'a  b '), ('aardvark', 'x'), ('zebra', 'c')], CHUNKS))
def _(path):
    with Scratch() as s:
        out = s.name('o')
        r = assay('convert', path, '-t', 'dcpi', '-o', out)
        want(r.code == 0, 'convert', r)
        equal([x for x in dcpi_oracle.read(out).lines if x[0] in ('zebra', 'aardvark')], [('zebra', 'a  b '), ('aardvark', 'x'), ('zebra', 'c')], 'unknown lines')


@dcpi('`samples foo` is an unknown line, not the end of the header', make_dcpi.make(H + [('samples', 'foo')], CHUNKS))
def _(path):
    reads(path)
    with Scratch() as s:
        out = s.name('o')
        r = assay('convert', path, '-t', 'dcpi', '-o', out)
        want(r.code in (0, 4, 6), 'convert: kept or refused', r)       # §a3.13: a writer may refuse this key
        if r.code == 0:
            equal(dcpi_oracle.read(out).get('samples'), 'foo', 'the line')


@dcpi('a body that begins with blank bytes is not eaten', make_dcpi.make(H, [(0x0d090a20, [0x0a0a0a0a]), (0x0d090a30, [1])]))
def _(path):
    equal(dcpi_rows(path), {0x12d090a20: 0x0a0a0a0a, 0x12d090a30: 1}, 'self per address')


@dcpi('an empty profile: footer 0 0', make_dcpi.make(H, []))
def _(path):
    equal([e['total'] for e in top(path, 'address')['events']], [0], 'samples')
    code, findings = check(path)
    equal([f for f in findings if f['severity'] == 'error'], [], 'errors')


@dcpi('count 0xffffffff and a sum above 2^32', make_dcpi.make(H, [(0, [0xffffffff]), (8, [5])]))
def _(path):
    equal([e['total'] for e in top(path, 'address')['events']], [0x100000004], 'samples')
    want(assay('check', path).code in (0, 1), 'check')


def wrong(title, data, codes=(1, 3)):
    def go():
        with Scratch() as s:
            path = s.file('a.dcpi', data)
            r = assay('check', path)
            want(not r.crashed and r.code in codes, 'check: exit status %s, wanted one of %s' % (r.code, codes), r)
            x = assay('top', path)
            want(not x.crashed and x.code in (0, 3, 4), 'top', x)
    t.add('DCPI damaged: ' + title, go)


wrong('footer offsets off by one', make_dcpi.make(H, CHUNKS, footer=(7, 47)))
wrong('footer samples off by one', make_dcpi.make(H, CHUNKS, footer=(6, 48)))
wrong('chunks out of order', make_dcpi.make(H, CHUNKS[::-1]))
wrong('the same chunk twice', make_dcpi.make(H, CHUNKS[:1] * 2))
wrong('overlapping chunks', make_dcpi.make(H, [(0x100, [1, 2, 3, 4, 5, 6, 7, 8]), (0x104, [4])]))     # with any size of an instruction
wrong('number = 0', make_dcpi.make(H, [(0x100, []), (0x104, [4])]))
wrong('number = 0xffffffff', make_dcpi.golden()[:328] + b'\xff\xff\xff\xff' + make_dcpi.golden()[332:])
wrong('one byte too many', make_dcpi.golden() + b'\0')
wrong('four bytes too many', make_dcpi.golden() + b'\0\0\0\0')
wrong('CR LF line ends', make_dcpi.golden().replace(b'\n', b'\r\n', 11))
for _key in ('image', 'epoch', 'platform', 'event', 'tsize', 'cpuspeed'):    # version, tstart and period may lack (§a3.12)
    wrong('no %s line' % _key, make_dcpi.make([x for x in H if x[0] != _key], CHUNKS))
wrong('two image lines that disagree', make_dcpi.make(H + [('image', 'ff')], CHUNKS))


@dcpi('version 1.01: the header is known, the body refused by name, with its own exit status', make_dcpi.make([('version', 'pdb-1.01')] + H[1:], CHUNKS))
def _(path):
    r = assay('top', path)
    equal(r.code, 4, 'exit status (unsupported)')
    want('1.01' in r.err or '1.' in r.err, 'the version is not named', r.err)


@t('an unknown input is told apart from a damaged one, and named')
def _():
    with Scratch() as s:
        for name, data, words in (('elf', b'\x7fELF\x02\x01\x01' + b'\0' * 57, ('elf',)), ('perf.data', b'PERFILE2' + b'\0' * 96, ('perf',)),
                                  ('text.txt', b'hello world\nthis is prose\n', ('text', 'not a profile')), ('nul', b'\0' * 64, ()), ('one', b'x', ())):
            r = assay('top', s.file(name, data))
            want(not r.crashed and r.code in (3, 4), 'exit status of %s' % name, r)
            want(any(w in r.err.lower() for w in words) if words else r.err.strip(), '%s is not named' % name, r.err)


if __name__ == '__main__':
    t.run()
