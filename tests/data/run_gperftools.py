#!/usr/bin/env python3
"""gperftools CPU profiles: assay against the manifest, the independent reader and the table of research/pprof.md §1.2."""
import os
import struct

import tap
from tap import Scratch, assay, check, contents, data_path, equal, info, same, top, totals, want
import gperf_oracle as oracle

t = tap.Tap('gperftools')
FOLDER = data_path('gperftools')
SYNTH = os.path.join(FOLDER, 'synth')


def samples_event(j):
    """index of the event that counts samples, and the factor to samples"""
    for i, e in enumerate(j['events']):
        if e['name'] in ('samples', 'sample', 'ticks'):
            return i
    want(len(j['events']) == 1, 'which of these events are the samples? %s' % j['events'])
    return 0


def by_address(j):
    """{(object, offset): [self, inclusive]}"""
    out = {}
    k = samples_event(j)
    for r in j['rows']:
        key = r['object'], None if r['address'] is None else int(r['address'], 16)
        row = out.setdefault(key, [0, 0])
        row[0] += r['self'][k]
        row[1] += (r['inclusive'] or [0] * (k + 1))[k]
    return out


def samples(path):
    j = top(path, 'address')
    return totals(j)[samples_event(j)]


def expect(path):
    return oracle.read(path)


def t_total(path, f):
    j = top(path, 'address')
    equal(totals(j)[samples_event(j)], f.samples, 'samples')
    if f.samples:
        equal(j['profile']['shape'], 'paths', 'shape')


def t_leaves(path, f, column):
    """the manifest's leaf PCs (absolute) -> object and offset through the maps"""
    j = top(path, 'address')
    got = {k: v[0] for k, v in by_address(j).items() if v[0]}
    p = f.profiles[0]
    for pc, n in column['top']:
        key = oracle.locate(p, pc)
        want(got.get(key, 0) >= n if len(f.profiles) > 1 else got.get(key) == n,
             'leaf PC 0x%x = %d: wanted at %s, got %s' % (pc, n, key, got.get(key)))


def t_places(path, f):
    wanted, bare = f.places()
    got = by_address(top(path, 'address'))
    if bare:
        got = {k: v for k, v in got.items() if k[1] is not None}
    same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, '[self, inclusive] per (object, offset)')


def t_objects(path, f):
    j = top(path, 'object')
    k = samples_event(j)
    got = {r['object']: [r['self'][k], r['inclusive'][k]] for r in j['rows']}
    same({a: b for a, b in got.items() if any(b)}, {a: b for a, b in f.objects().items() if any(b)}, '[self, inclusive] per object')


def t_info(path, f, column):
    j = info(path)
    counts = j['counts']
    # stacks of different profiles in one file are different parts; stacks of count 0 may be left out
    some, every = (sum(len({s for n, s in p.records if n or all_}) for p in f.profiles) for all_ in (False, True))
    want(some <= counts['paths'] <= every, 'distinct stacks: wanted %d (%d with those of count 0), got %d' % (some, every, counts['paths']))
    e = j['events'][samples_event(j)]
    equal((e['period'], e['period_unit']), (column['period'], 'microseconds'), 'period')


def t_written(path, f):
    """convert to gperf and read it with the independent reader: the same stacks, the same samples, the same text list"""
    with Scratch() as s:
        out = s.name('o.prof')
        r = assay('convert', path, '-t', 'gperf', '-o', out)
        want(r.code == 0, 'convert failed', r)
        g = oracle.read(out)
        again = s.name('p.prof')
        r = assay('convert', out, '-t', 'gperf', '-o', again)
        want(r.code == 0, 'second convert failed', r)
        equal(contents(again) == contents(out), True, 'writing what was read from our own file gives the same bytes')
    equal(len(g.profiles), 1, 'profiles in what was written')
    q, p = g.profiles[0], f.profiles[0]
    equal(q.problems, [], 'problems in what was written')
    equal((q.words, q.period, q.trailer), (3, p.period, True), 'header words, period, trailer')
    equal(q.samples, f.samples, 'samples')
    equal(len(q.records), len({s for _, s in q.records}), 'every stack is written once')
    want(all(n >= 1 and len(s) >= 1 for n, s in q.records), 'a record of count 0 or depth 0 was written')
    same(drop_empty(g.stacks()), drop_empty(f.stacks()), 'samples per stack')


