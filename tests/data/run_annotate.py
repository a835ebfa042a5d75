#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every Callgrind and Cachegrind file there is: `assay peek` and `assay top` against callgrind_annotate --tree=both,
inclusive and not: every function, call and event. Where they differ the test says why by arithmetic; files that are
different for a reason of their own stand in ODD, with the figures of both."""
import functools
import os
import re
import shutil
import subprocess
from collections import Counter, defaultdict

import tap
from tap import Scratch, assay, data_path, equal, same, want

t = tap.Tap('annotate')
BASE = data_path('callgrind')
if not os.path.isdir(BASE):
    t.skip_all('no test data')
if not shutil.which('callgrind_annotate'):
    t.skip_all('callgrind_annotate is not installed')

PLAIN = '--contexts', 'keep', '--cycles', 'no', '--symbols', 'none', '-q'
ROW = re.compile(r'\s*((?:(?:-?[\d,]+|\.)\s+)+)(?:([<>*]) +)?(.*?)(?: \(([\d,]*)x\))?(?: \[((?!clone )[^\]]*)\])?$')


@functools.lru_cache(maxsize=4)
def annotate(path, *args):
    """rows in their order, by blocks: (sign, costs, text, calls, object); or why it does not read the file"""
    with Scratch() as s:
        p = subprocess.run(['callgrind_annotate', '--threshold=100', '--show-percs=no', '--auto=no', *args, path],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=s.path, timeout=300)
    text = p.stdout.decode('utf-8', 'replace')
    if p.returncode or 'file:function\n' not in text:
        return None, (p.stderr.decode('utf-8', 'replace').strip().split('\n') or [''])[0]
    blocks = [[]]
    for line in text.split('file:function\n', 1)[1].split('\n'):
        m = ROW.match(line)
        if not m:
            blocks.append([])
            continue
        costs = tuple(0 if x == '.' else int(x.replace(',', '')) for x in m.group(1).split())
        blocks[-1].append((m.group(2), costs, m.group(3), int((m.group(4) or '0').replace(',', '') or 0), m.group(5) or ''))
    return [b for b in blocks if b], None


@functools.lru_cache(maxsize=2)
def ours(path):
    return Ours(path)


def add(a, b):
    return tuple(x + y for x, y in zip(a, b)) if a else tuple(b)


class Theirs:
    """by function name: inclusive cost, and of it that of rows which are called; calls of `<` and of `>` rows"""
    def __init__(self, blocks, names):
        self.incl, self.called, self.up, self.down = {}, {}, {}, {}
        for block in blocks:
            mine, callers = None, []
            for sign, costs, text, calls, _ in block:
                who = self.name(text, names)
                if sign == '<':
                    callers.append((who, costs, calls))
                elif sign == '*':
                    mine = who
                    self.incl[who] = add(self.incl.get(who), costs)
                    if callers:
                        self.called[who] = add(self.called.get(who), costs)
                    for c, v, n in callers:
                        self.up[c, who] = add(self.up.get((c, who)), v + (n,))
                else:
                    self.down[mine, who] = add(self.down.get((mine, who)), costs + (calls,))

    @staticmethod
    def name(text, names):
        """file:function, where both may have colons"""
        parts = text.split(':')
        for i in range(1, len(parts)):
            if ':'.join(parts[i:]) in names:
                return ':'.join(parts[i:])
        return text.split(':', 1)[-1]


class Ours:
    def __init__(self, path):
        r = assay('peek', '', path, '-n', '0', '--rows', '0', *PLAIN, '-f', 'json')
        want(r.code == 0, 'assay peek failed', r)
        self.n = len(r.json()['events'])
        self.incl, self.self, self.inner, self.calls = {}, {}, {}, {}
        self.callers, self.dropped = defaultdict(set), set()
        for f in r.json()['functions']:
            me = f['function'] or f['address'] or ''
            self.self[me] = add(self.self.get(me), f['self'])
            self.incl[me] = add(self.incl.get(me), f['inclusive'] or f['self'])
            self.inner.setdefault(me, (0,) * self.n)
            for c in f['callees'] or []:
                to = c['function'] or c['address'] or ''
                self.calls[me, to] = add(self.calls.get((me, to)), tuple(c['inclusive']) + (c['calls'],))
                if c['inner']:
                    self.inner[me] = add(self.inner[me], c['inclusive'])
                elif c['calls']:
                    self.callers[to].add(me)
                else:
                    self.dropped.add(to)


def comes_in(o, f):
    return add(None, [sum(c) for c in zip(*[v[:-1] for (a, b), v in o.calls.items() if b == f != a])])


def goes_out(o, f):
    return add(o.self[f], [sum(c) for c in zip(*[v[:-1] for (a, b), v in o.calls.items() if a == f != b])] or [0] * len(o.self[f]))


def calls_and_inclusive(path):
    """what differs: {key: (theirs, ours)}"""
    blocks, _ = annotate(path, '--tree=both', '--inclusive=yes')
    o = ours(path)
    theirs = Theirs(blocks, set(o.self))
    # A call that was counted no time has a cost (a dump that began inside of it), which callgrind_annotate drops.
    counted = {k: v for k, v in o.calls.items() if v[-1]}
    differ = {}
    for what, side in ('callee', theirs.down), ('caller', theirs.up):
        for k in set(counted) | set(side):
            if counted.get(k) != side.get(k):
                differ[(what,) + k] = side.get(k), counted.get(k)
    for f, mine in o.incl.items():
        # It counts the calls of a function to itself, inclusive already, once more.
        wanted = add(mine, o.inner[f])
        got = theirs.called.get(f) if o.callers[f] else theirs.incl.get(f)
        # It has what the callers say; the function's own cost and its callees' can be more: of a thread's beginning, which
        # clone() calls for next to nothing. No function costs less than that.
        if o.callers[f] and got == add(comes_in(o, f), o.inner[f]) and mine == tuple(map(max, comes_in(o, f), goes_out(o, f))):
            continue
        if got != wanted and any(wanted) and not (f in o.dropped and not got):
            differ['inclusive', f] = got, mine
    return differ


def place(text, names):
    """(file, function), the unknown ones empty"""
    who = Theirs.name(text, names)
    file = text[:len(text) - len(who) - 1]
    return '' if file == '???' else file, '' if who == '???' else who


def self_costs(path):
    """likewise, by file and function, or by function where a call that was counted no time is taken for a line of the
    caller's own"""
    blocks, _ = annotate(path, '--inclusive=no')
    r = assay('top', path, '--by', 'filefunction', '-n', '0', *PLAIN, '-f', 'json')
    want(r.code == 0, 'assay top failed', r)
    rows = r.json()['rows']
    names = {row['function'] or row['address'] or '' for row in rows}
    mine, theirs, wrong, differ = {}, {}, {}, {}
    for row in rows:
        who = row['file'] or '', row['function'] or row['address'] or ''
        mine[who] = add(mine.get(who), row['self'])
    for block in blocks:
        for _, costs, text, _, _ in block:
            who = place(text, names)
            theirs[who] = add(theirs.get(who), costs)
    for (f, _), v in ours(path).calls.items():
        if not v[-1]:
            wrong[f] = add(wrong.get(f), v[:-1])
    for f, cost in wrong.items():
        got, wanted = total_of(theirs, f), add(total_of(mine, f), cost)
        if got != wanted:
            differ['self', f] = got, total_of(mine, f)
    for k in set(theirs) | set(mine):
        got, wanted = theirs.get(k), mine.get(k)
        if k[1] not in wrong and got != wanted and any(got or ()) | any(wanted or ()):
            differ[('self',) + k] = got, wanted
    return differ


