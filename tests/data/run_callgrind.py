#!/usr/bin/env python3
"""Callgrind and Cachegrind files that others wrote: assay against the manifest, the independent reader and KCachegrind."""
import functools
import os
import re

import tap
from tap import Scratch, assay, by_function, contents, cycles, data_path, equal, info, nothing, same, top, totals, want, wanted_cycles
import callgrind_oracle as oracle
import dump

t = tap.Tap('callgrind')
FOLDER = data_path('callgrind')
UNREADABLE = {'speedscope/callgrind.subposition-compression.log'}    # relative counts: not the format (research §1.5, T18)
MISREAD = {'real/callgrind.out.rec.bb', 'real/callgrind.out.rec.mangleno'}   # KCachegrind itself fails on these (§1.4)
NAMELESS = {'real/callgrind.out.rec.mangleno'}      # valgrind left ids without any name: the independent reader takes them for one function
cache = {}


def truth(name):
    if name not in cache:
        cache.clear()
        cache[name] = oracle.read(os.path.join(FOLDER, name))
    return cache[name]


def key(f):
    return tuple(nothing(x) for x in f)


def alive(rows, name=''):
    """Rows that say something: functions without any cost or call are left to taste."""
    return {k: v for k, v in rows.items() if (any(v[0]) or any(v[1] or []) or v[2]) and (k[2] is not None or name not in NAMELESS)}


@functools.lru_cache(maxsize=2)
def wanted_rows(p, **kw):
    functions, groups = p.inclusive(kc_exact=False, **kw)
    return {key(f): [own, incl, called] for f, (incl, own, called) in functions.items()}, groups


def t_totals(name, path, figures):
    p = truth(name)
    j = top(path)
    equal([e['name'] for e in j['events']], p.events, 'event names')
    equal(totals(j), p.total(), 'totals')
    if figures.get('sum of self'):
        equal(' '.join(map(str, totals(j))), figures['sum of self'], 'totals against the manifest')
    equal([sum(r['self'][i] for r in j['rows']) + j['rest']['self'][i] for i in range(len(p.events))], p.total(),
          'sum of the rows and the rest')
    equal(j['profile']['files'] in (1, [path]) or len(j['profile']['files']) == 1, True, 'profile.files')


def t_counts(name, path, figures):
    counts = info(path)['counts']
    p = truth(name)
    if 'parts' in figures:
        equal(counts['parts'], int(figures['parts']), 'parts')
        cost, call, jump = figures['lines']
        want(int(figures['edges']) <= counts['call_edges'] <= call, 'call edges: %d, between %s pairs of functions and %d lines'
             % (counts['call_edges'], figures['edges'], call))
        want(counts['cost_rows'] <= cost and counts['jumps'] <= jump, 'cost rows %d and jumps %d, the file has %d and %d lines'
             % (counts['cost_rows'], counts['jumps'], cost, jump))
    j = top(path, 'function', '--contexts', 'keep')
    have = {nothing_key(r) for r in j['rows'] if any(r['self'])}
    equal(len(have), sum(1 for f, row in p.fself.items() if any(row.values())), 'functions with self cost that is not 0')


def nothing_key(row):
    return nothing(row['object']), nothing(row['file']), nothing(row['function'])


def t_self(name, path):
    p = truth(name)
    got = by_function(top(path, 'function', '--contexts', 'keep'))
    same({k: v[0] for k, v in got.items() if any(v[0])},
         {k: v[0] for k, v in wanted_rows(p)[0].items() if any(v[0])}, 'self cost per function')


def t_inclusive(name, path):
    p = truth(name)
    j = top(path, 'function', '--contexts', 'keep')
    rows, groups = wanted_rows(p)
    if not p.edges:
        want(all(r['inclusive'] is None for r in j['rows']), 'inclusive must be null without call information')
        return
    got = alive(by_function(j), name)
    same({k: v[1] for k, v in got.items()}, {k: v[1] for k, v in alive(rows, name).items()}, 'inclusive cost per function')
    # a count that is never above 0 (calls=0: active, or not counted) may be shown as unknown
    same({k: v[2] or 0 for k, v in got.items()}, {k: v[2] for k, v in alive(rows, name).items()}, 'calls per function')
    if name.startswith('real/') and len(p.parts) == 1:
        most = max([p.total()[0]] + (p.parts[0].summary or [])[:1])     # a summary may exceed the sum, and the root's calls with it
        over = [k for k, v in got.items() if v[1][0] > most]
        want(not over, 'inclusive above the total: %s' % over[:3])