def drop_empty(stacks):
    return {k: n for k, n in stacks.items() if n}


def t_check_clean(path):
    code, findings = check(path)
    equal([x for x in findings if x['severity'] == 'error'], [], 'errors in a sound file')


# --- synth: what we should do (research/pprof.md §1.2) ------------------------------------------------------------------

PROG, LIB = '/tmp/prog', '/lib/libx.so.1'
NORMAL = {(PROG, 0x1000): [5, 5], (PROG, 0x2004): [0, 5], (PROG, 0x3004): [0, 8], (PROG, 0x1010): [2, 2], (PROG, 0x2014): [0, 2],
          (LIB, 0x1100): [1, 1]}
BARE = {(None, 0x401000): [5, 5], (None, 0x402004): [0, 5], (None, 0x403004): [0, 8], (None, 0x401010): [2, 2], (None, 0x402014): [0, 2],
        (None, 0x7f0000000100): [1, 1]}


def synth(name, what):
    def keep(f):
        path = os.path.join(SYNTH, name)
        if os.path.exists(path):
            t.add('synth/%s: %s' % (name, what), f, path)
        return f
    return keep


def rows_are(path, wanted):
    same({k: v for k, v in by_address(top(path, 'address')).items() if any(v)}, wanted, '[self, inclusive] per (object, offset)')


def renamed(prog=PROG, lib=LIB):
    return {({PROG: prog, LIB: lib}[k[0]], k[1]): v for k, v in NORMAL.items()}


def said(path, *severities):
    code, findings = check(path)
    hit = [f for f in findings if not severities or f['severity'] in severities]
    want(hit, 'check says nothing%s' % (' of severity %s' % (severities,) if severities else ''), findings)
    return findings


def refused(path):
    """not readable: exit status 3 with a reason"""
    r = assay('top', path)
    want(r.code == 3 and not r.crashed, 'exit status %s, wanted 3' % r.code, r)
    want(len(r.err.strip()) > 10, 'no reason given', r)
    c = assay('check', path)
    want(c.code in (1, 3) and not c.crashed, 'check: exit status %s' % c.code, c)
    return r


for _name in ('ok_64le.prof', 'ok_64be.prof', 'maps_crlf.prof', 'main_not_first.prof', 'unknown_text.prof', 'cooked_maps.prof', 'split_maps.prof',
              'gzip_wrapped.prof.gz'):
    @synth(_name, 'reads as the plain profile')
    def _(path):
        rows_are(path, NORMAL)
        t_check_clean(path)


@synth('ok_32be.prof', '32-bit, big-endian')
def _(path):
    rows_are(path, {k if k[0] == PROG else (LIB, 0x1100): v for k, v in NORMAL.items()})
    t_check_clean(path)


@synth('build_var.prof', 'the last build= line counts')
def _(path):
    rows_are(path, renamed(prog='/other/root/prog'))


@synth('inode_glued.prof', 'gperftools 2.16: the inode is glued to the path')
def _(path):
    rows_are(path, NORMAL)


@synth('name_with_space.prof', 'blanks in a path; (deleted) is not part of it')
def _(path):
    rows_are(path, renamed(prog='/tmp/my prog/bin file'))


@synth('nomaps.prof', 'no text list: bare addresses, no made-up object')
def _(path):
    rows_are(path, BARE)


@synth('no_trailer.prof', 'no trailer and no text: read, and said')
def _(path):
    rows_are(path, BARE)
    said(path)


@synth('unmapped_pc.prof', 'a PC in no mapping is not charged to the main program')
def _(path):
    rows_are(path, {(PROG, 0x1000): [5, 5], (PROG, 0x2004): [0, 5], (PROG, 0x3004): [0, 6], (None, 0x12345678): [1, 1]})


@synth('high_half_pc.prof', 'PCs above 2^63')
def _(path):
    rows_are(path, {(PROG, 0x1000): [5, 5], (PROG, 0x2004): [0, 5], (PROG, 0x3004): [0, 6], (None, 0xffffffff81000010): [1, 1]})


