#!/usr/bin/env python3
"""An independent reader of the Callgrind and Cachegrind text format.

It shares no code with assay.  The rules are those of research/callgrind.md, §1.2 (grammar), §1.3 (state machine)
and §1.7 (inclusive cost), and it is written for clarity, not for speed.  It is checked by `selfcheck()` (run this file
with `--selfcheck DATA`) against the figures of data/callgrind/manifest.tsv and against KCachegrind's own
output (`*.cgview.txt`).

KCachegrind's inclusive rule, exactly (reproduces every row of every .cgview.txt of files that KCachegrind reads whole):

  Per part p and function F (an edge whose caller is F itself is "self-recursive"):
    called_p(F) = sum of the counts of all incoming edges of F in p, the self-recursive one included (calls=0 adds 0)
    called_p(F) > 0:  incl_p(F) = sum of the incoming edges' cost, without the self-recursive edge
    otherwise:        incl_p(F) = self_p(F) + sum of the outgoing edges' cost, without the self-recursive edge
  F in no cycle:  incl(F) = sum over the parts of incl_p(F); the choice is made part by part.
  Cycles: strongly connected components, of two functions or more, of the graph over all parts; every edge counts,
    also one of cost 0 or count 0.  A function that only calls itself is no cycle.
  Member m of cycle C:  incl(m) = self(m) + sum of m's outgoing edges whose callee is not in C
                        called(m) = sum of all incoming counts, the inner ones too
  The cycle C itself:   self(C) = sum of self(m);  incl(C) = sum of incl(m), that is self(C) + the calls that leave C
                        called(C) = sum of the counts of the calls that enter C

One case in which KCachegrind's figure is not worth keeping: a function whose only caller is itself (edge/e43) gets
inclusive 0 there, below its own self cost.  `inclusive(kc_exact=False)` is assay's rule: for each
event the larger of what comes in and self + what goes out; where nobody else calls it, the latter.
"""
import gzip
import re
import sys

ID = re.compile(r'\((\d+)\)[ \t]*(.*)\Z', re.S)
SPECS = {'ob', 'fl', 'fi', 'fe', 'fn', 'cob', 'cfi', 'cfl', 'cfn', 'jfi', 'jfn', 'frfn'}
GROUP = {'ob': 'ob', 'cob': 'ob', 'fl': 'fl', 'fi': 'fl', 'fe': 'fl', 'cfi': 'fl', 'cfl': 'fl', 'jfi': 'fl',
         'fn': 'fn', 'cfn': 'fn', 'jfn': 'fn', 'frfn': 'fn'}
SPEC = re.compile(r'([a-z]+)=[ \t]*(.*)\Z', re.S)
HEADER = re.compile(r'([A-Za-z][A-Za-z0-9_]*(?: \(BB\))?):[ \t]*(.*)\Z', re.S)
NUM = r'(?:0[xX][0-9a-fA-F]+|\d+)'
SUBPOS = re.compile(r'(?:\*|([+-]?)(' + NUM + r')(?:[-+:](' + NUM + r'))?)\Z')
COUNT = re.compile(r'(-?)(' + NUM + r')\Z')
NEWPART = {'part', 'pid', 'thread', 'positions', 'events'}
RESET = {'version', 'creator'}


def number(text):
    return int(text, 16) if text[:2] in ('0x', '0X') else int(text)


class Binding:
    """What one name (or one id, until it is given another name) stands for."""
    __slots__ = ('name', 'homes', 'id')

    def __init__(self, name, ident=None):
        self.name = name        # None while the id is used but not defined
        self.homes = []         # (object, file) of its fn= blocks, in order
        self.id = ident


class Part:
    def __init__(self):
        self.header = []        # (key, value) in order
        self.events = None      # names
        self.positions = ['line']
        self.summary = None
        self.totals = None

    def get(self, key):
        for k, v in self.header:
            if k == key:
                return v
        return None


