# SPDX-License-Identifier: Apache-2.0
"""What stood in a database at each look, by readers that are not assay's: nothing that was there may change, go or count twice.

A segment is a leaf when it is first seen, unless it covers others of its epoch; then it must be exactly their sum.
"""
import calendar
import os
import re
import sys
import time
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'oracle'))
import dcpi_oracle  # noqa: E402
import pprof_oracle  # noqa: E402

NAME = re.compile(r'(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\.\d+)?Z-(\d+)(\.\d+)?\.(pb\.gz|dcpi)\Z')
EPOCH = re.compile(r'\d{12}(-\d+)?\Z')
FACTS = {'assay: samples counted': 'counted', 'assay: samples stored': 'stored', 'assay: samples lost': 'lost',
         'assay: samples unknown': 'unknown'}


def nanos(seconds, fraction):
    return seconds * 10 ** 9 + int(((fraction or '.') + '0' * 9)[1:10])


class Gone(Exception):
    """A segment was there when its folder was listed."""


class Segment:
    def __init__(self, epoch, name, path):
        m = NAME.match(name)
        self.epoch, self.name, self.path, self.flat = epoch, name, path, m.group(10) == 'dcpi'
        self.total = None
        self.begin = nanos(calendar.timegm(tuple(int(x) for x in m.groups()[:6])), m.group(7))
        self.end = self.begin + nanos(int(m.group(8)), m.group(9))

    def covers(self, other):
        return (self.epoch, self.flat) == (other.epoch, other.flat) and self.begin <= other.begin and other.end <= self.end

    def mark(self):
        """What tells a file from one that is written in its place."""
        try:
            st = os.lstat(self.path)
        except FileNotFoundError:
            raise Gone from None
        return st.st_ino, st.st_size, st.st_mtime_ns

    def must_stay(self):
        """It is not being removed: that takes no second."""
        for _ in range(100):
            self.mark()
            time.sleep(.01)

    def read(self):
        """Raises what the readers raise."""
        self.costs, self.facts = Counter(), Counter()
        if self.flat:
            self.read_folder()
        else:
            prof = pprof_oracle.read(self.path)
            events = ['samples'] if 'samples' in prof.types else prof.types
            for event in events:
                at = prof.types.index(event)
                for stack, labels, values in prof.samples:
                    self.costs[stack, labels, event] += values[at]
            self.read_facts(prof.comments)
        self.total = sum(self.costs.values())

    def read_folder(self):
        files = sorted(os.listdir(self.path))
        images = [f for f in files if f.endswith(('.dcpi', '.dcpi.gz'))]
        for f in images:
            p = dcpi_oracle.read(os.path.join(self.path, f))
            for address, n in p.addresses(1).items():
                self.costs[p.get('image'), p.get('path'), p.get('event'), address] += n
        with open(os.path.join(self.path, 'images'), encoding='utf-8', errors='surrogateescape') as f:
            listed = sorted(line.split('\t')[0] for line in f)
        if listed != images or sorted(images + ['facts', 'images']) != files:
            raise dcpi_oracle.Damaged('its list has %s, there are %s' % (listed, files))
        with open(os.path.join(self.path, 'facts'), encoding='utf-8') as f:
            self.read_facts(f.read().splitlines())

    def read_facts(self, lines):
        for line in lines:
            key, _, value = line.rpartition(': ')
            key, _, event = key.partition(' of ')
            if key in FACTS:
                self.facts[FACTS[key] + event] += int(value)


class Ledger:
    def __init__(self, host):
        self.host, self.leaves, self.known, self.sums = host, {}, {}, 0

    def listed(self):
        found = []
        for epoch in os.listdir(self.host) if os.path.isdir(self.host) else []:
            if EPOCH.match(epoch):
                folder = os.path.join(self.host, epoch)
                found += [Segment(epoch, n, os.path.join(folder, n)) for n in os.listdir(folder) if NAME.match(n)]
        return sorted(found, key=lambda s: s.end - s.begin)

    def leftovers(self):
        return [os.path.join(d, n) for d, folders, files in os.walk(self.host) for n in folders + files if n[0] == '.']

    def look(self):
        """What is wrong, in words; the leaves that are new. What is removed while we look was rolled up: we look again."""
        bad, new = [], []
        while True:
            try:
                there = self.listed()
                self.look_at(there, bad, new)
                return bad + self.once(there), new
            except Gone:
                continue

    def look_at(self, there, bad, new):
        for s in there:
            key, mark = (s.epoch, s.name), s.mark()
            if key in self.known:
                bad += ['%s has been written again' % s.path] if self.known[key] != mark else []
                continue
            try:
                s.read()
            except (pprof_oracle.Damaged, dcpi_oracle.Damaged, OSError, ValueError, KeyError) as e:
                s.must_stay()
                bad.append('%s is damaged: %s' % (s.path, e))
            self.known[key] = mark
            if s.total is None:
                continue
            if s.facts['counted'] != s.total or s.facts['counted'] != s.facts['stored'] + s.facts['lost']:
                bad.append('%s says %s, and has %d' % (s.path, dict(s.facts), s.total))
            parts = [x for x in self.leaves.values() if s.covers(x)]
            if parts:
                bad += self.compare(s, parts)
            else:
                self.leaves[key] = s
                new.append(s)

    def compare(self, s, parts):
        self.sums += 1
        whole, facts = Counter(), Counter()
        for part in parts:
            whole.update(part.costs)
            facts.update(part.facts)
        wrong = {k for k in set(whole) | set(s.costs) if whole[k] != s.costs[k]}
        if not wrong and facts == s.facts:
            return []
        return ['%s is not the sum of %s: %d for %d samples, %s for %s, %d rows differ, as %s' %
                (s.path, [p.name for p in parts], s.total, sum(whole.values()), dict(s.facts), dict(facts), len(wrong),
                 [(k, whole[k], s.costs[k]) for k in sorted(wrong, key=str)[:2]])]

    def once(self, there):
        """What can be read has each leaf, and no time twice."""
        bad, epochs = [], {}
        for s in there:
            epochs.setdefault(s.epoch, ([], []))[0].append(s)
        for leaf in self.leaves.values():
            epochs.setdefault(leaf.epoch, ([], []))[1].append(leaf)
        for segments, leaves in epochs.values():
            visible = [s for s in segments if not any(x is not s and x.covers(s) for x in segments)]
            for i, s in enumerate(visible):
                bad += ['%s and %s overlap' % (s.path, x.name) for x in visible[:i]
                        if x.flat == s.flat and x.begin < s.end and s.begin < x.end]
            for leaf in leaves:
                n = sum(s.covers(leaf) for s in visible)
                bad += ['%s is there %d times' % (leaf.path, n)] if n != 1 else []
        return bad
