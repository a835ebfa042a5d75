#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of one name stay rows of their own.

Programs are built whose functions share names: static ones of several files, overloads, members of local classes,
lambdas.  A profile is made up with one sample at every address of their code; `assay top` must then have as many rows,
with as many samples, as addr2line says that there are places of those functions.
"""
import collections
import csv
import os
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap
from tap import Run, Scratch, want

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = 0x555555554000
t = tap.Tap('twins')


def sh(*args, cwd=None, stdin=''):
    p = subprocess.run(args, cwd=cwd, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, text=True)
    want(p.returncode == 0, '%s: status %d' % (args[0], p.returncode), p.stderr[-600:])
    return p.stdout


def code_of(obj, pattern):
    """The addresses of the functions whose symbols match."""
    addrs = []
    for line in sh('nm', '-S', '--defined-only', obj).split('\n'):
        p = line.split()
        if len(p) == 4 and p[2] in 'tT' and re.fullmatch(pattern, p[3]):
            addrs += range(int(p[0], 16), int(p[0], 16) + int(p[1], 16))
    want(addrs, 'no function %s in %s' % (pattern, obj))
    return sorted(addrs)


def profile(path, obj, addrs):
    """A gperftools CPU profile: one sample at each address, from one mapping of all code."""
    for line in sh('readelf', '-lW', obj).split('\n'):
        p = line.split()
        if p[:1] == ['LOAD'] and 'E' in p[6:-1]:
            offset, vaddr, size = (int(x, 16) for x in (p[1], p[2], p[5]))
    words = [0, 3, 0, 4000, 0]
    for a in addrs:
        words += [1, 1, BASE + a]
    words += [0, 1, 0]
    line = '%x-%x r-xp %08x 00:00 0 %s\n' % (BASE + vaddr, BASE + vaddr + size, offset, obj)
    with open(path, 'wb') as f:
        f.write(struct.pack('<%dQ' % len(words), *words) + line.encode())


def top(path, *options):
    run = Run(['top', path, '-n', '0', '--format', 'csv', '--symbols', 'auto', '--no-symbol-cache', *options])
    want(run.code == 0, 'top: status %s' % run.code, run.err)
    return list(csv.DictReader(run.out.decode().splitlines()))


def lines(obj, addrs):
    """(file, line) of each address, as addr2line has it."""
    text = sh('addr2line', '-e', obj, stdin=''.join('%x\n' % a for a in addrs))
    return [x.split(' ')[0].rsplit(':', 1) for x in text.strip().split('\n')]


@t('overloads, members of local classes and lambdas that are inlined')
def inlined():
    with Scratch() as dir:
        obj, source = dir.name('twins'), os.path.join(HERE, 'symbols', 'twins.cc')
        sh('g++', '-std=c++17', '-O2', '-g', '-pie', '-fPIE', source, '-o', obj)
        line_of = {i: text for i, text in enumerate(open(source), 1) if re.search(r'int s = .*for|while', text)}
        addrs = code_of(obj, r'main')
        expected = collections.Counter(
            int(line) for file, line in lines(obj, addrs) if file.endswith('twins.cc') and line.isdigit() and int(line) in line_of)
        want(len(expected) >= 12, 'only %d of the functions were inlined' % len(expected))
        profile(dir.name('p'), obj, addrs)
        rows = [r for r in top(dir.name('p')) if r['file'].endswith('twins.cc') and r['function'] != 'main' and r['self samples'] != '0']
        # The two instances of twice() stand on one line.
        pair = [int(r['self samples']) for r in rows if 'twice<' in r['function']]
        want(len(pair) == 2, 'twice() of two lambdas is %d rows' % len(pair), str(rows))
        one = next(i for i, text in line_of.items() if 'twice' in text)
        want(sum(pair) == expected.pop(one), 'samples of twice()', str(rows))
        got = sorted(int(r['self samples']) for r in rows if 'twice<' not in r['function'])
        want(got == sorted(expected.values()), 'rows %s; addr2line has %s' % (got, sorted(expected.values())), str(rows))
        names = {r['function'] for r in rows}
        want(len(names) == len(rows), 'two rows have one name', str(sorted(names)))
        for name in ('g(int)', 'g(long)', 'g(char const*)', 'g(int (*)(char const*), char const*)', 'g(four const*, int)',
                     'main::L::z(int)', 'main::M::z(int)', '(anonymous namespace)::P::w(int) const'):
            want(name in names, 'there is no %s' % name, str(sorted(names)))
        short = top(dir.name('p'), '--names', 'noargs')
        want(len({r['function'] for r in short}) == len(short), 'two rows have one name with --names noargs')


@t('what is inlined into out-of-line members of local classes and lambdas')
def local_classes():
    with Scratch() as dir:
        for flags in (['-O2'], ['-Og'], ['-O2', '-gdwarf-4']):
            obj, source = dir.name('locals'), os.path.join(HERE, 'symbols', 'locals.cc')
            sh('g++', '-std=c++17', '-g', *flags, '-pie', '-fPIE', source, '-o', obj)
            addrs = code_of(obj, r'.*(plain|member|mainE\w*clI?).*')
            hot = next(i for i, text in enumerate(open(source), 1) if 'long hot(' in text)
            expected = sum(int(line) == hot for file, line in lines(obj, addrs) if line.isdigit())
            want(expected > 20, 'hot() was not inlined')
            profile(dir.name('p'), obj, addrs)
            rows = {r['function']: r for r in top(dir.name('p'))}
            want('hot(long)' in rows, 'hot() is missing (%s)' % flags, str(sorted(rows)))
            want(int(rows['hot(long)']['self samples']) == expected, 'hot() has %s of %d samples (%s)' % (
                rows['hot(long)']['self samples'], expected, flags))


FUNC = 'static __attribute__((noinline)) int hot(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * %d ^ i; return s; }\n' \
       'int %s(int n) { return hot(n) + hot(n + 1); }\n'


def static_functions(flags, strip):
    with Scratch() as dir:
        for i, (folder, call) in enumerate((('a', 'first'), ('b', 'second'))):
            os.mkdir(dir.name(folder))
            with open(os.path.join(dir.name(folder), '%s.c' % folder if strip else 'x.c'), 'w') as f:
                f.write(FUNC % (7 + 2 * i, call))
        with open(dir.name('main.c'), 'w') as f:
            f.write('int first(int), second(int);\nint main(int c, char **v) { (void)v; return (first(c) ^ second(c)) & 1; }\n')
        sources = ['a/a.c', 'b/b.c'] if strip else ['a/x.c', 'b/x.c']
        sh('gcc', *flags, '-o', 'p', 'main.c', *sources, cwd=dir.name('.'))
        obj = dir.name('p')
        sizes = sorted(int(line.split()[1], 16) for line in sh('nm', '-S', obj).split('\n') if line.endswith(' t hot'))
        want(len(sizes) == 2, 'there are %d functions "hot"' % len(sizes))
        profile(dir.name('prof'), obj, code_of(obj, 'hot|main'))
        rows = [r for r in top(dir.name('prof')) if r['function'] == 'hot']
        want(sorted(int(r['self samples']) for r in rows) == sizes, 'rows of hot(): %s; nm has %s' % (rows, sizes))
        want(len({r['file'] for r in rows}) == 2, 'they are of one file', str(rows))
        text = Run(['top', dir.name('prof'), '--symbols', 'auto', '--no-symbol-cache']).out.decode()
        shown = [line.split()[-1] for line in text.splitlines() if ' hot ' in line]
        want(len(set(shown)) == 2, 'the table shows %s' % shown)


@t('static functions of two files of one name, in two directories')
def directories():
    static_functions(['-O2', '-g'], False)


@t('static functions of two files, by the symbol table alone')
def symbol_table():
    static_functions(['-O2'], True)


for program in ('gcc', 'g++', 'addr2line', 'nm', 'readelf'):
    if not shutil.which(program):
        t.skip_all('no ' + program)
t.run()
