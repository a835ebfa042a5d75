#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs to count calls: the same work bare, counted by `assay record --calls`, and under valgrind's callgrind.

Prints a Markdown table of the program's CPU time as a ratio to that of the program as it is built usually; rounds in which each
runs once. "floor" are hooks that do no more than any exact count with times has to: read the counter twice and keep a stack; they
know one function. The counted program is the same source with -finstrument-functions. Then whether callgrind has the same calls, by
function, all of them: of a third build, without inlined calls, which callgrind can't see.
"""
import argparse
import collections
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MIX = r'''
#include <stdio.h>
#include <stdlib.h>
static int less(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static double inner(double x) { return x * 1.0000001 + 0.5; }
static double loops(int n) { double s = 0; for (int i = 0; i < n; i++) s = inner(s); return s; }
int main(void)
{
	int n = 300000, *v = malloc(n * sizeof(*v));
	unsigned r = 1;
	char text[64];
	for (int i = 0; i < n; i++) { r = r * 1103515245 + 12345; v[i] = r >> 8; }
	qsort(v, n, sizeof(*v), less);
	double s = loops(1000000);
	for (int i = 0; i < 400000; i++) snprintf(text, sizeof(text), "%d %f", i, s);
	return printf("%d %g %d\n", fib(25), s, v[1000]) < 0;
}
'''
THROWS = r'''
#include <stdexcept>
volatile long sink;
struct guard { guard() { sink++; } ~guard() { sink--; } };
static void deep(int n) { guard g; if (!n) throw std::runtime_error("x"); deep(n - 1); }
int main() { for (int i = 0; i < 40000; i++) try { deep(i % 8); } catch (const std::exception &) { sink++; } }
'''

FLOOR = r'''
#include <x86intrin.h>
struct frame { unsigned long long start, children; };
static struct frame frames[1000000];
static struct frame *top = frames;
static unsigned long long calls, inclusive, self;
void __cyg_profile_func_enter(void *fn, void *site)
{
	(void)fn, (void)site;
	calls++;
	(++top)->children = 0;
	top->start = __rdtsc();
}
void __cyg_profile_func_exit(void *fn, void *site)
{
	unsigned long long took = __rdtsc() - top->start;
	(void)fn, (void)site;
	inclusive += took;
	self += took - top->children;
	(--top)->children += took;
}
'''


def programs(folder):
    """Name, source files, and arguments; 5 MB take callgrind ten seconds."""
    (folder / 'mix.c').write_text(MIX, encoding='utf-8')
    (folder / 'throws.cc').write_text(THROWS, encoding='utf-8')
    gen = [str(ROOT / 'bench' / name) for name in ('gen_callgrind.c', 'gen_program.c')]
    return [('a call in most that it does: qsort, recursion, printf', [str(folder / 'mix.c')], []),
            ('C++ exceptions', [str(folder / 'throws.cc')], []),
            ('gen_callgrind, 5 MB of text', gen, ['-s', '5m'])]


def cpu(argv, env=None):
    with open(os.devnull, 'wb') as null:
        child = subprocess.Popen(argv, stdout=null, stderr=null, env=env)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f'{argv}: status {child.returncode}')
    return usage.ru_utime + usage.ru_stime


def totals(path, only=None):
    """Calls by function of a Callgrind file."""
    names, found, callee = {}, collections.Counter(), None
    for line in path.read_text(encoding='utf-8').splitlines():
        key, _, value = line.partition('=')
        if key in ('fn', 'cfn'):
            m = re.match(r'\((\d+)\)(?: (.*))?$', value)
            if m and m[2]:
                names[m[1]] = m[2]
            callee = re.sub(r"'\d+$", '', names[m[1]] if m else value)
        elif key == 'calls' and (only is None or callee in only):
            found[callee] += int(value.split()[0])
    return found


def measure(o, folder, sources, args):
    compiler = 'c++' if sources[0].endswith('.cc') else 'cc'
    bare, told = folder / 'bare', folder / 'told'
    plain = folder / 'plain'
    for out, flags in ((bare, ['-O2']), (told, ['-O2', '-finstrument-functions']),
                       (plain, ['-O1', '-fno-inline', '-fno-optimize-sibling-calls', '-finstrument-functions'])):
        subprocess.run([compiler, '-g', *flags, *sources, '-lm', '-o', out], check=True)
    env = dict(os.environ, LD_PRELOAD=str(o.profiler.resolve()), ASSAY_CALLS=str(folder / 'c'))
    floor = folder / 'floor.so'
    (folder / 'floor.c').write_text(FLOOR, encoding='utf-8')
    subprocess.run(['cc', '-O2', '-fPIC', '-shared', folder / 'floor.c', '-o', floor], check=True)
    truth, ours = folder / 'truth', folder / 'ours.callgrind'
    variants = {'bare': lambda: cpu([bare, *args]),
                'floor': lambda: cpu([told, *args], dict(os.environ, LD_PRELOAD=str(floor))),
                'calls': lambda: cpu([told, *args], env),
                'callgrind': lambda: cpu(['valgrind', '--tool=callgrind', f'--callgrind-out-file={truth}', bare, *args])}
    took = {name: [] for name in variants}
    for _ in range(o.rounds):
        for name, run in variants.items():
            took[name].append(run())
        for path in folder.glob('c_*'):
            path.unlink()
    subprocess.run([o.assay, 'record', '-q', '--no-show', '--overwrite', '--calls', '-o', ours, '--', plain, *args], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cpu(['valgrind', '--tool=callgrind', f'--callgrind-out-file={truth}', plain, *args])
    mine = totals(ours)
    same = totals(truth, mine) == mine
    return [statistics.median(took[name]) for name in variants] + [sum(mine.values()), same]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--rounds', type=int, default=3)
    o = parser.parse_args()
    o.assay = o.build / 'src' / 'cli' / 'assay'
    o.profiler = o.build / 'preload' / 'libassay-profiler.so.0'
    print('| program | bare | calls | floor | `assay record --calls` | callgrind | the same calls |')
    print('| --- | ---: | ---: | ---: | ---: | ---: | --- |')
    with tempfile.TemporaryDirectory() as name:
        for title, sources, args in programs(pathlib.Path(name)):
            bare, floor, calls, grind, n, same = measure(o, pathlib.Path(name), sources, args)
            print(f'| {title} | {bare:.2f} s | {n:,} | {floor / bare:.1f} | {calls / bare:.1f} | {grind / bare:.0f} | {"yes" if same else "NO"} |')


main()