def t_cycles(name, path):
    groups = wanted_rows(truth(name))[1]
    got, wanted = cycles(top(path, 'function', '--contexts', 'keep')), wanted_cycles(groups)
    equal([x[:3] for x in got], [x[:3] for x in wanted], 'cycles (inclusive, self, calls)')
    if name not in NAMELESS:
        equal([x[3] for x in got], [x[3] for x in wanted], 'members of the cycles')
    equal(cycles(top(path, 'function', '--contexts', 'keep', '--cycles=no')), [], 'cycles with --cycles=no')


def t_edges(name, path):
    """every edge, straight from `assay dump`"""
    p = truth(name)
    d = dump.Dump(path)
    equal(d.events, p.events, 'events')
    equal(d.total or [0] * len(p.events), p.total(), 'total')
    got = {tuple(map(key, k)): v for k, v in dump.edges(d).items()}
    same(got, {tuple(map(key, k)): [v[0], p.vector(v[1])] for k, v in p.edges.items()}, 'edges [count, costs]')
    got, wanted = {}, {}
    for part, position, values in d.self:
        k = part, key(dump.function(position)), nothing(position.get('at', position.get('fl'))), position.get('line') or None, position.get('addr') or None
        oracle.add(got.setdefault(k, [0] * len(values)), values)
    for part, ref, file, line, addr, cost, ob in p.costs:
        k = part, own(ref), nothing(file), line or None, addr or None
        oracle.add(wanted.setdefault(k, [0] * len(p.events)), p.vector(cost))
    same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, 'self per (part, function, file, line, address)')
    jumps = {}, {}
    for part, a, b, kind, (executed, followed) in d.jumps:
        k = (part, key(dump.function(a)), nothing(a.get('at', a.get('fl'))), a.get('line') or None, a.get('addr') or None, b.get('line') or None, b.get('addr') or None,
             executed, followed)
        jumps[0][k] = jumps[0].get(k, 0) + 1
    summed = {}
    for part, ref, site, kind, executed, followed, (tref, tfile, tline, taddr) in p.jumps:
        k = part, own(ref), nothing(site[0]), site[1] or None, site[2] or None, nothing(tfile), tref and tref[0], tline or None, taddr or None, kind
        row = summed.setdefault(k, [0, 0])
        row[0] += executed
        row[1] += followed
    for k, (executed, followed) in summed.items():
        k = k[:5] + k[7:9] + (executed, followed)
        jumps[1][k] = jumps[1].get(k, 0) + 1
    same(jumps[0], jumps[1], 'jumps (part, function, file, line, address, target line, address, executed, followed)')


def t_raw(name, path):
    p = truth(name)
    if not p.edges:
        return 'n/a: no calls'
    got = alive(by_function(top(path, 'function', '--contexts', 'keep', '--cycles=no')), name)
    rows = wanted_rows(p, cycles=False)[0]
    same({k: v[1] for k, v in got.items()}, {k: v[1] for k, v in alive(rows, name).items()}, 'raw inclusive cost')


def t_folded(name, path):
    p = truth(name)
    got = by_function(top(path))
    callgrind = any((x.get('creator') or '').startswith('callgrind') for x in p.parts)
    fold = oracle.fold if callgrind else oracle.fold_recursion
    rows = wanted_rows(p, rename=lambda f: (f[0], f[1], fold(f[2])))[0]
    same({k: v[0] for k, v in got.items() if any(v[0])}, {k: v[0] for k, v in rows.items() if any(v[0])}, 'self, contexts folded')
    if p.edges:
        same({k: v[1] for k, v in alive(got, name).items()}, {k: v[1] for k, v in alive(rows, name).items()}, 'inclusive, contexts folded')


