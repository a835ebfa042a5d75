#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the inputs in golden/ that are not written by hand elsewhere; run it in this folder."""
import copy
import json
import os

META = {'interval': 1, 'startTime': 1700000000000.25, 'processType': 0, 'product': 'made', 'version': 24,
        'preprocessedProfileVersion': 57, 'markerSchema': [], 'categories': [{'name': 'Other', 'subcategories': ['Other']}],
        'symbolicated': True, 'sampleUnits': {'time': 'ms', 'eventDelay': 'ms', 'threadCPUDelta': 'µs'}}
LIBS = [{'name': 'app', 'path': '/bin/app', 'debugName': 'app', 'debugPath': '/usr/lib/debug/app', 'arch': 'x86_64',
         'breakpadId': 'EB6A9C9ADFA57841DE168E26FE30DDCD0', 'codeId': '9A9C6AEBA5DF4178DE168E26FE30DDCDAB47D374'},
        {'name': 'win.dll', 'path': '', 'debugName': 'win.pdb', 'debugPath': 'C:\\win.pdb', 'codeId': '5CE065A71A0000000'}]
STRINGS = ['main', 'work', '0x1234', 'inlined', 'app', 'a.c', 'fun_88', 'win.dll', 'script']
TABLES = {
    'stackTable': {'length': 6, 'frame': [0, 1, 2, 3, 4, 5], 'prefix': [None, 0, 1, 1, 0, 1]},
    'frameTable': {'length': 6, 'address': [16, 32, 0x1234, 32, 0x88, -1], 'line': [3, 7, None, 9, None, 20],
                   'column': [None, 5, None, None, None, 2], 'inlineDepth': [0, 0, 0, 1, 0, 0], 'func': [0, 1, 2, 3, 4, 5],
                   'nativeSymbol': [None, 0, None, 0, None, None], 'category': [0] * 6},
    'funcTable': {'length': 6, 'name': [0, 1, 2, 3, 6, 8], 'resource': [0, 0, 0, 0, 1, -1], 'fileName': [5, 5, None, 5, None, 5],
                  'lineNumber': [1, 6, None, 8, None, 18], 'isJS': [False] * 5 + [True]},
    'resourceTable': {'length': 2, 'lib': [0, 1], 'name': [4, 7], 'host': [None, None], 'type': [1, 1]},
    'nativeSymbols': {'length': 1, 'libIndex': [0], 'address': [16], 'name': [0], 'functionSize': [None]},
}
SAMPLES = {'stack': [2, 3, 4, None, 5], 'time': [1, 2.5, 3.000001, 4, 5.25]}

# Instants, intervals, beginnings and ends that find one another by their names, the innermost first; an end, a beginning and an
# interval that lack the other one, an end before the beginning, and what has no time, or no name.
MARKERS = {'length': 13, 'data': [None] * 13, 'category': [0] * 13,
           'name': [8, 1, 3, 3, 3, 3, 3, 1, 1, 8, 8, 8, 99],
           'startTime': [0.5, 1.25, 2, 2.5, None, None, None, 3, 7, 9, None, None, 1],
           'endTime': [None, 4.75, None, None, 3.000001, 6, 7.5, None, None, 8, 8.25, None, 2],
           'phase': [0, 1, 2, 2, 3, 3, 3, 2, 1, 1, 1, 0, 1]}
OLDER = {'length': 2, 'data': [None, None], 'name': [1, 3], 'time': [2.5, 3]}


def thread(samples, **more):
    return {'name': 'main', 'processName': 'app', 'pid': '7', 'tid': 8, **more, 'samples': samples}


def profile(*threads, **meta):
    return {'meta': {**META, **meta}, 'libs': LIBS, 'threads': list(threads)}


def own(samples, **more):
    return {**thread(samples, **more), **copy.deepcopy(TABLES), 'stringArray': STRINGS}


def offsets(tables):
    """As from version 66 on: distances to the row below, and libraries of frames."""
    t = copy.deepcopy(tables)
    prefix = t['stackTable'].pop('prefix')
    t['stackTable']['prefixOffset'] = [0 if p is None else i - p for i, p in enumerate(prefix)]
    t['resourceTable'].pop('lib')
    t['frameTable']['lib'] = [0, 0, 0, 0, 1, None]
    t['funcTable'].pop('fileName')
    t['funcTable']['source'] = [0, 0, None, 0, None, 0]
    return {**t, 'stringArray': STRINGS, 'sources': {'length': 1, 'filename': [5]}}


def gecko(name, pid, rows, **more):
    return {'name': name, 'pid': pid, 'tid': pid + 1, 'processType': 'tab',
            'samples': {'schema': {'stack': 0, 'time': 1, 'eventDelay': 2, 'threadCPUDelta': 3}, 'data': rows},
            'markers': {'schema': {'name': 0, 'startTime': 1}, 'data': [[0, 1.5]]},
            'stackTable': {'schema': {'prefix': 0, 'frame': 1}, 'data': [[None, 0], [0, 1], [1, 2], [1, 3], [0, 4], [1, 1]]},
            'frameTable': {'schema': {'location': 0, 'relevantForJS': 1, 'innerWindowID': 2, 'implementation': 3, 'line': 4, 'column': 5},
                           'data': [[0], [1], [2, False, 0], [3, True, 0, None, 30, 4], [4]]},
            'stringTable': ['(root)', '0x10020', 'paint (in app) (a.c:12)', 'draw (resource://x/y.js:7:3)[12]', 'step (in app) + 16'], **more}


