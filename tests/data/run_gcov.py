#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gcov's JSON and text: the counts of each line and function are gcov's own.

What is asserted: the lines and functions of assay, as Callgrind that Python reads, against Python's json on gcov's file, and the
text against the JSON. Environment: ASSAY, CC (or cc), CXX (or c++), and gcov of the same compiler.
"""
import collections
import gzip
import json
import os
import pathlib
import shutil
import subprocess

import line_counts
import tap
from tap import Scratch, equal, want

t = tap.Tap('gcov')
CXX = os.environ.get('CXX', 'c++').split()
if not shutil.which('gcov') or not shutil.which(CXX[0]) or 'clang' in CXX[-1]:
    t.skip_all('needs gcov and its compiler')

PROGRAM = r'''
#include <stdexcept>
#include <vector>
template <class T> T twice(T x)
{
	return x + x;
}
struct shape { virtual ~shape() {} virtual int sides() const = 0; };
struct square : shape { int sides() const override { return 4; } };
static int fib(int n)
{
	if (n < 2)
		return n;
	return fib(n - 1) + fib(n - 2);
}
static int never(int n)
{
	return n + 1;
}
int main(int argc, char **)
{
	std::vector<int> v;
	square s;
	long sum = argc > 5 ? never(1) : 0;
	for (int i = 0; i < 30; i++)
		v.push_back(twice(i) + (int)twice(0.5 * i) + static_cast<shape &>(s).sides());
	try {
		sum += v.at(99);
	} catch (const std::out_of_range &) {
		sum += fib(12);
	}
	return sum == 0;
}
'''


def build(s):
    pathlib.Path(s.name('p.cc')).write_text(PROGRAM, encoding='utf-8')
    subprocess.run([*CXX, '--coverage', '-O0', '-c', 'p.cc', '-o', 'p.o'], cwd=s.name(''), check=True)
    subprocess.run([*CXX, '--coverage', 'p.o', '-o', 'p'], cwd=s.name(''), check=True)
    subprocess.run([s.name('p')], cwd=s.name(''), check=True)


def gcov(s, *options):
    subprocess.run(['gcov', *options, 'p.gcda'], cwd=s.name(''), check=True, stdout=subprocess.DEVNULL)


@t('JSON: each line and each function, as json reads it')
def _():
    with Scratch() as s:
        build(s)
        gcov(s, '--json-format')
        path = s.name('p.gcov.json.gz')
        truth = collections.defaultdict(lambda: [0, 0])
        for f in json.loads(gzip.open(path).read())['files']:
            names = {x['name']: x['demangled_name'] for x in f['functions']}
            for line in f['lines']:
                truth[names.get(line.get('function_name'), '???'), f['file'], line['line_number']][0] += line['count']
            for x in f['functions']:
                truth[x['demangled_name'], f['file'], x['start_line']][1] += x['execution_count']
        truth = {k: v for k, v in truth.items() if any(v)}
        want(len(truth) > 30, 'nothing was executed')
        equal(line_counts.of(path), truth, 'counts')


@t('text: lines add up to those of the JSON')
def _():
    with Scratch() as s:
        build(s)
        gcov(s, '--json-format')
        lines = collections.Counter()
        calls = 0
        for f in json.loads(gzip.open(s.name('p.gcov.json.gz')).read())['files']:
            if f['file'] == 'p.cc':
                calls += sum(x['execution_count'] for x in f['functions'])
                for line in f['lines']:
                    lines[line['line_number']] += line['count']
        for options in ([], ['-b', '-c']):
            gcov(s, *options)
            got = line_counts.of(s.name('p.cc.gcov'))
            mine = collections.Counter()
            for (_, _, at), cost in got.items():
                mine[at] += cost[0]
            equal(+mine, +lines, f'lines {options}')
            if options:
                equal(sum(cost[1] for cost in got.values()), calls, 'calls')


t.run()
