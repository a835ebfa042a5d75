#!/usr/bin/env python3
"""Comparisons: `assay diff` against cg_diff, cg_annotate, callgrind_annotate and pprof, and against independent readers.

Differences of two files are arithmetic on what the peers print for each of them; cg_diff and pprof -diff_base print them
themselves.
"""
import os
import random
import re
import shutil
import subprocess

import tap
from tap import Scratch, assay, contents, data_path, equal, same, want
import callgrind_oracle     # in the folder that tap adds
import gperf_oracle

t = tap.Tap('diff')
CALLGRIND = data_path('callgrind', 'real')
REAL = data_path('gperftools', 'real')
BIN = os.path.join(REAL, 'bin')
HERE = ('--symbols', 'auto', '--no-symbol-cache', '--symfs', BIN)


def cg(name):
    return os.path.join(CALLGRIND, name)


def prof(name):
    return os.path.join(REAL, 'prof', name + '.prof')


def diff(*args, code=0):
    r = assay('diff', *args, '-n', '0', '-f', 'json')
    want(r.code == code, 'exit status %s' % r.code, r)
    j = r.json()
    equal(j['schema'], 'assay.diff/1', 'schema')
    for side in ('base', 'new'):    # the table adds up, whatever is in it
        for i, e in enumerate(j['events']):
            rows = sum(row['self'][i][side] for row in j['rows']) + j['rest']['self'][i][side]
            want(abs(rows - e[side]) < 1e-6 * max(1, abs(e[side])), '%s of %s: rows make %s, the total is %s' % (side, e['name'], rows, e[side]))
    return j


def by_name(j, what='self', event=0):
    """{function: [base, new]}, functions of one name added up"""
    out = {}
    for r in j['rows']:
        row = out.setdefault(r['function'], [0, 0])
        for i, side in enumerate(('base', 'new')):
            row[i] += r[what][event][side]
    return out


# --- Callgrind and Cachegrind --------------------------------------------------------------------------------------

@t('cachegrind rec, -O0 and -O2: every function and event as cg_diff has it')
def _():
    wanted, events, name = {}, None, None
    for line in contents(cg('cachegrind.out.diff')).decode().split('\n'):
        if line.startswith('events:'):
            events = line.split()[1:]
        elif line.startswith('fn='):
            name = tap.nothing(line[3:])
        elif line[:1].isdigit() or line[:1] == '-':
            row = wanted.setdefault(name, [0] * len(events))
            for i, v in enumerate(line.split()[1:]):
                row[i] += int(v)
    j = diff(cg('cachegrind.out.rec'), cg('cachegrind.out.rec_O2'), '--clones', 'keep')
    equal([e['name'] for e in j['events']], events, 'events')
    got = {}
    for r in j['rows']:
        row = got.setdefault(r['function'], [0] * len(events))
        for i, f in enumerate(r['self']):
            row[i] += f['difference']
    same(got, wanted, 'NEW - BASE per function')
    want(len(got) > 200, 'only %d functions' % len(got))


@t('cachegrind rec, -O0 and -O2: the figures of each side as cg_annotate prints them')
def _():
    tables = []
    for name in ('cachegrind.out.rec', 'cachegrind.out.rec_O2'):
        table = {}
        text = contents(cg(name + '.annotate.txt')).decode()
        for ir, where in re.findall(r'^ *([\d,]+) \( *[\d.]+%\) .*?  (\S+:\S+)$', text, re.M):
            table[where] = int(ir.replace(',', ''))    # the text has the table twice
        want(len(table) > 10, 'nothing read from %s' % name)
        total = int(re.search(r'^([\d,]+) \(100.0%\).*PROGRAM TOTALS', text, re.M).group(1).replace(',', ''))
        tables.append((table, total))
    j = diff(cg('cachegrind.out.rec'), cg('cachegrind.out.rec_O2'), '--clones', 'keep', '-e', 'Ir')
    equal([j['events'][0]['base'], j['events'][0]['new']], [tables[0][1], tables[1][1]], 'totals')
    equal(tables[0][1], 245542, 'PROGRAM TOTALS of rec')
    got, files = by_name(j), {}
    for r in j['rows']:
        files.setdefault(r['function'], set()).add(r['file'])
    compared = 0
    for side, (table, _) in enumerate(tables):
        for where, ir in table.items():
            fn = where.split(':', 1)[1]
            if len(files.get(fn, ())) == 1:     # of one file: cg_annotate leaves out small rows of the others
                equal(got[fn][side], ir, '%s on side %d' % (fn, side))
                compared += 1
    want(compared > 20, 'only %d compared' % compared)


