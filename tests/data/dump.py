"""Reads `assay dump` (docs/formats/dump.md) back, so that tests can ask what the model holds without going through a writer."""
import re

from tap import assay, want

TOKEN = re.compile(r'(?:([a-z][a-z-]*)=)?"((?:[^"\\]|\\.)*)"|(->|:|;)|([^ ":;]+)')
SELF = re.compile(r'(\d+) ((?:[a-z-]+="(?:[^"\\]|\\.)*"(?: |(?=:)))*)(?:line=(\d+) ?)?(?:addr=0x([0-9a-f]+))?: ([-\d ]+)\Z')
ESCAPE = re.compile(r'\\(?:x([0-9a-f]{2})|(.))')


def text(s):
    raw = bytearray()
    pos = 0
    for m in ESCAPE.finditer(s):
        raw += s[pos:m.start()].encode('utf-8')
        raw += bytes([int(m.group(1), 16)]) if m.group(1) else m.group(2).encode('utf-8')
        pos = m.end()
    raw += s[pos:].encode('utf-8')
    return bytes(raw).decode('utf-8', 'surrogateescape')


class Dump:
    def __init__(self, path, *extra, command=('dump',)):
        r = assay(*command, path, *extra)
        want(r.code == 0, 'dump failed', r)
        self.raw = r.out
        self.shape, self.events, self.parts = [], [], []
        self.self, self.calls, self.jumps, self.samples = [], [], [], []
        self.cache = {}
        self.total, self.meta, self.maps, self.objects, self.derived = [], [], [], [], []
        for line in r.out.decode('utf-8').split('\n'):
            if line:
                self.line(line)

    def line(self, line):
        word, _, rest = line.partition(' ')
        if word == 'self':      # most lines: read quickly
            m = SELF.match(rest)
            if m:
                fields = self.cache.get(m.group(2))
                if fields is None:
                    fields = self.cache[m.group(2)] = {x.group(1): text(x.group(2)) for x in TOKEN.finditer(m.group(2))}
                position = dict(fields)
                if m.group(3):
                    position['line'] = int(m.group(3))
                if m.group(4):
                    position['addr'] = int(m.group(4), 16)
                self.self.append((int(m.group(1)), position, [int(x) for x in m.group(5).split()]))
                return
        tokens = [(m.group(1), text(m.group(2)) if m.group(2) is not None else None, m.group(3), m.group(4)) for m in TOKEN.finditer(rest)]
        if word == 'shape':
            self.shape = rest.split()
        elif word == 'event':
            self.events.append(tokens[0][1])
        elif word in ('derived', 'bare'):
            self.derived.append((tokens[0][1], dict((k, v) for k, v, _, _ in tokens[1:] if k)))
        elif word == 'object':
            self.objects.append((tokens[0][1], rest))
        elif word == 'part':
            n = int(tokens[0][3])
            while len(self.parts) <= n:
                self.parts.append({})
            if len(tokens) > 2 and tokens[1][3] == 'label':     # KEY text="..." or number=...
                k, v, _, plain = tokens[3]
                self.parts[n].setdefault('labels', {})[tokens[2][1]] = v if k else int(plain.partition('=')[2])
                return
            for k, v, sign, plain in tokens[1:]:
                if k:
                    self.parts[n][k] = v
                elif plain and '=' in plain:
                    self.parts[n][plain.split('=')[0]] = plain.split('=')[1]
            if len(tokens) > 1 and tokens[1][3] in ('summary', 'totals', 'events'):
                self.parts[n][tokens[1][3]] = [v if v is not None else int(p) for _, v, _, p in tokens[2:]]
        elif word == 'meta':
            self.meta.append((int(tokens[0][3]), tokens[1][1], tokens[2][1]))
        elif word == 'map':
            self.maps.append(rest)
        elif word == 'total':
            self.total = [int(t[3]) for t in tokens]
        elif word in ('self', 'call', 'jump', 'jcnd', 'sample'):
            part = int(tokens[0][3])
            positions, values, extra = [{}], None, {}
            for k, v, sign, plain in tokens[1:]:
                if values is not None:
                    values.append(int(plain))
                elif sign == ':':
                    values = []
                elif sign:
                    positions.append({})
                elif k:
                    positions[-1][k] = v
                else:
                    name, is_number, value = plain.partition('=')
                    (extra if name == 'count' else positions[-1])[name] = int(value, 0) if is_number else True
            if word == 'self':
                self.self.append((part, positions[0], values))
            elif word == 'call':
                self.calls.append((part, positions[0], positions[1], extra.get('count'), values))
            elif word == 'sample':
                self.samples.append((part, [p for p in positions if p], values))
            else:
                self.jumps.append((part, positions[0], positions[1], word, values))


def function(position):
    """(object, file, name) as the independent reader has it"""
    return position.get('ob'), position.get('fl'), position.get('fn') if isinstance(position.get('fn'), str) else None


def edges(d):
    """{(caller, callee): [count, [costs]]}"""
    out = {}
    for part, a, b, count, values in d.calls:
        row = out.setdefault((function(a), function(b)), [0, [0] * len(values)])
        row[0] += count or 0
        row[1] = [x + y for x, y in zip(row[1], values)]
    return out