def total_of(side, f):
    out = None
    for (_, who), v in side.items():
        if who == f:
            out = add(out, v)
    return out


def differences(path):
    return {**calls_and_inclusive(path), **self_costs(path)}


def edge(costs, a='f', b='g', theirs=None):
    return {('callee', a, b): (theirs, costs), ('caller', a, b): (theirs, costs)}


# What differs: {key: (theirs, ours)}, and why.
ODD = {
    # "+3 * 5": positions that refer to the row before, in a file without fl=, are no rows to it
    'edge/e04_spec_subpos.cg': {('inclusive', 'func'): (None, (12,)), ('self', '', 'func'): (None, (12,))},
    # calls=0x3: the call is no call, and its cost the caller's own: 31 = 1 + 30
    'edge/e08_hex_calls.cg': {**edge((30, 3)), ('inclusive', 'g'): (None, (30,)), ('self', 'a.c', 'f'): ((31,), (1,))},
    # calls=0 as in the files of dumps: 42 = 12 + 30 for main; g has no row, as nobody calls it
    'edge/e14_no_fl.cg': {('self', '', 'g'): (None, (30,))},
    # spaces in front of a name and behind it are part of it; a line that begins with a tab is none: 20 = 13 + 7
    'edge/e23_tabs_spaces.cg': {('inclusive', 'f'): (None, (20, 15)), ('self', 'a.c', '  f'): ((13, 15), None),
                                ('self', 'a.c', 'f'): (None, (20, 15))},
    'edge/e32_names.cg': {('inclusive', 'two  spaces'): (None, (16,)), ('self', 'a b.c', 'two  spaces'): (None, (16,)),
                          ('self', 'a b.c', 'two  spaces '): ((16,), None)},
    # an id that was not defined, or is later, has no name: f is 5 + 6
    'edge/e34_undefined_id.cg': {('inclusive', 'f'): ((6,), (11,)), ('self', '', ''): ((5,), None), ('self', '', 'f'): (None, (5,))},
    'edge/e53_forward_id.cg': {**edge((5, 1)), **edge(None, b='', theirs=(5, 1)), ('inclusive', 'g'): (None, (5,))},
    # rcalls=4: 10 = 1 + 9
    'edge/e43_rcalls.cg': {**edge((9, 4), b='f'), ('self', 'a.c', 'f'): ((10,), (1,))},
    # ranges of addresses and lines: no row of it is read, 18 = 5 + 6 + 7
    'edge/e44_ranges.cg': {('inclusive', 'f'): ((0,), (18,)), ('self', 'a.c', 'f'): ((0,), (18,))},
    # 2^64 - 1 is printed as -1 or in floating point
    'edge/e47_u64.cg': {('inclusive', 'f'): (None, (2**64 - 1,)), ('self', 'a.c', 'f'): (None, (2**64 - 1,))},
    # JSON has \\xe9 for a byte that is not UTF-8
    'edge/e49_latin1.cg': {('self', 'caf\\xe9.c', 'été'): (None, (5,)), ('self', 'caf\ufffd.c', 'été'): ((5,), None)},
    # the function's name is defined where it is called, and lost: B costs 20, main 30 + A 10 + B 20 + C 20 = 80
    'edge/e50_cycles.cg': {('self', '', 'B(bool)'): (None, (20,))},
    'qtcreator/cycle.out': {('self', '', 'B(bool)'): (None, (20,))},
    # a file that is set by fi= and not by fl= is forgotten
    'gprof2dot/googlecode-issue98.callgrind': {
        ('self', '', 'cos'): ((10,), None),
        ('self', '/build/buildd/eglibc-2.15/math/../sysdeps/x86_64/fpu/multiarch/s_sin.c', 'cos'): (None, (10,))},
    # a call of itself from one file to another: 12,783 = 6,376 + 6,369 + 26 + 5 + 3 + 3 + 1, all rows, in which the
    # 6,369 below the call stand twice; start_thread called it at 6,381 = 6,376 + 5
    'real/callgrind.out.dump.3': {('inclusive', "start_thread'2"): ((12783,), (6381,))},
    # calls=0, which are no calls to it; they cost 63 and 62 + 32, as the profile says that they came from, in rounded MB
    'pprof/pprof.heap.callgrind': {('inclusive', 'line2001'): ((62,), (63,)), ('inclusive', 'line3002'): ((93,), (94,))},
    # costs of "*" and "+400", which the format does not have: 0 and 400 to it, and refused rows to assay
    'speedscope/callgrind.subposition-compression.log': {
        **edge(None, 'main', 'func2', (0, 3)), ('self', 'file2.c', 'func2'): ((400,), None)},
    # fl= in the middle of a function: 1,011 = 11 + 1,000, of two files
    'valgrind-tests/ann2.cgout': {('self', 'ann2-negatives.rs', 'neg4'): ((1011, 500, 0), (11, 0, 0)),
                                  ('self', 'ann2-past-the-end.rs', 'neg4'): (None, (1000, 500, 0))},
}
# Names like (211) are ids to it, so most functions are one without a name: the cost of all is the same.
NAMELESS = 'real/callgrind.out.rec.mangleno',
# Several dumps in one file: a call that one of them counted no time is cost of the caller's own in its figures, and a call
# in ours; self cost and calls together are the same.
DUMPS = 'real/callgrind.out.dumpevery',
# What it does not read, and assay does.
REFUSED = {
    'edge/e16_fi_then_fn.cg', 'edge/e31_parts_positions.cg', 'edge/e55_empty_events.cg', 'edge/e58_instr_bb_line.cg',
    'edge/e59_line_first.cg', 'gprof2dot/bzr.callgrind', 'qtcreator/multiCostAndPos.out', 'real/callgrind.out.rec.bb'}
