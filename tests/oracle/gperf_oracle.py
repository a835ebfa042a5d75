#!/usr/bin/env python3
"""An independent reader of gperftools CPU profiles, from spec 000 and research/pprof.md §1 alone.

Figures: period, records, samples, distinct stacks, leaf PCs; self and inclusive per (object, offset in object).
Caller addresses count as return address minus one (not in the Java variant, and never for address 0).
Salvage: whole records are kept, a cut one is dropped and named in `problems`; a file of several profiles is read whole.
`python3 gperf_oracle.py --selfcheck DATA` compares it with data/gperftools/manifest.tsv.
"""
import gzip
import re
import struct
import sys

MAPLINE = re.compile(rb'([0-9a-fA-F]+)-([0-9a-fA-F]+) +([-rwxsp]{3,5}) +([0-9a-fA-F]+) +([0-9a-fA-F]+:[0-9a-fA-F]+) +(\d+)(.*)\Z')
COOKED = re.compile(rb'([0-9a-fA-F]+)-([0-9a-fA-F]+): +(.*?)(?: \(@([0-9a-fA-F]+)\))?\Z')
TEXTSTART = re.compile(rb'[0-9a-fA-F]{4,16}-[0-9a-fA-F]{4,16} [-rwxsp]{4} |[ ]*build=|[0-9a-fA-F]{4,16}-[0-9a-fA-F]{4,16}: ')
JAVALINE = re.compile(rb' *0x([0-9a-fA-F]+) +(.+?)\Z')


class Damaged(Exception):
    pass


class One:
    """One profile of a file."""

    def __init__(self):
        self.bits = self.order = None
        self.words = self.version = self.period = None
        self.records = []           # (count, (pc, ...)) as in the file
        self.trailer = False
        self.binary = 0             # bytes of header, records and trailer
        self.text = b''
        self.maps = []              # (start, end, perms, offset, path)
        self.names = {}             # Java: address -> (function, file, line)
        self.problems = []

    @property
    def samples(self):
        return sum(n for n, _ in self.records)


def detect(d):
    """(bits, order) of the first layout whose header reads 0, words >= 3, version, period, pad."""
    candidates = []
    for bits in (32, 64):
        for order in '<>':
            size = bits // 8
            if len(d) < 5 * size:
                continue
            s = struct.unpack(order + '5' + ('I' if bits == 32 else 'Q'), d[:5 * size])
            if s[0] == 0 and s[1] == 3 and s[2] in (0, 1) and s[3] > 0 and s[4] == 0:
                return bits, order
            if s[0] == 0 and 3 <= s[1] < 1 << 16 and s[2] < 1 << 16 and s[3] < 1 << 32:
                candidates.append((bits, order))
    return candidates[0] if candidates else None


