# SPDX-License-Identifier: Apache-2.0
"""Random Callgrind texts: the same seed gives the same text."""
import random


class Writer:
    """Random Callgrind text. What it means is not kept: the independent reader says it."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.out = []
        self.ids = r.random() < 0.7
        self.given = {}
        self.relative = r.random() < 0.7
        self.objects = ['/bin/x', '/lib/y.so', '/lib/z z.so', '???'][:r.randint(1, 4)]
        self.files = ['a.c', './b/../b.h', 'c d.c', '???', 'e.cc'][:r.randint(1, 5)]
        names = ['main', 'f', 'g(int, char*)', 'ns::h<A, B>::operator()(int) const', "f'2", '(below main)', 'init', '0x0000000000001130', 'a=b:c', 'né']
        self.functions = []
        for name in names[:r.randint(2, 10)]:
            self.functions.append((r.choice(self.objects), r.choice(self.files), name))
        if r.random() < 0.3:    # one name in two files
            self.functions.append((self.functions[0][0], 'other.c', self.functions[0][2]))
        self.all_events = ['Ir', 'Dr', 'I1mr', 'sysTime'][:r.randint(1, 4)]

    def spec(self, key, value):
        group = {'ob': 'ob', 'cob': 'ob', 'fn': 'fn', 'cfn': 'fn'}.get(key, 'fl')
        text = value[2] if group == 'fn' else value
        if not self.ids:
            self.out.append('%s=%s%s' % (key, self.r.choice(['', '', ' ']), text))
            return
        known = self.given.setdefault(group, {})
        if value in known:
            self.out.append('%s=(%d)' % (key, known[value]))
        else:
            known[value] = len(known) + 1 if self.r.random() < 0.9 else len(known) + 1000000000
            self.out.append('%s=(%d) %s' % (key, known[value], text))

    def number(self, n, hexable=True):
        return '0x%x' % n if hexable and self.r.random() < 0.2 else str(n)

    def position(self, where, base):
        words = []
        for word, n, b in zip(self.positions, where, base):
            if self.relative and self.r.random() < 0.6:
                words.append('*' if n == b else '+' + self.number(n - b) if n > b else '-' + self.number(b - n))
            else:
                words.append(self.number(n))
        return words

    def place(self):
        return [{'instr': lambda: 0x1000 + 4 * self.r.randint(0, 200), 'bb': lambda: 0x1000, 'line': lambda: self.r.randint(1, 400)}[w]() for w in self.positions]

    def costs(self, big=False):
        values = [self.r.choice([0, 1, self.r.randint(0, 50), self.r.randint(0, 1 << (40 if big else 20))]) for _ in self.events]
        if self.r.random() < 0.6:
            while values and values[-1] == 0:
                values.pop()
        return [self.number(v) for v in values]

    def blank(self):
        if self.r.random() < 0.1:
            self.out.append(self.r.choice(['', '# a comment', ' ']))

    def block(self, f):
        r = self.r
        ob, fl, _ = f
        if ob != self.ob or r.random() < 0.2:
            self.spec('ob', ob)
            self.ob = ob
        if fl != self.fl or r.random() < 0.3:
            self.spec('fl', fl)
            self.fl = fl
        self.spec('fn', f)
        file = fl
        for _ in range(r.randint(0, 6)):
            self.blank()
            kind = r.random()
            if kind < 0.15:
                file = r.choice(self.files)
                self.spec(r.choice(['fi', 'fe']), file)
            elif kind < 0.6:
                where = self.place()
                self.out.append(' '.join(self.position(where, self.base) + self.costs(True)))
                self.base = where
            elif kind < 0.9:
                g = r.choice(self.functions)
                order = []
                if g[0] != ob or r.random() < 0.2:
                    order.append(('cob', g[0]))
                if g[1] != file or r.random() < 0.2:
                    order.append((r.choice(['cfi', 'cfi', 'cfl']), g[1]))
                order.append(('cfn', g))
                if r.random() < 0.15:
                    r.shuffle(order)
                    order.sort(key=lambda x: x[0] == 'cob', reverse=True)
                for key, value in order:
                    self.spec(key, value)
                self.out.append('calls=%s %s%s' % (self.number(r.choice([0, 1, 1, r.randint(1, 999)])), ' '.join(self.position(self.place(), self.base)), r.choice(['', ' '])))
                if r.random() < 0.05:
                    self.out.append('')
                self.out.append(' '.join(self.position(self.place(), self.base) + self.costs()))
            else:
                followed = r.randint(0, 50)
                head = r.choice(['jump=%d ' % r.randint(1, 99), 'jcnd=%d/%d ' % (followed, followed + r.randint(0, 50))])
                self.out.append(head + ' '.join(self.position(self.place(), self.base)))
                self.out.append(' '.join(self.position(self.place(), self.base)))
        if file != fl and r.random() < 0.5:
            self.spec('fe', fl)

    def text(self):
        r = self.r
        if r.random() < 0.8:
            self.out.append('# callgrind format')
        self.out += ['version: 1', 'creator: callgrind-3.19.0', 'pid: %d' % r.randint(1, 99999), 'cmd: ./x a b']
        for part in range(1, r.choice([1, 1, 1, 2, 3]) + 1):
            self.out.append('part: %d' % part)
            if r.random() < 0.3:
                self.out.append('desc: Trigger: Client Request: x: "y"')
            self.positions = r.choice([['line'], ['line'], ['instr', 'line'], ['instr'], ['instr', 'bb', 'line'], ['line', 'instr']])
            self.events = r.sample(self.all_events, r.randint(1, len(self.all_events))) if part > 1 else list(self.all_events)
            self.out += ['positions: ' + ' '.join(self.positions), 'events: ' + ' '.join(self.events)]
            self.base = [0] * len(self.positions)
            self.ob = self.fl = None
            self.out.append('')
            for _ in range(r.randint(0, 12)):
                self.block(r.choice(self.functions))
                self.out.append('')
        end = '\r\n' if r.random() < 0.15 else '\n'
        return (end.join(self.out) + (end if r.random() < 0.9 else '')).encode()
