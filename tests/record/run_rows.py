#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reader of unwind tables in the sampler against readelf's, for every row of real objects.

Environment: ROWS_TOOL = the program of rows_tool.c.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import want  # noqa: E402

t = tap.Tap('rows')
TOOL = os.environ.get('ROWS_TOOL')
LIB = '/usr/lib/x86_64-linux-gnu/'
OBJECTS = [LIB + x for x in ('libc.so.6', 'libm.so.6', 'libstdc++.so.6', 'ld-linux-x86-64.so.2', 'libcrypto.so.3', 'libz.so.1')]
OBJECTS += ['/bin/bash', '/usr/bin/python3', '/usr/bin/perl', TOOL]
SHOWN = ['rbx', 'rbp', 'r12', 'r13', 'r14', 'r15', 'ra']
FDE = re.compile(r'^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+)')
REGISTER = re.compile(r'\br(\d+) \(\w+\)')     # 'r9 (r9)', by DWARF's numbers
NAMES = 'rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip'.split()
CIE = re.compile(r'^([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ CIE ')


def rows(path):
    """(first address, end, {column: rule}) of every row, as readelf prints them."""
    text = subprocess.run(['readelf', '--debug-dump=frames-interp', '-W', path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()
    if 'Contents of the .debug_frame' in text:
        text = text[:text.index('Contents of the .debug_frame')]
    found, cies, end, columns, pending, cie = [], {}, None, None, [], None
    for line in text.split('\n') + ['']:
        m, c = FDE.match(line), CIE.match(line)
        if m or c or not line:
            for i, (at, rules) in enumerate(pending):
                found.append((at, pending[i + 1][0] if i + 1 < len(pending) else end, rules))
            pending = []
        if c:
            cie, end = c.group(1), None
        elif m:
            cie, end = None, int(m.group(3), 16)
            if m.group(1) in cies:
                inherited = cies[m.group(1)]
                pending = [(int(m.group(2), 16), inherited)]
        elif line.startswith('   LOC'):
            columns = line.split()[1:]
        elif columns and re.match(r'^[0-9a-f]{16} ', line):
            fields = REGISTER.sub(lambda r: NAMES[int(r.group(1))], line).split()
            rules = dict(zip(columns, fields[1:]))
            if cie:
                cies[cie] = rules
            elif end is not None:
                at = int(fields[0], 16)
                if pending and pending[-1][0] == at:
                    pending.pop()
                pending.append((at, rules))
    return [r for r in found if r[1] is not None and r[1] > r[0]]


def same(wanted, got):
    """readelf leaves out columns that no row of a function has, and writes 'u' for what was not saved yet."""
    if wanted in (None, 'u') or wanted == 's':
        return got in ('u', 's')
    return wanted == got


def compare(path):
    if not os.path.exists(path):
        return 'n/a: it is not installed'
    known = rows(path)
    want(len(known) > 20, '%d rows by readelf' % len(known))
    asked = [(a, r) for start, end, r in known for a in {start, end - 1}]
    out = subprocess.run([TOOL, path], input='\n'.join('%x' % a for a, _ in asked).encode(), stdout=subprocess.PIPE).stdout.decode()
    answers = out.split('\n')[:-1]
    want(len(answers) == len(asked), '%d answers to %d questions' % (len(answers), len(asked)))
    wrong = []
    for (addr, rules), answer in zip(asked, answers):
        got = answer.split()
        ok = len(got) == 8 and same(rules['CFA'], got[0]) and all(
            same(rules.get(name), got[1 + i]) for i, name in enumerate(SHOWN))
        if not ok:
            wrong.append('%x: readelf %s, we %s' % (addr, rules, answer))
    want(not wrong, '%d of %d differ' % (len(wrong), len(asked)), *wrong[:10])
    print('# %s: %d rows' % (path, len(known)))


if not TOOL or not shutil.which('readelf'):
    t.skip_all('ROWS_TOOL is not set, or readelf is not installed')
for obj in OBJECTS:
    t.add('every row of ' + os.path.basename(obj), compare, obj)
t.run()
