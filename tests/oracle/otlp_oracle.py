#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent reader of OpenTelemetry's profiles, layout 1.10 and newer: protocol buffers and JSON.

read(bytes) gives a list of samples, one for each row of each profile:

    {'type': ('cpu', 'nanoseconds'), 'resource': {...}, 'attributes': (...), 'stack': (frame, ...), 'values': [...],
     'times': [...], 'period': (10000000, 'cpu', 'nanoseconds')}

A frame is (name, linkage name, file, line, address, file of the mapping), the innermost first; of inlined code there are several of one
address. Nothing is mended: what is wrong is an exception.
"""
import base64
import json
import struct

FIELDS = {  # message: {number: (name in JSON, kind, message)}; a kind in capital letters is a list
    'Data': {1: ('resourceProfiles', 'M', 'ResourceProfiles'), 2: ('dictionary', 'm', 'Dictionary')},
    'Dictionary': {1: ('mappingTable', 'M', 'Mapping'), 2: ('locationTable', 'M', 'Location'), 3: ('functionTable', 'M', 'Function'),
                   4: ('linkTable', 'M', 'Link'), 5: ('stringTable', 'S', None), 6: ('attributeTable', 'M', 'KeyValueAndUnit'),
                   7: ('stackTable', 'M', 'Stack')},
    'ResourceProfiles': {1: ('resource', 'm', 'Resource'), 2: ('scopeProfiles', 'M', 'ScopeProfiles'), 3: ('schemaUrl', 's', None)},
    'Resource': {1: ('attributes', 'M', 'KeyValue'), 2: ('droppedAttributesCount', 'n', None)},
    'ScopeProfiles': {1: ('scope', 'm', 'Scope'), 2: ('profiles', 'M', 'Profile'), 3: ('schemaUrl', 's', None)},
    'Scope': {1: ('name', 's', None), 2: ('version', 's', None), 3: ('attributes', 'M', 'KeyValue')},
    'Profile': {1: ('sampleType', 'm', 'ValueType'), 2: ('samples', 'M', 'Sample'), 3: ('timeUnixNano', 'f', None),
                4: ('durationNano', 'n', None), 5: ('periodType', 'm', 'ValueType'), 6: ('period', 'i', None), 7: ('profileId', 'h', None),
                8: ('droppedAttributesCount', 'n', None), 9: ('originalPayloadFormat', 's', None), 10: ('originalPayload', 'b', None),
                11: ('attributeIndices', 'N', None)},
    'ValueType': {1: ('typeStrindex', 'n', None), 2: ('unitStrindex', 'n', None)},
    'Sample': {1: ('stackIndex', 'n', None), 2: ('attributeIndices', 'N', None), 3: ('linkIndex', 'n', None), 4: ('values', 'I', None),
               5: ('timestampsUnixNano', 'F', None)},
    'Mapping': {1: ('memoryStart', 'n', None), 2: ('memoryLimit', 'n', None), 3: ('fileOffset', 'n', None),
                4: ('filenameStrindex', 'n', None), 5: ('attributeIndices', 'N', None)},
    'Location': {1: ('mappingIndex', 'n', None), 2: ('address', 'n', None), 3: ('lines', 'M', 'Line'), 4: ('attributeIndices', 'N', None)},
    'Line': {1: ('functionIndex', 'n', None), 2: ('line', 'i', None), 3: ('column', 'i', None)},
    'Function': {1: ('nameStrindex', 'n', None), 2: ('systemNameStrindex', 'n', None), 3: ('filenameStrindex', 'n', None),
                 4: ('startLine', 'i', None)},
    'Stack': {1: ('locationIndices', 'N', None)},
    'KeyValueAndUnit': {1: ('keyStrindex', 'n', None), 2: ('value', 'm', 'AnyValue'), 3: ('unitStrindex', 'n', None)},
    'KeyValue': {1: ('key', 's', None), 2: ('value', 'm', 'AnyValue'), 3: ('keyStrindex', 'n', None)},
    'AnyValue': {1: ('stringValue', 's', None), 2: ('boolValue', 'n', None), 3: ('intValue', 'i', None), 4: ('doubleValue', 'd', None),
                 5: ('arrayValue', 'm', 'ArrayValue'), 6: ('kvlistValue', 'm', 'KeyValueList'), 7: ('bytesValue', 'b', None),
                 8: ('stringValueStrindex', 'n', None)},
    'ArrayValue': {1: ('values', 'M', 'AnyValue')},
    'KeyValueList': {1: ('values', 'M', 'KeyValue')},
    'Link': {1: ('traceId', 'h', None), 2: ('spanId', 'h', None)},
}


def varint(b, i):
    v = shift = 0
    while True:
        v |= (b[i] & 0x7f) << shift
        shift += 7
        i += 1
        if b[i - 1] < 0x80:
            return v & (1 << 64) - 1, i


def signed(v):
    return v - (1 << 64) if v >> 63 else v


def scalar(kind, wire, raw):
    kind = kind.lower()
    if kind in 'ni':
        assert wire == 0, (kind, wire)
        return signed(raw) if kind == 'i' else raw
    if kind in 'fd':
        assert wire == 1, (kind, wire)
        return struct.unpack('<Q' if kind == 'f' else '<d', raw)[0]
    assert wire == 2, (kind, wire)
    return raw.decode() if kind == 's' else raw.hex() if kind == 'h' else raw


def unpack(kind, raw):
    if kind == 'F':
        return list(struct.unpack('<%dQ' % (len(raw) // 8), raw))
    out, i = [], 0
    while i < len(raw):
        v, i = varint(raw, i)
        out.append(signed(v) if kind == 'I' else v)
    return out


def from_pb(b, message='Data'):
    out, i = {}, 0
    while i < len(b):
        tag, i = varint(b, i)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            raw, i = varint(b, i)
        elif wire == 1:
            raw, i = b[i:i + 8], i + 8
        else:
            assert wire == 2, wire
            n, i = varint(b, i)
            raw, i = b[i:i + n], i + n
            assert len(raw) == n
        name, kind, sub = FIELDS[message][number]
        if kind in 'mM':
            assert wire == 2
            value = from_pb(raw, sub)
        elif kind in 'NIF' and wire == 2:
            out.setdefault(name, []).extend(unpack(kind, raw))
            continue
        else:
            value = scalar(kind, wire, raw)
        if kind.isupper():
            out.setdefault(name, []).append(value)
        else:
            out[name] = value
    return out


def from_json(value, message='Data'):
    known = {name: (kind, sub) for name, kind, sub in FIELDS[message].values()}
    out = {}
    for name, v in value.items():
        kind, sub = known[name]  # a strict reader refuses others
        one = kind.lower()

        def convert(x, one=one, sub=sub):
            if one == 'm':
                return from_json(x, sub)
            if one in 'nif':
                assert isinstance(x, (int, str)), x
                return int(x)
            return base64.b64decode(x) if one == 'b' else x
        out[name] = [convert(x) for x in v] if kind.isupper() else convert(v)
    return out


class Reader:
    def __init__(self, data):
        self.data, self.dictionary = data, data.get('dictionary', {})
        for table, rows in self.dictionary.items():
            assert not rows or not rows[0], 'row 0 of %s is not empty: %r' % (table, rows[0])

    def row(self, table, i):
        return self.dictionary.get(table, [{}])[i]

    def string(self, i):
        return self.dictionary.get('stringTable', [''])[i]

    def value(self, v):
        if 'stringValueStrindex' in v:
            return self.string(v['stringValueStrindex'])
        if 'arrayValue' in v:
            return tuple(self.value(x) for x in v['arrayValue'].get('values', []))
        if 'kvlistValue' in v:
            return tuple((x.get('key', ''), self.value(x['value'])) for x in v['kvlistValue'].get('values', []))
        if 'boolValue' in v:
            return bool(v['boolValue'])
        return next(iter(v.values())) if v else None

    def attribute(self, i):
        a = self.row('attributeTable', i)
        return self.string(a.get('keyStrindex', 0)), self.value(a.get('value', {})), self.string(a.get('unitStrindex', 0))

    def frames(self, i):
        loc = self.row('locationTable', i)
        mapping = self.row('mappingTable', loc.get('mappingIndex', 0))
        where = loc.get('address', 0), self.string(mapping.get('filenameStrindex', 0))
        for line in loc.get('lines', [{}]):
            f = self.row('functionTable', line.get('functionIndex', 0))
            yield (self.string(f.get('nameStrindex', 0)), self.string(f.get('systemNameStrindex', 0)),
                   self.string(f.get('filenameStrindex', 0)), line.get('line', 0), *where)

    def type(self, t):
        return self.string(t.get('typeStrindex', 0)), self.string(t.get('unitStrindex', 0))

    def samples(self):
        for rp in self.data.get('resourceProfiles', []):
            resource = {a['key']: self.value(a['value']) for a in rp.get('resource', {}).get('attributes', [])}
            for sp in rp.get('scopeProfiles', []):
                for p in sp.get('profiles', []):
                    yield from self.profile(p, resource)

    def profile(self, p, resource):
        for s in p.get('samples', []):
            stack = self.row('stackTable', s.get('stackIndex', 0)).get('locationIndices', [])
            link = self.row('linkTable', s.get('linkIndex', 0))
            yield {'type': self.type(p.get('sampleType', {})), 'resource': resource,
                   'attributes': tuple(self.attribute(i) for i in s.get('attributeIndices', [])),
                   'link': (link.get('traceId', '').lower(), link.get('spanId', '').lower()),
                   'stack': tuple(f for i in stack for f in self.frames(i)), 'values': s.get('values', []),
                   'times': s.get('timestampsUnixNano', []), 'period': (p.get('period', 0), *self.type(p.get('periodType', {})))}


def read(content):
    data = from_json(json.loads(content)) if content[:1] == b'{' else from_pb(content)
    return list(Reader(data).samples())


def cost(sample):
    return sum(sample['values']) if sample['values'] else len(sample['times'])


def totals(samples):
    out = {}
    for s in samples:
        out[s['type'][0]] = out.get(s['type'][0], 0) + cost(s)
    return out


def self_costs(samples):
    """{(event, name of the function): cost}"""
    out = {}
    for s in samples:
        key = s['type'][0], s['stack'][0][0] if s['stack'] else ''
        out[key] = out.get(key, 0) + cost(s)
    return {k: v for k, v in out.items() if v}