@synth('single_pc0_count3.prof', 'a first PC of 0 with a count is no trailer: kept, and said')
def _(path):
    equal(samples(path), 9, 'samples')
    got = by_address(top(path, 'address'))
    equal(got.get((LIB, 0x1100)), [1, 1], 'the record after it')
    zero = [(k, v) for k, v in got.items() if k[1] in (0, None) and v[0] == 3]
    want(len(zero) == 1 and zero[0][0][0] not in (PROG, LIB), 'self at address 0: %s' % got)
    said(path)


@synth('depth0_record.prof', 'a record of depth 0 counts under no stack, and is said')
def _(path):
    equal(samples(path), 10, 'samples')
    j = top(path, 'function')
    equal(sum(r['self'][samples_event(j)] for r in j['rows']) + j['rest']['self'][samples_event(j)], 10, 'sum of the rows')
    said(path)


@synth('leaf_dup.prof', 'frames that repeat the leaf are frames: none is cut')
def _(path):
    f = expect(path)
    equal(samples(path), f.samples, 'samples')
    t_places(path, f)


@synth('concatenated.prof', 'two profiles in one file: both are read, and said')
def _(path):
    equal(samples(path), 12, 'samples')
    said(path)


@synth('empty_samples.prof', 'a sound profile without samples')
def _(path):
    equal(samples(path), 0, 'samples')
    t_check_clean(path)


@synth('empty_nomaps.prof', 'header and trailer only')
def _(path):
    equal(samples(path), 0, 'samples')


@synth('hdr_words4.prof', 'four header words (the document says >= 3)')
def _(path):
    rows_are(path, NORMAL)


@synth('hdr_period0.prof', 'period 0: read, and said')
def _(path):
    rows_are(path, NORMAL)
    said(path)


@synth('hdr_version1.prof', 'version 1 without location lines is no Java profile: read, and said')
def _(path):
    rows_are(path, NORMAL)
    said(path)


for _name in ('hdr_words2.prof', 'hdr_count1.prof', 'trunc_header.prof', 'zero_bytes.prof'):
    @synth(_name, 'refused with a reason')
    def _(path):
        refused(path)


@synth('zero_bytes.prof', '0 bytes: the reason says that the program did not end normally')
def _(path):
    r = refused(path)
    want('empty' in r.err.lower() or '0 bytes' in r.err or 'normally' in r.err, 'reason', r.err)


@synth('count_over_int63.prof', 'a count >= 2^63 is never a negative or a silent total')
def _(path):
    r = assay('top', path, '--by', 'address', '-n', '0', '--format', 'json')
    want(not r.crashed and r.code in (0, 3), 'exit status', r)
    if r.code == 0:
        want(all(e['total'] >= 0 for e in r.json()['events']), 'negative total', r)
        if totals(r.json())[0] != 9223372036854775814:
            said(path, 'error')
    else:
        want(len(r.err.strip()) > 10, 'no reason', r)


@synth('trunc_in_record.prof', 'cut inside a record: whole records kept, the cut one dropped, said')
def _(path):
    equal(samples(path), 7, 'samples')
    rows_are(path, {(None, 0x401000): [5, 5], (None, 0x402004): [0, 5], (None, 0x403004): [0, 7], (None, 0x401010): [2, 2], (None, 0x402014): [0, 2]})
    said(path, 'error')


@synth('huge_depth.prof', 'a depth beyond the file: that record is refused, no big allocation')
def _(path):
    r = assay('top', path, '--by', 'address', '-n', '0', '--format', 'json')
    want(not r.crashed and r.code in (0, 3), 'exit status', r)
    if r.code == 0:
        equal(totals(r.json())[0], 0, 'samples')
    want(assay('check', path).code in (1, 3), 'check is content')


# --- typed in: what the text says and no file there shows -----------------------------------------------------------

def slots(*values, bits=64, order='<'):
    return struct.pack(order + '%d' % len(values) + ('Q' if bits == 64 else 'I'), *values)


MAPS = b'00400000-00500000 r-xp 00000000 00:00 1234       /tmp/prog\n7f0000000000-7f0000100000 r-xp 00001000 00:00 99         /lib/libx.so.1\n'
HEAD = (0, 3, 0, 10000, 0)
RECORDS = (5, 3, 0x401000, 0x402005, 0x403005, 2, 3, 0x401010, 0x402015, 0x403005, 1, 2, 0x7f0000000100, 0x403005)


