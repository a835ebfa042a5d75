#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent reader of OpenTelemetry's profiles, layout 1.10 and newer, which protoc makes out of otlp_profiles.proto.

message(bytes) gives the message, of protocol buffers or of JSON; samples(message) a list, one for each row of each profile:

    {'type': ('cpu', 'nanoseconds'), 'resource': {...}, 'attributes': (...), 'stack': (frame, ...), 'values': [...],
     'times': [...], 'period': (10000000, 'cpu', 'nanoseconds')}

A frame is (name, linkage name, file, line, address, file of the mapping), the innermost first; of inlined code there are several of one
address. Nothing is mended: what is wrong is an exception.
"""
import base64
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
IDS = ('traceId', 'spanId', 'profileId')  # OTLP's JSON has these in hexadecimal, where the mapping of proto3 has base64


def generated():
    """The module that protoc makes, and json_format; None: one of the two packages is not installed."""
    sys.path.append('/usr/lib/python3/dist-packages')  # where Debian has it, whichever python runs this
    try:
        json_format = importlib.import_module('google.protobuf.json_format')
    except ImportError:
        return None
    if not shutil.which('protoc'):
        return None
    out = tempfile.mkdtemp(prefix='assay-proto-')
    try:
        subprocess.run(['protoc', '-I', HERE, '--python_out', out, 'otlp_profiles.proto'], check=True)
        sys.path.insert(0, out)
        sys.dont_write_bytecode = True
        return importlib.import_module('otlp_profiles_pb2'), json_format
    finally:
        shutil.rmtree(out)


GENERATED = generated()


def ids_of_proto3(value):
    if isinstance(value, list):
        return [ids_of_proto3(v) for v in value]
    if not isinstance(value, dict):
        return value
    return {k: base64.b64encode(bytes.fromhex(v)).decode() if k in IDS else ids_of_proto3(v) for k, v in value.items()}


def message(content):
    schema, json_format = GENERATED
    data = schema.ProfilesData()
    if content[:1] == b'{':
        json_format.ParseDict(ids_of_proto3(json.loads(content)), data)  # refuses fields that it does not know
    else:
        data.ParseFromString(content)
        size = data.ByteSize()
        data.DiscardUnknownFields()
        assert data.ByteSize() == size, 'fields that the schema does not know'
    for table, rows in data.dictionary.ListFields():
        assert rows[0] == type(rows[0])(), 'row 0 of %s is not empty: %r' % (table.name, rows[0])
    return data


class Reader:
    def __init__(self, data):
        self.data, self.dictionary = data, data.dictionary

    def string(self, i):
        return self.dictionary.string_table[i]

    def value(self, v):
        kind = v.WhichOneof('value')
        if kind is None:
            return None
        inside = getattr(v, kind)
        if kind == 'string_value_strindex':
            return self.string(inside)
        if kind == 'array_value':
            return tuple(self.value(x) for x in inside.values)
        return tuple((x.key, self.value(x.value)) for x in inside.values) if kind == 'kvlist_value' else inside

    def attribute(self, i):
        a = self.dictionary.attribute_table[i]
        return self.string(a.key_strindex), self.value(a.value), self.string(a.unit_strindex)

    def frames(self, i):
        loc = self.dictionary.location_table[i]
        where = loc.address, self.string(self.dictionary.mapping_table[loc.mapping_index].filename_strindex)
        for line in loc.lines or [GENERATED[0].Line()]:
            f = self.dictionary.function_table[line.function_index]
            yield (self.string(f.name_strindex), self.string(f.system_name_strindex), self.string(f.filename_strindex), line.line, *where)

    def type(self, t):
        return self.string(t.type_strindex), self.string(t.unit_strindex)

    def samples(self):
        for rp in self.data.resource_profiles:
            resource = {a.key: self.value(a.value) for a in rp.resource.attributes}
            for sp in rp.scope_profiles:
                for p in sp.profiles:
                    yield from self.profile(p, resource)

    def profile(self, p, resource):
        for s in p.samples:
            link = self.dictionary.link_table[s.link_index]
            yield {'type': self.type(p.sample_type), 'resource': resource,
                   'attributes': tuple(self.attribute(i) for i in s.attribute_indices), 'link': (link.trace_id, link.span_id),
                   'stack': tuple(f for i in self.dictionary.stack_table[s.stack_index].location_indices for f in self.frames(i)),
                   'values': list(s.values), 'times': list(s.timestamps_unix_nano), 'period': (p.period, *self.type(p.period_type))}


def samples(data):
    return list(Reader(data).samples())


def read(content):
    return samples(message(content))


def cost(sample):
    return sum(sample['values']) if sample['values'] else len(sample['times'])


def totals(rows):
    out = {}
    for s in rows:
        out[s['type'][0]] = out.get(s['type'][0], 0) + cost(s)
    return out


def self_costs(rows):
    """{(event, name of the function): cost}"""
    out = {}
    for s in rows:
        key = s['type'][0], s['stack'][0][0] if s['stack'] else ''
        out[key] = out.get(key, 0) + cost(s)
    return {k: v for k, v in out.items() if v}
