#!/usr/bin/env python3
"""The golden DCPI profile of research/dcpi.md §a4, byte for byte from its text, without assay.

Header: values in column 21 (counted from 0; only that gives the document's 324 bytes), 324 bytes including one pad blank after `samples`; then two chunks and the footer as the
document prints them in hexadecimal.  `make_dcpi.py OUT` writes it; `golden()` returns it.
"""
import struct
import sys

HEADER = [('version', 'pdb-0.07'), ('image', '19970328081403c0c18b'), ('epoch', '9612042334'), ('platform', 'walnut'),
          ('event', 'cycles'), ('period', '63488'), ('tstart', '120000000'), ('tsize', '8388608'), ('cpuspeed', '333'),
          ('path', '/usr/local/bin/xemacs')]
BODY = """
    b8cb0600 01000000 1d000000   d0cb0600 07000000 0a000000 01000000 02000000 00000000 03000000 00000000 02000000
    06000000 2f000000
"""
ROWS = {0x12006cbb8: 29, 0x12006cbd0: 10, 0x12006cbd4: 1, 0x12006cbd8: 2, 0x12006cbe0: 3, 0x12006cbe8: 2}


def golden():
    header = ''.join('%-21s%s\n' % (key, value) for key, value in HEADER) + 'samples \n'
    data = header.encode('ascii')
    assert len(data) == 324, len(data)
    body = bytes.fromhex(''.join(BODY.split()))
    assert len(body) == 56 and len(data) % 4 == 0
    return data + body


def make(header, chunks, pad=True, footer=None):
    """Any DCPI file: header = [(key, value)], chunks = [(offset, [counts])]."""
    head = ''.join('%-21s%s\n' % kv for kv in header).encode('utf-8', 'surrogateescape') + b'samples'
    head += b' ' * (-(len(head) + 1) % 4 if pad else 0) + b'\n'
    body = b''.join(struct.pack('<%dI' % (2 + len(c)), o, len(c), *c) for o, c in chunks)
    if footer is None:
        footer = sum(1 for _, c in chunks for n in c if n), sum(sum(c) for _, c in chunks) & 0xffffffff
    return head + body + struct.pack('<2I', *footer)


if __name__ == '__main__':
    with open(sys.argv[1], 'wb') as out:
        out.write(golden())