EMPTY = 'edge/e56_header_only.cg', 'gprof2dot/empty.callgrind', 'edge/e64_empty.cg', 'real/callgrind.out.dump.thr', 'real/callgrind.out.thr'


def theirs_of(path):
    """{function: self cost}, [(caller, callee, costs)] as callgrind_annotate has them"""
    own, names = {}, set(ours(path).self)
    for block in annotate(path, '--inclusive=no')[0]:
        for _, costs, text, _, _ in block:
            who = Theirs.name(text, names)
            own[who] = add(own.get(who), costs)
    calls = Theirs(annotate(path, '--tree=both', '--inclusive=yes')[0], names).down
    return own, [(a, b, v[:-1]) for (a, b), v in calls.items()]


def t_file(name):
    path = os.path.join(BASE, name)
    if name in REFUSED:
        want(annotate(path, '--inclusive=no')[0] is None, 'callgrind_annotate reads it by now')
        want(assay('top', path, '-q').code == 0, 'assay reads it')
        return None
    if name in NAMELESS or name in DUMPS:
        own, calls = theirs_of(path)
        o = ours(path)
        equal(sum(v[0] for v in own.values()) - (0 if name in NAMELESS else dropped(o, calls)), sum(v[0] for v in o.self.values()), 'all of it')
        if name in DUMPS:
            mine = Counter({f: v[0] for f, v in o.self.items()})
            theirs = Counter({f: v[0] for f, v in own.items()})
            for (a, _), v in o.calls.items():
                mine[a] += v[0]
            for a, _, v in calls:
                theirs[a] += v[0]
            same(dict(+mine), dict(+theirs), 'self cost and calls together')
        return None
    same(differences(path), ODD.get(name, {}), 'what differs')
    return None


