#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make check: build three times, run every suite, and count.

build-check/  gcc, release flags, warnings are errors, with the WebAssembly module: all suites
build-asan/   gcc, ASan and UBSan: unit tests, goldens, command line, fuzz corpora
build-fuzz/   clang, libFuzzer, ASan and UBSan: each fuzz target for a few seconds

The tests run by tools/alone.sh: they see the tree, empty folders for temporary files and the
home, and nothing else that somebody left on the machine.

A TAP program counts with each of its test points, any other test as one; a build that fails
counts as one failure, and so does a test that is skipped, unless nothing on this machine could
have made it run (MAY_SKIP): those are named at the end. The last line is "N passed, N failed".
"""
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

Build = collections.namedtuple('Build', 'folder setup cc tests env')
BUILDS = (
    Build('build-check', ['-Dwerror=true', '-Dtests=enabled', '-Dwasm=enabled'], 'gcc', [], {}),
    Build('build-asan', ['-Dwerror=true', '-Dtests=enabled', '-Db_sanitize=address,undefined'], 'gcc',
          ['--suite', 'unit', '--suite', 'golden', '--suite', 'cli', '--suite', 'fuzz-regression'],
          {'ASAN_OPTIONS': 'detect_leaks=1:allocator_may_return_null=1',
           'UBSAN_OPTIONS': 'print_stacktrace=1'}),
    Build('build-fuzz', ['-Dlibfuzzer=true', '-Dtests=disabled', '-Db_sanitize=address,undefined',
                         '-Db_lundef=false', '-Dwasm=disabled'], 'clang-14', ['--suite', 'fuzz'],
          {'FUZZ_SECONDS': os.environ.get('CHECK_FUZZ_SECONDS', '5'), 'FUZZ_VERBOSITY': '0'}),
)


class Tally:
    """What passed, what failed, and the names of the latter."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = collections.Counter()  # reason -> tests
        self.beside = collections.Counter()  # what a question does not apply to -> tests

    def skip(self, label, why):
        why = why.strip()
        if why == 'no sampler beside a sanitizer' and label.startswith('build-asan'):
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
        if run(['meson', 'setup', build.folder, *build.setup], CC=build.cc):
            return False
        stamp.write_text(want)
    return run(['ninja', '-C', build.folder, '-j', JOBS, 'all', 'meson-test-prereq']) == 0


def test_in(build, tally):
    log = ROOT / build.folder / 'meson-logs/testlog.json'
    log.unlink(missing_ok=True)
    run(['tools/alone.sh', 'meson', 'test', '-C', build.folder, '--no-rebuild', '--print-errorlogs', '--quiet',
         '--num-processes', JOBS, '--timeout-multiplier', '3', *build.tests], **build.env)
    if not log.exists():
        tally.failed.append(f'{build.folder}: meson test did not run')
        return
    for line in log.read_text().splitlines():
        tally.add_test(build.folder, json.loads(line))


def main():
    tally = Tally()
    for build in BUILDS:
        start = time.monotonic()
        if compile_in(build):
            test_in(build, tally)
        else:
            tally.failed.append(f'{build.folder}: does not build')
        print(f'{build.folder}: {time.monotonic() - start:.0f} s\n', flush=True)
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