def t_context_paths(name, path):
    """The names of --separate-callers are the paths, with places; without such names the answer is no."""
    p = truth(name)
    callgrind = any((x.get('creator') or '').startswith('callgrind') for x in p.parts)
    names = {f[2] for f in p.fself} | {f[2] for e in p.edges for f in e}
    if not callgrind or not any(len(oracle.frames(n)) > 1 for n in names):
        r = assay('top', '--contexts', 'paths', path)
        want(r.code == 4 and "no function's name says who called it" in r.err, 'not refused', r)
        return
    wanted, got = {}, {}
    for part, ref, file, line, addr, cost, ob in p.costs:
        ob, fl, fn = own(ref)
        row = wanted.setdefault((part, oracle.frames(fn), ob, fl, nothing(file), line or None), [0] * len(p.events))
        oracle.add(row, p.vector(cost))
    d = dump.Dump(path, '--contexts', 'paths', '-q', '-t', 'dump', '-o', '-', command=('convert',))
    equal((d.shape, d.calls, d.self), (['paths'], [], []), 'shape')
    for part, frames, values in d.samples:
        leaf = frames[-1]
        k = (part, tuple(f.get('fn') for f in frames), leaf.get('ob'), leaf.get('fl'), leaf.get('at', leaf.get('fl')), leaf.get('line'))
        oracle.add(got.setdefault(k, [0] * len(values)), values)
    same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, 'cost per path and line')
    equal(d.total, p.total(), 'total')


def t_lines(name, path):
    p = truth(name)
    wanted, got = {}, {}
    for part, ref, file, line, addr, cost, ob in p.costs:
        row = wanted.setdefault((nothing(file), line if line else None), [0] * len(p.events))
        oracle.add(row, p.vector(cost))
    for r in top(path, 'line')['rows']:
        row = got.setdefault((nothing(r['file']), r['line'] if r['line'] else None), [0] * len(p.events))
        oracle.add(row, r['self'])
    same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, 'self cost per line')


def t_addresses(name, path):
    p = truth(name)
    wanted, got = {}, {}
    for part, ref, file, line, addr, cost, ob in p.costs:
        row = wanted.setdefault((nothing(ob), addr), [0] * len(p.events))
        oracle.add(row, p.vector(cost))
    for r in top(path, 'address')['rows']:
        row = got.setdefault((nothing(r['object']), int(r['address'], 16) if r['address'] is not None else None), [0] * len(p.events))
        oracle.add(row, r['self'])
    same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, 'self cost per address')


def t_objects(name, path):
    p = truth(name)
    for by, column in (('object', 0), ('file', None)):
        wanted, got = {}, {}
        for part, ref, file, line, addr, cost, ob in p.costs:
            row = wanted.setdefault(nothing(ob if by == 'object' else file), [0] * len(p.events))
            oracle.add(row, p.vector(cost))
        for r in top(path, by)['rows']:
            row = got.setdefault(nothing(r[by]), [0] * len(p.events))
            oracle.add(row, r['self'])
        same({k: v for k, v in got.items() if any(v)}, {k: v for k, v in wanted.items() if any(v)}, 'self cost per ' + by)


def model(p):
    """All that reading and writing again must keep."""
    costs, calls = {}, {}
    for part, ref, file, line, addr, cost, ob in p.costs:
        k = part, own(ref), nothing(file), line or None, addr
        row = costs.setdefault(k, {})
        for e, n in cost.items():
            row[e] = row.get(e, 0) + n
    return {k: v for k, v in ((k, {e: n for e, n in r.items() if n}) for k, r in costs.items()) if v}


