#!/usr/bin/env python3
"""One explicit, hand-written expectation for every file of data/callgrind/edge (EXPECT.tsv), and one or more for each trap
T1..T20 of research/callgrind.md §1.5, whose texts are typed in here.  Nothing in this file was printed by any tool.

Edges and jumps are seen by letting assay write the profile as Callgrind and reading that with the independent reader.
"""
import os

import tap
from tap import Scratch, assay, by_function, check, contents, data_path, cycles, equal, info, nothing, top, totals, want
import callgrind_oracle as oracle

t = tap.Tap('callgrind edge files and traps')
EDGE = data_path('callgrind', 'edge')
REAL = data_path('callgrind', 'real')
MARK = '# callgrind format\n'


# --- a small language ---------------------------------------------------------------------------------------------

class Look:
    """What assay says about one file."""

    def __init__(self, path):
        self.path = path
        self.j = top(path, 'function', '--contexts', 'keep')
        self.rows = by_function(self.j)

    def total(self, *wanted):
        equal(totals(self.j), list(wanted), 'total')

    def row(self, name, file=Ellipsis, object=Ellipsis):
        found = [(k, v) for k, v in self.rows.items()
                 if k[2] == name and (file is Ellipsis or k[1] == file) and (object is Ellipsis or k[0] == object)]
        want(len(found) == 1, '%d functions %s in file %s, object %s; there are %s'
             % (len(found), name, '*' if file is Ellipsis else file, '*' if object is Ellipsis else object, sorted(map(str, self.rows))))
        return found[0][1]

    def self(self, name, *wanted, **where):
        equal(self.row(name, **where)[0], list(wanted), 'self of %s' % name)

    def incl(self, name, *wanted, **where):
        equal(self.row(name, **where)[1], list(wanted), 'inclusive of %s' % name)

    def calls(self, name, wanted, **where):
        equal(self.row(name, **where)[2], wanted, 'calls of %s' % name)

    def names(self, *wanted):
        """the functions that have any cost, by name"""
        equal(sorted(str(k[2]) for k, v in self.rows.items() if any(v[0]) or any(v[1] or [])), sorted(map(str, wanted)), 'functions')

    def cycle(self, incl, self_, calls, *members):
        rows = cycles(self.j)
        equal(len(rows), 1, 'number of cycles')
        equal(rows[0][:3], (incl, self_, calls), 'the cycle (inclusive, self, calls)')
        equal(sorted(m[2] for m in rows[0][3]), sorted(members), 'its members')

    def lines(self, **wanted):
        """lines(a_c={1: [5]}): by line; _ stands for the dot"""
        got = {}
        for r in top(self.path, 'line')['rows']:
            row = got.setdefault((nothing(r['file']) or '', r['line'] or 0), [0] * len(self.j['events']))
            oracle.add(row, r['self'])
        got = {k: v for k, v in got.items() if any(v)}
        equal(got, {(f.replace('_', '.') if f != 'nofile' else '', n): v for f, x in wanted.items() for n, v in x.items()}, 'self per line')

    def addresses(self, wanted):
        got = {}
        for r in top(self.path, 'address')['rows']:
            if any(r['self']):
                row = got.setdefault(None if r['address'] is None else int(r['address'], 16), [0] * len(self.j['events']))
                oracle.add(row, r['self'])
        equal(got, wanted, 'self per address')

    def written(self):
        with Scratch() as s:
            out = s.name('o')
            r = assay('convert', self.path, '-t', 'callgrind', '-o', out)
            want(r.code == 0, 'convert failed', r)
            self.bytes = contents(out)
            return oracle.read(out)

    def edges(self, **wanted):
        """edges(f__g=(count, cost, ..)): what was written has exactly these"""
        q = self.written()
        got = {('%s__%s' % (a[2], b[2])): (c,) + tuple(q.vector(v)) for (a, b), (c, v) in q.edges.items()}
        equal(got, wanted, 'edges (count, cost)')

    def parts(self, n):
        equal(info(self.path)['counts']['parts'], n, 'parts')


def edge(name, what):
    """@edge('e01_spec_simple', 'title'): the function gets the path"""
    def keep(f):
        path = os.path.join(EDGE, name + '.cg')
        if os.path.exists(path):
            t.add('edge/%s: %s' % (name, what), f, path)
        return f
    return keep


def typed(title, text):
    """@typed('T4 ..', text): the function gets the path of a file with that text"""
    def keep(f):
        def go():
            with Scratch() as s:
                return f(s.file('typed.callgrind', text))
        t.add(title, go)
        return f
    return keep


def real(title, name):
    def keep(f):
        path = os.path.join(REAL, name)
        if os.path.exists(path):
            t.add(title, f, path)
        return f
    return keep


