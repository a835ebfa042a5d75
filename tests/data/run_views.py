#!/usr/bin/env python3
"""`assay peek`, `tree`, `traces` and `cycles` on profiles that others wrote, against what their peers print: go tool pprof
-peek. For calls see run_annotate.py."""
import os
import re
import shutil
import subprocess
from collections import Counter

import tap
from tap import Scratch, assay, data_path, equal, nothing, same, want

t = tap.Tap('views')
PROF = data_path('gperftools', 'real', 'prof')
BIN = data_path('gperftools', 'real', 'bin')
SRC = data_path('gperftools', 'real', 'src')
NAMES = '--symbols', 'auto', '--no-symbol-cache', '--symfs', BIN, '-q'
if not os.path.isdir(PROF):
    t.skip_all('no test data')


def answer(command, *args):
    r = assay(command, *args, '-f', 'json')
    want(r.code == 0, command + ' failed', r)
    return r.json()


def real(name):
    return os.path.join(PROF, name + '.prof')


def our_words():
    """every identifier of the sources: names that do not depend on the libraries of the machine"""
    words = set()
    for name in os.listdir(SRC):
        with open(os.path.join(SRC, name)) as f:
            words |= set(re.findall(r'\w+', f.read()))
    return words


# --- call paths ---------------------------------------------------------------------------------------------------------

@t('inclusive of recursive functions on pie_100hz: 53, 14 and 13 samples of 10 ms')
def _():
    if not os.path.exists(real('pie_100hz')):
        return 'n/a: the data have no such file'
    for name, wanted in ('is_even', 53), ('fib', 14):
        j = answer('peek', name, real('pie_100hz'), *NAMES)
        equal([f['inclusive'] for f in j['functions']], [[wanted]], name)
    j = answer('peek', 'fib', real('pie_100hz'), *NAMES)
    callers = {r['function']: (r['inclusive'][0], r['inner']) for r in j['functions'][0]['callers']}
    equal(callers, {'fib': (14, True), 'thread_main': (9, False), 'main': (5, False)}, 'callers of fib')
    # msort_with_tmp is libc's, whose names need the library that was recorded: all that sort_phase calls is in it
    j = answer('peek', 'sort_phase', real('pie_100hz'), *NAMES)
    equal([(f['inclusive'], f['self']) for f in j['functions']], [([13], [0])], 'sort_phase, which only sorts')
    cycles = answer('cycles', real('pie_100hz'), *NAMES)['cycles']
    mine = sorted((sorted(nothing(m['function']) or '' for m in c['members']), c['self'], c['inclusive']) for c in cycles
                  if any(m['function'] for m in c['members']))
    want((['is_even', 'is_odd'], [53], [53]) in mine, 'is_even and is_odd are a cycle', mine)
    want((['fib'], [14], [14]) in mine, 'fib calls itself', mine)


def go_peek(name):
    """{function: (flat, cum, {caller: cost}, {callee: cost})}"""
    with Scratch() as s:
        p = subprocess.run(['go', 'tool', 'pprof', '-peek=.', '-nodefraction=0', '-edgefraction=0', '-sample_index=samples', real(name)],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                           env=dict(os.environ, HOME=s.path, PPROF_TMPDIR=s.path, PPROF_BINARY_PATH=BIN))
    text = p.stdout.decode('utf-8', 'replace')
    want(p.returncode == 0 and 'flat%' in text, 'go tool pprof -peek', p.stderr[-300:])
    out = {}
    for block in re.split(r'\n-{20,}\+-+\n?', text.split('context', 1)[1]):
        callers, callees, node = Counter(), Counter(), None
        for line in block.split('\n'):
            m = re.match(r'\s+(\d+)\s+[\d.e-]+% \|   (.*?)(?: \(inline\))?$', line)
            n = re.match(r'\s*(\d+)\s+[\d.e-]+%\s+[\d.]+%\s+(\d+)\s+[\d.e-]+%\s+\| (\S.*?)(?: \(inline\))?$', line)
            if m:
                (callees if node else callers)[m.group(2)] += int(m.group(1))
            elif n:
                node = n.group(3), int(n.group(1)), int(n.group(2))
        if node:
            out[node[0]] = node[1], node[2], dict(callers), dict(callees)
    return out


def t_go(name):
    if not shutil.which('go'):
        return 'skip: go is not installed'
    if not os.path.exists(real(name)):
        return 'n/a: the data have no such file'
    words = our_words()
    theirs = {f: v for f, v in go_peek(name).items() if f in words}
    want(len(theirs) >= 1, 'pprof names hardly anything', theirs)
    mine = {}
    # pprof cuts the second frame where all records share it;
    # its addr2line is not asked for inlined calls where it finds the symbol table alone
    for f in answer('peek', '', real(name), '-n', '0', '--rows', '0', '--inline', 'off', '--compat', 'pprof', *NAMES)['functions']:
        if f['function'] not in theirs:
            continue
        sides = [{r['function']: r['inclusive'][0] for r in f[side] if r['function'] != f['function']} for side in ('callers', 'callees')]
        mine[f['function']] = f['self'][0], f['inclusive'][0], *sides
    for f, (flat, cum, callers, callees) in theirs.items():
        want(f in mine, 'assay does not know ' + f)
        equal(mine[f][:2], (flat, cum), f + ': flat and cum')
        for what, got, wanted in ('callers', mine[f][2], callers), ('callees', mine[f][3], callees):
            same({k: v for k, v in got.items() if k in words}, {k: v for k, v in wanted.items() if k in words}, '%s of %s' % (what, f))


for _name in 'pie_100hz', 'pie_perthread_1000hz', 'pie_realtime_1000hz', 'loop_100hz', 'dlclose_100hz', 'single_100hz':
    t.add('peek: flat, cum, callers and callees as go tool pprof -peek on %s' % _name, t_go, _name)


def chains(j):
    """[(functions from the first level to the row, row)] of a tree"""
    chain = []
    for row in j['rows']:
        chain = chain[:row['depth']] + [row['function'] or row['address']]
        yield tuple(chain), row


def t_tree(name):
    if not os.path.exists(real(name)):
        return 'n/a: the data have no such file'
    paths = Counter()
    for p in answer('traces', real(name), '-n', '0', *NAMES)['paths']:
        paths[tuple(f['function'] or f['address'] for f in reversed(p['frames']))] += p['self'][0]
    want(sum(paths.values()) > 0, 'no samples')
    down = Counter()
    for path, cost in paths.items():
        for n in range(1, len(path) + 1):
            down[path[:n]] += cost
    got = Counter()
    for chain, row in chains(answer('tree', real(name), '-m', '0', *NAMES)):
        got[chain] += row['inclusive'][0]
    same(dict(got), dict(down), 'from the roots')
    up = Counter()
    for path, cost in paths.items():
        for n in range(1, len(path) + 1):
            up[path[::-1][:n]] += cost
    got = Counter()
    for chain, row in chains(answer('tree', real(name), '--bottom-up', '-m', '0', *NAMES)):
        if row['kind'] == 'function':
            got[chain] += row['inclusive'][0]
    same(dict(got), dict(up), 'bottom-up')


for _name in 'pie_100hz', 'loop_100hz', 'stripped_gzip_100hz':
    t.add('tree, traces: every row of %s is the sum of its paths' % _name, t_tree, _name)

t.run()
