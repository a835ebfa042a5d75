#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON of llvm-cov export: the counts of each line and function are llvm-cov's own.

What is asserted: the lines and calls of assay, as Callgrind that Python reads, against llvm-cov's own export for lcov, and the lines
of each function against what llvm-cov show prints of it. Environment: ASSAY, and clang-14 and llvm-cov-14.
"""
import collections
import pathlib
import re
import shutil
import subprocess

import line_counts
import tap
from tap import Scratch, equal, want

t = tap.Tap('llvmcov')
if not all(shutil.which(x) for x in ('clang-14', 'clang++-14', 'llvm-cov-14', 'llvm-profdata-14')):
    t.skip_all('needs clang-14 and llvm-14')

C = r'''
#include <stdio.h>

#define SQUARE(x) ((x) * (x))

#ifdef NEVER
static int gone(int x)
{
	return x;
}
#endif

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

int main(int argc, char **argv)
{
	long sum = argc > 5 ? never(1) : 0;
	int i;

	(void)argv;
	for (i = 0; i < 12; i++) {
		switch (i % 4) {
		case 0:
			continue;
		case 1:
			sum += SQUARE(i);
			break;
#ifdef NEVER
		case 2:
			sum += gone(i);
#endif
		default:
			sum += fib(i);
		}
	}
	do
		sum--;
	while (sum > 100 && sum % 2);
	printf("%ld\n", sum);
	return 0;
}
'''

CC = r'''
#include <cstdio>
#include <cstdlib>

template <typename T> static T twice(T x)
{
	return x + x;
}

#define SQUARE(x) ((x) * (x))

struct counter {
	int n = 0;
	counter() { n = 1; }
	void step(int by)
	{
		if (by > 2)
			n += by;
		else
			n -= by;
	}
};

static int never(int x)
{
	return x ? 1 : 2;
}

int main(int argc, char **argv)
{
	counter c;
	auto add = [](int a, int b) { return a + b; };
	double d = 0;

	for (int i = 0; i < 10; i++) {
		c.step(i);
		if (i % 3 == 0 && i > 2) continue;
		d += twice(1.5);
		d += twice(i) + SQUARE(i);
	}
	for (int i = 0; i < 5; i++) d += add(i, i);
	if (argc > 7)
		return never(argc);
	printf("%d %g\n", c.n, d);
	return 0;
}
'''


def build(s, compiler, name, source):
    pathlib.Path(s.name(name)).write_text(source, encoding='utf-8')
    for command in ([compiler, '-fprofile-instr-generate', '-fcoverage-mapping', '-o', 'p', name], ['./p'],
                    ['llvm-profdata-14', 'merge', 'default.profraw', '-o', 'p.profdata']):
        subprocess.run(command, cwd=s.name(''), check=True, stdout=subprocess.DEVNULL)


def llvm_cov(s, command, *options):
    done = subprocess.run(['llvm-cov-14', command, 'p', '-instr-profile=p.profdata', *options],
                          cwd=s.name(''), check=True, stdout=subprocess.PIPE)
    return done.stdout.decode('utf-8')


def mine(s, *options):
    pathlib.Path(s.name('p.json')).write_text(llvm_cov(s, 'export', *options), encoding='utf-8')
    return line_counts.of(s.name('p.json'))


def as_lcov(text):
    """{(file, line): executions}, {(function, file, line): calls}"""
    lines, calls, begins, at = {}, collections.Counter(), {}, ''
    for line in text.splitlines():
        key, _, rest = line.partition(':')
        if key == 'SF':
            at = rest
        elif key == 'DA':
            number, count = map(int, rest.split(',')[:2])
            lines[at, number] = count
        elif key == 'FN':
            number, name = rest.split(',', 1)
            begins[at, name] = int(number)
        elif key == 'FNDA':
            count, name = rest.split(',', 1)
            calls[name.rpartition(':')[2], at, begins[at, name]] += int(count)
    return lines, calls


def compare(compiler, name, source):
    with Scratch() as s:
        build(s, compiler, name, source)
        lines, calls = as_lcov(llvm_cov(s, 'export', '-format=lcov'))
        want(sum(1 for n in lines.values() if n) > 20 and sum(1 for n in calls.values() if n) > 1, 'little was executed')
        got = mine(s)
        sums = collections.Counter()
        for (_, file, line), cost in got.items():
            sums[file, line] += cost[0]
        equal(+sums, +collections.Counter(lines), 'lines')
        equal({k: v[1] for k, v in got.items() if v[1]}, dict(+calls), 'calls')


@t('C: each line and each function, as lcov is told')
def _():
    compare('clang-14', 'p.c', C)


@t('C++: each line and each function, as lcov is told')
def _():
    compare('clang++-14', 'p.cc', CC)


@t('C: the lines of each function, as llvm-cov show prints them')
def _():
    with Scratch() as s:
        build(s, 'clang-14', 'p.c', C)
        got = mine(s)
        names = {name for name, _, _ in got if name != '???'}     # of which macros are
        equal(names, {'main', 'fib'}, 'functions that ran')
        for name in names:
            shown = {int(m[1]): int(m[2])
                     for m in re.finditer(r'^ *(\d+)\| *(\d+)\|', llvm_cov(s, 'show', f'-name-regex=^(p.c:)?{name}$'), re.M) if int(m[2])}
            want(len(shown) > 3, name)
            equal({line: cost[0] for (fn, _, line), cost in got.items() if fn == name and cost[0]}, shown, name)


@t('C++: a lambda\'s lines are its own, a template\'s are nobody\'s in particular')
def _():
    with Scratch() as s:
        build(s, 'clang++-14', 'p.cc', CC)
        got = mine(s)
        where = {line: fn for (fn, _, line), cost in got.items() if cost[0]}
        number = {text.strip(): i for i, text in enumerate(('\n' + CC).split('\n'))}
        want('clEii' in where[number['auto add = [](int a, int b) { return a + b; };']], where)
        equal(where[number['double d = 0;']], 'main', 'around it')
        want(where[number['return x + x;']] not in names_of(got), where)
        equal(sum(cost[1] for (fn, _, _), cost in got.items() if 'twice' in fn), 14, 'calls of the template')


def names_of(got):
    return {fn for (fn, _, _), cost in got.items() if cost[1]}


@t('without functions the lines are the same')
def _():
    with Scratch() as s:
        build(s, 'clang++-14', 'p.cc', CC)
        lines, _ = as_lcov(llvm_cov(s, 'export', '-format=lcov'))
        got = mine(s, '-skip-functions', '-skip-expansions')
        equal({(file, line): cost[0] for (_, file, line), cost in got.items()}, {k: n for k, n in lines.items() if n}, 'lines')


t.run()