class Profile:
    def __init__(self):
        self.parts = []
        self.events = []        # names, in order of first appearance
        self.warnings = []      # (line number, text)
        self.lines = {'cost': 0, 'call': 0, 'jump': 0}
        self.costs = []         # (part, binding, home, file, line, addr, {event: count}, (object,))
        self.calls = []         # (part, caller ref, callee ref, count, {event: count}, site, target)
        self.jumps = []         # (part, ref, site (file, line, addr), kind, executed, followed, target (ref?, file, line, addr))
        self.eventdefs = []     # values of event: lines

    # --- derived -------------------------------------------------------------------------------------------
    def resolve(self):
        """Names of functions: (object, file, name) triples; None = unknown."""
        def own(ref):           # a block's function
            b, ob, fl = ref
            return (ob, fl, b.name if b.name else None)

        def called(ref):        # a callee: its own blocks know better than the call site
            b, ob, fl = ref
            if b.id is not None and b.homes and (ob, fl) not in b.homes:
                ob, fl = b.homes[0]
            return (ob, fl, b.name if b.name else None)

        self.fself, self.fself_part = {}, {}
        self.functions = {}     # triple -> True when it has a self cost line
        cache = {}
        for part, ref, file, line, addr, cost, ob in self.costs:
            rows = cache.get((part, ref))
            if rows is None:
                f = own(ref)
                self.functions[f] = True
                rows = cache[part, ref] = self.fself.setdefault(f, {}), self.fself_part.setdefault((part, f), {})
            for e, n in cost.items():
                for row in rows:
                    row[e] = row.get(e, 0) + n
        self.edges, self.edges_part = {}, {}    # (caller, callee) -> [count, {event: cost}]
        for part, ref, callee, count, cost, site, target in self.calls:
            key = own(ref), called(callee)
            for f in key:
                self.functions.setdefault(f, False)
            for table, k in ((self.edges, key), (self.edges_part, (part,) + key)):
                row = table.setdefault(k, [0, {}])
                row[0] += count
                for e, n in cost.items():
                    row[1][e] = row[1].get(e, 0) + n
        self.jumpsums = {}      # (function, site, kind, target) -> [executed, followed]
        for part, ref, site, kind, executed, followed, (tref, tfile, tline, taddr) in self.jumps:
            key = own(ref), site, kind, called(tref) if tref else None, (tfile, tline, taddr)
            row = self.jumpsums.setdefault(key, [0, 0])
            row[0] += executed
            row[1] += followed
        return self

    def vector(self, cost):
        return [cost.get(e, 0) for e in self.events]

    def total(self):
        out = {}
        for row in self.fself.values():
            for e, n in row.items():
                out[e] = out.get(e, 0) + n
        return self.vector(out)

    def graph(self, rename=None):
        """(self, self per part, edges, edges per part), functions renamed if asked (folding of contexts)."""
        if rename is None:
            return self.fself, self.fself_part, self.edges, self.edges_part
        out = {}, {}, {}, {}
        for table, source, key in ((out[0], self.fself, lambda k: rename(k)),
                                   (out[1], self.fself_part, lambda k: (k[0], rename(k[1])))):
            for k, row in source.items():
                new = table.setdefault(key(k), {})
                for e, n in row.items():
                    new[e] = new.get(e, 0) + n
        for table, source, key in ((out[2], self.edges, lambda k: (rename(k[0]), rename(k[1]))),
                                   (out[3], self.edges_part, lambda k: (k[0], rename(k[1]), rename(k[2])))):
            for k, (count, row) in source.items():
                new = table.setdefault(key(k), [0, {}])
                new[0] += count
                for e, n in row.items():
                    new[1][e] = new[1].get(e, 0) + n
        return out

    def inclusive(self, rename=None, cycles=True, kc_exact=True):
        """{function: (inclusive vector, self vector, called)}, [(members, inclusive, self, called)]"""
        fself, fself_part, edges, edges_part = self.graph(rename)
        n = len(self.events)
        functions = {rename(f) if rename else f for f in self.functions}
        component, members = ({}, []) if not cycles else components(functions, edges)

        into, out = {}, {}
        for (part, a, b), (count, cost) in edges_part.items():
            into.setdefault((part, b), []).append((a, count, cost))
            out.setdefault((part, a), []).append((b, count, cost))
        rows = {}
        for f in functions:
            rows[f] = [[0] * n, self.vector(fself.get(f, {})), 0]
        for f, row in rows.items():
            c = component.get(f)
            for part in range(len(self.parts)):
                incoming, outgoing = into.get((part, f), []), out.get((part, f), [])
                called = sum(x[1] for x in incoming)
                row[2] += called
                own = self.vector(fself_part.get((part, f), {}))
                comes, goes = [0] * n, list(own)
                for x in incoming:
                    if x[0] != f:
                        add(comes, self.vector(x[2]))
                for x in outgoing:
                    if x[0] != f and (c is None or component.get(x[0]) != c):
                        add(goes, self.vector(x[2]))
                if c is not None:
                    add(row[0], goes)
                elif kc_exact:
                    add(row[0], comes if called > 0 else goes)
                elif all(x[0] == f for x in incoming):
                    add(row[0], goes)
                else:
                    add(row[0], [max(x, y) for x, y in zip(comes, goes)])
        groups = []
        for i, group in enumerate(members):
            incl, own, called = [0] * n, [0] * n, 0
            for f in group:
                add(incl, rows[f][0])
                add(own, rows[f][1])
            for (a, b), (count, _) in edges.items():
                if component.get(b) == i and component.get(a) != i:
                    called += count
            groups.append((group, incl, own, called))
        return {f: tuple(r) for f, r in rows.items()}, groups


