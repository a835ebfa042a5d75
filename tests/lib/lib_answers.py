#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The library's answers are the program's: LIB_ANSWERS (lib_answers.c) and ASSAY on the same files.

Of the goldens every EVERY-th is taken: a sanitizer makes each of some thousand processes slow, and is
there for the library, which has answered alike in the other build.
"""
import csv
import glob
import io
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.environ['AS_SOURCE_ROOT']
FIXTURES = os.path.join(ROOT, 'tests', 'fixtures')
INPUTS = [os.path.join(FIXTURES, name) for name in ('callgrind.out.demo', 'callgrind.out.demo.full', 'demo.symbolized.prof')]
INPUTS += sorted(f for name in ('callgrind', 'pprof', 'folded', 'gperf')
                 for f in glob.glob(os.path.join(ROOT, 'src', 'formats', name, 'golden', '*.*'))
                 if not f.endswith(('.dump', '.err', '.md', '.lossy')))[::int(os.environ.get('EVERY', '1'))]
tests = []


def run(*args):
    """The output of a program; None where it refuses."""
    p = subprocess.run(args, capture_output=True, check=False)
    if p.returncode < 0:
        raise AssertionError(f'{" ".join(args)}: signal {-p.returncode}')
    return p.stdout.decode(errors='surrogateescape') if p.returncode == 0 else None


def program(*args):
    """The rows of an answer in CSV, without their heading."""
    text = run(os.environ['ASSAY'], *args, '-f', 'csv', '--names', 'full')
    return text and [row for row in csv.reader(io.StringIO(text))][1:]


def library(*args):
    text = run(os.environ['LIB_ANSWERS'], *args)
    return text if text is None else [line.split('\t') for line in text.split('\n')[:-1]]


def test(fn):
    tests.append(fn)
    return fn


def same(what, mine, theirs):
    if mine != theirs:
        differ = [(a, b) for a, b in zip(mine or [], theirs or []) if a != b]
        raise AssertionError(f'{what}: {len(mine or [])} rows, the program has {len(theirs or [])}: {differ[:1]}')


def hottest(path):
    """Names of the functions that cost most, each name of one function alone."""
    names = [row[0] for row in program('top', path, '-n', '0') or []]
    return [n for n in names if n and names.count(n) == 1][:6]


@test
def trees_are_those_of_tree():
    n = 0
    for path in INPUTS:
        for way in ('callees', 'bottom-up'):
            theirs = program('tree', path, '--' + way, '-m', '0')
            if theirs is not None:
                same(f'{way} of {path}', library('tree', way, path), theirs)
                n += len(theirs)
    assert n > 1000, n


@test
def trees_of_a_function_are_those_of_tree():
    for path in INPUTS[:3]:
        for name in hottest(path):
            for way in ('callees', 'callers', 'bottom-up'):
                theirs = program('tree', path, '^' + name + '$', '--' + way, '-m', '0')
                same(f'{way} of {name} in {path}', library('tree', way, path, name), theirs)


@test
def callers_are_those_of_peek():
    for path in INPUTS[:3]:
        for name in hottest(path):
            theirs = [row for row in program('peek', name, path, '-n', '1') if row[0] == 'caller']
            mine = library('peek', path, name)
            half = (len(theirs[0]) - 6) // 2 if theirs else 0
            same(f'callers of {name} in {path}', sorted(row[:-1] for row in mine),
                 sorted(row[1:5] + row[5 + half:5 + 2 * half] for row in theirs))


@test
def what_is_found_is_what_peek_finds():
    for path in INPUTS[:4]:
        for what in ('main', 'm', '^_dl_.*e', 'demo.c:58', 'nobody at all', '(', 'MIX', ''):
            theirs = [row[1:-1] for row in program('peek', what, path, '-n', '0') or [] if row[0] == 'function']
            same(f'{what} in {path}', [row[:-1] for row in library('find', path, what)], theirs)


@test
def listings_are_those_of_list():
    n = 0
    for path in INPUTS:
        for name in hottest(path):
            theirs = program('list', '^' + re.escape(name) + '$', path, '-n', '1')
            mine = library('list', path, '^' + re.escape(name) + '$')
            if theirs is None:
                same(f'{name} in {path}', mine, theirs)
                continue
            e = (len(theirs[0]) - 9) // 2
            lines = [row[:1] + row[2:-1] for row in theirs if row[0] == 'line']
            calls = [row[:1] + row[2:5] + row[6 + e:-2] + [row[-2] or '0'] for row in theirs if row[0] == 'call']
            same(f'lines of {name} in {path}', [row[:-1] for row in mine if row[0] == 'line'], lines)
            same(f'calls of {name} in {path}', [row[:-1] for row in mine if row[0] == 'call'], calls)
            n += len(lines)
    assert n > 100, n


@test
def words_choose_what_filter_writes():
    for path in INPUTS[:3] + [f for f in INPUTS if f.endswith('.pb')]:
        for words in (['focus=m'], ['focus=^fib$', 'ignore=MAIN'], ['hide=obj:libc', 'show-from=main'],
                      ['object=demo'], ['prune-from=main'], ['focus=file:demo.c', 'focus=main'],
                      ['tagfocus=1:'], ['tagignore=a', 'tagshow=.'], ['taghide=b', 'label=request'],
                      ['tagroot=request,thread', 'tagleaf=bytes'], ['thread=1'], ['part=1'], ['focus=('], ['object=fn:x'],
                      ['tagroot=,']):
            options = [x for word in words for x in ('--' + word.split('=', 1)[0], word.split('=', 1)[1])]
            theirs = run(os.environ['ASSAY'], 'filter', path, *options, '-t', 'dump', '-o', '-')
            mine = run(os.environ['LIB_ANSWERS'], 'words', path, *words)
            if theirs is None and mine is not None and not [x for x in mine.split('\n') if x.startswith('self ')]:
                continue # nothing is left, which the program ends at
            same(f'{words} of {path}', mine and mine.split('\n'), theirs and theirs.split('\n'))


@test
def comparisons_are_those_of_diff():
    n = 0
    pairs = [(os.path.join(FIXTURES, 'callgrind.out.before'), os.path.join(FIXTURES, 'callgrind.out.after')),
             (os.path.join(FIXTURES, 'demo.prof'), INPUTS[2]), (INPUTS[0], INPUTS[1])]
    for base, changed in pairs + list(zip(INPUTS[3:], INPUTS[4:])) + [(f, f) for f in INPUTS]:
        theirs = program('diff', base, changed, '-n', '0')
        mine = library('diff', base, changed)
        same(f'{base} with {changed}', mine and [row[:-1] for row in mine], theirs)
        n += len(theirs or [])
    assert n > 600, n


@test
def names_are_those_of_symbolize():
    assay = os.environ['ASSAY']
    if 'no elfutils' in run(assay, '--version'):
        return
    with tempfile.TemporaryDirectory() as folder:
        program, prof = os.path.join(folder, 'program'), os.path.join(folder, 'p.prof')
        lib = os.path.join(ROOT, 'tests', 'lib')
        assert run('cc', '-g', '-O1', '-o', program, os.path.join(lib, 'named.c')) is not None
        assert run('python3', os.path.join(lib, 'make_prof.py'), program, prof, 'hash', 'sum') is not None
        os.utime(program, (1, 1))
        moved = os.path.join(folder, 'elsewhere')
        os.mkdir(moved)
        os.rename(program, os.path.join(moved, 'program'))
        for binary in (os.path.join(moved, 'program'), 'nowhere'):
            theirs = run(assay, 'symbolize', prof, '--symbols', 'auto', '--no-symbol-cache', '--binary', binary,
                         '-t', 'dump', '-o', '-')
            p = subprocess.run([os.environ['LIB_ANSWERS'], 'names', prof, binary], capture_output=True, text=True, check=True)
            state = [line.split('\t') for line in p.stderr.splitlines()]
            if binary == 'nowhere':
                assert [row[1] for row in state] == ['1'], state
                assert 'hash' not in p.stdout
            else:
                assert state[0][:2] == [binary, '0'] and state[0][2] == state[0][3] != '0', state
                same('names', p.stdout.split('\n'), theirs and theirs.split('\n'))


def main():
    print(f'1..{len(tests)}')
    failed = 0
    for i, fn in enumerate(tests, 1):
        try:
            fn()
            print(f'ok {i} - {fn.__name__}', flush=True)
        except AssertionError as e:
            failed += 1
            print(f'not ok {i} - {fn.__name__}\n# {e}', flush=True)
    return failed > 0


sys.exit(main())
