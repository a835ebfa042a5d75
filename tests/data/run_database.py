#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Questions to random databases, which are answered without reading all of them, against the same questions to all of their files,
and to one file that `assay merge` makes of these.

ASSAY_DATABASES=N asks N databases (default 25); ASSAY_SEED has another seed.
"""
import gzip
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import zlib

ASSAY = os.environ['ASSAY']
DATABASES = int(os.environ.get('ASSAY_DATABASES', '25'))
SEED = int(os.environ.get('ASSAY_SEED', '7'))
OWN_FRONT, OWN_TOTAL, OWN_SECTION = 1501, 1502, 1504
QUESTIONS = [[], ['--sort', 'inclusive'], ['--image', 'lib1'], ['--image', 'lib[23]'], ['--image', 'lib0', '--relative'],
             ['--image', 'lib4', '--image', 'nowhere'], ['--object', 'lib9'], ['--image', '.'], ['--process', 'p1'], ['--process', '102'],
             ['--unit', 'u0.service', '--image', 'lib[0-4]'], ['--label', 'unit=u1.service'], ['--process', 'p7'], ['--image', 'nothing'],
             ['--image', 'lib1', '--focus', 'f1'], ['--by', 'object'], ['--by', 'object', '--image', 'lib2'], ['--by', 'file'], ['--by', 'line'],
             ['--by', 'address', '--image', 'lib[1-3]'], ['--by', 'label:unit'], ['--by', 'label:unit', '--image', 'lib3'], ['--by', 'label', '--process', 'p0']]

# Other commands read no more of a database than the choice, either. Each with the forms that name no file, but for 'files' in JSON.
COMMANDS = [(['tree'], ['text', 'json', 'csv']), (['tree', '--bottom-up'], ['text']), (['traces'], ['text', 'json']), (['peek', 'f1'], ['text', 'json']),
            (['list', 'f[12]'], ['json']), (['flame'], ['text']), (['lines'], ['csv']),
            (['stats', 'DB', 'DB'], ['csv']), (['diff', 'DB', 'DB', '--normalize', 'total'], ['csv'])]
CHOICES = [['--image', 'lib1'], ['--process', 'p1'], ['--unit', 'u0.service', '--image', 'lib[0-4]'], ['--label', 'unit=u1.service'],
           ['--thread', 'p2'], ['--thread', 'p2', '--process', '102'], ['--image', 'nothing'], ['--image', 'lib[12]', '--relative'],
           ['--image', 'lib1', '--tagroot', 'comm']]

FILTERS = ['--image', '--object', '--process', '--unit', '--label']


def varint(v):
    v &= (1 << 64) - 1
    got = bytearray()
    while v > 127:
        got.append(v & 127 | 128)
        v >>= 7
    got.append(v)
    return bytes(got)


def number(field, v):
    return varint(field << 3) + varint(v)


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


class Strings:
    def __init__(self):
        self.at, self.done = {'': 0}, 0

    def __call__(self, text):
        return self.at.setdefault(text, len(self.at))

    def new(self):
        texts = list(self.at)[self.done:]
        self.done = len(self.at)
        return b''.join(message(6, text.encode()) for text in texts)


def sections_gzip(sections):
    """One member of gzip in which each section begins anew, with a table of them in its header: docs/formats/pprof.md."""
    z, rows, body = zlib.compressobj(1, zlib.DEFLATED, -15), b'', b''
    for i, text in enumerate(sections):
        packed = z.compress(text) + z.flush(zlib.Z_FINISH if i + 1 == len(sections) else zlib.Z_FULL_FLUSH)
        rows += struct.pack('<III', len(text), len(packed), zlib.crc32(text))
        body += packed
    whole = b''.join(sections)
    return (b'\x1f\x8b\x08\x04' + bytes(5) + b'\x03' + struct.pack('<H2sH', 4 + len(rows), b'aS', len(rows)) + rows + body +
            struct.pack('<II', zlib.crc32(whole), len(whole)))


class Kind:
    """What the files of a database have in common."""

    def __init__(self, rng):
        self.named = rng.random() < 0.6
        self.mixed = rng.random() < 0.3
        self.ids = rng.choice(['all', 'none', 'some'])
        self.types = rng.choice([['samples/count'], ['samples/count', 'cpu/nanoseconds'], ['a/count', 'b/bytes', 'c/count']])
        self.fronts = rng.choice(['all', 'none', 'some'])
        self.labels = rng.random() < 0.8
        self.squares = rng.random() < 0.5


def profile(rng, kind):
    """A pprof profile. Some are in sections, as assay's daemon writes them."""
    s = Strings()
    types = list(kind.types) if rng.random() < 0.8 else rng.sample(kind.types, len(kind.types))
    head = b''.join(message(1, number(1, s(t.split('/')[0])) + number(2, s(t.split('/')[1]))) for t in types)
    head += message(11, number(1, s('cpu')) + number(2, s('nanoseconds'))) + number(12, 10000000)
    if rng.random() < 0.5:
        head += number(14, s(types[0].split('/')[0]))
    maps = []
    for i in sorted(rng.sample(range(10), rng.randrange(1, 7))):
        build = '%040x' % (i + 1) if kind.ids == 'all' or (kind.ids == 'some' and rng.random() < 0.5) else ''
        maps.append((i, build))
        if rng.random() < 0.1:
            maps.append((i, '' if build else '%040x' % (i + 1)))
    rng.shuffle(maps)
    for k, (i, build) in enumerate(maps, 1):
        head += message(3, number(1, k) + number(2, k << 24) + number(3, (k + 1) << 24) + number(5, s('/usr/lib/lib%d.so' % i)) + number(6, s(build)))
    if kind.squares:
        head += number(13, s('assay: squares of their samples: %d' % rng.randrange(2000, 9000)))
    front = s.new()
    functions, locations, n_locations = [], [], 0
    map_of = {0: 0}
    n_functions = 0
    for k in [0, *range(1, len(maps) + 1)]:
        for j in range(rng.randrange(1, 5)):
            lines = b''
            named = kind.named or (kind.mixed and rng.random() < 0.5)
            for _ in range(rng.choice([1, 1, 1, 2, 3]) if named else 0):
                n_functions += 1
                name = rng.choice(['f%d' % rng.randrange(6), 'ns::f%d(int)' % rng.randrange(3), 'ns::f%d(long)' % rng.randrange(3)])
                texts = [s(name), s(rng.choice(['', name])), s(rng.choice(['', 'a.c', 'b.c']))]
                text = b''.join(number(2 + i, at) for i, at in enumerate(texts))
                functions.append((message(5, number(1, n_functions) + text + number(5, rng.choice([0, 7]))), n_locations, texts))
                lines += message(4, number(1, n_functions) + number(2, rng.randrange(5)))
            n_locations += 1
            locations.append(message(4, number(1, n_locations) + number(2, k) + number(3, (k << 24) + 64 * (j + 1)) + lines))
            map_of[n_locations] = k
    samples, total = [], [0] * len(types)
    for _ in range(rng.choice([0, 1, 5, 60])):
        stack = [rng.randrange(1, n_locations + 1) for _ in range(rng.choice([0, 1, 2, 5, 9]))]
        values = [rng.randrange(0, 20) for _ in types]
        total = [a + b for a, b in zip(total, values)]
        labels, texts = b'', []
        if kind.labels and rng.random() < 0.9:
            pid = rng.randrange(4)
            labels += message(3, number(1, s('comm')) + number(2, s('p%d' % pid))) + message(3, number(1, s('pid')) + number(3, 100 + pid))
            texts += [s('comm'), s('p%d' % pid), s('pid')]
            if rng.random() < 0.7:
                labels += message(3, number(1, s('unit')) + number(2, s('u%d.service' % (pid % 3))))
                texts += [s('unit'), s('u%d.service' % (pid % 3))]
        sample = message(2, b''.join(number(1, at) for at in stack) + message(2, b''.join(map(varint, values))) + labels)
        samples.append((map_of[stack[0] if stack else 0], stack, values, sample, texts))
    first, strings = s.done, [message(6, text.encode()) for text in list(s.at)[s.done:]]
    if kind.fronts == 'all' or (kind.fronts == 'some' and rng.random() < 0.5):
        return in_sections(rng, len(types), message(OWN_TOTAL, b''.join(map(varint, total))) + head + front, samples, locations, functions, first, strings)
    data = head + front + b''.join(row[3] for row in samples) + b''.join(locations) + b''.join(text for text, *_ in functions) + b''.join(strings)
    return gzip.compress(data, 1, mtime=0) if rng.random() < 0.9 else data