def typed(title, data):
    def keep(f):
        def go():
            with Scratch() as s:
                return f(s.file('typed.prof', data))
        t.add(title, go)
        return f
    return keep


@typed('$build is replaced only before a non-word character', slots(*HEAD, *RECORDS, 0, 1, 0) + b'build=/b\n' +
       MAPS.replace(b'/tmp/prog', b'$builder/prog').replace(b'/lib/libx.so.1', b'$build-dir/x$build'))
def _(path):
    rows_are(path, renamed(prog='$builder/prog', lib='/b-dir/x/b'))


@typed('text without a trailer before it: the records are kept', slots(*HEAD, *RECORDS) + MAPS)
def _(path):
    rows_are(path, NORMAL)
    said(path)


@typed('cut after a count slot: the whole records are kept', slots(*HEAD, *RECORDS, 4))
def _(path):
    equal(samples(path), 8, 'samples')
    said(path, 'error')


@typed('the same stack in several records is one stack', slots(*HEAD, 5, 2, 0x401000, 0x402005, 3, 2, 0x401000, 0x402005, 1, 1, 0x401000, 0, 1, 0) + MAPS)
def _(path):
    rows_are(path, {(PROG, 0x1000): [9, 9], (PROG, 0x2004): [0, 8]})
    equal(info(path)['counts']['paths'], 2, 'distinct stacks')


@typed('a recursive place counts once a sample in inclusive', slots(*HEAD, 5, 4, 0x401000, 0x402005, 0x402005, 0x402005, 0, 1, 0) + MAPS)
def _(path):
    rows_are(path, {(PROG, 0x1000): [5, 5], (PROG, 0x2004): [0, 5]})


@typed('a record of count 0 that has PCs is kept apart from the trailer', slots(*HEAD, 0, 2, 0x401000, 0x402005, *RECORDS, 0, 1, 0) + MAPS)
def _(path):
    equal(samples(path), 8, 'samples')
    rows_are(path, NORMAL)


@typed('the handler is not guessed: a second frame that all stacks share stays',
       slots(*HEAD, 5, 3, 0x401000, 0x402005, 0x403005, 2, 3, 0x401010, 0x402005, 0x403005, 0, 1, 0) + MAPS)
def _(path):
    rows_are(path, {(PROG, 0x1000): [5, 5], (PROG, 0x1010): [2, 2], (PROG, 0x2004): [0, 7], (PROG, 0x3004): [0, 7]})


@typed('--- symbol (perl pprof --raw): names come from the file, addresses are already call sites',
       b'--- symbol\nbinary=/tmp/prog\n0x0000000000401000 leaf\n0x0000000000402004 caller\n0x0000000000403004 main\n---\n--- profile\n'
       + slots(0, 3, 0, 1, 0, 5, 3, 0x401000, 0x402004, 0x403004, 2, 2, 0x402004, 0x403004))
def _(path):
    j = top(path, 'function')
    k = samples_event(j)
    equal(sorted((r['function'], r['self'][k], r['inclusive'][k]) for r in j['rows']), [('caller', 2, 7), ('leaf', 5, 5), ('main', 0, 7)], 'rows')


def java():
    path = os.path.join(FOLDER, 'pprof_profile', 'java.cpu')
    if not os.path.exists(path):
        return 'n/a: the data have no java.cpu'
    f = expect(path)
    equal(samples(path), 7, 'samples')
    j = top(path, 'function')
    k = samples_event(j)
    got = {r['function']: r['self'][k] for r in j['rows'] if r['self'][k]}
    wanted = {}
    for n, pcs in f.profiles[0].records:
        if n:
            name = f.profiles[0].names[pcs[0]][0]
            wanted[name] = wanted.get(name, 0) + n
    equal(sum(wanted.values()), 7, 'the reader itself')
    equal(wanted['VM'], 2, 'VM in the manifest')
    equal(got, wanted, 'self per function')


t.add('pprof_profile/java.cpu: VM 2, five functions 1 each', java)


