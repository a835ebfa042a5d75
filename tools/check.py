#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make quick, make check, make check-all: build, run the tests, and count.

check.py quick                   build/, as it was set up: the suites that answer for most changes (QUICK)
check.py check [--since COMMIT]  two builds from scratch, and all tests but the long ones; with --since also
                                 the long ones of what has changed since that commit (LONG)
check.py all                     the same builds and every test, fuzz targets for a minute each

build-check/  gcc, release flags, warnings are errors, with the WebAssembly module and the page
build-asan/   clang, ASan, UBSan and libFuzzer at -O1, with the page of the other: unit tests, goldens,
              command line, seeds of the fuzz targets, and each target for a few seconds

A test that takes long is in a suite long-NAME as well. The tests run by tools/alone.sh: they see
the tree, empty folders for temporary files and the home, and nothing else that somebody left on
the machine.

A TAP program counts with each of its test points, any other test as one; a build that fails
counts as one failure, and so does a test that is skipped, unless nothing on this machine could
have made it run (MAY_SKIP): those are named at the end. The last line is "N passed, N failed".
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
JOBS = os.environ.get('JOBS') or str(os.cpu_count() or 2)
POINT = re.compile(r'^(not )?ok\b\s*\d*([^#\n]*)(?:#\s*(skip|todo)\S*(.*))?$', re.I | re.M)
BAD = ('FAIL', 'ERROR', 'TIMEOUT', 'INTERRUPT', 'UNEXPECTEDPASS')

# Reasons for a skip that no package mends: rights that the kernel or the user lacks, and what
# npm alone has, where its registry is out of reach.
MAY_SKIP = re.compile(r'''perf events are not allowed
    | allowed\ to\ all | nobody\ else\ may\ run
    | npm\ could\ not\ fetch | no\ npm | no\ Chromium
    | needs\ root | needs\ rights | needs\ another\ user | can't\ reach\ the\ build | no\ file\ system\ can\ be\ mounted
    ''', re.X)
NOT_APPLICABLE = 'n/a: '

QUICK = ('unit', 'golden', 'cli', 'docs', 'style', 'floors', 'fuzz-regression')

# What to run the long tests for, when a file below one of the folders has changed.
LONG = {
    'browser': ('viewer/', 'wasm/', 'tests/page/', 'src/picture/', 'src/page/'),
    'record': ('preload/', 'src/record/', 'src/recording/', 'src/cli/cmd/cmd_record', 'tests/record/'),
    'symbols': ('src/symbols/', 'tests/symbols/', 'tests/interop/run_symbols.py', 'tests/interop/symbols/'),
}

Build = collections.namedtuple('Build', 'folder setup cc suites env')
PLAIN = Build('build-check', ['-Dwerror=true', '-Dtests=enabled', '-Dwasm=enabled'], {'CC': 'gcc', 'CXX': 'g++'}, (), {})
SANITIZED = Build('build-asan', ['-Dwerror=true', '-Dtests=enabled', '-Dlibfuzzer=true', '-Db_sanitize=address,undefined',
                                 '-Db_lundef=false', '-Doptimization=1', '-Dwasm=disabled',
                                 f'-Dpage_file={ROOT}/build-check/viewer/page.html'],
                  {'CC': 'clang-14', 'CXX': 'clang++-14'}, ('unit', 'golden', 'cli', 'fuzz-regression', 'fuzz'),
                  {'ASAN_OPTIONS': 'detect_leaks=1:allocator_may_return_null=1',
                   'UBSAN_OPTIONS': 'print_stacktrace=1', 'FUZZ_VERBOSITY': '0'})


