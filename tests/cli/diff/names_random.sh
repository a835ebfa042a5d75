# SPDX-License-Identifier: Apache-2.0
# Random sets of C++ names: what is compared, filtered, looked up and judged is the same at every level of --names, and the
# figures are those of the functions by their whole names.
cat > run.py << 'EOF'
import json
import os
import random
import re
import subprocess
import sys

LEVELS = ['full', 'noargs', 'notemplates', 'short']
TYPES = ['int', 'char const*', 'std::vector<int, std::allocator<int> >', 'ns::Box<(anonymous namespace)::K>', 'T*&&', 'void (*)(int)', 'double [3]']
SCOPES = ['', 'std::', 'std::__detail::', 'ns::Box<%s>::', '(anonymous namespace)::', 'main::{lambda(%s)#1}::', 'A::B<%s, 3>::']
WORDS = ['f', 'get', 'sort', 'operator()', 'operator<', 'operator->', 'operator<< <%s>', 'operator new', 'operator bool', '~Box', '{lambda(%s)#2}::operator()', 'push_back[abi:cxx11]']
TAILS = ['', ' const', ' &&', ' [clone .isra.0]', ' [clone .cold]']


def name(r):
    kind = r.choice(TYPES)
    text = r.choice(SCOPES) + r.choice(WORDS) + r.choice(['', '', '<%s>', '<%s, (E)2>'])
    while '%s' in text:
        text = text.replace('%s', kind, 1)
    if r.random() < .9:
        text += '(%s)' % ', '.join(r.choice(TYPES) for _ in range(r.randrange(3))) + r.choice(TAILS)
    return (r.choice(['', 'void ', 'decltype(auto) ', 'std::enable_if<%s>::type ' % kind]) if '<' in text else '') + text


def run(*args, codes=(0,)):
    p = subprocess.run(['assay', *args, '-q'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.returncode in codes, (args, p.returncode, p.stderr)
    return p.returncode, p.stdout.decode()


def write(path, stacks):
    with open(path, 'w') as f:
        for stack, n in stacks:
            f.write('%s %d\n' % (';'.join(stack), n))


def callgrind(path, costs):
    with open(path, 'w') as f:
        f.write('events: Ir\n')
        for name, n in costs.items():
            f.write('fl=%s\nfn=%s\n1 %d\n' % ('x.cc' if len(name) % 3 else 'y.cc', name, n))


def bare(answer):
    """An answer without the names in it."""
    if isinstance(answer, dict):
        return {k: bare(v) for k, v in answer.items() if k not in ('function', 'name')}
    return [bare(x) for x in answer] if isinstance(answer, list) else answer


def at_every_level(*args, codes=(0,)):
    first = None
    for level in LEVELS:
        code, out = run(*args, '-f', 'json', '--names', level, codes=codes)
        got = code, bare(json.loads(out)) if out.strip() else None
        first = first or got
        assert got == first, (args, level, first, got)
    return run(*args, '-f', 'json', codes=codes)[1]


for seed in range(1, 3 if os.environ['FEWER'] else 5):
    r = random.Random(seed)
    names = sorted({name(r) for _ in range(60)} | {'main', 'f', 'f<int>(int)', 'f<char>(char)'})
    sides = []
    for path in 'ab':
        costs = {n: r.randrange(1, 1000) for n in names if r.random() < .7}
        callgrind(path + '.cg', costs)
        write(path + '.folded', [([r.choice(names) for _ in range(r.randrange(1, 6))], r.randrange(1, 50)) for _ in range(80)])
        sides.append(costs)
    rows = json.loads(at_every_level('diff', 'a.cg', 'b.cg', '-n', '0', '--clones', 'keep'))['rows']
    got = {row['function']: [row['self'][0]['base'], row['self'][0]['new']] for row in rows}
    assert len(got) == len(rows)
    assert got == {n: [s.get(n, 0) for s in sides] for n in set(sides[0]) | set(sides[1])}, seed
    at_every_level('diff', 'a.cg', 'b.cg', '-n', '0')
    at_every_level('diff', 'a.folded', 'b.folded', '--view', 'tree', '-m', '0%')
    for what in r.sample(names, 3):
        at_every_level('diff', 'a.cg', 'b.cg', '--fail-if', "self(Ir,'%s') > +1%%" % what, codes=(0, 1))
        at_every_level('peek', what, 'a.folded', codes=(0, 1))
        at_every_level('tree', 'a.folded', '--callers', what, codes=(0, 1))
    for what in ['std::', '<', r'\(int', 'operator', '^f', 'lambda', re.escape(r.choice(names))]:
        for filter in ['--focus', '--ignore', '--hide', '--show', '--show-from', '--prune-from'][seed % 2::2]:
            at_every_level('top', 'a.folded', '-n', '0', filter, 'fn:' + what, codes=(0, 1))
    # What is left is what a reader of the file finds, by whole names.
    kept = sum(int(line.rsplit(' ', 1)[1]) for line in open('a.folded') if 'std::' not in line)
    code, out = run('filter', 'a.folded', '--ignore', 'fn:(?-i)std::', '--names', 'short', '-o', '-', '-t', 'folded', codes=(0, 1))
    assert kept == sum(int(line.rsplit(' ', 1)[1]) for line in out.splitlines()), (seed, kept)
    # Rows of one file and object are never shown alike.
    for level in LEVELS:
        rows = json.loads(run('top', 'a.cg', '-n', '0', '-f', 'json', '--names', level)[1])['rows']
        assert len({(row['function'], row['file']) for row in rows}) == len(rows), (seed, level)
EOF
python3 run.py && echo fine