def finding(path, line=None, severity=None, word=''):
    """check says something about that line"""
    code, findings = check(path)
    hit = [x for x in findings if (line is None or x['line'] == line) and (severity is None or x['severity'] in severity)
           and word.lower() in (x['message'] + x['code']).lower()]
    want(hit, 'no finding%s%s; there are %s' % ('' if line is None else ' for line %d' % line,
                                               '' if severity is None else ' of severity %s' % (severity,),
                                               [(x['severity'], x['line'], x['code'], x['message']) for x in findings]))
    return findings


def no_error(path):
    code, findings = check(path)
    equal([x for x in findings if x['severity'] == 'error'], [], 'errors')


# --- the edge files, in their order ---------------------------------------------------------------------------------

@edge('e01_spec_simple', 'spec example 1: missing trailing costs are 0')
def _(path):
    x = Look(path)
    x.total(110, 26, 2)
    x.self('main', 110, 26, 2, file='file.f')
    x.names('main')
    x.lines(file_f={15: [90, 14, 2], 16: [20, 12, 0]})
    no_error(path)


@edge('e02_spec_calls', 'spec example 2: inclusive 820')
def _(path):
    x = Look(path)
    x.total(820)
    x.self('main', 20, file='file1.c')
    x.incl('main', 820)
    x.self('func1', 100, file='file1.c')
    x.incl('func1', 400)
    x.self('func2', 700, file='file2.c')
    x.incl('func2', 700)
    x.calls('func2', 5)
    x.edges(main__func1=(1, 400), main__func2=(3, 400), func1__func2=(2, 300))


@edge('e04_spec_subpos', 'T9 relative subpositions without any fl=: the only function is not dropped')
def _(path):
    x = Look(path)
    x.total(12)
    x.self('func', 12, file=None)
    x.addresses({0x80001234: [1], 0x80001237: [5], 0x80001238: [6]})
    x.lines(nofile={90: [6], 91: [6]})


@edge('e05_ids_upfront', 'ids defined in a block before any cost')
def _(path):
    x = Look(path)
    x.total(720)
    x.self('main', 20, file='file1.c')
    x.self('func2', 700, file='file2.c')
    x.names('main', 'func2')


@edge('e07_hex_line', 'T11 line numbers and steps in hexadecimal')
def _(path):
    x = Look(path)
    x.total(24)
    x.lines(a_c={16: [7], 18: [8], 17: [9]})


@edge('e08_hex_calls', 'T11 call count in hexadecimal')
def _(path):
    x = Look(path)
    x.total(31)
    x.calls('g', 3)
    x.incl('g', 30)
    x.incl('f', 31)
    x.edges(f__g=(3, 30))


@edge('e10_calls_extra_target', 'xdebug: one target position too many, a negative cost, an unequal summary at the end')
def _(path):
    x = Look(path)
    x.total(602, 32)
    x.self('{main}', 500, -32, file='/x.php')
    x.self('php::md5', 102, 64, file='php:internal')
    x.calls('php::md5', 1)


@edge('e11_calls_zero', 'T5 calls=0 is still a call: its cost is never self cost')
def _(path):
    x = Look(path)
    x.total(35)
    x.self('f', 5)
    x.incl('f', 35)
    x.self('g', 30)
    x.incl('g', 30)


@edge('e13_empty_names', 'T17 empty ob=, fl=, fn= mean unknown, and do reset')
def _(path):
    x = Look(path)
    x.total(11)
    x.self(None, 5, object=None, file=None)
    x.self('g', 6, object='x.so', file=None)


@edge('e14_no_fl', 'T9 no fl= at all: both functions are there')
def _(path):
    x = Look(path)
    x.total(42)
    x.self('main', 12, file=None)
    x.incl('main', 42)
    x.self('g', 30, file=None)


@edge('e16_fi_then_fn', 'T9 fi= in the place of fl=, before fn=')
def _(path):
    x = Look(path)
    x.total(65)
    x.self('<map>', 60, file='~')
    x.self('h', 5, file='b.py')


@edge('e17_trailing_zeros', 'T18 trailing zeros left out, and all of them')
def _(path):
    x = Look(path)
    x.total(1, 2, 3, 4)
    x.lines(a_c={1: [1, 0, 0, 0], 2: [0, 2, 0, 0], 3: [0, 0, 0, 4], 5: [0, 0, 3, 0]})


@edge('e19_negative', 'T16 negative counts are neither clamped nor wrapped')
def _(path):
    x = Look(path)
    x.total(2, -6)
    x.self('f', -5, 3)
    x.self('g', 7, -9)


@edge('e20_dot', "'.' of old Cachegrind is 0")
def _(path):
    x = Look(path)
    x.total(5, 6)
    x.lines(a_c={1: [5, 0], 2: [0, 6]})


@edge('e22_no_final_newline', 'the last line has no end')
def _(path):
    Look(path).total(5)