def named(fn):
    """Callgrind's address of a function that nothing names is no name: docs/diff.md."""
    return None if re.match(r"0x[0-9a-f]+('\d+)?$", fn or '') else tap.nothing(fn)


def oracle_sums(path, event):
    """{(function, object's last part): self}, contexts folded"""
    p = callgrind_oracle.read(path)
    out = {}
    for (ob, fl, fn), cost in p.fself.items():
        key = fn, os.path.basename(ob) if ob else None
        out[key] = out.get(key, 0) + cost.get(event, 0)
    return out


def renamed(base, new):
    """{(function, object) of BASE: object of NEW}: where an object has another name on each side, by names that are there once"""
    sides = [callgrind_oracle.read(x).fself for x in (base, new)]
    objects = [{ob for ob, _, _ in side} for side in sides]
    left = [[x for x in side if named(x[2]) and x[0] not in objects[not i]] for i, side in enumerate(sides)]
    out = {}
    for kind in (lambda x: (x[2], os.path.basename(x[1] or '')), lambda x: x[2]):
        for a in left[0][:]:
            mine, theirs = ([x for x in side if kind(x) == kind(a)] for side in left)
            if len(mine) == len(theirs) == 1:
                out[a[2], tap.nothing(os.path.basename(a[0] or ''))] = tap.nothing(os.path.basename(theirs[0][0] or ''))
                left[0].remove(a)
                left[1].remove(theirs[0])
    return out


PAIRS = [('callgrind.out.rec', 'callgrind.out.rec.toggle', 'Ir'), ('callgrind.out.rec', 'callgrind.out.jumps', 'Ir'),
         ('callgrind.out.tmpl', 'callgrind.out.rec', 'Ir'), ('callgrind.out.py', 'callgrind.out.tmpl', 'Ir'),
         ('callgrind.out.dump.1', 'callgrind.out.dump.2', 'Ir'), ('callgrind.out.full', 'callgrind.out.rec', 'Ir')]


def t_pair(a, b, event):
    if not os.path.exists(cg(a)):
        return 'n/a: the data have no ' + a
    base, new = oracle_sums(cg(a), event), oracle_sums(cg(b), event)
    j = diff(cg(a), cg(b), '--clones', 'keep', '--contexts', 'keep', '-e', event)
    got = {}
    for r in j['rows']:
        key = tap.nothing(r['function']), tap.nothing(r['object'])
        row = got.setdefault(key, [0, 0])
        row[0] += r['self'][0]['base']
        row[1] += r['self'][0]['new']
    wanted, moved = {}, renamed(cg(a), cg(b))
    for side, sums in enumerate((base, new)):
        for (fn, ob), v in sums.items():
            ob = moved.get((fn, tap.nothing(ob)), ob) if side == 0 else ob
            wanted.setdefault((named(fn), tap.nothing(ob)), [0, 0])[side] += v
    same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, '[base, new] per function')
    equal([j['events'][0]['base'], j['events'][0]['new']], [sum(base.values()), sum(new.values())], 'totals')


for _a, _b, _e in PAIRS:
    if os.environ.get('ASSAY_TEST_FILES') != 'small' or not os.path.exists(cg(_a)) or os.path.getsize(cg(_a)) < 1e6:
        t.add('%s against %s: both sides of every function, by an independent reader' % (_a, _b), t_pair, _a, _b, _e)


@t('what is written otherwise does not differ: rec without name or position compression')
def _():
    for other in ('nocpos', 'nocstr', 'nocompress'):
        j = diff(cg('callgrind.out.rec'), cg('callgrind.out.rec.' + other))
        want(all(f['difference'] == 0 for r in j['rows'] for f in r['self']), other)
        equal((j['appeared'], j['vanished']), (0, 0), 'rows of one side')


@t('inclusive: rec and rec.toggle as top has each of them')
def _():
    j = diff(cg('callgrind.out.rec'), cg('callgrind.out.rec.toggle'), '--clones', 'keep')
    for side, name in (('base', 'callgrind.out.rec'), ('new', 'callgrind.out.rec.toggle')):
        wanted = {}
        for row in tap.top(cg(name))['rows']:
            key = row['function'], os.path.basename(row['object'] or '')
            wanted.setdefault(key, []).append(row['inclusive'])
        for r in j['rows']:
            key = r['function'], r['object'] or ''
            if len(wanted.get(key, ())) == 1 and r['in'] in ('both', side):
                equal([f[side] if f else None for f in r['inclusive']], wanted[key][0], '%s of %s' % (side, key))


