#!/usr/bin/env python3
"""`assay list` and `assay asm` on Callgrind files that others wrote: every line, instruction, call and jump of every
function against the independent reader; whole source files against callgrind_annotate."""
import functools
import os
import re
import shutil
import subprocess

import tap
from tap import Scratch, assay, contents, data_path, equal, nothing, same, want
import callgrind_oracle as oracle

t = tap.Tap('list')
FOLDER = data_path('callgrind')
REAL = os.path.join(FOLDER, 'real')
HOTTEST = 10
NO_BINARY = '--symfs', '/nonexistent'
NAMELESS = {'real/callgrind.out.rec.mangleno'}      # ids without any name: the independent reader takes them for one function


class Truth:
    """A file by the independent reader, with what several tests ask of it."""

    def __init__(self, path):
        self.p = p = oracle.read(path)
        callgrind = any((x.get('creator') or '').startswith('callgrind') for x in p.parts)
        self.fold = oracle.fold if callgrind else oracle.fold_recursion
        self.names = {}, {}     # of (own, called) functions

    @functools.cached_property
    def lines(self):
        return wanted(self, lambda file, line, addr: (nothing(file), line or None))

    def named(self, names, ref, ob, fl):
        if ref not in names:
            names[ref] = nothing(ob), nothing(fl), self.fold(nothing(ref[0].name))
        return names[ref]

    def own(self, ref):
        return self.named(self.names[0], ref, *ref[1:])

    def called(self, ref):
        b, ob, fl = ref
        if b.id is not None and b.homes and (ob, fl) not in b.homes:
            ob, fl = b.homes[0]
        return self.named(self.names[1], ref, ob, fl)


@functools.lru_cache(maxsize=1)
def truth(name):
    return Truth(os.path.join(FOLDER, name))


def key(row):
    return nothing(row['object']), nothing(row['file']), nothing(row['function'])


def answer(command, path, *extra):
    r = assay(command, '', path, '-n', '0', '-f', 'json', *extra)
    want(r.code == 0, command + ' failed', r)
    j = r.json()
    equal(j['schema'], 'assay.%s/1' % command, 'schema')
    equal(j['rest'], {'functions': 0}, 'rest')
    return j


def wanted(true, place):
    """Per (function, place): self, inclusive without calls inside a cycle, calls {callee: [count, cost]}; PLACE picks line or address."""
    p, own, called = true.p, true.own, true.called
    n = len(p.events)
    rows, calls, edges = {}, {}, {}
    for part, ref, callee, count, cost, site, target in p.calls:
        edges.setdefault((own(ref), called(callee)), None)
    functions = {f for e in edges for f in e}
    component, _ = oracle.components(functions, edges)
    for part, ref, file, line, addr, cost, ob in p.costs:
        row = rows.setdefault((own(ref),) + place(file, line, addr), [[0] * n, [0] * n])
        costs = p.vector(cost)
        oracle.add(row[0], costs)
        oracle.add(row[1], costs)
    for part, ref, callee, count, cost, (file, line, addr), target in p.calls:
        f, g = own(ref), called(callee)
        row = rows.setdefault((f,) + place(file, line, addr), [[0] * n, [0] * n])
        if f != g and not (f in component and component[f] == component.get(g)):
            oracle.add(row[1], p.vector(cost))
        call = calls.setdefault((f,) + place(file, line, addr) + (g,), [0, [0] * n])
        call[0] += count
        oracle.add(call[1], p.vector(cost))
    return rows, calls


def some(rows):
    return {k: v for k, v in rows.items() if any(v[0]) or any(v[1])}


def named(rows, name):
    return {k: v for k, v in rows.items() if k[0][2] is not None and not (name in NAMELESS and '' == (k[0][2] or ''))}


def compare(name, j, rows, calls, got, got_calls):
    has_calls = bool(truth(name).p.calls)
    if not has_calls:
        got = {k: [v[0], v[0]] for k, v in got.items()}
    same(some(got), some(named(rows, name)), 'self and inclusive')
    same(got_calls, named(calls, name), 'calls [count, cost]')
    sums = {}
    for k, v in got.items():
        oracle.add(sums.setdefault(k[0], [0] * len(v[0])), v[0])
    heads = {key(f): f['self'] for f in j['functions']}
    same({k: v for k, v in sums.items() if any(v)}, {k: v for k, v in heads.items() if any(v)}, 'sum of the rows against the function')