def two_runs():
    a, b = (os.path.join(FOLDER, 'real', 'prof', x) for x in ('pie_100hz.prof', 'pie_100hz_b.prof'))
    if not os.path.exists(b):
        return 'n/a: the data have no real profiles'
    with Scratch() as s:
        out = s.name('m.prof')
        r = assay('merge', a, b, '-o', out)
        want(r.code == 0, 'merge', r)
        got = by_address(top(out, 'address'))
    wanted = {}
    for path in (a, b):
        for k, v in expect(path).places()[0].items():
            row = wanted.setdefault(k, [0, 0])
            row[0] += v[0]
            row[1] += v[1]
    equal(sum(v[0] for v in got.values()), 623, 'samples')
    same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, '[self, inclusive] per (object, offset)')


t.add('merge: two runs under ASLR meet at (object, offset), 623 samples', two_runs)


def single():
    path = os.path.join(FOLDER, 'real', 'prof', 'single_100hz.prof')
    if not os.path.exists(path):
        return 'n/a: the data have no real profiles'
    f = expect(path)
    equal(sorted(v[1] for v in by_address(top(path, 'address')).values()), [43] * 7, 'seven frames, each in all 43 samples')
    t_places(path, f)


t.add('real/prof/single_100hz.prof: no caller is cut although all second frames are equal', single)


def unittest(name, *wanted):
    def go():
        path = os.path.join(FOLDER, 'gperftools_unittest', name + '.slots64le.bin')
        if not os.path.exists(path):
            return 'n/a: the data have no such file'
        with Scratch() as s:
            out = s.name('o.prof')
            r = assay('convert', path, '-t', 'gperf', '-o', out)
            want(r.code == 0, 'convert', r)
            got = contents(out)
        n = len(wanted) * 8
        equal(struct.unpack('<%dQ' % len(wanted), got[:n]) if len(got) >= n else got, wanted, 'the first slots a writer must produce')
        want(len(got) == n or got.endswith(b'\n'), 'the text does not end with a newline')
    t.add('gperftools_unittest/%s: the slots of the writer\'s own test' % name, go)


unittest('StartStopEmpty', 0, 3, 0, 1000000, 0, 0, 1, 0)
unittest('StartStopEmpty2', 0, 3, 0, 500000, 0, 0, 1, 0)
unittest('CollectOne', 0, 3, 0, 500000, 0, 1, 5, 100, 101, 102, 103, 104, 0, 1, 0)
unittest('CollectTwoMatching', 0, 3, 0, 500000, 0, 2, 5, 100, 201, 302, 403, 504, 0, 1, 0)
unittest('CollectTwoFlush', 0, 3, 0, 500000, 0, 2, 5, 100, 201, 302, 403, 504, 0, 1, 0)     # one stack: written once


def main():
    manifest = os.path.join(FOLDER, 'manifest.tsv')
    if not os.path.exists(manifest):
        t.skip_all('no test data (ASSAY_SHARED_DATA)')
    with open(manifest, encoding='utf-8', errors='surrogateescape') as f:
        for line in f.read().split('\n')[1:]:
            c = line.split('\t')
            column = oracle.manifest_expectation(c[4]) if len(c) > 4 else None
            path = os.path.join(FOLDER, c[0])
            if not column or c[0].startswith('synth/') or not os.path.exists(path):
                if c[0].startswith('real/prof/') and os.path.exists(path) and os.path.getsize(path) == 0:
                    t.add('%s: 0 bytes, refused with a reason' % c[0], refused, path)
                continue
            f = oracle.read(path)
            t.add('%s: %d samples' % (c[0], f.samples), t_total, path, f)
            t.add('%s: leaf PCs of the manifest' % c[0], t_leaves, path, f, column)
            t.add('%s: period and distinct stacks' % c[0], t_info, path, f, column)
            if not f.profiles[0].names:
                t.add('%s: self and inclusive per (object, offset)' % c[0], t_places, path, f)
                t.add('%s: self and inclusive per object' % c[0], t_objects, path, f)
                t.add('%s: written again' % c[0], t_written, path, f)
            if c[0].startswith('real/') and not c[0].endswith('fork.prof'):
                t.add('%s: check finds no error' % c[0], t_check_clean, path)
    t.run()


if __name__ == '__main__':
    main()