def signed(q):
    """`X+`, `X-` pairs of events back into one signed event"""
    sign = {e: (e[:-1], -1 if e.endswith('-') else 1) if e[-1:] in '+-' else (e, 1) for e in q.events}
    for table in (q.costs, q.calls):
        for i, row in enumerate(table):
            new = {}
            at = 5 if table is q.costs else 4
            for e, n in row[at].items():
                base, factor = sign[e]
                new[base] = new.get(base, 0) + factor * n
            table[i] = row[:at] + (new,) + row[at + 1:]
    events = []
    for e in q.events:
        if sign[e][0] not in events:
            events.append(sign[e][0])
    q.events = events
    q.resolve()


def own_callee(ref):
    b, ob, fl = ref
    if b.id is not None and b.homes and (ob, fl) not in b.homes:
        ob, fl = b.homes[0]
    return nothing(ob), nothing(fl), nothing(b.name)


def own(ref):
    b, ob, fl = ref
    return nothing(ob), nothing(fl), nothing(b.name)


def t_write(name, path):
    """convert to callgrind, read what was written with the independent reader: everything is still there"""
    p = truth(name)
    with Scratch() as s:
        out = s.name('out.callgrind')
        r = assay('convert', path, '-t', 'callgrind', '-o', out)
        want(r.code == 0, 'convert failed', r)
        q = oracle.read(out)
        written = contents(out)
    if q.events != p.events and any(n < 0 for row in p.fself.values() for n in row.values()):
        signed(q)               # research §1.8: never a negative count; `Ir+` and `Ir-` may carry a difference
    equal(q.events, p.events, 'events')
    equal(q.total(), p.total(), 'totals')
    equal(len(q.parts), len(p.parts), 'parts')
    same(*({key(f): x.vector(v) for f, v in x.graph(key)[0].items() if any(v.values())} for x in (q, p)), 'self per function')
    same(model(q), model(p), 'self per (part, function, file, line, address)')
    theirs, ours = p.graph(key)[2], q.graph(key)[2]
    same({k: q.vector(v[1]) for k, v in ours.items()}, {k: p.vector(v[1]) for k, v in theirs.items()}, 'edges')
    counts = {k: v[0] for k, v in ours.items()}
    zero = {}                   # calls=0 may be written as calls=1 (research §1.8)
    for part, ref, callee, count, cost, site, target in p.calls:
        if count == 0:
            k = own(ref), own_callee(callee)
            zero[k] = zero.get(k, 0) + 1
    for k, v in theirs.items():
        want(v[0] <= counts[k] <= v[0] + zero.get(k, 0), 'count of %s: wanted %d (and %d of calls=0), got %d' % (k, v[0], zero.get(k, 0), counts[k]))
    jumps = [{}, {}]
    for which, x in enumerate((q, p)):
        for (f, site, kind, target, tplace), (executed, followed) in x.jumpsums.items():
            k = key(f), (nothing(site[0]),) + tuple(site[1:]), key(target) if target else None, (nothing(tplace[0]),) + tuple(tplace[1:])
            row = jumps[which].setdefault(k, [0, 0])
            row[0] += executed
            row[1] += followed
    same(jumps[0], jumps[1], 'jumps')
    for part in q.parts:
        if part.totals is not None and len(q.parts) == 1:
            equal(part.totals, q.total(), 'declared totals of what was written')
    want(not re.search(rb'^\s*cfl=', written, re.M), 'cfl= written; §1.8 says cfi=')