def t_list(name, path):
    """every line of every function, and the calls made there"""
    rows, calls = truth(name).lines
    j = answer('list', path)
    got, got_calls = {}, {}
    for r in j['lines']:
        f = key(j['functions'][r['of']])
        k = f, nothing(r['file']), r['line']
        want(k not in got, 'line twice: %s' % (k,))
        got[k] = [r['self'], r['inclusive']]
        for c in r['calls']:
            got_calls[k + (key(c),)] = [c['count'], c['inclusive']]
    compare(name, j, rows, calls, got, got_calls)


def t_hottest(name, path):
    """the ten hottest functions, each asked for by its name: the same rows as when all are asked for"""
    true = truth(name)
    rows, _ = true.lines
    sums, twins, of_function = {}, {}, {}
    for k, v in rows.items():
        sums[k[0]] = sums.get(k[0], 0) + v[0][0]
        of_function.setdefault(k[0], {})[k] = v
    for g in {*sums, *(true.own(e[1]) for e in true.p.calls), *(true.called(e[2]) for e in true.p.calls)}:
        twins.setdefault(g[2], set()).add(g)
    for f in sorted((f for f in sums if f[2]), key=lambda f: -sums[f])[:HOTTEST]:
        r = assay('list', f[2], path, '-n', '0', '-f', 'json')
        want(r.code == 0, 'list failed', r)
        j = r.json()
        same({key(x): None for x in j['functions']}, dict.fromkeys(twins[f[2]]), 'functions of that name')
        of = [i for i, x in enumerate(j['functions']) if key(x) == f][0]
        got = {(f, nothing(x['file']), x['line']): [x['self'], x['inclusive']] for x in j['lines'] if x['of'] == of}
        if not true.p.calls:
            got = {k: [v[0], v[0]] for k, v in got.items()}
        same(some(got), some(of_function[f]), f[2])


def t_asm(name, path):
    """every instruction of every function, calls and jumps"""
    true = truth(name)
    p, own = true.p, true.own
    rows, calls = wanted(true, lambda file, line, addr: (addr or None,))
    j = answer('asm', path, '--symbols', 'none', *NO_BINARY)
    got, got_calls, got_jumps, jumps = {}, {}, {}, {}
    for r in j['instructions']:
        f = key(j['functions'][r['of']])
        addr = None if r['address'] is None else int(r['address'], 16)
        if r['self'] is None:
            continue
        k = f, addr
        row = got.setdefault(k, [[0] * len(p.events), [0] * len(p.events)])
        oracle.add(row[0], r['self'])
        oracle.add(row[1], r['inclusive'] or r['self'])
        for c in r['calls']:
            call = got_calls.setdefault(k + (key(c),), [0, [0] * len(p.events)])
            call[0] += c['count']
            oracle.add(call[1], c['inclusive'])
        for x in r['jumps']:
            to = None if x['address'] is None else int(x['address'], 16)
            row = got_jumps.setdefault(k + (x['conditional'], to, nothing(x['file']), x['line']), [0, 0])
            row[0] += x['executed']
            row[1] += x['followed']
    compare(name, j, rows, calls, got, got_calls)
    for part, ref, (file, line, addr), kind, executed, followed, (tref, tfile, tline, taddr) in p.jumps:
        f = own(ref)
        row = jumps.setdefault((f, addr or None, kind == 'jcnd', taddr or None, nothing(tfile), tline or None), [0, 0])
        row[0] += executed
        row[1] += followed
    same(got_jumps, named(jumps, name), 'jumps [executed, followed]')


def t_arrows(name, path):
    """text: an arrow's head stands at every target of a jump within the function, and nowhere else"""
    true = truth(name)
    p, own, called = true.p, true.own, true.called
    sums, places, twins, jumps = {}, {}, {}, {}
    for part, ref, file, line, addr, cost, ob in p.costs:
        f = own(ref)
        sums[f] = sums.get(f, 0) + p.vector(cost)[0]
        places.setdefault(f, set()).add(addr)
    for g in sums:
        twins.setdefault(g[2], []).append(g)
    for part, ref, callee, count, cost, site, target in p.calls:
        places.setdefault(own(ref), set()).add(site[2])
    for x in p.jumps:
        places.setdefault(own(x[1]), set()).add(x[2][2])
        jumps.setdefault(own(x[1]), []).append(x)
    for f in sorted((f for f in sums if f[2]), key=lambda f: -sums[f])[:HOTTEST]:
        if len(twins[f[2]]) > 1:
            continue
        r = assay('asm', f[2], path, '--symbols', 'none', *NO_BINARY)
        want(r.code == 0, 'asm failed', r)
        heads = {int(m.group(2), 16) for m in re.finditer(r'^(?!.*=>)(.*?)> +(0x[0-9a-f]+)(?= |$)', r.out.decode(), re.M)}
        mine = [x for x in jumps.get(f, []) if x[6][0] is None or called(x[6][0]) == f]
        targets = {x[6][3] for x in mine} & places[f]
        if 'without a line' in r.out.decode():
            want(heads <= targets, 'arrows that are no jumps in %s' % f[2], sorted(map(hex, heads - targets)))
        else:
            equal(sorted(map(hex, heads)), sorted(map(hex, targets)), 'targets of jumps in ' + f[2])


