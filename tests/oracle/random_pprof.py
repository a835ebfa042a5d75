# SPDX-License-Identifier: Apache-2.0
"""Random profile.proto files: the same seed gives the same file.

They have what makes readers differ: inlined lines, code without names or mappings, functions of one name, recursion,
names of files that are not clean, several sample types and units, drop_frames, a default sample type.
"""
import gzip
import random

TYPES = [
    [('samples', 'count'), ('cpu', 'nanoseconds')],
    [('inuse_objects', 'count'), ('inuse_space', 'bytes')],
    [('alloc_space', 'bytes')],
    [('contentions', 'count'), ('delay', 'nanoseconds')],
    [('x', 'widgets'), ('y', 'milliseconds'), ('z', 'kilobytes')],
]
NAMES = ['main', 'work', 'operator new', 'std::foo(int)', '(anonymous namespace)::f(long)', 'f', 'g', 'h', 'malloc', 'runtime.main',
         'a b', 'é', 'operator()(int)', '.dot']
FILES = ['', 'a.c', './b/../c.c', '/usr/src//x.h', 'b.c']
OBJECTS = ['/bin/prog', '/lib/libz.so', '[vdso]']
DROP = ['malloc|operator new', '.*f.*', 'runtime\\..*', 'g|h|main']


def varint(n):
    out = b''
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n) if n else b''


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


class Strings:
    def __init__(self):
        self.all = ['']

    def __call__(self, text):
        if text not in self.all:
            self.all.append(text)
        return self.all.index(text)


def mappings(r, s, n):
    """Each of its own file: else nobody could tell where an address was."""
    return b''.join(message(3, number(1, i + 1) + number(2, 0x10000 * (i + 1)) + number(3, 0x10000 * (i + 1) + 0x8000) +
                            number(4, r.choice([0, 0, 0x1000])) + number(5, s(OBJECTS[i])) + number(6, s(r.choice(['', 'abc%d' % i]))))
                    for i in range(n))


def location(r, i, n_maps, n_funcs):
    at = r.randint(0, n_maps)
    n_lines = r.choice([0, 1, 1, 1, 2, 3]) if at else r.choice([1, 1, 2, 3])
    lines = b''.join(message(4, number(1, r.randint(1, n_funcs)) + number(2, r.choice([0, 1, 2, 9]))) for _ in range(n_lines))
    address = 0x10000 * at + r.randint(1, 0x7fff) if at else r.choice([0, r.randint(1, 200)])
    return message(4, number(1, i + 1) + number(2, at) + number(3, address) + lines)


def sample(r, s, types, n_locs, signs):
    stack = b''.join(number(1, r.randint(1, n_locs)) for _ in range(r.choice([1, 2, 3, 4, 5, 6, 8])))
    scale = r.choice([1, 10, 10 ** 6, 10 ** 9]) if r.random() < .3 else 1000
    values = b''.join(varint(2 << 3) + varint(r.choice([0, 1, 1, 2, 5, 17, 300]) * (scale if k else 1) * r.choice(signs) % 2 ** 64) for k in range(len(types)))
    label = message(3, number(1, s('key')) + number(2, s(r.choice(['va', 'vb'])))) if r.random() < .3 else b''
    return message(2, stack + values + label + b''.join(more_labels(r, s)))


def more_labels(r, s):
    """Several values of a key, texts and numbers of one, with and without units."""
    for _ in range(r.choice([0, 0, 0, 1, 2, 3])):
        key = r.choice(['key', 'key', 'bytes', 'request'])
        if r.random() < .4:
            yield message(3, number(1, s(key)) + number(2, s(r.choice(['va', 'vb', 'v,c']))))
        else:
            yield message(3, number(1, s(key)) + number(3, r.choice([1, 5, 1024, 3000, 10 ** 7])) + number(4, s(r.choice(['', 'bytes', 'ms', 'odd']))))


def make(seed, signs=(1,)):
    """The bytes of a file; values have one of the SIGNS"""
    r, s = random.Random(seed), Strings()
    types = r.choice(TYPES)
    n_maps, n_funcs, n_locs = r.randint(0, 3), r.randint(1, 10), r.randint(1, 14)
    out = b''.join(message(1, number(1, s(t)) + number(2, s(u))) for t, u in types)
    out += mappings(r, s, n_maps)
    out += b''.join(message(5, number(1, i + 1) + number(2, s(r.choice(NAMES))) + number(3, s(r.choice(NAMES))) +
                            number(4, s(r.choice(FILES))) + number(5, r.choice([0, 0, 3, 7]))) for i in range(n_funcs))
    out += b''.join(location(r, i, n_maps, n_funcs) for i in range(n_locs))
    out += b''.join(sample(r, s, types, n_locs, signs) for _ in range(r.randint(1, 25)))
    if r.random() < .4:
        out += number(7, s(r.choice(DROP))) + number(8, s(r.choice(['', 'malloc', 'f'])))
    if r.random() < .4:
        out += number(10, r.choice([1, 5 * 10 ** 9, 3600 * 10 ** 9, 1234567]))
    if r.random() < .3:
        out += number(13, s('a comment')) + number(13, s('# hidden'))
    if r.random() < .3:
        out += number(14, s(types[0][0]))
    return gzip.compress(out + b''.join(message(6, text.encode()) for text in s.all))