@edge('e23_tabs_spaces', 'T12 tabs, leading and trailing blanks, several blanks')
def _(path):
    x = Look(path)
    x.total(20, 15)
    x.self('f', 20, 15, file='a.c')
    x.names('f')
    x.lines(a_c={1: [5, 6], 2: [7, 0], 3: [8, 9]})


@edge('e25_totals_differ', 'summary above the sum is fine: no error, but said')
def _(path):
    Look(path).total(11, 3)
    no_error(path)
    code, findings = check(path)
    want(any('summary' in (f['message'] + f['code']).lower() for f in findings), 'the summary above the sum is not mentioned', findings)


@edge('e26_totals_wrong', 'totals: unequal to the sum is damage')
def _(path):
    Look(path).total(11)
    finding(path, severity=('error',), word='total')


@edge('e28_parts_ids_redefined', 'T4 ids given new names in part 2')
def _(path):
    x = Look(path)
    x.total(12)
    x.self('f', 5, file='a.c')
    x.self('g', 7, file='b.c')
    x.parts(2)


@edge('e29_concatenated', 'T6 two whole files joined: ids start anew, both pids, the totals are the sum')
def _(path):
    x = Look(path)
    x.total(12)
    x.self('f', 5, file='a.c')
    x.self('g', 7, file='b.c')
    x.parts(2)
    q = x.written()
    equal([p.get('pid') for p in q.parts], ['10', '11'], 'pids of what was written')
    equal([p.get('cmd') for p in q.parts], ['./a', './b'], 'commands of what was written')


@edge('e31_parts_positions', 'T20 positions change between parts; a relative line at a part start counts from 0')
def _(path):
    x = Look(path)
    x.total(12)
    x.self('f', 12, file='a.c')
    x.lines(a_c={1: [12]})
    x.addresses({None: [5], 0x100: [7]})
    x.parts(2)


@edge('e32_names', 'only "(digits)" is an id; names may begin with "(" or hold = : (hash) and blanks')
def _(path):
    x = Look(path)
    x.total(1023)
    for name, n in (('(below main)', 1), ('(anonymous namespace)::f(int)', 2), ('(1abc) x', 4), ('foo', 8 + 64), ('two  spaces', 16),
                    ('operator()(int) [clone .cold]', 32), ("g(int)'2", 128), ('a=b:c#d', 256), ('((9) odd', 512)):
        x.self(name, n, file='a b.c')
    equal(len(x.rows), 9, 'number of functions')


@edge('e34_undefined_id', 'an id used before it is defined: said with its line, nothing lost')
def _(path):
    Look(path).total(11)
    code, findings = check(path)
    want([f for f in findings if f['line'] in (3, 4)], 'no finding for line 3 or 4', findings)


@edge('e35_redefined', 'T18 an id defined again: the same name silently, another name wins and is said')
def _(path):
    x = Look(path)
    x.total(18)
    x.self('f', 11)
    x.self('g', 7)
    findings = finding(path, line=9)
    equal([f for f in findings if f['line'] in (4, 7)], [], 'findings for the same name given again')


@edge('e37_jcnd_spec_form', "T1 jcnd= in the spec's wording: executed 4, followed 3")
def _(path):
    x = Look(path)
    x.total(11)
    q = x.written()
    equal([(j[3], j[4], j[5], j[6][2]) for j in q.jumps], [('jcnd', 4, 3, 12)], 'jumps written (kind, executed, followed, target line)')


@edge('e38_jfi_jfn', 'T17 jfi= and jfn= define ids too')
def _(path):
    x = Look(path)
    x.total(11)
    x.self('f', 5, file='a.c')
    x.self('g', 6, file='b.h')


@edge('e40_rel_base_callgrind', 'T2 only self cost lines move the base of relative positions')
def _(path):
    x = Look(path)
    x.total(34 + 1 + 4565)
    x.addresses({0x1000: [34], 0x1013: [1], 0x4110: [4565]})
    x.lines(a_c={312: [34], 488: [1], 2535: [4565]})


@edge('e41_ob_cob', 'cob= and cfi= hold for one call; the default is the current object and file')
def _(path):
    x = Look(path)
    x.total(31)
    x.self('f', 1, object='main', file='a.c')
    x.self('h', 10, object='libc')
    x.self('k', 20, object='main', file='a.c')
    equal(len(x.rows), 3, 'number of functions')
    x.edges(f__h=(1, 10), f__k=(1, 20))


@edge('e43_rcalls', 'rcalls= as calls=; recursion does not go above the total')
def _(path):
    x = Look(path)
    x.total(1)
    x.self('f', 1)
    x.incl('f', 1)
    x.edges(f__f=(4, 9))


@edge('e44_ranges', 'T19 position ranges: the start counts')
def _(path):
    x = Look(path)
    x.total(18)
    x.addresses({0x100: [5], 0x110: [6], 0x120: [7]})
    x.lines(a_c={10: [5], 13: [6], 20: [7]})


