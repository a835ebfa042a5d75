#!/usr/bin/env python3
"""Trees that are made out of calls contradict no call: of every Callgrind file there is.

The law, by sums of integers: what begins adds up to the total; on all paths together a function has its own cost; a call
between functions that are not in one circle costs no more than the file says. Where no call of the file claims more than
what it calls costs, it costs just that, and what begins in a function that is in no circle is what it costs beyond the
calls of it. The calls are those of the independent reader.
"""
import glob
import os
from collections import Counter

import tap
from tap import assay, data_path, equal, nothing, want
import callgrind_oracle as oracle

t = tap.Tap('estimates')
FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'fixtures')


def facts(p, event):
    """own cost, calls, functions in circles, and whether a call claims too much"""
    key = lambda f: tuple(nothing(x) for x in f)    # noqa: E731
    own, edges = Counter(), Counter()
    for f, row in p.fself.items():
        own[key(f)] += p.vector(row)[event]
    for (a, b), (_, row) in p.edges.items():
        edges[key(a), key(b)] += p.vector(row)[event]
    circle, groups = oracle.components(set(own) | {f for pair in edges for f in pair}, edges)
    beyond = Counter(own)
    for (a, b), v in edges.items():
        if a != b:
            beyond[a] += v
            beyond[b] -= v
    lies = any(beyond[f] < 0 for f in beyond if f not in circle) or any(sum(beyond[f] for f in g) < 0 for g in groups)
    return own, edges, circle, beyond, lies


def sums(rows):
    """of the tree: own cost, cost of a function directly below another, and of those at the top"""
    own, below, top, chain = Counter(), Counter(), Counter(), []
    for r in rows:
        want(r['kind'] == 'function', 'a rest')
        f = nothing(r['object']), nothing(r['file']), nothing(r['function'])
        del chain[r['depth']:]
        own[f] += r['self'][0]
        if chain:
            below[chain[-1], f] += r['inclusive'][0]
        else:
            top[f] += r['inclusive'][0]
        chain.append(f)
        equal(len(set(chain)), len(chain), 'a function twice on one path')
    return own, below, top


def same(got, wanted, what):
    bad = ['%s: %s, wanted %s' % (k, got[k], wanted[k]) for k in set(got) | set(wanted) if got[k] != wanted[k]]
    want(not bad, '%s: %d differ' % (what, len(bad)), *bad[:4])


def t_law(path):
    try:
        p = oracle.read(path)
    except ValueError:      # no Callgrind
        return
    if not p.edges:
        return
    for event, word in enumerate(p.events):
        r = assay('tree', path, '--min', '0', '--contexts', 'keep', '--symbols', 'none', '-f', 'json', '-q', '-e', word)
        want(r.code == 0, 'assay tree failed', r)
        own, edges, circle, beyond, lies = facts(p, event)
        mine, below, top = sums(r.json()['rows'])
        equal(sum(top.values()), p.total()[event], 'the sum of what begins')
        if any(v < 0 for v in list(own.values()) + list(edges.values())):
            continue
        same(mine, own, 'own cost')
        inside = lambda a, b: a in circle and circle.get(a) == circle.get(b)    # noqa: E731
        over = [(k, v, edges[k]) for k, v in below.items() if v > edges[k] and not inside(*k)]
        want(not over, 'calls that cost more than the file says', *over[:4])
        if not lies:
            same(Counter({k: v for k, v in below.items() if not inside(*k)}),
                 Counter({k: v for k, v in edges.items() if k[0] != k[1] and not inside(*k)}), 'calls')
            same(Counter({f: v for f, v in top.items() if f not in circle}),
                 Counter({f: v for f, v in beyond.items() if f not in circle}), 'what begins')


def main():
    files = glob.glob(data_path('callgrind', '*', 'c*')) + glob.glob(os.path.join(FIXTURES, 'callgrind.out.*'))
    for path in sorted(files):
        name = os.path.basename(path)
        if name.endswith(('.txt', '.gz')) or 'mangleno' in name or not os.path.getsize(path) or not tap.is_asked(path):
            continue
        t.add('%s: the tree contradicts no call' % name, t_law, path)
    if not t.tests:
        t.add('files of the size that is asked for', lambda: 'n/a: there is none')
    t.run()


if __name__ == '__main__':
    main()
