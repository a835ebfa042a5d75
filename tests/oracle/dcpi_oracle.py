#!/usr/bin/env python3
"""An independent reader of DCPI profiles 0.06 and 0.07, from spec 002 and research/dcpi.md §a3 alone."""
import gzip
import re
import struct
import sys

REQUIRED = ('version', 'image', 'epoch', 'platform', 'event', 'period', 'tstart', 'tsize', 'cpuspeed')


class Damaged(Exception):
    pass


class Profile:
    def __init__(self, lines, chunks, footer):
        self.lines, self.chunks, self.footer = lines, chunks, footer

    def get(self, key):
        for k, v in self.lines:
            if k == key:
                return v
        return None

    def offsets(self, stride=4):
        """{offset: count}, zero counts left out"""
        out = {}
        for offset, counts in self.chunks:
            for i, n in enumerate(counts):
                if n:
                    out[offset + stride * i] = out.get(offset + stride * i, 0) + n
        return out

    def addresses(self, stride=4):
        start = int(self.get('tstart') or '0', 16)
        return {start + o: n for o, n in self.offsets(stride).items()}


def read_bytes(data):
    lines, pos = [], 0
    while True:                                         # <header> : <line>+ "samples" [ \t]* "\n"
        end = data.find(b'\n', pos)
        if end < 0:
            raise Damaged('header does not end')
        line, pos = data[pos:end], end + 1
        if re.match(rb'samples[ \t]*\Z', line):
            break
        m = re.match(rb'([^ \t]+)[ \t]+([^ \t].*)\Z', line, re.S)
        if not m:
            raise Damaged('malformed header line %r' % line)
        lines.append((m.group(1).decode('utf-8', 'surrogateescape'), m.group(2).decode('utf-8', 'surrogateescape')))
    if not lines:
        raise Damaged('no header lines')
    version = dict(reversed(lines)).get('version')
    if version and not re.match(r'pdb-0\.', version):
        raise Damaged('version %s' % version)
    body = data[pos:]
    if len(body) < 8 or len(body) % 4:
        raise Damaged('body of %d bytes' % len(body))
    words = struct.unpack('<%dI' % (len(body) // 4), body)
    chunks, i, last = [], 0, -1
    while len(words) - i > 2:                           # <samples> : <chunk>* <footer>
        if len(words) - i < 5:
            raise Damaged('no room for a chunk at word %d' % i)
        offset, number = words[i], words[i + 1]
        if number == 0 or number > len(words) - 2 - i - 2:
            raise Damaged('chunk of %d counts at word %d' % (number, i))
        if offset <= last:
            raise Damaged('chunks out of order at word %d' % i)
        chunks.append((offset, list(words[i + 2:i + 2 + number])))
        last, i = offset, i + 2 + number
    p = Profile(lines, chunks, (words[i], words[i + 1]))
    have = sum(1 for _, c in chunks for n in c if n), sum(sum(c) for _, c in chunks)
    if have != p.footer:
        raise Damaged('footer %s, found %s' % (p.footer, have))
    return p


def read(path):
    with (gzip.open if str(path).endswith('.gz') else open)(path, 'rb') as f:
        return read_bytes(f.read())


if __name__ == '__main__':
    prof = read(sys.argv[1])
    for k, v in prof.lines:
        print('%-21s%s' % (k, v))
    for address, n in sorted(prof.addresses().items()):
        print('0x%012x %d' % (address, n))