@edge('e46_event_lines', 'event: lines: long names, derived events with factors, chained')
def _(path):
    x = Look(path)
    x.total(5, 3, 100)
    found = {}

    def search(o):
        if isinstance(o, dict):
            if 'name' in o and 'total' in o:
                found[o['name']] = o['total']
            for v in o.values():
                search(v)
        elif isinstance(o, list):
            for v in o:
                search(v)
    search(info(path))
    equal((found.get('Sum'), found.get('Tot')), (11, 58), 'totals of the derived events in info')
    x.written()
    for word in (b'Weighted', b'elapsed ns', b'Bare'):
        want(word in x.bytes, '%s does not survive writing' % word)


@edge('e47_u64', 'the 64-bit edge: exact above 2^53, the largest kept, above that said')
def _(path):
    x = Look(path)
    x.self('g', 9007199254740993)
    finding(path, line=6)
    for r in top(path, 'line')['rows']:
        if r['line'] == 1:
            equal(r['self'], [18446744073709551615], 'the largest 64-bit count')
        if r['line'] == 4294967296:
            equal(r['self'], [9007199254740993], 'line 2^32')


@edge('e49_latin1', 'T14 bytes that are not UTF-8 are kept as they are')
def _(path):
    x = Look(path)
    x.total(5)
    x.written()
    want(b'caf\xe9.c' in x.bytes, 'the file name does not survive', x.bytes[:300])
    want('été'.encode() in x.bytes, 'the function name does not survive', x.bytes[:300])


@edge('e50_cycles', 'T9 T10 a cycle of two: inclusive and called of the cycle, nothing above the total')
def _(path):
    x = Look(path)
    x.total(80)
    x.incl('main', 80)
    x.self('main', 30)
    x.incl('A()', 50)
    x.self('A()', 10)
    x.self('B(bool)', 20)
    x.self('C(bool)', 20)
    x.cycle([40], [40], 2, 'B(bool)', 'C(bool)')


@edge('e52_inline_call', 'T8 inlined code: one function f; the callee defaults to the file of fi=; fn= goes back to fl=')
def _(path):
    x = Look(path)
    x.total(21)
    x.self('f', 10, file='a.c')
    x.self('g', 5, file='b.h')
    x.self('h', 6, file='b.h')
    equal(len(x.rows), 3, 'number of functions')
    x.lines(a_c={1: [1], 2: [3]}, b_h={7: [2], 9: [5], 10: [6]}, c_h={8: [4]})
    x.edges(f__g=(1, 5))


@edge('e53_forward_id', 'a call to an id that is named only later')
def _(path):
    x = Look(path)
    x.total(6)
    x.self('f', 1)
    x.self('g', 5)
    code, findings = check(path)
    want(findings == [] or any(f['line'] in (6, 7, 8) for f in findings), 'findings elsewhere', findings)
    x.edges(f__g=(1, 5))


@edge('e55_empty_events', 'events: without names: no event, no cost, no crash')
def _(path):
    r = assay('top', path, '--format', 'json', '-n', '0')
    want(not r.crashed and r.code in (0, 1, 3), 'exit status', r)
    if r.code == 0:
        equal(r.json()['events'], [], 'events')
    want(assay('check', path).code in (0, 1, 3), 'check')


@edge('e56_header_only', 'a run without cost: 0 functions, totals 0')
def _(path):
    x = Look(path)
    x.total(0)
    equal(x.rows, {}, 'rows')
    no_error(path)


@edge('e58_instr_bb_line', 'T20 three subpositions (--dump-bb=yes)')
def _(path):
    x = Look(path)
    x.total(11)
    x.lines(a_c={3: [5], 4: [6]})
    x.addresses({0x10: [5], 0x14: [6]})


@edge('e59_line_first', 'T20 unknown subposition names, line first')
def _(path):
    x = Look(path)
    x.total(2, 200)
    x.lines(a_c={1: [1, 100], 2: [1, 100]})


@edge('e61_calls_before_cfn', 'calls= without a new cfn=: the last one')
def _(path):
    x = Look(path)
    x.total(12)
    x.calls('g', 3)
    x.incl('g', 11)
    x.edges(f__g=(3, 11))


@edge('e62_direct_recursion', 'T10 direct recursion: inclusive never above the total')
def _(path):
    x = Look(path)
    x.total(101)
    x.self('fib', 100)
    x.incl('fib', 100)
    x.incl('main', 101)
    x.edges(main__fib=(1, 100), fib__fib=(20, 900))


@edge('e64_empty', 'an empty file: no profile, a word, no crash')
def _(path):
    for command in ('top', 'info'):
        r = assay(command, path)
        want(not r.crashed and r.code == 3, 'exit status of %s' % command, r)
        want(r.err.strip(), '%s says nothing' % command)