def t_kcachegrind(name, path):
    """straight against KCachegrind's printed rows, without the independent reader in between"""
    view = path + '.cgview.txt'
    sums, rows, _ = oracle.read_cgview(view)
    j = top(path, 'function', '--contexts', 'keep')
    equal(totals(j), sums[:len(j['events'])], 'totals')
    have = {}
    for r in j['rows']:
        figures = ((r['inclusive'] or [0])[0], r['self'][0], r['calls'] or 0)
        have.setdefault((nothing(r['function']) or '', nothing(r['object']) or ''), []).append(figures)
    circles = [(c[0][0], c[1][0], c[2]) for c in cycles(j)]
    # KCachegrind has what comes in, even where that is less than a function's own cost and its callees': a thread's beginning
    goes_out = {}
    p = truth(name)
    for f in p.functions:
        out = p.vector(p.fself.get(f, {}))[0] + sum(p.vector(v[1])[0] for (a, b), v in p.edges.items() if a == f != b)
        goes_out.setdefault((f[2] or '', '' if f[0] in (None, '???') else f[0]), []).append(out)
    bad = []
    for incl, self_, called, function, ob in rows:
        if re.match(r'<cycle \d+>\Z', function):
            if (incl, self_, called) not in circles:
                bad.append('%s wanted %s, got cycles %s' % (function, (incl, self_, called), circles[:6]))
            continue
        if (incl, self_, called) not in have.get((function, ob), []) and not any(
                row[1:] == (self_, called) and row[0] == more > incl for row in have.get((function, ob), [])
                for more in [max(goes_out.get((function, ob), [0]))]):
            bad.append('%s (%s) wanted %s, got %s' % (function, ob, (incl, self_, called), have.get((function, ob))))
    want(not bad, '%d of %d rows differ from KCachegrind (inclusive, self, called)' % (len(bad), len(rows)), *bad[:5])


def t_check(name, path):
    """a sound file has no error; the damaged ones are named"""
    code, findings = tap.check(path)
    errors = [f for f in findings if f['severity'] == 'error']
    equal(errors, [], 'errors in a file that a real tool wrote')


def t_refused(name, path):
    r = assay('top', path, '--format', 'json', '-n', '0')
    want(not r.crashed, r.crashed, r)
    code, findings = tap.check(path, codes=(0, 1, 3))
    want(code != 0, 'check says nothing about relative counts')


def t_empty(name, path):
    for command in ('top', 'info', 'check'):
        r = assay(command, path)
        want(r.code in (1, 3) and not r.crashed, '%s of an empty file: exit status %s' % (command, r.code), r)
        want(r.err.strip() or r.out.strip(), '%s says nothing' % command)


def main():
    manifest = os.path.join(FOLDER, 'manifest.tsv')
    if not os.path.exists(manifest):
        t.skip_all('no test data (ASSAY_SHARED_DATA)')
    with open(manifest, encoding='utf-8', errors='surrogateescape') as f:
        rows = [line.split('\t') for line in f.read().split('\n')[1:] if line]
    for row in rows:
        name, path = row[0], os.path.join(FOLDER, row[0])
        if not os.path.exists(path) or not tap.is_asked(path):
            continue
        if name in UNREADABLE:
            t.add('%s: T18 relative counts are refused or reported' % name, t_refused, name, path)
            continue
        if os.path.getsize(path) == 0:
            t.add('%s: an empty file is no profile' % name, t_empty, name, path)
            continue
        figures = oracle.manifest_expectation(row[3]) or {}
        t.add('%s: totals per event' % name, t_totals, name, path, figures)
        t.add('%s: parts, edges, functions with self cost' % name, t_counts, name, path, figures)
        t.add('%s: self per function' % name, t_self, name, path)
        t.add('%s: inclusive and calls' % name, t_inclusive, name, path)
        t.add('%s: cycles' % name, t_cycles, name, path)
        t.add('%s: edges, jumps and places of the dump' % name, t_edges, name, path)
        t.add('%s: --cycles=no' % name, t_raw, name, path)
        t.add('%s: contexts folded' % name, t_folded, name, path)
        t.add('%s: contexts as paths' % name, t_context_paths, name, path)
        t.add('%s: self per line' % name, t_lines, name, path)
        t.add('%s: self per object and file' % name, t_objects, name, path)
        if 'instr' in figures.get('positions', ''):
            t.add('%s: self per address' % name, t_addresses, name, path)
        t.add('%s: written again, nothing is lost' % name, t_write, name, path)
        if os.path.exists(path + '.cgview.txt') and name not in MISREAD:
            t.add('%s: rows of KCachegrind' % name, t_kcachegrind, name, path)
        if name.startswith('real/'):
            t.add('%s: check finds no error' % name, t_check, name, path)
    if not t.tests:
        t.add('files of the size that is asked for', lambda: 'n/a: there is none')
    t.run()


if __name__ == '__main__':
    main()
