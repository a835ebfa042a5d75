#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ids of a store as docs/formats/store.md has them, by a hash of its own: XXH64 as its specification says, and rows by hand.

Checks the vectors of that page, and those in src/fleet/fleet_rows_test.c, which assay's code makes.
"""
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
M = 2**64 - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotated(v, n):
    return (v << n | v >> 64 - n) & M


def step(acc, lane):
    return rotated((acc + lane * P2) & M, 31) * P1 & M


def xxh64(data):
    at = 0
    if len(data) >= 32:
        lanes = [P1 + P2 & M, P2, 0, -P1 & M]
        while at + 32 <= len(data):
            lanes = [step(v, lane) for v, lane in zip(lanes, struct.unpack_from('<4Q', data, at))]
            at += 32
        acc = sum(rotated(v, n) for v, n in zip(lanes, (1, 7, 12, 18))) & M
        for v in lanes:
            acc = ((acc ^ step(0, v)) * P1 + P4) & M
    else:
        acc = P5
    acc = acc + len(data) & M
    while at + 8 <= len(data):
        acc = (rotated(acc ^ step(0, struct.unpack_from('<Q', data, at)[0]), 27) * P1 + P4) & M
        at += 8
    if at + 4 <= len(data):
        acc = (rotated(acc ^ struct.unpack_from('<I', data, at)[0] * P1 & M, 23) * P2 + P3) & M
        at += 4
    for byte in data[at:]:
        acc = rotated(acc ^ byte * P5 & M, 11) * P1 & M
    acc = (acc ^ acc >> 33) * P2 & M
    acc = (acc ^ acc >> 29) * P3 & M
    return (acc ^ acc >> 32) or 1


def leb(n):
    out = b''
    while n >= 128:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def text(s):
    return leb(len(s.encode())) + s.encode()


def function(func, line, addr, kind):
    """A row of a frame: func, system, start, file, entry, module, buildid, site, line, col, addr, kind."""
    return (text(func) + text('') + struct.pack('<Q', 0) + text('a.c') + struct.pack('<Q', 0) + text('/bin/p') + text('') +
            text('a.c') + struct.pack('<QQQB', line, 0, addr, kind))


def vectors():
    """main of a.c:1 calls f, a.c:2, into which g is inlined, a.c:3; 7 samples, service api, host web1."""
    ids = {}
    ids['FRAME_MAIN'] = xxh64(function('main', 1, 0x10, 0))
    ids['FRAME_FG'] = xxh64(function('f', 2, 0x20, 0) + function('g', 3, 0x20, 8))
    ids['STACK'] = xxh64(leb(2) + struct.pack('<QQ', ids['FRAME_FG'], ids['FRAME_MAIN']))
    ids['SVC'] = xxh64(text('samples') + text('api'))
    ids['HOME'] = xxh64(text('api'))
    ids['SERIES'] = xxh64(text('samples') + text('') + struct.pack('<Q', 0) + text('') + text('') + struct.pack('<IIIB', 0, 0, 0, 0) +
                          text('api') + text('web1') + leb(0) * 4)
    begin = 1795430700
    rows = struct.pack('<HQIQQq', begin // 86400, ids['SVC'], begin, ids['SERIES'], ids['STACK'], 7)
    ids['BATCH'] = xxh64(text('') + text('api') + text('web1') + struct.pack('<qqIQ', begin * 10**9, 0, 0, xxh64(rows)))
    return ids


def main():
    assert [xxh64(b) for b in (b'', b'a', b'abc', bytes(range(101)))] == [
        0xef46db3751d8e999, 0xd24ec4f1a98c6e5b, 0x44bc2cf5ad770999, 0xe99038495f85381e], 'this is not XXH64'
    bad = 0
    for name, value in vectors().items():
        for file in ('src/fleet/fleet_rows_test.c', 'docs/formats/store.md'):
            if not re.search(rf'{name}\W.*{value:016x}', (ROOT / file).read_text()):
                print(f'{file}: {name} should be 0x{value:016x}')
                bad = 1
    return bad


if __name__ == '__main__':
    sys.exit(main())