@edge('e65_no_marker_cmd_long', 'T15 the first known key comes only after 5 kB')
def _(path):
    x = Look(path)
    x.total(5)
    want('callgrind' in str(info(path)['format']).lower() or 'cachegrind' in str(info(path)['format']).lower(), 'format')


# --- the traps, typed in ----------------------------------------------------------------------------------------------

@typed('T1 jcnd=followed/executed, as callgrind writes it',
       MARK + 'positions: line\nevents: Ir\nfl=a.c\nfn=f\n10 5\njcnd=3/4 12\n10\n11 6\njump=7 11\n+1\n')
def _(path):
    x = Look(path)
    x.total(11)
    q = x.written()
    equal(sorted((j[3], j[4], j[5], j[2][1], j[6][2]) for j in q.jumps), [('jcnd', 4, 3, 10, 12), ('jump', 7, 7, 12, 11)],
          'jumps written (kind, executed, followed, line, target line)')


@typed("T2 pprof: relative addresses run on across fn= and ob= lines",
       'positions: instr line\nevents: cpu(ms)\nob=a\nfl=a.c\nfn=f\n0x1000 10 5\nob=b\nfl=b.c\nfn=g\n+16 20 6\n+4 +1 7\n')
def _(path):
    x = Look(path)
    x.total(18)
    x.addresses({0x1000: [5], 0x1010: [6], 0x1014: [7]})
    x.lines(a_c={10: [5]}, b_c={20: [6], 21: [7]})


@typed('T2 a jump line does not move the base either',
       MARK + 'positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n0x100 10 5\njump=2 +32 +3\n+8 +1\n+16 +2 6\n')
def _(path):
    x = Look(path)
    x.addresses({0x100: [5], 0x110: [6]})
    x.lines(a_c={10: [5], 12: [6]})
    q = x.written()
    equal([(j[2][1], j[2][2], j[6][2], j[6][3]) for j in q.jumps], [(11, 0x108, 13, 0x120)], 'the jump (line, address, target line, address)')


@typed('T3 a call without cfi= under an fi=: the id knows the file',
       MARK + 'events: Ir\nob=(1) x\nfl=(1) a.c\nfn=(1) f\n1 5\nfi=(2) clone.S\ncfn=(2) g\ncalls=1 10\n1 7\n\nfl=(1)\nfn=(2)\n10 7\n')
def _(path):
    x = Look(path)
    x.total(12)
    x.self('g', 7, file='a.c', object='x')
    x.calls('g', 1, file='a.c')
    equal(len(x.rows), 2, 'number of functions')


@typed('T4 ids hold over the parts of one file', MARK + 'version: 1\ncreator: callgrind-3.19.0\npid: 5\npart: 1\nthread: 1\nevents: Ir\nob=(1) x\nfl=(1) a.c\nfn=(1) f\n1 5\ntotals: 5\n\n'
       'part: 1\nthread: 2\nevents: Ir\nob=(1)\nfl=(1)\nfn=(1)\n1 7\ntotals: 7\n')
def _(path):
    x = Look(path)
    x.total(12)
    x.self('f', 12, file='a.c', object='x')
    x.parts(2)
    no_error(path)


@typed('T4 events of parts are matched by name', MARK + 'part: 1\nevents: A B\nfl=a.c\nfn=f\n1 5 6\n\npart: 2\nevents: B C\nfl=a.c\nfn=f\n1 10 20\n')
def _(path):
    x = Look(path)
    equal([e['name'] for e in x.j['events']], ['A', 'B', 'C'], 'events')
    x.total(5, 16, 20)


@real('T5 T6 callgrind.out.dump.2 (a later dump, full of calls=0): clone has 18, the sum is 27,357', 'callgrind.out.dump.2')
def _(path):
    x = Look(path)
    x.total(27357)
    clone = [v for k, v in x.rows.items() if k[2] == 'clone']
    equal([v[0] for v in clone], [[18]], 'self of clone')


@real('T6 callgrind.out.dumpevery: the total is the sum of the three parts', 'callgrind.out.dumpevery')
def _(path):
    x = Look(path)
    x.total(109284 + 122708 + 12392)
    x.parts(3)


def t7():
    with Scratch() as s:
        file = s.name('rec.c')
        path = s.file('typed.callgrind', MARK + 'events: Ir\nfl=%s\nfn=main\n1 5\ncfi=%s\ncfn=g\ncalls=1 9\n1 7\n\nfl=%s\nfn=g\n9 7\n' % (file, file, file))
        r = assay('top', path, '--by', 'function', '-n', '0', '--format', 'json', cwd=s.path)
        want(r.code == 0, 'top', r)
        rows = r.json()['rows']
        equal(sorted((x['function'], x['self'], x['inclusive']) for x in rows), [('g', [7], [7]), ('main', [5], [12])], 'rows')


t.add('T7 run in the source folder: a callee appears once', t7)