def parse(d, start=0):
    one = One()
    d = d[start:]
    if not d:
        raise Damaged('empty')
    found = detect(d)
    if not found:
        raise Damaged('no profile header')
    one.bits, one.order = found
    size, code = one.bits // 8, 'I' if one.bits == 32 else 'Q'

    def slot(i):
        return struct.unpack_from(one.order + code, d, i * size)[0]
    one.words, one.version, one.period = slot(1), slot(2), slot(3)
    if one.period == 0:
        one.problems.append('period 0')
    if one.words > 3:
        one.problems.append('header of %d words' % one.words)
    pos = 2 + one.words
    slots = len(d) // size
    while True:
        at = pos * size
        if at == len(d):
            one.problems.append('no trailer')
            break
        if TEXTSTART.match(d, at):
            one.problems.append('no trailer before the text')
            break
        if pos + 2 > slots:
            one.problems.append('cut inside a record')
            at = len(d)
            break
        count, depth = slot(pos), slot(pos + 1)
        if depth > slots - pos - 2:
            one.problems.append('record of depth %d is longer than the file' % depth)
            break
        pcs = tuple(slot(pos + 2 + i) for i in range(depth))
        pos += 2 + depth
        if count == 0 and pcs == (0,):
            one.trailer = True
            at = pos * size
            break
        one.records.append((count, pcs))
    one.binary = at
    rest = d[at:]
    # another profile may follow the text
    again = re.search(re.escape(struct.pack(one.order + '3' + code, 0, 3, one.version)), rest) if one.trailer else None
    end = len(rest)
    if again and detect(rest[again.start():]):
        end = again.start()
    one.text = rest[:end]
    build = None
    for raw in one.text.split(b'\n'):
        line = raw[:-1] if raw.endswith(b'\r') else raw
        bare = line.lstrip(b' ')
        if bare.startswith(b'build='):
            build = bare[6:]
    for raw in one.text.split(b'\n'):
        line = raw[:-1] if raw.endswith(b'\r') else raw
        m = MAPLINE.match(line)
        if m:
            path, perms, offset = m.group(7).lstrip(b' '), m.group(3), int(m.group(4), 16)
        else:
            m = COOKED.match(line.lstrip(b' '))
            if not m:
                continue
            path, perms, offset = m.group(3), b'r-xp', int(m.group(4) or b'0', 16)
        path = path.rstrip(b' ')
        if path.endswith(b' (deleted)'):
            path = path[:-10]
        if build is not None:
            path = re.sub(rb'\$build(?![A-Za-z0-9_])', lambda _: build, path)
        one.maps.append((int(m.group(1), 16), int(m.group(2), 16), perms, offset, path))
    if one.version == 1:
        for line in one.text.split(b'\n'):
            m = JAVALINE.match(line)
            if m:
                name = m.group(2).decode('utf-8', 'surrogateescape')
                file = lineno = None
                f = re.match(r'(.*) \((.*):(\d+)\)\Z', name)
                if f:
                    name, file, lineno = f.group(1), f.group(2), int(f.group(3))
                one.names[int(m.group(1), 16)] = (name, file, lineno)
    return one, start + at + end


class File:
    def __init__(self, profiles, symbols=None, binary=None):
        self.profiles, self.symbols, self.binary = profiles, symbols or {}, binary

    @property
    def samples(self):
        return sum(p.samples for p in self.profiles)

    def places(self):
        """{(object or None, offset): [self, inclusive]}, samples without any frame"""
        out, bare = {}, 0
        for p in self.profiles:
            exact = bool(p.names) or bool(self.symbols)
            for count, pcs in p.records:
                if not pcs:
                    bare += count
                keys = [locate(p, pc if i == 0 or exact or pc == 0 else pc - 1) for i, pc in enumerate(pcs)]
                for i, key in enumerate(keys):
                    row = out.setdefault(key, [0, 0])
                    if i == 0:
                        row[0] += count
                    if key not in keys[:i]:
                        row[1] += count
        return out, bare

    def objects(self):
        """{object or None: [self, inclusive]}"""
        out = {}
        for p in self.profiles:
            exact = bool(p.names) or bool(self.symbols)
            for count, pcs in p.records:
                seen = set()
                for i, pc in enumerate(pcs):
                    ob = locate(p, pc if i == 0 or exact or pc == 0 else pc - 1)[0]
                    row = out.setdefault(ob, [0, 0])
                    if i == 0:
                        row[0] += count
                    if ob not in seen:
                        seen.add(ob)
                        row[1] += count
        return out

    def stacks(self):
        """{tuple of (object, offset), leaf first: samples}, adjusted as in places()"""
        out = {}
        for p in self.profiles:
            exact = bool(p.names) or bool(self.symbols)
            for count, pcs in p.records:
                key = tuple(locate(p, pc if i == 0 or exact or pc == 0 else pc - 1) for i, pc in enumerate(pcs))
                out[key] = out.get(key, 0) + count
        return out


def locate(p, address):
    for start, end, perms, offset, path in p.maps:
        if b'x' in perms and start <= address < end:
            return (path.decode('utf-8', 'surrogateescape') or None, address - start + offset)
    return (None, address)