ROWS = [[2, 1.5, 0, 0], [3, 2.5, None, 40], [4, 3.5, 0.25], [1, 4, 0, 2], [None, 5], [5, 6, 0, 1]]
GLIBS = [{'name': 'app', 'path': '/bin/app', 'debugName': 'app', 'start': 0x10000, 'end': 0x20000, 'offset': 0, 'codeId': None, 'breakpadId': ''}]
GECKO = {'meta': {'version': 34, 'startTime': 1700000000000, 'interval': 1, 'product': 'Firefox', 'processType': 0, 'categories': [],
                  'sampleUnits': {'threadCPUDelta': 'ns'}},
         'libs': GLIBS, 'threads': [gecko('GeckoMain', 10, ROWS)],
         'processes': [{'meta': {'version': 34, 'startTime': 1700000000100}, 'libs': GLIBS, 'threads': [gecko('GeckoMain', 20, ROWS)], 'processes': []}]}

late = profile(thread({'weightType': 'tracing-ms', 'weight': [1, 0.5, 1, 2.25, 3.000001], 'threadCPUDelta': [99, 1, None, 2.5, 3], **SAMPLES},
                      **copy.deepcopy(TABLES)), preprocessedProfileVersion=58)
late['counters'] = [{'name': 'malloc'}]
late['shared'] = {'stringArray': STRINGS}
late['threads'][0] = {k: late['threads'][0][k] for k in sorted(late['threads'][0])}
late['meta'] = late.pop('meta')  # comes last

shared = {**profile(thread({'stack': [2, 3, 4], 'timeDeltas': [1, 0.25, 2], 'weight': [1, 1, 1]}),
                    thread({'stack': [5, None], 'timeDeltas': [0.1, 0.2], 'weight': None}, name='other', tid='9.1'),
                    preprocessedProfileVersion=70), 'shared': offsets(TABLES)}

bad_rows = own({'stack': [9, 3, 2], 'time': [0, 1, 2]})
bad_rows['stackTable']['prefix'] = [None, 0, 2, 1, 0, 1]
bad_rows['frameTable']['func'] = [0, 1, 2, 33, 4, 5]
bad_offset = copy.deepcopy(shared)
bad_offset['shared']['stackTable']['prefixOffset'][1] = 5

FILES = {
    'own.v57.json': profile(own({**SAMPLES, 'weight': [2, 1, 1, 0, -3], 'weightType': 'samples'})),
    'late.v58.json': late,
    'shared.v70.json': shared,
    'cycles.json': profile(own({**SAMPLES, 'threadCPUDelta': [5, 1, 2, 3, 4]}), sampleUnits={'threadCPUDelta': 'variable CPU cycles', 'time': 'ms'}),
    'bytes.json': profile(own({**SAMPLES, 'weight': [10, 20, 30, 40, 50], 'weightType': 'bytes'}), sampleUnits={'time': 'bytes'}),
    'allocations.json': profile(own(SAMPLES, jsAllocations={'stack': [2], 'time': [1], 'weight': [64], 'weightType': 'bytes'},
                                    nativeAllocations={'stack': [2, 3], 'time': [1, 2], 'weight': [100, -40], 'weightType': 'bytes'})),
    'two_threads.json': profile(own(SAMPLES), own(SAMPLES, name='worker', tid=9)),
    'gecko.json': GECKO,
    'devtools.json': {'label': 'x', 'profile': {**GECKO, 'processes': []}, 'fileType': 'Recorded Performance Data', 'version': 2},
    'bad_rows.json': profile(bad_rows),
    'bad_offset.json': bad_offset,
    'bad_number.json': profile(own({**SAMPLES, 'weight': ['5', 1e30, 1, 1, 1]})),
    'uneven.json': profile(own({'stack': [2, 3, 4], 'time': [1, 2], 'weight': [5]})),
    'rounded.json': profile(own({'stack': [2, 3], 'time': [1.0000004, 2.0000006], 'weight': [1.5, 2], 'weightType': 'samples'})),
    'no_times.json': profile(own({'stack': [2, 3], 'time': [1, None]})),
    'newer.json': profile(own(SAMPLES), preprocessedProfileVersion=71),
    'no_samples.json': profile(own({'stack': [], 'time': [], 'weight': []})),
    'far_apart.json': profile(own({'stack': [2, 3], 'time': [1, 2], 'weight': [9223372036854775807, 0.5]})),
    'markers.json': profile(own(SAMPLES, markers=MARKERS), own({'stack': [2], 'time': [1]}, name='worker', tid=9, markers=OLDER)),
    'far_times.json': profile(own({'stack': [2, 3], 'timeDeltas': [9000000000, 9000000000]})),
}
DEEP = '{"meta":{"version":34,"processType":0,"startTime":1},"libs":[],"threads":[],"processes":['


def main():
    os.makedirs('golden', exist_ok=True)
    for name, content in FILES.items():
        with open('golden/' + name, 'w', encoding='utf-8') as f:
            f.write(json.dumps(content, ensure_ascii=False, separators=(',', ':')) + '\n')
    whole = json.dumps(FILES['own.v57.json'])
    for name, text in {'cut.json': whole[:-400], 'trailing.json': whole + '[1]', 'nested_deep.json': DEEP * 20, 'spaced.json': '\ufeff\n' + json.dumps(FILES['late.v58.json'], indent=1)}.items():
        with open('golden/' + name, 'w', encoding='utf-8') as f:
            f.write(text + '\n')


main()