def add(into, other):
    for i, n in enumerate(other):
        into[i] += n


def components(functions, edges):
    """Strongly connected components of two members or more (Tarjan, without recursion)."""
    follow = {}
    for a, b in edges:
        if a != b:
            follow.setdefault(a, []).append(b)
    index, low, onstack, stack, result = {}, {}, set(), [], []
    for root in functions:
        if root in index:
            continue
        work = [(root, iter(follow.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        onstack.add(root)
        while work:
            f, it = work[-1]
            for g in it:
                if g not in index:
                    index[g] = low[g] = len(index)
                    stack.append(g)
                    onstack.add(g)
                    work.append((g, iter(follow.get(g, ()))))
                    break
                if g in onstack:
                    low[f] = min(low[f], index[g])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[f])
                if low[f] == index[f]:
                    group = []
                    while True:
                        g = stack.pop()
                        onstack.discard(g)
                        group.append(g)
                        if g == f:
                            break
                    if len(group) > 1:
                        result.append(group)
    component = {f: i for i, group in enumerate(result) for f in group}
    return component, result


def fold(name):
    """`f'2`, `f'caller'callercaller` (callgrind's recursion levels and contexts) -> `f`.  Callgrind's own suffixes only:
    a quote that opens the name or follows `::`, a blank, a bracket or a comma belongs to the name ('lambda'(), {closure 'x'})."""
    if name is None:
        return None
    i = 1
    while True:
        i = name.find("'", i)
        if i <= 0:
            return name
        if name[i - 1] not in ":(,{ <&*['" and i + 1 < len(name):
            return name[:i]
        i += 1


def frames(name):
    """The path that callgrind's name states, outermost caller first: `f'2'main'start` -> start, main, f. The level of
    recursion is no frame."""
    out = []
    while name is not None:
        own = fold(name)
        if not (len(out) == 1 and own.isdigit() and int(own) > 1):
            out.append(own)
        name = name[len(own) + 1:] if len(own) < len(name) else None
    return tuple(reversed(out))


def fold_recursion(name):
    """Of a file that callgrind did not write, only `f'2`: its other quotes are part of names (<method 'add' of 'set' objects>)."""
    return None if name is None else re.sub(r"'\d+\Z", '', name) or name


class Reader:
    def __init__(self):
        self.p = Profile()
        self.part = None
        self.fresh()
        self.newpart()

    def fresh(self):            # a new file begins: ids and names start anew
        self.ids = {'ob': {}, 'fl': {}, 'fn': {}}
        self.plain = {'ob': {}, 'fl': {}, 'fn': {}}

    def newpart(self):
        old = self.part
        self.part = Part()
        self.p.parts.append(self.part)
        if old:                 # values of missing headers are those of the part before
            self.inherited = {k: old.get(k) for k in ('pid', 'cmd', 'creator', 'version')}
        self.base = None
        self.ob = None
        self.fl = None          # the function's file
        self.file = None        # the file of the next cost lines
        self.fl_seen = False
        self.fn = None          # (binding, object, file)
        self.cob = self.cfi = self.cfn = None
        self.cob_set = self.cfi_set = False
        self.jfi = self.jfn = None
        self.jfi_set = False
        self.pending = None
        self.body = False

    def warn(self, text):
        self.p.warnings.append((self.lineno, text))

    # --- names ---------------------------------------------------------------------------------------------
    def name(self, key, value):
        group = GROUP[key]
        value = value.rstrip(' \t')
        m = ID.match(value)
        if not m:
            b = self.plain[group].get(value)
            if b is None:
                b = self.plain[group][value] = Binding(value)
            return b
        ident, text = int(m.group(1)), m.group(2)
        b = self.ids[group].get(ident)
        if text == '':
            if b is None:
                b = self.ids[group][ident] = Binding(None, ident)
            if b.name is None:
                self.warn('id (%d) used before it is defined' % ident)
            return b
        if b is None or (b.name is not None and b.name != text):
            if b is not None:
                self.warn('id (%d) redefined' % ident)
            b = self.ids[group][ident] = Binding(text, ident)
        elif b.name is None:
            b.name = text
        return b

    def text(self, b):          # of an object or file: resolved late, so keep the binding
        return b

    # --- positions -----------------------------------------------------------------------------------------
    def subpositions(self, tokens, want):
        n = len(self.part.positions)
        base = self.base or [0] * n
        values = []
        for i in range(min(want, n)):
            if i >= len(tokens):
                break
            m = SUBPOS.match(tokens[i])
            if not m:
                return None
            if tokens[i][0] == '*':
                values.append(base[i])
            else:
                v = number(m.group(2))
                values.append(base[i] + v if m.group(1) == '+' else base[i] - v if m.group(1) == '-' else v)
        return values

    def place(self, values):
        line = addr = None
        for word, v in zip(self.part.positions, values):
            if word == 'line':
                line = v
            elif word == 'instr':
                addr = v
        return line, addr

    def counts(self, tokens):
        cost = {}
        names = self.part.events or []
        for i, t in enumerate(tokens):
            if t == '.':
                n = 0
            else:
                m = COUNT.match(t)
                if not m:
                    raise ValueError('not a count: %r' % t)
                n = number(m.group(2))
                if n >= 1 << 64:
                    self.warn('count over 64 bits')
                if m.group(1):
                    n = -n
            if i >= len(names):
                self.warn('more counts than events')
                break
            cost[names[i]] = cost.get(names[i], 0) + n
        return cost

    # --- lines ---------------------------------------------------------------------------------------------
    def line(self, text):
        s = text.lstrip(' \t')
        if s.strip(' \t') == '':
            return
        if s[0] == '#':
            if s.startswith('# callgrind format') and self.part.events is not None:
                self.newpart()
                self.fresh()
            return
        if s[0] in '0123456789+-*':
            return self.cost(s)
        m = SPEC.match(s)
        if m:
            if m.group(1) in SPECS:
                self.body = True
                return self.spec(m.group(1), m.group(2))
            if m.group(1) in ('calls', 'rcalls', 'jump', 'jcnd'):
                self.body = True
                return self.assoc(m.group(1), m.group(2))
            self.warn('unknown line')
            return
        m = HEADER.match(s)
        if m:
            return self.header(m.group(1), m.group(2))
        self.warn('unknown line')

    def header(self, key, value):
        value = value.rstrip(' \t') if key not in ('cmd', 'desc') else value
        if self.part.events is not None and (key in NEWPART and (self.body or key == 'events' or self.part.get(key) is not None)
                                             or key in RESET):
            self.newpart()
            if key in RESET:
                self.fresh()
        part = self.part
        if key == 'events':
            part.events = value.split()
            for e in part.events:
                if e not in self.p.events:
                    self.p.events.append(e)
        elif key == 'positions':
            part.positions = value.split()
        elif key in ('summary', 'totals'):
            nums = [number(t) if t[:1] != '-' else -number(t[1:]) for t in value.split() if COUNT.match(t)]
            setattr(part, key, nums)
        elif key == 'event':
            self.p.eventdefs.append(value)
        part.header.append((key, value))

    def spec(self, key, value):
        b = self.name(key, value)
        if key == 'ob':
            self.ob = b
        elif key == 'fl' or (key in ('fi', 'fe') and not self.fl_seen):
            self.fl = self.file = b
            self.fl_seen = self.fl_seen or key == 'fl'
        elif key in ('fi', 'fe'):
            self.file = b
        elif key == 'fn':
            self.file = self.fl
            self.fn = (b, self.ob, self.fl)
            if (self.ob, self.fl) not in b.homes:
                b.homes.append((self.ob, self.fl))
        elif key == 'cob':
            self.cob, self.cob_set = b, True
        elif key in ('cfi', 'cfl'):
            self.cfi, self.cfi_set = b, True
            self.cfi_fresh = True
        elif key == 'cfn':
            if self.cfi_set and not getattr(self, 'cfi_fresh', False):
                self.cfi_set = False            # left over from a cfn= that had no call
            self.cfi_fresh = False
            self.cfn = b
        elif key == 'jfi':
            self.jfi, self.jfi_set = b, True
        elif key == 'jfn':
            self.jfn = b

    def assoc(self, key, value):
        if self.pending:
            self.warn('%s= without its line' % self.pending[0])
        tokens = value.split()
        try:
            if key in ('calls', 'rcalls'):
                count = number(tokens[0]) if COUNT.match(tokens[0]) else 0
                target = self.subpositions(tokens[1:], 99) or []
                self.pending = (key, count, target)
            elif key == 'jump':
                self.pending = (key, (number(tokens[0]), number(tokens[0])), self.subpositions(tokens[1:], 99) or [])
            elif '/' in tokens[0]:
                followed, executed = tokens[0].split('/')
                self.pending = (key, (number(executed), number(followed)), self.subpositions(tokens[1:], 99) or [])
            else:               # the spec's wording
                self.pending = (key, (number(tokens[0]), number(tokens[1])), self.subpositions(tokens[2:], 99) or [])
        except (ValueError, IndexError):
            self.warn('bad %s=' % key)

    def cost(self, s):
        if self.part.events is None:
            self.warn('cost before events:')
            return
        self.body = True
        tokens = s.split()
        n = len(self.part.positions)
        values = self.subpositions(tokens, n)
        if values is None:
            raise ValueError('bad position in %r' % s)
        rest = tokens[len(values):]
        values += (self.base or [0] * n)[len(values):]
        line, addr = self.place(values)
        if self.fn is None:
            self.fn = (self.name('fn', ''), self.ob, self.fl)
        elif self.fn[0].id is None and self.fn[2] is not self.fl:
            self.fn = (self.fn[0], self.fn[1], self.fl)     # fl= without a new fn=: a plain name goes with the file
        if self.pending is None:
            self.p.lines['cost'] += 1
            self.base = values
            self.p.costs.append((len(self.p.parts) - 1, self.fn, self.file, line, addr, self.counts(rest), self.ob))
            return
        key, count, target = self.pending
        self.pending = None
        tline, taddr = self.place(target)
        if key in ('calls', 'rcalls'):
            self.p.lines['call'] += 1
            cob = self.cob if self.cob_set else self.ob
            cfi = self.cfi if self.cfi_set else self.file
            cfn = self.cfn or self.name('cfn', '')
            self.p.calls.append((len(self.p.parts) - 1, self.fn, (cfn, cob, cfi), count, self.counts(rest),
                                 (self.file, line, addr), (tline, taddr)))
            self.cob_set = self.cfi_set = False
        else:
            self.p.lines['jump'] += 1
            tref = (self.jfn, self.ob, self.jfi if self.jfi_set else self.file) if self.jfn else None
            self.p.jumps.append((len(self.p.parts) - 1, self.fn, (self.file, line, addr), key, count[0], count[1],
                                 (tref, self.jfi if self.jfi_set else self.file, tline, taddr)))
            self.jfi_set, self.jfn = False, None

    def read(self, data):
        if data[:2] == b'\x1f\x8b':
            data = gzip.decompress(data)
        text = data.decode('utf-8', 'surrogateescape')
        for i, line in enumerate(text.split('\n')):
            self.lineno = i + 1
            self.line(line[:-1] if line.endswith('\r') else line)
        if self.pending:
            self.warn('%s= without its line' % self.pending[0])
        self.p.parts = [x for x in self.p.parts if x.header or x.events is not None] or self.p.parts[:1]
        self.unbind()
        return self.p.resolve()

    def unbind(self):           # objects and files become their names, now that every id is known
        def n(b):
            return None if b is None or not b.name else b.name

        refs = {}

        def ref(r):
            if r not in refs:
                refs[r] = r[0], n(r[1]), n(r[2])
            return refs[r]
        seen = set()
        for table in (self.p.costs, self.p.calls, self.p.jumps):
            for row in table:
                for r in (row[1], row[2] if table is self.p.calls else None, row[6][0] if table is self.p.jumps else None):
                    if r and id(r[0]) not in seen:
                        seen.add(id(r[0]))
                        r[0].homes = [(n(o), n(f)) for o, f in r[0].homes]
        self.p.costs = [(p, ref(r), n(f), l, a, c, n(o)) for p, r, f, l, a, c, o in self.p.costs]
        self.p.calls = [(p, ref(r), ref(c), k, cost, (n(s[0]),) + s[1:], t) for p, r, c, k, cost, s, t in self.p.calls]
        self.p.jumps = [(p, ref(r), (n(s[0]),) + s[1:], kind, e, f, (ref(t[0]) if t[0] else None, n(t[1]), t[2], t[3]))
                        for p, r, s, kind, e, f, t in self.p.jumps]


def read(path):
    with open(path, 'rb') as f:
        return Reader().read(f.read())


def read_bytes(data):
    return Reader().read(data)


# --- its own proof ----------------------------------------------------------------------------------------------

def manifest_expectation(text):
    """The `own reader` column -> dict, or None when it states no figures."""
    if not text.startswith('parts '):
        return None
    out = {}
    for item in text.split('; '):
        for label in ('parts', 'events', 'positions', 'functions with self cost', 'edges', 'sum of self', 'summary', 'totals',
                      'oracle warnings'):
            if item.startswith(label + ' ') or item == label:
                out[label] = item[len(label) + 1:]
        m = re.match(r'cost lines (\d+), call lines (\d+), jump lines (\d+)', item)
        if m:
            out['lines'] = tuple(map(int, m.groups()))
    # summaries of several parts are joined by ";" without a blank
    return out


def figures(p):
    functions = sum(1 for f, has in p.functions.items() if has)
    return {'parts': str(len(p.parts)), 'events': ' '.join(p.events), 'positions': ' '.join(p.parts[0].positions),
            'functions with self cost': str(functions), 'edges': str(len(p.edges)),
            'sum of self': ' '.join(map(str, p.total())) if p.costs else '',
            'summary': ';'.join(' '.join(map(str, x.summary)) if x.summary is not None else '-' for x in p.parts),
            'totals': ';'.join(' '.join(map(str, x.totals)) if x.totals is not None else '-' for x in p.parts),
            'lines': (p.lines['cost'], p.lines['call'], p.lines['jump'])}


def read_cgview(path):
    """totals in order, [(inclusive, self, called, name, object)], number of loader messages"""
    totals, rows, messages = [], [], 0
    with open(path, encoding='utf-8', errors='surrogateescape') as f:
        mode = ''
        for line in f:
            line = line.rstrip('\n')
            if line.startswith('Totals for'):
                mode = 'totals'
            elif line.startswith(' ====='):
                mode = 'rows'
            elif line.startswith('--- loader'):
                messages = int(re.search(r'count (\d+)', line).group(1))
                mode = ''
            elif line.startswith('Sorted by'):
                mode = ''
            elif mode == 'totals' and line.strip():
                m = re.match(r' *([\d ]+?)   \S', line)
                totals.append(int(m.group(1).replace(' ', '')))
            elif mode == 'rows' and line.strip():
                m = re.match(r'(.{14}) (.{13}) (.{12})  (.*) \((.*)\)\Z', line)
                if not m:       # wide numbers
                    m = re.match(r' *(\d[\d ]*?) {2,}(\d[\d ]*?) {2,}(\d[\d ]*?)  (.*) \((.*)\)\Z', line)
                rows.append(tuple(int(m.group(i).replace(' ', '') or 0) for i in (1, 2, 3)) + (m.group(4), m.group(5)))
    return totals, rows, messages


def compare_cgview(p, path):
    """Every row of KCachegrind's list against `inclusive()`.  [text of each difference]"""
    totals, rows, _ = read_cgview(path)
    bad = []
    if totals[:len(p.events)] != p.total():
        bad.append('totals %s, KCachegrind %s' % (p.total(), totals))
    functions, cycles = p.inclusive()
    have = {}
    for (ob, fl, name), (incl, own, called) in functions.items():
        key = (name or '', '' if ob in (None, '???') else ob)   # KCachegrind shows the unknown object as nothing
        have.setdefault(key, []).append((incl[0], own[0], called))
    groups = sorted((g[1][0], g[2][0], g[3]) for g in cycles)
    for incl, own, called, name, ob in rows:
        if re.match(r'<cycle \d+>\Z', name):
            if (incl, own, called) in groups:
                groups.remove((incl, own, called))
            else:
                bad.append('KCachegrind %s %d/%d x%d, cycles here %s' % (name, incl, own, called, groups))
            continue
        got = have.get((name, ob), [])
        if (incl, own, called) not in got:
            bad.append('KCachegrind %s (%s) %d/%d x%d, here %s' % (name, ob, incl, own, called, got))
    return bad, len(rows)


def selfcheck(root):
    import os
    import time
    differences = rows = files = 0
    with open(os.path.join(root, 'manifest.tsv'), encoding='utf-8', errors='surrogateescape') as f:
        lines = f.read().split('\n')[1:]
    for text in lines:
        if not text:
            continue
        column = text.split('\t')
        path = os.path.join(root, column[0])
        if not os.path.exists(path):
            continue
        start = time.time()
        try:
            p = read(path)
        except ValueError as e:
            print('%-50s %s; manifest: %s' % (column[0], e, column[3][:60]))
            continue
        want, got = manifest_expectation(column[3]), figures(p)
        files += 1
        if want is None:
            print('%-50s manifest: %s; here %s' % (column[0], column[3], got['sum of self']))
        else:
            for key, value in want.items():
                if key == 'oracle warnings':
                    got[key] = str(len(p.warnings))
                if got[key] != value:
                    differences += 1
                    print('%-50s %s: here %s, manifest %s' % (column[0], key, got[key], value))
        view = path + '.cgview.txt'
        if os.path.exists(view):
            bad, n = compare_cgview(p, view)
            rows += n
            for b in bad[:6]:
                print('%-50s %s' % (column[0], b))
            if bad:
                print('%-50s %d of %d rows differ from KCachegrind' % (column[0], len(bad), n))
        if time.time() - start > 10:
            print('%-50s took %.1f s' % (column[0], time.time() - start))
    print('%d files, %d differences from the manifest, %d rows of KCachegrind compared' % (files, differences, rows))


if __name__ == '__main__':
    if sys.argv[1] == '--selfcheck':
        selfcheck(sys.argv[2])
    else:
        prof = read(sys.argv[1])
        for k, v in figures(prof).items():
            print('%s: %s' % (k, v))
        for no, w in prof.warnings[:10]:
            print('line %d: %s' % (no, w))