@real('T8 tmpl: main is one function with 139,494, whatever was inlined into it', 'callgrind.out.tmpl')
def _(path):
    x = Look(path)
    equal([v[0] for k, v in x.rows.items() if k[2] == 'main'], [[139494]], 'self of main')


@real("T10 rec: fib'2 has inclusive 31,544; folded, fib has 31,564; nothing above the total 244,384", 'callgrind.out.rec')
def _(path):
    x = Look(path)
    x.total(244384)
    x.self("fib'2", 31544)
    x.incl("fib'2", 31544)
    x.incl("msort_with_tmp.part.0'2", 58284)
    x.incl('main', 120450)
    x.incl("is_even'2", 1078)
    x.incl("is_odd'2", 1330)
    folded = by_function(top(path))
    fib = [v for k, v in folded.items() if k[2] == 'fib']
    equal([v[:2] for v in fib], [[[31564], [31564]]], 'fib, folded')
    want(all(v[1][0] <= 244384 for v in folded.values()), 'inclusive above the total')


@typed('T11 counts in hexadecimal', MARK + 'events: A B\nfl=a.c\nfn=f\n1 0x10 0xfF\n2 1\n')
def _(path):
    Look(path).total(17, 255)


@typed('T12 CRLF line ends', MARK.replace('\n', '\r\n') + 'positions: line\r\nevents: A B\r\nsummary: 11 6\r\nfl=a.c\r\nfn=f\r\n1 5 6\r\n\r\ncfn=g\r\ncalls=2 7\r\n2 6\r\nfn=g\r\n7 6\r\ntotals: 11 6\r\n')
def _(path):
    x = Look(path)
    x.total(11, 6)
    x.self('f', 5, 6, file='a.c')
    x.self('g', 6, 0, file='a.c')
    x.calls('g', 2)


@typed('T13 huge ids: no huge table', MARK + 'events: Ir\nfl=(4294967295) a.c\nfn=(2000000000) f\n1 5\ncfn=(18446744073709551615) g\ncalls=1 9\n1 6\nfn=(18446744073709551615)\n9 6\nfn=(2000000000)\n2 1\n')
def _(path):
    x = Look(path)
    x.total(12)
    x.self('f', 6, file='a.c')
    x.self('g', 6, file='a.c')
    x.names('f', 'g')


@typed('T14 a NUL byte does not end the reading', MARK + 'events: Ir\nfl=a.c\nfn=f\n1 5\n\0\nfn=g\n2 6\n')
def _(path):
    x = Look(path)
    x.total(11)
    x.self('g', 6)


def t15():
    with Scratch() as s:
        one = s.file('callgrind.out.12', MARK + 'pid: 12\nevents: Ir\nfl=a.c\nfn=f\n1 5\n')
        s.file('callgrind.out.123', MARK + 'pid: 123\nevents: Ir\nfl=a.c\nfn=f\n1 70\n')
        s.file('callgrind.out.12.1', MARK + 'pid: 12\npart: 1\nevents: Ir\nfl=a.c\nfn=f\n1 900\n')
        Look(one).total(5)
        r = assay('top', one, '--all-parts', '--by', 'function', '-n', '0', '--format', 'json')
        want(r.code == 0, '--all-parts', r)
        equal(totals(r.json()), [905], 'total with --all-parts')


t.add('T15 a file name is not a prefix: its neighbours are read only on request', t15)


def all_parts(name, total, parts, *wanted):
    def go():
        path = os.path.join(REAL, name)
        if not os.path.exists(path):
            return 'n/a: the data have no %s' % name
        r = assay('top', path, '--all-parts', '--by', 'function', '-n', '0', '--format', 'json')
        want(r.code == 0, 'top --all-parts', r)
        j = r.json()
        equal(totals(j), [total], 'total')
        equal(sorted(os.path.basename(x) for x in j['profile']['files']), sorted(x for x in wanted if os.path.getsize(os.path.join(REAL, x))),
              'files that were read (the empty base file holds nothing)')
        r = assay('info', path, '--all-parts', '--format', 'json')
        equal(r.json()['counts']['parts'], parts, 'parts')
    t.add('T15 --all-parts %s: %d, and no other run' % (name, total), go)


all_parts('callgrind.out.dump', 137893 + 27357 + 7560 + 4148, 4, 'callgrind.out.dump', 'callgrind.out.dump.1', 'callgrind.out.dump.2', 'callgrind.out.dump.3')
all_parts('callgrind.out.thr', 134955 + 41981, 2, 'callgrind.out.thr-01', 'callgrind.out.thr-02', 'callgrind.out.thr')
all_parts('callgrind.out.dump.thr', 127602 + 2048 + 1179 + 4148 + 41981, 5, 'callgrind.out.dump.thr', 'callgrind.out.dump.thr-01', 'callgrind.out.dump.thr-02',
          'callgrind.out.dump.thr.1-01', 'callgrind.out.dump.thr.2-01', 'callgrind.out.dump.thr.3-01')