def in_sections(rng, n_types, front, samples, locations, functions, first, strings):
    """SAMPLES by the mappings that they end in, some of these together; locations with them, or behind all, where functions and STRINGS are,
    FIRST and those behind it. That is one section, of which older files say nothing, or some tables."""
    maps = sorted({row[0] for row in samples})
    rng.shuffle(maps)
    groups, left = [], list(maps)
    while left:
        n = rng.randrange(1, 4)
        groups.append(left[:n])
        left = left[n:]
    n_tables = rng.choice([0, 1, 2, 4])
    tables = [b''] * max(n_tables, 1)
    loc_at, func_at = ([rng.randrange(len(tables)) for _ in rows] for rows in (locations, functions))
    str_at = sorted(rng.randrange(len(tables)) for _ in strings)
    users = [{i for i, group in enumerate(groups) for m, stack, *_ in samples if m in group and at in stack} for at in range(1, len(locations) + 1)]
    bodies = []
    for i, group in enumerate(groups):
        rows = [row for row in samples if row[0] in group]
        sums = [sum(column) for column in zip(*(values for _, _, values, *_ in rows))]
        stacks = {at for row in rows for at in row[1]}
        mine = [k for k, (_, at, _) in enumerate(functions) if at + 1 in stacks]
        texts = {at - first for k in mine for at in functions[k][2]} | {at - first for row in rows for at in row[4]}
        needs = {loc_at[at - 1] for at in stacks if len(users[at - 1]) > 1} | {func_at[k] for k in mine} | {str_at[at] for at in texts if at >= 0}
        said = number(1, len(rows)) + message(2, b''.join(map(varint, sums))) + message(3, b''.join(map(varint, group)))
        front += message(OWN_SECTION, said + (message(4, b''.join(varint(len(groups) + t + 1) for t in needs)) if n_tables else b''))
        bodies.append(b''.join(row[3] for row in rows) + b''.join(text for text, of in zip(locations, users) if of == {i}))
    for t in range(len(tables)):
        tables[t] = (b''.join(text for text, of, at in zip(locations, users, loc_at) if len(of) != 1 and at == t) +
                     b''.join(text for (text, *_), at in zip(functions, func_at) if at == t) +
                     b''.join(text for text, at in zip(strings, str_at) if at == t))
    for t in range(n_tables):
        front += message(OWN_SECTION, message(2, bytes(n_types)) + number(5, str_at.count(t)))
    return sections_gzip([number(OWN_FRONT, len(front)) + front, *bodies, *tables])


