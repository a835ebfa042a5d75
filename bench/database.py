#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a question to a week of a machine takes: 7 epochs, 168 hourly files of stacks, 2,000 images; and the same of addresses.

Stacks are with the names of their functions, and without, as a daemon writes them.
A Markdown table of seconds, on the wall and of the processors, each the least of some runs, and what files there are. The database is generated, the same from the same
--seed, and is kept with --dir.
"""
import argparse
import collections
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time
import zlib

DAYS, HOURS = 7, 24
OWN_FRONT, OWN_TOTAL, OWN_SECTION = 1501, 1502, 1504  # fields of assay's, docs/formats/pprof.md
LEAST, TABLES = 128, 2  # samples of a section; tables behind them


def varint(v):
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
    """One member of gzip in which each section begins anew, with a table of them in its header."""
    z, rows, body = zlib.compressobj(6, zlib.DEFLATED, -15), b'', b''
    for i, text in enumerate(sections):
        packed = z.compress(text) + z.flush(zlib.Z_FINISH if i + 1 == len(sections) else zlib.Z_FULL_FLUSH)
        rows += struct.pack('<III', len(text), len(packed), zlib.crc32(text))
        body += packed
    whole = b''.join(sections)
    return (b'\x1f\x8b\x08\x04' + bytes(5) + b'\x03' + struct.pack('<H2sH', 4 + len(rows), b'aS', len(rows)) + rows + body +
            struct.pack('<II', zlib.crc32(whole), len(whole)))


def in_sections(samples, n_images):
    """(mappings, samples) of each section: (message, count) of SAMPLES by the mapping that they end in."""
    got, few = [], None
    for image in range(1, n_images + 1):
        if image not in samples:
            continue
        if len(samples[image]) >= LEAST:
            got.append(([image], samples[image]))
            continue
        if few is None:
            few = ([], [])
            got.append(few)
        few[0].append(image)
        few[1].extend(samples[image])
        few = None if len(few[1]) >= LEAST else few
    return got


def in_tables(sections, rows_of_one):
    """Of each location the section that it stands in, of SECTIONS or of the tables behind them; how many tables there are; and those that sections need."""
    order = sorted(range(len(sections)), key=lambda i: -len(sections[i][1]))
    needed = [{at for stack, *_ in rows for at in stack} for _, rows in sections]
    first, several = {}, set()
    for i in order:
        several.update(at for at in needed[i] if first.setdefault(at, i) != i)
    shares = collections.Counter(first[at] for at in several)
    table, n_tables, rows = {}, 0, 0
    for i in order:
        if shares[i] and (not n_tables or (rows >= 8 * LEAST and n_tables < TABLES)):
            n_tables, rows = n_tables + 1, 0
        rows += shares[i] * rows_of_one
        table[i] = len(sections) + max(n_tables - 1, 0)
    place = {at: table[i] if at in several else i for at, i in first.items()}
    return place, n_tables, [sorted({place[at] for at in ats & several}) for ats in needed]


def hour(args, rng, images, named):
    """A pprof profile of stacks in some of the images, in sections, as the daemon writes it."""
    s = Strings()
    front = [message(1, number(1, s('samples')) + number(2, s('count'))), message(1, number(1, s('cpu')) + number(2, s('nanoseconds')))]
    used = list(range(args.images // 8)) + sorted(rng.sample(range(args.images // 8, args.images), args.images // 8))
    functions = [(image, k) for image in used for k in range(8)]
    for i, image in enumerate(used, 1):
        base = 0x100000000 + (i << 24)
        front.append(message(3, number(1, i) + number(2, base) + number(3, base + (1 << 24)) + number(5, s(images[image])) +
                            number(6, s('%040x' % (image * 7919)))))
    front.append(message(11, number(1, s('cpu')) + number(2, s('nanoseconds'))) + number(12, 10101010))
    at = {image: i for i, image in enumerate(used, 1)}
    total, samples = 0, {}
    ways = random.Random(args.seed)  # a machine does the same all week: most stacks come again
    pool = [[1 + int(ways.random() ** 2 * len(functions)) % len(functions) for _ in range(ways.randrange(4, 24))] for _ in range(2 * args.stacks)]
    for _ in range(args.stacks):
        process = rng.randrange(200)
        stack = rng.choice(pool)
        n = 1 + int(rng.expovariate(0.05))
        total += n
        labels = (message(3, number(1, s('comm')) + number(2, s('process%d' % (process % 50)))) +
                  message(3, number(1, s('pid')) + number(3, 1000 + process)))
        samples.setdefault(at[functions[stack[0] - 1][0]], []).append((stack, n, labels))
    front.append(s.new())
    sections = in_sections(samples, len(used))
    place, n_tables, needs = in_tables(sections, 3 if named else 1)
    tables = range(len(sections), len(sections) + n_tables)
    ids = {where: i for i, where in enumerate((where for k in [*tables, *range(len(sections))] for where in sorted(place) if place[where] == k), 1)}
    head = b''.join(front) + message(OWN_TOTAL, varint(total) + varint(total * 10101010))
    bodies = []
    for k in range(len(sections) + n_tables):
        maps, rows = sections[k] if k < len(sections) else ([], [])
        body = [message(2, message(1, b''.join(varint(ids[where]) for where in stack)) + message(2, varint(n) + varint(n * 10101010)) + labels)
                for stack, n, labels in rows]
        here = sorted(where for where in place if place[where] == k)
        for where in here:
            image = functions[where - 1][0]
            address = 0x100000000 + (at[image] << 24) + 0x1000 * (functions[where - 1][1] + 1)
            line = message(4, number(1, ids[where])) if named else b''
            body.append(message(4, number(1, ids[where]) + number(2, at[image]) + number(3, address) + line))
        strings = len(s.at)
        for where in here if named else []:
            body.append(message(5, number(1, ids[where]) + number(2, s('f%d_%d' % functions[where - 1]))))
        n = sum(n for _, n, _ in rows)
        head += message(OWN_SECTION, (number(1, len(rows)) if rows else b'') + message(2, varint(n) + varint(n * 10101010)) +
                        (message(3, b''.join(map(varint, maps))) + message(4, b''.join(varint(t + 1) for t in needs[k])) if rows else b'') +
                        (number(5, len(s.at) - strings) if named else b''))
        bodies.append(b''.join(body) + s.new())
    return sections_gzip([number(OWN_FRONT, len(head)) + head, *bodies])


def image_file(rng, path, image, day):
    """A DCPI profile of an image."""
    head = ''.join('%-20s %s\n' % line for line in (
        ('version', 'pdb-0.07'), ('image', '%040x' % (image * 7919)), ('epoch', '26112%d0000' % day), ('platform', 'box'), ('event', 'cpu'),
        ('period', '10101010'), ('tstart', '0'), ('tsize', 1 << 32), ('cpuspeed', '0'), ('path', path), ('stride', '1')))
    head += 'samples' + ' ' * (-(len(head) + 8) % 4) + '\n'
    rows = sorted(rng.sample(range(0x1000, 0x100000), rng.randrange(1, 60)))
    counts = [1 + int(rng.expovariate(0.1)) for _ in rows]
    words = [w for row, n in zip(rows, counts) for w in (row, 1, n)] + [len(rows), sum(counts)]
    return head.encode() + struct.pack('<%dI' % len(words), *words)


def generate(args, root):
    images = ['/usr/lib/part%d/lib%d.so.1' % (i % 97, i) for i in range(args.images)]
    for day in range(DAYS):
        for kind in ('stacks', 'nameless'):
            rng = random.Random(args.seed * 1000 + day)
            epoch = root / kind / 'box' / ('202611%02d0000' % (20 + day))
            epoch.mkdir(parents=True)
            for h in range(HOURS):
                (epoch / ('202611%02dT%02d0000Z-3600.pb.gz' % (20 + day, h))).write_bytes(hour(args, rng, images, kind == 'stacks'))
        folder = root / 'flat' / 'box' / epoch.name / ('202611%02dT000000Z-86400.dcpi' % (20 + day))
        folder.mkdir(parents=True)
        names = []
        for i, path in enumerate(images):
            name = os.path.basename(path) + '-cpu.dcpi'
            (folder / name).write_bytes(image_file(rng, path, i, day % 10))
            names.append('%s\t%s\n' % (name, path))
        (folder / 'images').write_text(''.join(names))


def least(runs, words):
    """Seconds on the wall, and of the processors: the least of each."""
    best = None
    for _ in range(runs):
        before = time.monotonic()
        p = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        if p.returncode:
            raise subprocess.CalledProcessError(p.returncode, words)
        now = time.monotonic() - before, used.ru_utime + used.ru_stime
        best = now if best is None else tuple(map(min, best, now))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--assay', default='build/src/cli/assay')
    parser.add_argument('--dir', help='keep the database here, and use the one that is here')
    parser.add_argument('--images', type=int, default=2000)
    parser.add_argument('--stacks', type=int, default=5000, help='in a file; default 5000')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    os.environ['ASSAY_SYMBOLS'] = 'none'
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(args.dir or scratch)
        if not (root / 'flat').exists():
            print('generating', file=sys.stderr, flush=True)
            generate(args, root)
        print('| question | files | MB | s | CPU s |\n| --- | ---: | ---: | ---: | ---: |')
        all_of = ['--epoch', 'all']
        of_stacks = ([], all_of, [*all_of, '--process', 'process7'], [*all_of, '--image', r'lib7\.so'], [*all_of, '--image', r'lib1999\.so'])
        of_flat = ([], all_of, ['--image', r'lib7\.so'], [*all_of, '--image', r'lib7\.so'])
        for kind, words in [(k, w) for k in ('stacks', 'nameless') for w in of_stacks] + [('flat', w) for w in of_flat]:
            files = [p for p in (root / kind).rglob('*') if p.is_file()]
            took = least(args.runs, [args.assay, 'top', str(root / kind), '-n', '20', *words])
            print('| top %s %s | %d | %.1f | %.3f | %.3f |' % (
                kind, ' '.join(words), len(files), sum(p.stat().st_size for p in files) / 1e6, *took), flush=True)


main()
