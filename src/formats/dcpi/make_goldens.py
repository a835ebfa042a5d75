#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the golden DCPI profiles, from the format's description and without assay.

make_goldens.py [FOLDER]   (default: golden, beside this script)

Every name says what is in the file; docs/formats/dcpi.md says what it is for.
"""
import pathlib
import struct
import sys

HEADER = [
    ('version', 'pdb-0.07'), ('image', '19970328081403c0c18b'), ('epoch', '9612042334'), ('platform', 'walnut'),
    ('event', 'cycles'), ('period', '63488'), ('tstart', '120000000'), ('tsize', '8388608'), ('cpuspeed', '333'),
    ('path', '/usr/local/bin/xemacs')]
CHUNKS = [(0x6cbb8, [29]), (0x6cbd0, [10, 1, 2, 0, 3, 0, 2])]


def make(header=HEADER, chunks=CHUNKS, footer=None, end=None, extra=b''):
    """header: pairs, or a text for a whole line. chunks: (offset, counts) or bytes."""
    head = ''.join(line if isinstance(line, str) else '%-21s%s\n' % line for line in header).encode('latin-1')
    if end is None:
        end = b'samples' + b' ' * (-(len(head) + 8) % 4) + b'\n'
    body = b''
    counts = []
    for chunk in chunks:
        if isinstance(chunk, bytes):
            body += chunk
            continue
        body += struct.pack('<%dI' % (2 + len(chunk[1])), chunk[0], len(chunk[1]), *chunk[1])
        counts += chunk[1]
    if footer is None:
        footer = sum(1 for n in counts if n), sum(counts) & 0xffffffff
    return head + end + body + struct.pack('<2I', *footer) + extra


def without(key):
    return [line for line in HEADER if line[0] != key]


def changed(key, value):
    return [(line[0], value) if line[0] == key else line for line in HEADER]


def more(*lines):
    return HEADER + list(lines)


FILES = {
    'manual': make(),
    'empty': make(chunks=[]),
    'version_006': make(changed('version', 'pdb-0.06')),
    'version_005': make(changed('version', 'pdb-0.05')),
    'version_101': make(changed('version', 'pdb-1.01')),
    'no_version': make(without('version')),
    'no_tstart': make(without('tstart')),
    'no_platform': make(without('platform')),
    'period_zero': make(changed('period', '0')),
    'event_twice': make(more(('event', 'imiss'))),
    'two_paths': make(more(('path', '/usr/bin/xemacs'))),
    'hex_prefix': make(changed('tstart', '0x120000000')),
    'tstart_high': make(changed('tstart', 'ffffffff80000000')),
    'tstart_behind': make(changed('tstart', 'ffffffffffff0000')),
    'tstart_large': make(changed('tstart', '1ffffffff80000000')),
    'tsize_bad': make(changed('tsize', 'large')),
    'epoch_bad': make(changed('epoch', '9613042334')),
    'epoch_14': make(changed('epoch', '19961204233459')),
    'unknown_lines': make(more(('note', 'kept \xe9 '), 'tab\tkept\n', ('note', 'kept \xe9 '))),
    'malformed_line': make(more('alone\n')),
    'unaligned': make(end=b'samples\n'),
    'crlf': make(end=b'samples\r\n'),
    'no_end': make()[:300],
    'active': make(more(('active', '2500'))),
    'active_all': make(more(('active', '10000'))),
    'stride_1': make(more(('stride', '1')), [(0x10, [1]), (0x11, [2]), (0x13, [3])]),
    'chunk_empty': make(chunks=CHUNKS + [(0x7000, [])]),
    'chunk_zero': make(chunks=CHUNKS + [(0x70000, [0, 0])]),
    'chunk_long': make(chunks=[CHUNKS[0], struct.pack('<3I', 0x6cbd0, 0xffffffff, 1)], footer=(1, 29)),
    'chunk_order': make(chunks=CHUNKS[::-1]),
    'chunk_align': make(chunks=[(0x6cbb9, [29, 1])]),
    'outside_text': make(changed('tsize', '4096')),
    'footer_differs': make(footer=(6, 48)),
    'footer_wrapped': make(chunks=[(0x10, [0xffffffff, 8])]),
    'cut': make()[:-20],
    'cut_footer': make()[:-4],
    'more_bytes': make(extra=b'\n'),
}
# What cannot come back as it was, and why.
LOSSY = {
    'no_version': 'the missing line is added',
    'no_tstart': 'the missing line is added',
    'no_platform': 'the missing line is added',
    'event_twice': 'the line too many is dropped',
    'hex_prefix': 'the prefix is dropped',
    'tsize_bad': 'the line is corrected',
    'version_005': 'it is written as pdb-0.07',
    'footer_wrapped': 'its total has more than 32 bits, and is not written again',
    'chunk_long': 'it is damaged',
    'cut': 'it is damaged',
    'cut_footer': 'it is damaged',
}


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent / 'golden'
    for name, data in FILES.items():
        (folder / f'{name}.dcpi').write_bytes(data)
        if name in LOSSY:
            (folder / f'{name}.dcpi.lossy').write_text(LOSSY[name] + '\n')


if __name__ == '__main__':
    main()