all_parts('callgrind.out.dumpbefore', 12119 + 103522 + 6330, 3, 'callgrind.out.dumpbefore', 'callgrind.out.dumpbefore.1', 'callgrind.out.dumpbefore.2')


@typed('T16 a negative count in a call', MARK + 'events: Time Mem\nfl=a.c\nfn=f\n1 10 -4\ncfn=g\ncalls=1 5\n1 20 -6\nfn=g\n5 20 -6\n')
def _(path):
    x = Look(path)
    x.total(30, -10)
    x.incl('f', 30, -10)


@typed('T17 functions of one name in two files are two', MARK + 'events: Ir\nob=x\nfl=a.c\nfn=init\n1 5\nfl=b.c\nfn=init\n1 6\n')
def _(path):
    x = Look(path)
    x.self('init', 5, file='a.c')
    x.self('init', 6, file='b.c')


@typed('T17 a blank line and a comment after calls= change nothing', MARK + 'events: Ir\nfl=a.c\nfn=f\n1 5\ncfn=g\ncalls=1 9\n\n# note\n1 6\nfn=g\n9 6\n')
def _(path):
    x = Look(path)
    x.total(11)
    x.self('f', 5)
    x.incl('f', 11)


@typed('T17 unknown lines are skipped, never the end', MARK + 'arch: x\nevents: Ir\nfl=a.c\nfn=f\nbb=0x10 3 1 [2 3]\nln=7\nrec=1\n1 5\nsomething else\nfn=g\n2 6\n')
def _(path):
    x = Look(path)
    x.total(11)
    x.self('f', 5)
    x.self('g', 6)


@typed('T18 --dump-instr: the address is no event', MARK + 'positions: instr line\nevents: Ir Dr\nfl=a.c\nfn=f\n0x1000 10 5 6\n+4 * 1\n')
def _(path):
    x = Look(path)
    x.total(6, 6)
    x.addresses({0x1000: [5, 6], 0x1004: [1, 0]})
    x.lines(a_c={10: [6, 6]})


@typed('T19 a range in a call line and in a call target', MARK + 'positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n0x100-0x10f 10 5\ncfn=g\ncalls=1 0x200-0x204 20-30\n0x108+8 11 6\nfn=g\n0x200 20 6\n')
def _(path):
    x = Look(path)
    x.total(11)
    x.addresses({0x100: [5], 0x200: [6]})
    x.incl('f', 11)


@typed('T20 positions: line instr, in that order', MARK + 'positions: line instr\nevents: Ir\nfl=a.c\nfn=f\n10 0x100 5\n+1 +4 6\n')
def _(path):
    x = Look(path)
    x.total(11)
    x.lines(a_c={10: [5], 11: [6]})
    x.addresses({0x100: [5], 0x104: [6]})


@typed('T14 a NUL byte in a name', (MARK + 'events: Ir\nfl=a.c\nfn=f\0x\n1 5\nfn=g\n2 6\n'))
def _(path):
    x = Look(path)
    x.total(11)
    x.self('g', 6)


# --- rules of the state machine that have no letter --------------------------------------------------------------------

@typed('cfi= after cfn= belongs to the same call (lsprofcalltree)', 'events: Ticks\nfi=~\nfn=<map>\n0  60\ncfn=h\ncfi=b.py\ncalls=3 1\n0 5\n\nfi=b.py\nfn=h\n1 5\n')
def _(path):
    x = Look(path)
    x.total(65)
    x.calls('h', 3, file='b.py')
    x.incl('<map>', 65, file='~')
    equal(len(x.rows), 2, 'number of functions')


@typed('a cfi= left over from a cfn= without a call does not stick', MARK + 'events: I\nfl=a.c\nfn=f\n1 1\ncfi=b.c\ncfn=g\ncfn=k\ncalls=1 5\n1 9\nfn=k\n5 9\n')
def _(path):
    x = Look(path)
    x.total(10)
    x.calls('k', 1, file='a.c')
    x.incl('f', 10)


@typed('several blocks of one function add up', MARK + 'events: I\nfl=(1) a.c\nfn=(1) f\n1 1\nfn=(2) g\n5 2\nfn=(1)\n1 4\n2 8\n')
def _(path):
    x = Look(path)
    x.self('f', 13)
    x.self('g', 2)
    x.lines(a_c={1: [5], 2: [8], 5: [2]})


@typed('different ids with the same object, file and name are one function', MARK + 'events: I\nob=(1) x\nfl=(1) a.c\nfn=(1) f\n1 1\nfn=(2) f\n2 2\n')
def _(path):
    x = Look(path)
    x.self('f', 3)
    equal(len(x.rows), 1, 'number of functions')