def generate(rng, root):
    """A database; its files, but for those that are damaged, which it leaves out, and how many these are."""
    kind, n_damaged = Kind(rng), 0
    files = []
    for day in range(rng.randrange(1, 4)):
        epoch = root / 'box' / ('202611%02d0000' % (20 + day))
        epoch.mkdir(parents=True)
        for h in range(rng.choice([1, 2, 5, 12])):
            data = profile(rng, kind)
            path = epoch / ('202611%02dT%02d0000Z-3600.pb.gz' % (20 + day, h))
            # Of a file in sections no more may be read, so its damage is not seen.
            if files and data[:1] == b'\x1f' and kind.fronts == 'none' and rng.random() < 0.05:
                at = len(data) // 2
                data = data[:at] + bytes([data[at] ^ 0xff]) + data[at + 1:]
                n_damaged += 1
            else:
                files.append(str(path))
            path.write_bytes(data)
    return kind, files, n_damaged


def ask(words):
    ran = subprocess.run([ASSAY, *words], capture_output=True, timeout=120, check=False)
    return ran.returncode, ran.stdout, ran.stderr


def answer(words, form):
    """(status, what it says but for the names of files)"""
    status, text, said = ask([*words, '-f', form])
    if form == 'json' and status == 0:
        tree = json.loads(text)
        del tree['profile']['files']
        text = json.dumps(tree).encode()
    return status, text, said


def without_damaged(got, n):
    lines = got[2].splitlines()
    rest = [line for line in lines if not line.endswith(b'; it is left out')]
    return got[0], got[1], b''.join(line + b'\n' for line in rest) if len(lines) == len(rest) + n else got[2] + b'not told once for each'


def differences(root, files, n_damaged, others, words):
    bad = []
    # Names are shortened as far as they are told apart from others of the answer, which has fewer here.
    words = [*words, '--names', 'full'] if any(word in words for word in FILTERS) else words
    for form in ('text', 'json', 'csv'):
        fast = without_damaged(answer(['top', str(root), '--epoch', 'all', *words, '-n', '0'], form), n_damaged)
        for slow in [files, *others]:
            want = answer(['top', *slow, *words, '-n', '0'], form)
            if fast != want:
                bad.append('%s, %s:\n%s\n%s' % (' '.join(words), form, fast, want))
    return bad


def asked_of(command, path):
    return [path if word == 'DB' else word for word in command] if 'DB' in command else [*command, path]


def command_differences(root, one, command, form, choice):
    fast = answer([*asked_of(command, str(root)), '--epoch', 'all', *choice, '--names', 'full'], form)
    want = answer([*asked_of(command, str(one)), *choice, '--names', 'full'], form)
    fast, want = ((got[0], *(re.sub(rb'\S+\.pb\.gz(?: and \d+ more)?', b'DB', text) for text in got[1:])) for got in (fast, want))
    return [] if fast == want else ['%s, %s:\n%s\n%s' % (' '.join([*command, *choice]), form, fast, want)]


def main():
    os.environ['ASSAY_SYMBOLS'] = 'none'
    print('1..%d' % DATABASES)
    failed = False
    for i in range(DATABASES):
        rng = random.Random(SEED * 1000 + i)
        bad = []
        with tempfile.TemporaryDirectory() as scratch:
            root, one = pathlib.Path(scratch, 'db'), pathlib.Path(scratch, 'one.pb.gz')
            kind, files, n_damaged = generate(rng, root)
            status, _, said = ask(['merge', *files, '-o', str(one)])
            if status:
                bad.append('merge: %d %s' % (status, said))
            for words in QUESTIONS:
                # Code without names is told by its addresses, which are others where mappings had to move.
                names = kind.named and 'address' not in words
                bad += differences(root, files, n_damaged, [[str(one)]] if names else [], words)
            for command, forms in COMMANDS if kind.named and not n_damaged else []:
                form, choice = rng.choice(forms), rng.choice(CHOICES)
                bad += command_differences(root, one, command, form, choice)
        for text in bad[:3]:
            print('# ' + text.replace('\n', '\n# '))
        print('%s %d - database %d' % ('not ok' if bad else 'ok', i + 1, i))
        failed |= bool(bad)
    return 1 if failed else 0


sys.exit(main())