# --- callgrind_annotate ---------------------------------------------------------------------------------------

def annotated(path, cwd):
    """{file: {line: cost of the first event}} of callgrind_annotate, for the sources that it finds"""
    out = subprocess.run(['callgrind_annotate', '--auto=yes', '--show-percs=no', '--inclusive=no', '--threshold=100', '--context=8', path],
                         cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode('utf-8', 'replace')
    files, file, line = {}, None, 0
    for s in out.split('\n'):
        m = re.match(r'-- Auto-annotated source: (.*)', s)
        if m:
            file, line = files.setdefault(m.group(1), {}), 0
            continue
        if file is None:
            continue
        m = re.match(r'-- line (\d+) -', s)
        if m:               # the first is the number of the line that follows, the second that of the last one
            n = int(m.group(1))
            line = n - 1 if n != line else line
            continue
        m = re.match(r' *([\d,]+|\.) ', s)
        if not m or re.match(r' *(?:[\d,.]+ +)+=> ', s) or 'events annotated' in s or '<counts for unidentified' in s:
            continue
        bogus = re.search(r'<bogus line (\d+)>', s)
        if bogus:
            file[int(bogus.group(1))] = int(m.group(1).replace(',', ''))
            continue
        line += 1
        if m.group(1) != '.':
            file[line] = int(m.group(1).replace(',', ''))
    return files


def t_annotate(name, path, instr):
    """callgrind_annotate's self cost of each line of each source that is there, and the source's text"""
    if not shutil.which('callgrind_annotate'):
        return 'skip: no callgrind_annotate'
    data = contents(path)
    if instr and re.search(rb'^\+', data, re.M):
        return 'n/a: it takes lines after calls= and jumps from the wrong base where there are addresses (research notes 1.3)'
    if b'calls=0 ' in data:
        return 'n/a: it takes the cost of calls=0 for self cost (research notes T5)'
    with Scratch() as s:
        copy = s.file('callgrind.out', data.replace(b'/srv/lab/data/', os.fsencode(os.path.realpath(tap.DATA)) + b'/'))
        files = annotated(copy, s.path)
        if not files:
            return 'n/a: it finds no source'
        j = answer('list', copy)
    got = {}
    for r in j['lines']:
        if r['file'] in files and r['line'] and r['self'][0]:
            got[r['file'], r['line']] = got.get((r['file'], r['line']), 0) + r['self'][0]
    same(got, {(f, n): v for f, lines in files.items() for n, v in lines.items() if v}, 'self cost per line')
    for file in files:
        lines = contents(file).decode('utf-8', 'replace').split('\n')
        for r in j['lines']:
            if r['file'] == file and r['line'] and r['line'] < len(lines) and '\ufffd' not in lines[r['line'] - 1]:
                equal(r['text'], lines[r['line'] - 1], 'text of %s:%d' % (file, r['line']))


def main():
    if not os.path.isdir(REAL):
        t.skip_all('no test data in ' + FOLDER)
    names = []
    for folder in ('real', 'producers', 'gprof2dot', 'valgrind-tests'):
        for base in sorted(os.listdir(os.path.join(FOLDER, folder)) if os.path.isdir(os.path.join(FOLDER, folder)) else []):
            path = os.path.join(FOLDER, folder, base)
            if re.search(r'\.(txt|stderr|log|md|tsv|sh|py|exp|jpg|png)$', base) or not os.path.isfile(path):
                continue
            with open(path, 'rb') as f:
                head = f.read(65536)
            if re.search(rb'^events: ', head, re.M) and re.search(rb'^fn=', contents(path), re.M) and os.path.getsize(path) < 8 << 20:
                names.append((folder + '/' + base, path, bool(re.search(rb'^positions: .*(instr|addr)', head, re.M))))
    for name, path, instr in names:
        if name in NAMELESS or not tap.is_asked(path):
            continue
        t.add('list ' + name, t_list, name, path)
        t.add('hottest ' + name, t_hottest, name, path)
        if name.startswith('real/callgrind'):
            t.add('callgrind_annotate ' + name, t_annotate, name, path, instr)
        if instr:
            t.add('asm ' + name, t_asm, name, path)
            t.add('arrows ' + name, t_arrows, name, path)
    t.run()


if __name__ == '__main__':
    main()