@typed('fl= and fi= share one table of ids, ob= and cob= another', MARK + 'events: I\nob=(1) x\nfl=(1) a.c\nfn=(1) f\n1 1\nfi=(2) b.h\n7 2\nfe=(1)\n2 4\ncob=(2) y\ncfi=(3) c.c\ncfn=(2) g\ncalls=1 3\n2 8\nob=(2)\nfl=(3)\nfn=(2)\n3 8\n')
def _(path):
    x = Look(path)
    x.total(15)
    x.self('f', 7, object='x', file='a.c')
    x.self('g', 8, object='y', file='c.c')
    x.calls('g', 1)
    x.lines(a_c={1: [1], 2: [4]}, b_h={7: [2]}, c_c={3: [8]})


@typed('too many counts on a line are reported and left out', MARK + 'events: I\nfl=a.c\nfn=f\n1 5 6 7\n2 1\n')
def _(path):
    Look(path).total(6)
    finding(path, line=5)


@typed('cost before events: is reported', MARK + 'fl=a.c\nfn=f\n1 5\nevents: I\nfn=g\n2 6\n')
def _(path):
    r = assay('check', path)
    want(r.code in (1, 3) and not r.crashed, 'check', r)


@typed('calls= at the end of the file, its line missing', MARK + 'events: I\nfl=a.c\nfn=f\n1 5\ncfn=g\ncalls=1 9\n')
def _(path):
    Look(path).total(5)
    finding(path, severity=('error', 'warning'))


@typed('xdebug in append mode: the separator line begins a new file with fresh ids',
       'version: 1\ncreator: xdebug 3.2.0 (PHP 8.2)\ncmd: /a.php\npart: 1\npositions: line\n\nevents: Time_(10ns)\n\nfl=(1) /a.php\nfn=(1) {main}\n1 5\n\nsummary: 5\n\n'
       '==== NEW PROFILING FILE ==============================================\nversion: 1\ncreator: xdebug 3.2.0 (PHP 8.2)\ncmd: /b.php\npart: 1\npositions: line\n\nevents: Time_(10ns)\n\n'
       'fl=(1) /b.php\nfn=(1) helper\n1 7\n\nsummary: 7\n\n')
def _(path):
    x = Look(path)
    x.total(12)
    x.self('{main}', 5, file='/a.php')
    x.self('helper', 7, file='/b.php')
    x.parts(2)


@typed('perf convert: fl= for another line file, a line without counts, calls= without target, empty cfl=',
       'events: cycles\nob=x\nfl=a.c\nfn=f\n0 0\nfl=a.c\n10 5\nfl=b.h\n7 2\ncob=y\ncfl=\ncfn=g\ncalls=3\n10 9\n\nob=y\nfl=\nfn=g\n0 9\n')
def _(path):
    x = Look(path)
    x.total(16)
    equal(sum(v[0][0] for k, v in x.rows.items() if k[2] == 'f'), 7, 'self of f, whatever its files')
    x.self('g', 9, object='y', file=None)
    x.calls('g', 3)
    x.lines(a_c={10: [5]}, b_h={7: [2]}, nofile={0: [9]})


@typed("CodSpeed's cfni= names the inlined function", MARK + 'events: I\nfl=(1) a.c\nfn=(1) f\n1 1\nfi=(2) b.h\ncfni=(9) tiny\n7 2\ncfni=???\nfe=(1)\n2 4\nfn=(2) g\n3 8\n')
def _(path):
    x = Look(path)
    x.total(15)
    x.self('g', 8)
    whole = [v for k, v in x.rows.items() if k[2] == 'f']
    want(whole and whole[0][0] in ([5], [7]), 'f has neither its own 5 nor, with the inlined part, 7', x.rows)


def stdin_and_gzip():
    import gzip
    text = (MARK + 'events: Ir\nfl=a.c\nfn=f\n1 5\n').encode()
    for data in (text, gzip.compress(text)):
        r = assay('top', '-', '--by', 'function', '-n', '0', '--format', 'json', stdin=data)
        want(r.code == 0, 'top -', r)
        equal(totals(r.json()), [5], 'total')


t.add('standard input, plain and gzip', stdin_and_gzip)


if __name__ == '__main__':
    if not os.path.isdir(EDGE):
        t.skip_all('no test data (ASSAY_SHARED_DATA)')
    covered = {x[0].split(':')[0][5:] for x in t.tests if x[0].startswith('edge/')}
    t.add('every edge file has its test', lambda: equal(sorted(x[:-3] for x in os.listdir(EDGE) if x.endswith('.cg') and x[:-3] not in covered), [], 'without test'))
    import re
    have = set(re.findall(r'\bT\d+\b', ' '.join(x[0] for x in t.tests)))
    t.add('every trap has its test', lambda: equal(sorted({'T%d' % i for i in range(1, 21)} - have), [], 'without test'))
    t.run()
