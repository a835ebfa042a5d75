#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the inputs in golden/: an encoder of its own, so that what it writes does not depend on assay's."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent / 'golden'


def varint(v):
    v &= (1 << 64) - 1
    out = b''
    while v >= 0x80:
        out += bytes([v & 0x7f | 0x80])
        v >>= 7
    return out + bytes([v])


def num(field, v):
    return varint(field << 3) + varint(v)


def text(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def packed(field, values):
    return text(field, b''.join(varint(v) for v in values))


def message(field, *parts):
    return text(field, b''.join(parts))


STRINGS = ['', 'samples', 'count', 'cpu', 'nanoseconds', 'main', '_main', 'a.c', 'inner', 'leaf', '/bin/prog',
           'c0ffee', 'thread', 'worker', 'bytes', 'a comment', 'https://example.org/doc', 'runtime.*', 'keepme']


def strings(more=()):
    return b''.join(text(6, s) for s in STRINGS + list(more))


TYPES = message(1, num(1, 1), num(2, 2)) + message(1, num(1, 3), num(2, 4))
MAPPING = message(3, num(1, 1), num(2, 0x400000), num(3, 0x402000), num(4, 0x1000), num(5, 10), num(6, 11), num(7, 1))
LOCATIONS = (message(4, num(1, 1), num(2, 1), num(3, 0x400100), message(4, num(1, 3), num(2, 9), num(3, 5)))
             + message(4, num(1, 2), num(2, 1), num(3, 0x400200), message(4, num(1, 2), num(2, 7)),
                       message(4, num(1, 1), num(2, 20))))
FUNCTIONS = (message(5, num(1, 1), num(2, 5), num(3, 6), num(4, 7), num(5, 18)) + message(5, num(1, 2), num(2, 8), num(4, 7))
             + message(5, num(1, 3), num(2, 9), num(3, 9), num(4, 7)))
SAMPLES = (message(2, packed(1, [1, 2]), packed(2, [3, 30000000]))
           + message(2, num(1, 2), num(2, 1), num(2, 10000000), message(3, num(1, 12), num(2, 13)),
                     message(3, num(1, 14), num(3, 4096), num(4, 14)))
           + message(2, packed(1, [1, 2]), packed(2, [-1, -10000000])))
TAIL = (num(7, 17) + num(8, 18) + num(9, 1488369600500000000) + num(10, 60000000000) + message(11, num(1, 3), num(2, 4))
        + num(12, 10000000) + packed(13, [15]) + num(14, 1) + num(15, 16))
BODY = SAMPLES + MAPPING + LOCATIONS + FUNCTIONS
# What a file of a database begins with: totals, 3 + 1 - 1 samples, and all that is no sample
FRONT, LIE = (packed(1502, [n, 30000000]) + TYPES + MAPPING + strings() + TAIL for n in (3, 4))
# The same in sections: what these have is said, too, and that they end in mapping 1
SECTIONS, SECTIONS_LIE = (FRONT + message(1504, num(1, 3), packed(2, [3, 30000000]), packed(3, [m])) for m in (1, 0))

FILES = {
    'all_fields': TYPES + BODY + strings() + TAIL,
    # strings first, tables before samples, everything backwards
    'any_order': strings() + TAIL + FUNCTIONS + LOCATIONS + MAPPING + SAMPLES + TYPES,
    # numbers one by one where lists are usual, a list where there is but one
    'not_packed': TYPES + message(2, num(1, 1), num(1, 2), num(2, 3), packed(2, [30000000]))
    + MAPPING + LOCATIONS + FUNCTIONS + strings(),
    'unknown_fields': TYPES
    + message(2, packed(1, [1, 2]), packed(2, [3, 30000000]), message(3, num(1, 12), num(2, 13), num(9, 5)), text(9, 'of a sample'))
    + message(3, num(1, 1), num(2, 0x400000), num(3, 0x402000), num(4, 0x1000), num(5, 10), num(6, 11), text(20, 'of a mapping'))
    + message(4, num(1, 1), num(2, 1), num(3, 0x400100), message(4, num(1, 3), num(2, 9), num(7, 77)), num(12, 5))
    + message(4, num(1, 2), num(2, 1), num(3, 0x400200), message(4, num(1, 2), num(2, 7), num(7, 78)),
              message(4, num(1, 1), num(2, 20)), num(5, 1))
    + FUNCTIONS + message(5, num(1, 9), num(2, 5), num(7, 1)) + strings() + text(30, 'of the profile') + num(31, 7),
    'no_names': TYPES + message(2, packed(1, [1, 2, 3]), packed(2, [3, 30000000])) + MAPPING
    + message(4, num(1, 1), num(2, 1), num(3, 0x400100)) + message(4, num(1, 2), num(3, 0x7000000))
    + message(4, num(1, 3), num(2, 1), num(3, 0x900000)) + strings(),
    # a line that says nothing but what nobody knows
    'empty_line': TYPES + message(2, packed(1, [1, 2]), packed(2, [3, 30000000]))
    + message(4, num(1, 1), message(4, num(1, 4), num(7, 77))) + message(4, num(1, 2), message(4, num(1, 4)))
    + message(5, num(1, 4)) + strings(),
    'no_stack': TYPES + message(2, packed(2, [3, 30000000])) + strings(),
    'sparse_ids': TYPES + message(2, packed(1, [1 << 63, 77777777]), packed(2, [3, 30000000]))
    + message(4, num(1, 1 << 63), message(4, num(1, 1 << 40), num(2, 9))) + message(4, num(1, 77777777), num(3, 16))
    + message(5, num(1, 1 << 40), num(2, 5)) + strings(),
    'location_missing': TYPES + message(2, packed(1, [1, 9]), packed(2, [3, 30000000])) + MAPPING + LOCATIONS + FUNCTIONS + strings(),
    'function_missing': TYPES + SAMPLES + MAPPING + LOCATIONS + strings(),
    'mapping_missing': TYPES + SAMPLES + LOCATIONS + FUNCTIONS + strings(),
    'string_range': TYPES + BODY + message(4, num(1, 3), message(4, num(1, 4)))
    + message(2, num(1, 3), packed(2, [1, 1])) + message(5, num(1, 4), num(2, 1000)) + strings(),
    'value_count': TYPES + BODY + message(2, num(1, 1), num(2, 4)) + strings(),
    'ids_twice': TYPES + BODY + message(5, num(1, 2), num(2, 5)) + message(4, num(3, 5)) + strings(),
    'types_twice': message(1, num(1, 1), num(2, 2)) + message(1, num(1, 1), num(2, 14)) + BODY + strings(),
    'field_dropped': message(1, num(1, 1), num(2, 2), num(3, 1)) + message(1, num(1, 3), num(2, 4)) + BODY + strings(),
    'first_string': TYPES + BODY + b''.join(text(6, s or 'x') for s in STRINGS),
    'cut': (TYPES + BODY + strings() + message(2, packed(1, [1, 2]), packed(2, [3, 30000000])))[:-3],
    'cut_without_strings': (TYPES + BODY)[:-3],
    'cut_before_strings': TYPES + BODY,
    'two_profiles': 2 * (TYPES + BODY + strings() + TAIL),
    'two_profiles_no_time': 2 * (TYPES + BODY + strings()),
    'values_none_right': TYPES + message(1, num(1, 1), num(2, 14)) + BODY + strings(),
    'wrong_wire_type': TYPES + message(2, packed(2, [3, 30000000]), text(3, b'\x0a\x01a')) + strings(),
    'damaged_location': TYPES + SAMPLES + MAPPING + message(4, num(1, 1), b'\x18\xff\xff') + strings(),
    'no_types': BODY + strings(),
    # 257 lines, of which the innermost and the outermost say who they are
    'inlined_deep': TYPES + message(2, packed(1, [1]), packed(2, [3, 30000000]))
    + message(4, num(1, 1), message(4, num(1, 3), num(2, 9)), *[message(4, num(1, 2), num(2, i)) for i in range(255)],
              message(4, num(1, 1), num(2, 20))) + FUNCTIONS + strings(),
    'front': num(1501, len(FRONT)) + FRONT + SAMPLES + LOCATIONS + FUNCTIONS,
    'front_lies': num(1501, len(LIE)) + LIE + SAMPLES + LOCATIONS + FUNCTIONS,
    'sections': num(1501, len(SECTIONS)) + SECTIONS + SAMPLES + LOCATIONS + FUNCTIONS,
    'sections_lie': num(1501, len(SECTIONS_LIE)) + SECTIONS_LIE + SAMPLES + LOCATIONS + FUNCTIONS,
    'front_alone': num(1501, len(FRONT)) + FRONT,
    'empty_profile': TYPES + strings(),
}

for name, data in FILES.items():
    (HERE / f'{name}.pb').write_bytes(data)