def dropped(o, calls):
    """cost of calls that callgrind_annotate has taken for self cost"""
    return sum(v[0] for v in o.calls.values()) - sum(v[0] for _, _, v in calls)


def is_profile(path):
    with open(path, 'rb') as f:
        head = f.read(1 << 16)
    return re.search(rb'^events:', head, re.M) and not path.endswith(('.gz', '.ts.snap', '.post.exp', '.pl', '.py', '.log.txt', '.txt'))


found = set()
for _folder, _, _files in sorted(os.walk(BASE)):
    for _file in sorted(_files):
        _name = os.path.relpath(os.path.join(_folder, _file), BASE)
        if is_profile(os.path.join(_folder, _file)) and _name not in EMPTY:
            found.add(_name)
            if not tap.is_asked(os.path.join(_folder, _file)):
                continue
            t.add('%s: self cost, inclusive cost, callers and callees' % _name, t_file, _name)


@t('everything that is odd was looked at, and most is not')
def _():
    here = {x for x in set(ODD) | REFUSED if os.path.isdir(os.path.join(BASE, os.path.dirname(x)))}
    if tap.DATA == tap.PROFILES:    # a choice of the files
        here = {x for x in here if os.path.exists(os.path.join(BASE, x))}
    want(here <= found, 'files that are not there', sorted(here - found))
    want(len(found) > 50, 'hardly any file', len(found))


t.run()