class Tally:
    """What passed, what failed, and the names of the latter."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = collections.Counter()  # reason -> tests
        self.beside = collections.Counter()  # what a question does not apply to -> tests

    def skip(self, label, why):
        why = why.strip()
        if why == 'no sampler beside a sanitizer' and label.startswith(SANITIZED.folder):
            why = NOT_APPLICABLE + why
        if why.startswith(NOT_APPLICABLE):
            self.beside[why[len(NOT_APPLICABLE):]] += 1
        elif MAY_SKIP.search(why):
            self.skipped[why] += 1
        else:
            self.failed.append(f'{label} (skipped: {why or "without a reason"})')

    def add_test(self, folder, test):
        label = f'{folder}: {test["name"].split(" / ")[-1]}'
        points = POINT.findall(test.get('stdout') or '') if is_tap(test) else []
        wrong = 0
        for bad, text, directive, why in points:
            if directive.lower() == 'skip':
                self.skip(f'{label}:{text.rstrip()}', why)
            elif bad and directive.lower() != 'todo':
                self.failed.append(f'{label}:{text.rstrip()}')
                wrong += 1
            else:
                self.passed += 1
        if test['result'] in BAD and not wrong:
            self.failed.append(f'{label} ({test["result"].lower()})')
        elif test['result'] == 'SKIP' and not points:
            self.skip(label, all_skipped(test))
        elif not points:
            self.passed += 1


def all_skipped(test):
    """Why a test program ran none of its tests."""
    plan = re.search(r'^1\.\.0\s*#\s*skip\S*(.*)$', test.get('stdout') or '', re.I | re.M)
    return plan[1] if plan else ''


def is_tap(test):
    return re.search(r'^1\.\.\d+', test.get('stdout') or '', re.M) is not None


def run(args, **env):
    print('$ ' + ' '.join(args), flush=True)
    return subprocess.run(args, cwd=ROOT, env={**os.environ, **env}, check=False).returncode


def compile_in(build):
    """True when the folder is set up as we want it and everything in it builds."""
    folder = ROOT / build.folder
    want = json.dumps([build.setup, build.cc, str(ROOT)])
    stamp = folder / 'check-setup'
    if folder.exists() and (not stamp.exists() or stamp.read_text() != want):
        shutil.rmtree(folder)
    if not folder.exists():
        if run(['meson', 'setup', build.folder, *build.setup], **build.cc):
            return False
        stamp.write_text(want)
    return run(['ninja', '-C', build.folder, '-j', JOBS, 'all', 'meson-test-prereq']) == 0


def test_in(build, tally, words=(), alone=('tools/alone.sh',)):
    """The tests of the build's suites; WORDS are meson's words for which of them."""
    log = ROOT / build.folder / 'meson-logs/testlog.json'
    log.unlink(missing_ok=True)
    run([*alone, 'meson', 'test', '-C', build.folder, '--no-rebuild', '--print-errorlogs', '--quiet',
         '--num-processes', JOBS, '--timeout-multiplier', '3', *suites(build.suites), *words], **build.env)
    if not log.exists():
        tally.failed.append(f'{build.folder}: meson test did not run')
        return
    for line in log.read_text().splitlines():
        tally.add_test(build.folder, json.loads(line))


def suites(names, option='--suite'):
    return [word for name in names for word in (option, name)]


def changed(since):
    """The keys of LONG with a file that has changed since that commit; none where git doesn't know it."""
    done = subprocess.run(['git', 'diff', '--name-only', since], cwd=ROOT, capture_output=True, text=True, check=False)
    return [key for key, places in LONG.items() if any(file.startswith(places) for file in done.stdout.splitlines())]


def quick(folder, tally):
    """The build that is there; that it has the unit tests is all we ask of it."""
    options = json.loads((ROOT / folder / 'meson-info/intro-buildoptions.json').read_text())
    if {'name': 'tests', 'value': 'enabled'} not in [{key: o[key] for key in ('name', 'value')} for o in options]:
        run(['meson', 'configure', folder, '-Dtests=enabled'])
    if run(['ninja', '-C', folder, '-j', JOBS, 'all', 'meson-test-prereq']):
        tally.failed.append(f'{folder}: does not build')
    else:
        test_in(Build(folder, [], {}, QUICK, {}), tally, alone=())


def check(tally, fuzz_seconds, long):
    """Both builds, with the long tests of these keys of LONG."""
    left_out = suites([f'long-{key}' for key in LONG if key not in long], '--no-suite')
    for build in PLAIN, SANITIZED._replace(env={**SANITIZED.env, 'FUZZ_SECONDS': fuzz_seconds}):
        start = time.monotonic()
        if not compile_in(build):
            tally.failed.append(f'{build.folder}: does not build')
            print()
            continue
        built = time.monotonic()
        test_in(build, tally, left_out)
        print(f'{build.folder}: {built - start:.0f} s to build, {time.monotonic() - built:.0f} s to test\n', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('what', choices=('quick', 'check', 'all'))
    parser.add_argument('--since', metavar='COMMIT', help='run the long tests of what has changed since then, too')
    parser.add_argument('--build', metavar='FOLDER', default='build', help='the build of quick')
    options = parser.parse_args()
    tally = Tally()
    if options.what == 'quick':
        quick(options.build, tally)
    elif options.what == 'all':
        check(tally, os.environ.get('FUZZ_SECONDS', '60'), LONG)
    else:
        check(tally, os.environ.get('CHECK_FUZZ_SECONDS', '4'), changed(options.since) if options.since else ())
    for name in tally.failed:
        print(f'failed: {name}')
    for why, n in sorted(tally.beside.items()):
        print(f'not asked, {n} times: {why}')
    for why, n in sorted(tally.skipped.items()):
        print(f'skipped, {n} times: {why}')
    print(f'{tally.passed} passed, {len(tally.failed)} failed')
    return 1 if tally.failed or not tally.passed else 0


if __name__ == '__main__':
    sys.exit(main())
