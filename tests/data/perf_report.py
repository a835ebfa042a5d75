# SPDX-License-Identifier: Apache-2.0
"""The hottest symbols of `perf report`, and what the paths of assay's dump have of the same.

Where perf finds no name it prints an address: of what was sampled there the offset in the file, of callers the one in memory,
which is a return address. Code of a process that had the file at that address is the same.
"""
import collections
import os
import re
import subprocess

import dump

ADDRESS = re.compile(r'(?:0x)?[0-9a-f]{16}')


def rows(path, symfs):
    """{event: [(percent with children or None, percent, dso, symbol)]} of perf report"""
    for fields in (['--children', '-g', 'none', '-F', 'overhead_children,overhead,dso,sym'],
                   ['--no-children', '-F', 'overhead,dso,sym']):        # it is an error where no sample has a call chain
        done = subprocess.run(['perf', 'report', '--stdio', '--kallsyms', '/dev/null', '--symfs', symfs, '--percent-limit', '0',
                               '--no-itrace', *fields, '-i', path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        out, event = {}, None
        for line in done.stdout.decode('utf-8', 'replace').split('\n'):
            head = re.match(r"# Samples: .* of events? '(.*)'$", line)
            if head:
                event = head[1]
                out.setdefault(event, [])
            row = re.match(r' +(?:([\d.]+)% +)?([\d.]+)% +(\S+) +\[.\] (.*?) *$', line)
            if row and event is not None:
                out[event].append((float(row[1]) if row[1] else None, float(row[2]), row[3], row[4]))
        if any(out.values()):
            return out
    return {}


class Paths:
    """The samples of an event."""

    def __init__(self, path, event):
        d = dump.Dump(path)
        column = d.events.index(event)
        self.samples = [(d.parts[part].get('pid'), [(os.path.basename(f.get('ob', '')), f.get('addr', 0)) for f in frames], v[column])
                        for part, frames, v in d.samples if v[column]]
        self.total = sum(v for _, _, v in self.samples)
        self.maps = collections.defaultdict(list)
        for line in d.maps:
            m = re.match(r'(\d+) 0x([0-9a-f]+)-0x([0-9a-f]+) offset=0x([0-9a-f]+) .*?ob="(.*?)"', line)
            self.maps[d.parts[int(m[1])].get('pid')].append((int(m[2], 16), int(m[3], 16), int(m[4], 16), os.path.basename(m[5])))

    def offset(self, pid, dso, address):
        """Of ADDRESS in the memory of process PID; None: DSO is not there."""
        for start, end, offset, name in self.maps[pid]:
            if name == dso and start <= address < end:
                return address - start + offset
        return None

    def percent(self, dso, address, children):
        """Of what has ADDRESS, perf's: at its leaf, or anywhere."""
        got = 0
        for pid, frames, v in self.samples:
            offset = self.offset(pid, dso, address)
            hit = bool(frames) and frames[-1] in ((dso, address), (dso, offset))
            if children and offset is not None:
                hit = hit or (dso, offset) in frames or (dso, offset - 1) in frames
            got += v if hit else 0
        return 100 * got / self.total
