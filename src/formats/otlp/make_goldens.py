#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the inputs in golden/: an encoder of its own, so that what it writes does not depend on assay's."""
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent / 'golden'
T0 = 1795376566430960167


def varint(v):
    v &= (1 << 64) - 1
    out = b''
    while v >= 0x80:
        out += bytes([v & 0x7f | 0x80])
        v >>= 7
    return out + bytes([v])


def num(field, v):
    return varint(field << 3) + varint(v)


def fixed(field, v):
    return varint(field << 3 | 1) + struct.pack('<Q', v)


def real(field, v):
    return varint(field << 3 | 1) + struct.pack('<d', v)


def text(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def packed(field, values):
    return text(field, b''.join(varint(v) for v in values))


def times(field, values):
    return text(field, b''.join(struct.pack('<Q', v) for v in values))


def message(field, *parts):
    return text(field, b''.join(parts))


STRINGS = ['', 'samples', 'count', 'cpu', 'nanoseconds', 'main', '_main', 'a.c', 'inner', 'leaf', '/bin/prog',
           'process.executable.build_id.gnu', 'thread.name', 'worker', 'bytes', 'By', 'c0ffee', 'profile.frame.type',
           'pprof.profile.comment', 'process.executable.build_id.htlhash', '0123456789abcdef0123456789abcdef', '/bin/stripped',
           'pprof.location.is_folded', 'ratio', 'tags', 'wall']
S = {s: i for i, s in enumerate(STRINGS)}


def attr(key, value, unit=''):
    return message(6, num(1, S[key]), message(2, value), num(3, S[unit]) if unit else b'')


def dictionary(mapping=b'', location=b'', function=b'', link=b'', string=(), attribute=b'', stack=b'', first=True):
    """Row 0 of each table is empty, unless FIRST says otherwise; a few rows that all have."""
    zero = (lambda f: text(f, b'')) if first else (lambda f: b'')
    maps = message(1, num(1, 0x400000), num(2, 0x402000), num(3, 0x1000), num(4, S['/bin/prog']), packed(5, [1]))
    locs = (message(2, num(1, 1), num(2, 0x400100), message(3, num(1, 3), num(2, 9), num(3, 5)))
            + message(2, num(1, 1), num(2, 0x400200), message(3, num(1, 2), num(2, 7)), message(3, num(1, 1), num(2, 20))))
    funcs = (message(3, num(1, 5), num(2, 6), num(3, 7), num(4, 18)) + message(3, num(1, 8), num(3, 7))
             + message(3, num(1, 9), num(2, 9), num(3, 7)))
    links = message(4, text(1, bytes(range(1, 17))), text(2, bytes(range(8, 0, -1))))
    attrs = (attr(STRINGS[11], text(1, 'c0ffee')) + attr('thread.name', text(1, 'worker'))
             + attr('bytes', num(3, 4096), 'By'))
    stacks = message(7, packed(1, [1, 2])) + message(7, num(1, 1))
    return message(2, zero(1), maps, mapping, zero(2), locs, location, zero(3), funcs, function, zero(4), links, link,
                   *[text(5, s) for s in STRINGS + list(string)], zero(6), attrs, attribute, zero(7), stacks, stack)


def key_value(key, value):
    return text(1, key) + message(2, value)


RESOURCE = message(1, message(1, key_value('service.name', text(1, 'shop'))), message(1, key_value('process.pid', num(3, 4711))),
                   message(1, key_value('process.command_line', text(1, '/bin/prog -x'))))
SCOPE = message(1, text(1, 'profiler'), text(2, '1.2'))


def data(*profiles, resource=RESOURCE, scope=SCOPE):
    return message(1, resource, message(2, scope, *profiles))


def profile(kind, *parts, period=True):
    tail = (fixed(3, T0) + num(4, 60000000000) + message(5, num(1, 3), num(2, 4)) + num(6, 10000000)) if period else b''
    return message(2, message(1, num(1, kind[0]), num(2, kind[1])), *parts, tail)


def sample(stack, values=(), attrs=(), link=0, at=()):
    return message(2, num(1, stack) if stack else b'', packed(2, attrs) if attrs else b'', num(3, link) if link else b'',
                   packed(4, values) if values else b'', times(5, at) if at else b'')


COUNT, CPU, WALL = (1, 2), (3, 4), (25, 4)
SAMPLES = [sample(1, [3]), sample(2, [1], [2, 3], 1), sample(1, [-1])]
NANOS = [sample(1, [30000000]), sample(2, [10000000], [2, 3], 1), sample(1, [-10000000])]
TWO = data(profile(COUNT, *SAMPLES), profile(CPU, *NANOS))
PLAIN = TWO + dictionary()
# 1.9: values, attributes and link are fields 2, 3 and 4
OLD = message(1, RESOURCE, message(2, SCOPE, message(
    2, message(1, num(1, 1), num(2, 2)), message(2, num(1, 1), packed(2, [3])),
    message(2, num(1, 2), packed(2, [1]), packed(3, [2, 3]), num(4, 1)))))
WIDE = message(2, *[message(3, num(1, 1), num(2, n)) for n in range(1, 258)])
ANY = (text(1, 'text'), num(2, 1), num(3, -5), real(4, 0.1),
       message(5, message(1, text(1, 'a')), message(1, num(3, 2))),
       message(6, message(1, key_value('k', num(2, 0)))), text(7, b'\x00\xff\x10'))


def resources():
    """Two, of the same type, which nothing but a resource's attribute tells apart."""
    other = message(1, message(1, key_value('service.name', text(1, 'till'))))
    return (data(profile(COUNT, *SAMPLES)) + data(profile(COUNT, sample(2, [5])), resource=other)
            + data(profile(COUNT, sample(2, [7]))) + dictionary())


def ebpf():
    """As ebpf-profiler writes: the dictionary first, times alone, mappings without a range, frames without a name."""
    loc = (message(2, num(1, 2), num(2, 0x1234), packed(4, [4])) + message(2, num(1, 2), num(2, 0x2000), packed(4, [4])))
    return (dictionary(mapping=message(1, num(4, S['/bin/stripped']), packed(5, [5])), location=loc,
                       attribute=attr('profile.frame.type', text(1, 'native')) + attr(STRINGS[19], text(1, STRINGS[20])),
                       stack=message(7, packed(1, [3, 4])))
            + data(profile(COUNT, sample(3, at=[T0 + 50, T0 + 10, T0 + 10]), sample(3, attrs=[2], at=[T0 + 20]))))


def everything():
    attrs = b''.join(attr('tags', v) for v in ANY) + attr('pprof.profile.comment', message(
        5, message(1, text(1, 'a comment')), message(1, text(1, 'assay: threads: 2')))) + attr(
            'pprof.location.is_folded', num(2, 1)) + attr('ratio', real(4, 2.5))
    loc = message(2, num(1, 1), num(2, 0x900000), packed(4, [12]), message(3, num(1, 3), num(2, 11)))
    extra = num(8, 3) + text(7, bytes(range(16))) + packed(11, [11, 13])
    return (message(1, RESOURCE, message(2, SCOPE, profile(COUNT, *SAMPLES, sample(3, [5], list(range(4, 11))), extra),
                                         text(3, 'https://example.org/schema')))
            + dictionary(location=loc, attribute=attrs, stack=message(7, packed(1, [3, 0, 2]))))


def as_json(root):
    return json.dumps(root, indent=1).encode() + b'\n'


def json_of(profiles, **more):
    tables = {'mappingTable': [{}, {'memoryStart': '4194304', 'memoryLimit': 4202496, 'fileOffset': '4096', 'filenameStrindex': 10,
                                    'attributeIndices': [1]}],
              'locationTable': [{}, {'mappingIndex': 1, 'address': '4194560', 'lines': [{'functionIndex': 3, 'line': '9', 'column': 5}]},
                                {'mappingIndex': 1, 'address': 4194816,
                                 'lines': [{'functionIndex': 2, 'line': 7}, {'functionIndex': 1, 'line': '20'}]}],
              'functionTable': [{}, {'nameStrindex': 5, 'systemNameStrindex': 6, 'filenameStrindex': 7, 'startLine': '18'},
                                {'nameStrindex': 8, 'filenameStrindex': 7}, {'nameStrindex': 9, 'systemNameStrindex': 9, 'filenameStrindex': 7}],
              'linkTable': [{}, {'traceId': bytes(range(1, 17)).hex(), 'spanId': bytes(range(8, 0, -1)).hex().upper()}],
              'stringTable': STRINGS,
              'attributeTable': [{}, {'keyStrindex': 11, 'value': {'stringValue': 'c0ffee'}},
                                 {'keyStrindex': 12, 'value': {'stringValueStrindex': 13}},
                                 {'keyStrindex': 14, 'value': {'intValue': '4096'}, 'unitStrindex': 15},
                                 {'keyStrindex': 24, 'value': {'arrayValue': {'values': [{'boolValue': True}, {'doubleValue': 1e3}]}}}],
              'stackTable': [{}, {'locationIndices': [1, 2]}, {'locationIndices': [1]}]}
    scope = {'scope': {'name': 'profiler', 'version': '1.2'}, 'profiles': profiles}
    resource = {'attributes': [{'key': 'service.name', 'value': {'stringValue': 'shop'}},
                               {'key': 'process.pid', 'value': {'intValue': 4711}},
                               {'key': 'process.command_line', 'value': {'stringValue': '/bin/prog -x'}}]}
    return {'resourceProfiles': [{'resource': resource, 'scopeProfiles': [scope]}], 'dictionary': {**tables, **more}}


def json_profile(kind, samples, **more):
    return {'sampleType': {'typeStrindex': kind[0], 'unitStrindex': kind[1]}, 'samples': samples, 'timeUnixNano': str(T0),
            'durationNano': '60000000000', 'periodType': {'typeStrindex': 3, 'unitStrindex': 4}, 'period': '10000000', **more}


JSON = json_of([
    json_profile(COUNT, [{'stackIndex': 1, 'values': ['3']},
                         {'stackIndex': 2, 'attributeIndices': [2, 3], 'linkIndex': 1, 'values': [1]},
                         {'stackIndex': 1, 'values': ['-1'], 'linkIndex': None}]),
    json_profile(CPU, [{'stackIndex': 1, 'values': ['30000000']},
                       {'stackIndex': 2, 'attributeIndices': [2, 3], 'linkIndex': 1, 'values': ['1e7']},
                       {'stackIndex': 1, 'values': ['-10000000']}])])


def prefixed(*messages):
    return b''.join(struct.pack('>I', len(m)) + m for m in messages)


FILES = {
    'plain.otlp': PLAIN,
    # its first two bytes are "\n{"
    'like_json.otlp': message(1, message(1, message(1, key_value('pad', text(1, 'x' * 66)))), message(2, profile(COUNT, sample(2, [3])))) + dictionary(),
    'tables_first.otlp': dictionary() + TWO,
    'prefixed.otlp': prefixed(PLAIN, tables := dictionary() + data(profile(COUNT, *SAMPLES))),
    # the first location of the second message is another one
    'tables_differ.otlp': prefixed(PLAIN, TWO + dictionary().replace(num(2, 0x400100), num(2, 0x400180))),
    'plain.json': as_json(JSON),
    'lines.json': json.dumps(JSON).encode() + b'\n' + json.dumps(JSON).encode() + b'\n',
    'resources.otlp': resources(),
    'ebpf.otlp': ebpf(),
    'everything.otlp': everything(),
    'times.otlp': data(profile(COUNT, sample(1, [2, 1], at=[T0 + 5, T0 + 1]), sample(2, at=[T0 + 2, T0 + 3], attrs=[2]))) + dictionary(),
    'not_packed.otlp': data(profile(COUNT, message(2, num(1, 1), num(2, 2), num(2, 3), num(4, 1), num(4, 2), fixed(5, T0), fixed(5, T0 + 1)),
                                    *SAMPLES)) + dictionary(),
    'version_19.otlp': OLD + dictionary(),
    'version_unknown.otlp': message(1, RESOURCE, message(2, SCOPE, message(
        2, message(1, num(1, 1), num(2, 2)), message(2, num(1, 1), packed(2, [2, 3]), times(5, [T0, T0 + 1]))))) + dictionary(),
    'rows_missing.otlp': data(profile(COUNT, sample(9, [3]), sample(3, [1], [2, 77], 8), sample(4, [2])))
    + dictionary(location=message(2, num(1, 9), num(2, 0x100), message(3, num(1, 50), num(2, 4))),
                 stack=message(7, packed(1, [3, 40])) + message(7, packed(1, [1])),
                 function=message(3, num(1, 900))),
    'string_first.otlp': data(profile(COUNT, *SAMPLES)) + dictionary().replace(b'\x2a\x00\x2a\x07samples', b'\x2a\x00\x2a\x07samples'),
    'no_value.otlp': data(profile(COUNT, *SAMPLES, sample(1))) + dictionary(),
    'value_count.otlp': data(profile(COUNT, sample(1, [1, 2]), sample(2, [5], at=[T0, T0 + 1, T0 + 2]))) + dictionary(),
    'inlined_deep.otlp': data(profile(COUNT, sample(3, [1]))) + dictionary(location=WIDE, stack=message(7, packed(1, [3, 1]))),
    'types_twice.otlp': data(profile(COUNT, *SAMPLES), profile((1, 4), sample(1, [8]))) + dictionary(),
    'periods.otlp': data(profile(COUNT, *SAMPLES), profile(COUNT, sample(1, [8]), period=False)) + dictionary(),
    'field_unknown.otlp': data(profile(COUNT, *SAMPLES, num(20, 7), text(21, 'x'), num(20, 8))) + dictionary(),
    'payload.otlp': data(profile(COUNT, *SAMPLES, text(9, 'pprof'), text(10, b'\x1f\x8bxyz'))) + dictionary(),
    'no_stack.otlp': data(profile(COUNT, sample(0, [4]), *SAMPLES)) + dictionary(),
    'empty.otlp': data(profile(COUNT)) + dictionary(),
    'cut.otlp': (dictionary() + TWO)[:-60],
    'cut_in_tables.otlp': PLAIN[:-20],
    'cut_before_tables.otlp': TWO[:-20],
    'cut_prefixed.otlp': prefixed(PLAIN, PLAIN)[:-30],
    'cut.json': (json.dumps(JSON) * 2)[:-300].encode(),
    'damaged.json': json.dumps(JSON).replace('"values"', 'values', 1).encode(),
    'not_a_number.json': json.dumps(JSON).replace('"-1"', '"1.5"', 1).encode(),
    'wrong_wire_type.otlp': data(profile(COUNT, message(2, text(1, 'x'), packed(4, [1])))) + dictionary(),
    'damaged_list.otlp': data(profile(COUNT, message(2, num(1, 1), text(4, b'\xff\xff')))) + dictionary(),
}
# a string where nothing stands
FILES['string_first.otlp'] = data(profile(COUNT, sample(0, [1]))) + message(2, text(5, 'first'), *[text(5, s) for s in STRINGS[1:]])


def main():
    HERE.mkdir(exist_ok=True)
    for name, content in FILES.items():
        (HERE / name).write_bytes(content)


if __name__ == '__main__':
    main()