def read_bytes(d):
    if d[:2] == b'\x1f\x8b':
        d = gzip.decompress(d)
    symbols, binary = {}, None
    if d.startswith(b'--- symbol'):
        head, sep, rest = d.partition(b'\n---\n--- profile\n')
        if not sep:
            raise Damaged('--- symbol without --- profile')
        for line in head.split(b'\n')[1:]:
            if line.startswith(b'binary='):
                binary = line[7:].decode('utf-8', 'surrogateescape')
            m = re.match(rb'0x([0-9a-fA-F]+) (.*)\Z', line)
            if m:
                symbols[int(m.group(1), 16)] = m.group(2).decode('utf-8', 'surrogateescape').split('--')
        d = rest
    profiles, pos = [], 0
    while pos < len(d):
        one, pos = parse(d, pos)
        profiles.append(one)
        if not one.trailer:
            break
    if not profiles:
        raise Damaged('empty')
    return File(profiles, symbols, binary)


def read(path):
    with open(path, 'rb') as f:
        return read_bytes(f.read())


def manifest_expectation(text):
    """The `expected figures` column -> dict, or None"""
    m = re.match(r'(\d+)-bit (LE|BE); period (\d+) us; type slot (\d+); (\d+) records; (\d+) samples; (\d+) distinct stacks; '
                 r'(\d+) leaf PCs; max depth (\d+); trailer (yes|NO); binary part (\d+) B, text (\d+) B; top leaf PCs ([^;|]*)', text)
    if not m:
        return None
    keys = ('bits', 'order', 'period', 'version', 'records', 'samples', 'stacks', 'leaves', 'depth', 'trailer', 'binary', 'text')
    out = {k: (int(v) if v.isdigit() else v) for k, v in zip(keys, m.groups())}
    out['top'] = [(int(a, 16), int(b)) for a, b in re.findall(r'(0x[0-9a-f]+)=(\d+)', m.group(13))]
    return out


def figures(p, d):
    leaves = {}
    for n, pcs in p.records:
        if pcs:
            leaves[pcs[0]] = leaves.get(pcs[0], 0) + n
    return {'bits': p.bits, 'order': 'LE' if p.order == '<' else 'BE', 'period': p.period, 'version': p.version,
            'records': len(p.records), 'samples': p.samples, 'stacks': len({s for _, s in p.records}), 'leaves': len(leaves),
            'depth': max([len(s) for _, s in p.records], default=0), 'trailer': 'yes' if p.trailer else 'NO',
            'binary': p.binary, 'text': len(d) - p.binary,
            'top': sorted(leaves.items(), key=lambda x: (-x[1], x[0]))}


def selfcheck(root):
    import os
    n = bad = 0
    with open(os.path.join(root, 'manifest.tsv'), encoding='utf-8', errors='surrogateescape') as f:
        for row in f.read().split('\n')[1:]:
            column = row.split('\t')
            want = manifest_expectation(column[4]) if len(column) > 4 else None
            path = os.path.join(root, column[0])
            if not want:
                if len(column) > 4 and column[0].endswith(('.prof', '.cpu', '.gz')) and os.path.exists(path):
                    try:
                        f = read(path)
                        print('%-40s %d samples %s; manifest: %s' % (column[0], f.samples, f.profiles[0].problems, column[4][:60]))
                    except (Damaged, OSError) as e:
                        print('%-40s %s; manifest: %s' % (column[0], e, column[4][:60]))
                continue
            with open(path, 'rb') as f:
                d = f.read()
            got = figures(read_bytes(d).profiles[0], d)
            n += 1
            for k, v in want.items():
                if k == 'top':
                    ok = all(x in got['top'] for x in v) and [c for _, c in got['top'][:len(v)]] == [c for _, c in v]
                else:
                    ok = got[k] == v
                if not ok:
                    bad += 1
                    print('%-40s %s: here %s, manifest %s' % (column[0], k, str(got[k])[:80], v))
    print('%d profiles, %d differences' % (n, bad))


if __name__ == '__main__':
    if sys.argv[1] == '--selfcheck':
        selfcheck(sys.argv[2])
    else:
        f = read(sys.argv[1])
        for p in f.profiles:
            print(p.bits, p.order, p.period, len(p.records), p.samples, p.problems)
        for k, v in sorted(f.places()[0].items(), key=lambda x: -x[1][0])[:10]:
            print(k[0], hex(k[1]), v)