# --- gperftools ------------------------------------------------------------------------------------------------------

def pprof_table(name):
    """header, {function: flat in seconds} of pprof -top of a difference"""
    with open(os.path.join(REAL, 'expected', name)) as f:
        text = f.read()
    rows = re.findall(r'^ *(-?[\d.]+)(m?s)? +[\d.e-]+% +[\d.e-]+% +\S+ +[\d.e-]+% +(\S+)(?: \(inline\))?$', text, re.M)
    return text, {fn: float(v) / (1000 if unit == 'ms' else 1) for v, unit, fn in rows}


def t_pprof(name, *options):
    text, wanted = pprof_table(name)
    want(len(wanted) > 8, 'nothing read', text[:300])
    j = diff(prof('pie_100hz'), prof('loop_100hz'), *HERE, *options)
    got = by_name(j)
    unit = 1 if j['events'][0]['unit'] == 's' else 0.01     # samples of 10 ms
    compared = 0
    for fn, seconds in wanted.items():
        if fn in got and 'avx' not in fn and fn not in ('msort_with_tmp',):     # libc's names are not those of this machine's
            want(abs((got[fn][1] - got[fn][0]) * unit - seconds) < 0.0051, '%s: %s, pprof says %s s' % (fn, got[fn], seconds))
            compared += 1
    want(compared >= 7, 'only %d compared' % compared, got, wanted)
    return j


@t('loop - pie: every function as pprof -diff_base has it, and the total')
def _():
    j = t_pprof('diff_loop_minus_pie.pprof_diff_base_top.txt')
    e = j['events'][0]
    equal((e['normalize'], e['unit'], e['base'], e['new'], e['difference'], e['direction']), ('time', 's', 3.12, 2.27, -0.85, 'faster'), 'total')


@t('loop - pie: every function as pprof -normalize has it')
def _():
    j = t_pprof('diff_loop_minus_pie.pprof_normalize_top.txt', '--normalize', 'total')
    equal(j['events'][0]['new'], 312, 'total of NEW')


