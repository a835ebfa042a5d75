#!/usr/bin/env python3
"""An independent reader of pprof profiles, from profile.proto alone: samples with their stacks and labels, and comments."""
import gzip
import sys
import zlib


class Damaged(Exception):
    pass


def varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Damaged('a number does not end')
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data):
    """(number, value) of each field: an int, or bytes"""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            if at + size > len(data):
                raise Damaged('a field is cut off')
            value, at = data[at:at + size], at + size
        else:
            raise Damaged('wire type %d' % (key & 7))
        yield key >> 3, value


def numbers(value):
    """A repeated number, packed or not."""
    if isinstance(value, int):
        return [value]
    out, at = [], 0
    while at < len(value):
        n, at = varint(value, at)
        out.append(n)
    return out


def signed(n):
    return n - (1 << 64) if n >> 63 else n


class Profile:
    """samples: [(stack, labels, values)], the leaf first; a frame is a name, or of what has none the object and the place in it."""

    def __init__(self, data):
        try:
            raw = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data
        except (OSError, EOFError, zlib.error) as e:
            raise Damaged(str(e)) from e
        if not raw:
            raise Damaged('it is empty')
        rows = {}
        for number, value in fields(raw):
            rows.setdefault(number, []).append(value)
        self.strings = [s.decode('utf-8', 'surrogateescape') for s in rows.get(6, [])]
        if not self.strings or self.strings[0]:
            raise Damaged('the first string is not empty')
        self.types = [self.text(dict(fields(t)).get(1, 0)) for t in rows.get(1, [])]
        self.comments = [self.text(n) for v in rows.get(13, []) for n in numbers(v)]
        self.functions = {f[1]: self.text(f.get(2, 0)) for f in (dict(fields(x)) for x in rows.get(5, []))}
        # what it is of, and what turns an address into one of the file
        self.objects = {m[1]: (self.text(m.get(5, 0)), m.get(4, 0) - m.get(2, 0)) for m in (dict(fields(x)) for x in rows.get(3, []))}
        self.frames = dict(self.frame(x) for x in rows.get(4, []))
        self.samples = [self.sample(x) for x in rows.get(2, [])]

    def text(self, i):
        if i >= len(self.strings):
            raise Damaged('string %d of %d' % (i, len(self.strings)))
        return self.strings[i]

    def frame(self, data):
        one, lines = {}, []
        for number, value in fields(data):
            if number == 4:
                lines.append(self.functions[dict(fields(value)).get(1, 0)])
            else:
                one[number] = value
        name, more = self.objects.get(one.get(2, 0), ('', 0))
        return one[1], tuple(lines) or (name, one.get(3, 0) + more)

    def label(self, data):
        one = dict(fields(data))
        return self.text(one.get(1, 0)), self.text(one[2]) if one.get(2) else signed(one.get(3, 0))

    def sample(self, data):
        stack, values, labels = [], [], []
        for number, value in fields(data):
            if number == 1:
                stack += numbers(value)
            elif number == 2:
                values += [signed(n) for n in numbers(value)]
            elif number == 3:
                labels.append(self.label(value))
        if len(values) != len(self.types):
            raise Damaged('%d values of %d types' % (len(values), len(self.types)))
        try:
            return tuple(self.frames[i] for i in stack), tuple(sorted(labels, key=str)), values
        except KeyError as e:
            raise Damaged('there is no location %s' % e) from e


def read(path):
    with open(path, 'rb') as f:
        return Profile(f.read())


if __name__ == '__main__':
    prof = read(sys.argv[1])
    for stack, labels, values in prof.samples:
        print(values, labels, stack)
