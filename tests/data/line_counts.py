# SPDX-License-Identifier: Apache-2.0
"""Executions and calls, as Callgrind that Python reads: for run_gcov.py and run_llvmcov.py."""
import collections
import re

import tap
from tap import equal, want


def of(path):
    """{(function, file, line): [executions, calls]} of what assay writes as Callgrind."""
    r = tap.Run(['convert', '-t', 'callgrind', '-O', 'compress-strings=no', '-O', 'compress-pos=no', '-O', 'full-rows=yes', '-o', '-', path])
    equal(r.code, 0, r.err)
    found, fn, fl = collections.defaultdict(lambda: [0, 0]), '', ''
    text = r.out.decode('utf-8')
    want(re.search(r'^events: executions calls$', text, re.M), text[:500])
    for line in text.splitlines():
        if line.startswith(('fl=', 'fi=', 'fe=')):
            fl = line[3:]
        elif line.startswith('fn='):
            fn = line[3:]
        elif re.match(r'\d', line):
            at, *cost = map(int, line.split())
            for i, n in enumerate(cost):
                found[fn, fl, at][i] += n
    return {k: v for k, v in found.items() if any(v)}