@t('pie - pie_b: the total as google-pprof --base and go tool pprof -diff_base have it')
def _():
    j = diff(prof('pie_100hz_b'), prof('pie_100hz'), '--symbols', 'none', '--normalize', 'none')
    equal((j['events'][0]['base'], j['events'][0]['new'], j['events'][0]['difference']),
          (gperf_oracle.read(prof('pie_100hz_b')).samples, gperf_oracle.read(prof('pie_100hz')).samples, 1), 'samples')
    if shutil.which('google-pprof'):
        out = subprocess.run(['google-pprof', '--text', '--base=' + prof('pie_100hz_b'), '/bin/true', prof('pie_100hz')],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        equal(re.search(r'^Total: (-?\d+) samples', out, re.M).group(1), '1', 'Total: of google-pprof --base')
    if not shutil.which('go'):
        return 'skip: go is not installed'
    out = subprocess.run(['go', 'tool', 'pprof', '-symbolize=none', '-top', '-diff_base', prof('pie_100hz_b'), prof('pie_100hz')],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    want('of 3110ms total' in out or 'of 3.11s total' in out, 'the base of pprof -diff_base', out[:300])


@t('one program at 100 Hz and at what was to be 1000 Hz: the shares of no function differ beyond noise')
def _():
    # The kernel ticked at 250 Hz: 782 samples that say 1 ms each stand for 3.1 s.
    j = diff(prof('pie_100hz'), prof('pie_perthread_1000hz'), *HERE, '--normalize', 'total')
    equal((j['judged']['beyond'], j['judged']['sure']), (0, 0), 'rows beyond noise')
    want(j['judged']['rows'] >= 9, 'rows judged', j['judged'])
    j = diff(prof('pie_100hz'), prof('pie_perthread_1000hz'), *HERE)    # found out without being asked
    equal((j['events'][0]['normalize'], j['events'][0]['missed_rate'], j['judged']['sure']), ('total', True, 0), 'by default')
    j = diff(prof('pie_100hz'), prof('pie_perthread_1000hz'), *HERE, '--normalize', 'time')
    equal((j['events'][0]['normalize'], j['events'][0]['base'], j['events'][0]['new']), ('time', 3.12, 0.782), 'time, as the headers have it')
    want(j['judged']['sure'] >= 8, 'by periods that were missed all functions are faster', j['judged'])
    text = assay('diff', prof('pie_100hz'), prof('pie_perthread_1000hz'), *HERE, '--normalize', 'time').out.decode()
    want('BASE took 3.120 s and NEW 0.782 s' in text and '--normalize total' in text, 'no word about periods that were missed', text)
    r = assay('diff', prof('pie_100hz'), prof('pie_perthread_1000hz'), *HERE, '--fail-if', "self(samples, 'mix') > +5%")
    equal(r.code, 3, 'a gate that nobody normalised')


@t('one program twice at 100 Hz, and by a timer of real time: what is the same is not called other, what is other is')
def _():
    j = diff(prof('pie_100hz'), prof('pie_100hz_b'), *HERE)
    equal((j['events'][0]['normalize'], j['events'][0]['missed_rate'], j['judged']['sure']), ('time', False, 0), 'twice at 100 Hz')
    # Of real time the main thread waits for the others, and they take no samples: the periods are right, 2.947 s.
    j = diff(prof('pie_100hz'), prof('pie_realtime_1000hz'), *HERE)
    equal((j['events'][0]['normalize'], j['events'][0]['missed_rate'], j['events'][0]['new']), ('time', False, 2.947), 'real time')
    # cmp_u32 has three samples at 100 Hz and none at 1000: of one rate all three are so with a chance of 1/11^3 only.
    equal(sorted(r['function'] for r in j['rows'] if r['in'] == 'base' and r['self'][0]['significance'] == 'sure'),
          ['cmp_u32', 'lib_hash', 'lib_sum_squares', 'mix'], 'what the other threads do is gone')


# --- the other views -----------------------------------------------------------------------------------------------

def view(kind, *args):
    j = assay('diff', *args, '--view', kind, '-n', '0', '-f', 'json').json()
    equal((j['schema'], j['view'], j['rest']), ('assay.diff/1', kind, None), 'head')
    return j


def figure(row, what, side):
    return row[what][0][side] if row[what] and row[what][0] else 0


def levels_add_up(j, exact):
    """Every row of the tree is its own cost and the rows of the next level below it, and the first level the total."""
    for side in ('base', 'new'):
        stack = [[-1, j['events'][0][side], 0]]      # depth, what is to come, what came
        for r in j['rows'] + [None]:
            depth = r['depth'] if r else -1
            while stack and stack[-1][0] >= depth:
                d, left, came = stack.pop()
                if came or d == -1:     # below a leaf there is nothing, not even a level
                    want(left == came if exact else abs(left - came) < 0.01, 'depth %d, %s: %s to come, %s came' % (d, side, left, came))
            if r:
                stack[-1][2] += figure(r, 'inclusive', side)
                if r['kind'] == 'function':
                    stack.append([depth, figure(r, 'inclusive', side) - figure(r, 'self', side), 0])


def per_function(rows):
    out = {}
    for r in rows:
        row = out.setdefault((tap.nothing(r['function']), tap.nothing(r['object'])), [0, 0])
        row[0] += figure(r, 'self', 'base')
        row[1] += figure(r, 'self', 'new')
    return {k: [round(x, 6) for x in v] for k, v in out.items() if any(v)}


def t_views(a, b, *args):
    table = diff(a, b, *args)['rows']
    top = per_function(table)
    exact = 'none' in args
    for more in ('0%',), ('1%',), ('5%', '--depth', '4'):
        j = view('tree', a, b, *args, '--min', *more)
        levels_add_up(j, exact)
        if more == ('0%',):
            same(per_function(j['rows']), top, 'self cost by function, out of the tree')
            want(all(r['kind'] == 'function' for r in j['rows']), 'something is left out')
        else:
            want(any(r['kind'] == 'rest' for r in j['rows']), 'nothing is left out', more)
    differ = per_function([r for r in table if figure(r, 'self', 'base') != figure(r, 'self', 'new')])
    same(per_function(view('list', a, b, *args)['rows']), differ, 'self cost by function, out of its lines')


t.add('views of two runs of 100 Hz: levels and lines add up', t_views, prof('pie_100hz'), prof('loop_100hz'), *HERE, '-e', 'samples', '--normalize', 'none')
for _a, _b in ('rec', 'rec.toggle'), ('tmpl', 'rec'), ('full', 'jumps'):
    t.add('views of callgrind.out.%s and %s: levels and lines add up' % (_a, _b), t_views, cg('callgrind.out.' + _a), cg('callgrind.out.' + _b),
          '-e', 'Ir', '--normalize', 'none')


@t('callers and callees: both sides of every call, by an independent reader')
def _():
    for a, b in ('rec', 'rec.toggle'), ('full', 'rec'), ('dump.1', 'dump.2'):
        wanted = {}
        for side, name in enumerate((a, b)):
            for (frm, to), (_, cost) in callgrind_oracle.read(cg('callgrind.out.' + name)).edges.items():
                key = tuple((named(f[2]), tap.nothing(os.path.basename(f[0]) if f[0] else None)) for f in (frm, to))
                if key[0] != key[1]:
                    wanted.setdefault(key, [0, 0])[side] += cost.get('Ir', 0)
        j = view('peek', cg('callgrind.out.' + a), cg('callgrind.out.' + b), '-e', 'Ir', '--clones', 'keep', '--contexts', 'keep', '--cycles', 'no',
                 '--function', '^.*$')
        got, groups = {}, {}
        for r in j['rows']:
            groups.setdefault(r['group'], []).append(r)
        for rows in groups.values():
            own = next(r for r in rows if r['role'] == 'function')
            for r in rows:
                if r['role'] == 'callee':
                    key = tuple((tap.nothing(f['function']), tap.nothing(f['object'])) for f in (own, r))
                    row = got.setdefault(key, [0, 0])
                    row[0] += figure(r, 'inclusive', 'base')
                    row[1] += figure(r, 'inclusive', 'new')
        same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, '%s and %s' % (a, b))
        want(len(wanted) > 20, 'only %d calls' % len(wanted))


def header(period):
    return b''.join(v.to_bytes(8, 'little') for v in (0, 3, 0, period, 0))


def resampled(rng, hertz, weights, gone=None):
    """A gperftools profile of samples drawn at a rate: leaf address -> seconds."""
    out = header(1000000 // hertz)
    for pc, seconds in weights:
        n = 0 if pc == gone else poisson(rng, seconds * hertz)
        if n:
            out += b''.join(v.to_bytes(8, 'little') for v in (n, 1, pc))
    out += b''.join(v.to_bytes(8, 'little') for v in (0, 1, 0))
    return out + b''.join(b'%x-%x r-xp 00000000 00:00 0 /opt/f%d\n' % (pc & ~0xfff, (pc & ~0xfff) + 0x1000, pc >> 12) for pc, _ in weights)


def poisson(rng, mean):
    n, left = 0, rng.expovariate(1)
    while left < mean:
        n += 1
        left += rng.expovariate(1)
    return n


@t('the same at true rates: nothing beyond noise by time, and a removed function is found')
def _():
    rng = random.Random(4)
    weights = [((i + 1) << 12 | 0x10, 0.02 * 1.25 ** i) for i in range(24)]
    with Scratch() as s:
        a = s.file('a.prof', resampled(rng, 100, weights))
        b = s.file('b.prof', resampled(rng, 1000, weights))
        c = s.file('c.prof', resampled(rng, 1000, weights, gone=weights[15][0]))
        j = diff(a, b, '--symbols', 'none')
        equal((j['events'][0]['normalize'], j['judged']['sure']), ('time', 0), 'the same program')
        want(j['judged']['beyond'] <= 4, 'of %(rows)d rows %(beyond)d' % j['judged'])
        j = diff(a, c, '--symbols', 'none')
        sure = [(r['object'], r['in']) for r in j['rows'] if r['self'][0]['significance'] == 'sure']
        equal(sure, [('f16', 'base')], 'beyond noise, and where')
        equal(j['vanished'], 1, 'vanished')
        raw = diff(a, b, '--symbols', 'none', '--normalize', 'none')
        want(raw['judged']['sure'] > 10, 'raw counts of other rates are no comparison')


@t('a function that takes 5 % longer in ten runs of twenty is found, and nothing else is')
def _():
    rng = random.Random(11)
    with Scratch() as s:
        runs = []
        for i in range(20):
            text = 'events: Cycles\n'
            for f in range(40):
                v = 1e6 * 1.2 ** f * rng.gauss(1, 0.01) * (1.05 if i >= 10 and f == 25 else 1)
                text += 'fn=f%d\n1 %d\n' % (f, v)
            runs.append(s.file('%s%d' % ('base' if i < 10 else 'new', i), text))
        j = diff(*runs[:10], '--', *runs[10:])
        equal([r['function'] for r in j['rows'] if r['self'][0]['significance'] == 'sure'], ['f25'], 'found')
        equal(j['events'][0]['noise'], 'welch', 'noise')
        for i, limit in enumerate(('+3%', '+8%')):
            r = assay('diff', *runs[:10], '--', *runs[10:], '--fail-if', "self(Cycles, 'f25') > " + limit)
            equal(r.code, 1 - i, 'gate at ' + limit)


if __name__ == '__main__':
    if not os.path.isdir(CALLGRIND) or not os.path.isdir(REAL):
        t.skip_all('no test data at %s' % tap.DATA)
    t.run()
