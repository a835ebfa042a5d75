#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make quick, make check, make check-all: build, run the tests, and count.

check.py quick                   build/, as it was set up: the suites that answer for most changes (QUICK)
check.py check [--since COMMIT]  two builds from scratch, and all tests but the long ones; with --since also
                                 the long ones of what has changed since that commit (LONG)
check.py all                     the same builds and every test, fuzz targets for 25 seconds each, and build-tsan/

build-check/  gcc, release flags, warnings are errors, with the WebAssembly module and the page. Of debug
              information it has lines and functions only, which is a sixth of the compiler's time
build-asan/   clang, ASan, UBSan and libFuzzer at -O1, with the page of the other: unit tests, goldens,
              command line, seeds of the fuzz targets, and each target on some inputs more; for `check` the
              same ones each time, so that a commit that passed does not fail by chance: `all` and `make fuzz` look for
              what nobody has found. Its hundred programs are linked by lld, for a third of the time, at fixed
              addresses, as a quarter of a million of relocations would be a fifth of each program's time.
              What was freed stays out of use for 16 MB, more than any input here takes: with ASan's 256 MB
              a quarter of a replay's time is the kernel's, for pages that are never used again
build-tsan/   the program alone, by clang with ThreadSanitizer at -O1, and what a push does of many files with it: some
              are read while others are sent

What `check` does in build-asan/ it does not do again in build-check/ where that would find no more (ONCE);
`all` does everything in both.

The tests of recording, and those of a fleet's store, run one at a time beside all others, while the
second build is made, too.
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
SAID = 12  # lines of a test that failed are repeated at the end
BAD = ('FAIL', 'ERROR', 'TIMEOUT', 'INTERRUPT', 'UNEXPECTEDPASS')

# Reasons for a skip that no package mends: rights that the kernel or the user lacks, and what
# npm alone has, where its registry is out of reach.
MAY_SKIP = re.compile(r'''perf events are not allowed
    | allowed\ to\ all | nobody\ else\ may\ run
    | there\ is\ no\ (clickhouse-server|zookeeper) | npm\ could\ not\ fetch | no\ npm | no\ (Chromium|Firefox)
    | needs\ root | needs\ rights | needs\ another\ user | can't\ reach\ the\ build | no\ file\ system\ can\ be\ mounted
    ''', re.X)
NOT_APPLICABLE = 'n/a: '

QUICK = ('unit', 'golden', 'cli', 'docs', 'style', 'floors', 'fuzz-regression')

# What to run the long tests for, when a file below one of the folders has changed.
LONG = {
    'abi': ('include/', 'src/lib/', 'tests/abi/'),
    'browser': ('viewer/', 'wasm/', 'tests/page/', 'tests/fleet/run_served', 'src/picture/', 'src/page/', 'src/serve/'),
    'callgrind': ('src/formats/callgrind/', 'src/listing/', 'tests/oracle/', 'tests/data/run_annotate', 'tests/data/run_callgrind',
                  'tests/data/run_diff', 'tests/data/run_list'),
    'formats': ('src/formats/', 'src/change/', 'src/picture/', 'src/tree/', 'tests/data/run_flame',
                'tests/data/run_truncation', 'tests/data/run_ways'),
    'packages': ('bindings/', 'debian/', 'tests/packages/', 'tools/deb.sh', 'tools/static.sh', 'tools/dist.py', 'tools/sbom.py'),
    'random': ('src/change/', 'src/compat/', 'src/formats/pprof/', 'src/session/', 'src/store/', 'tests/data/run_database', 'tests/interop/run_compat',
               'tests/interop/run_figures', 'tests/oracle/random'),
    'record': ('preload/', 'src/record/', 'src/recording/', 'src/daemon/', 'src/store/', 'src/cli/cmd/cmd_record', 'src/cli/cmd/cmd_live',
               'src/cli/live/', 'src/term/', 'tests/record/'),
    'symbols': ('src/symbols/', 'tests/symbols/', 'tests/interop/run_symbols.py', 'tests/interop/symbols/'),
    'wasm': ('wasm/', 'src/session/', 'tests/wasm/'),
}

# Programs that are recorded, and servers that are waited for, take long and compute little: each of these suites runs
# beside all others.
BESIDE = ('record', 'fleet')

# What `check` does not do as often as `all`: tests/record/run_daemon_faults.py, tests/fleet/run_faults.py.
FEWER = {'FAULTS_KILLS': '40', 'FAULTS_FULL': '10', 'FAULTS_JUMPS': '5', 'FAULTS_STORE': '25'}

# And of build-asan/: each fuzz target tries as many inputs, and goes on no more once these seconds have passed. A test that starts
# the program more than a thousand times, each of which takes ten times as long there, does a part of that;
# and a replay cuts all but the smallest of its seeds at every third byte.
FEWER_SANITIZED = {'FUZZ_RUNS': '300', 'FUZZ_LIMIT': '1', 'FUZZ_SEED': '1', 'ASSAY_FEWER': '1'}

# Seeds and command lines that are the same in both builds: a sanitizer sees all that a run without one could.
ONCE = ('same-seeds', 'same-commands')

Build = collections.namedtuple('Build', 'folder setup cc suites env')
PLAIN = Build('build-check', ['-Dwerror=true', '-Dtests=enabled', '-Dwasm=enabled', '-Dc_args=-g1'], {'CC': 'gcc', 'CXX': 'g++'}, (), {})
SANITIZED = Build('build-asan', ['-Dwerror=true', '-Dtests=enabled', '-Dlibfuzzer=true', '-Db_sanitize=address,undefined',
                                 '-Db_lundef=false', '-Doptimization=1', '-Dwasm=disabled',
                                 '-Dc_args=-g1', '-Dc_link_args=-no-pie', '-Dcpp_link_args=-no-pie',
                                 f'-Dpage_file={ROOT}/build-check/viewer/page.html'],
                  {'CC': 'clang-14', 'CXX': 'clang++-14', 'CC_LD': 'lld', 'CXX_LD': 'lld'}, ('unit', 'golden', 'cli', 'fuzz-regression', 'fuzz'),
                  {'ASAN_OPTIONS': 'detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=16',
                   'UBSAN_OPTIONS': 'print_stacktrace=1', 'FUZZ_VERBOSITY': '0'})


# A race ends the program with a status that no test expects.
RACES = Build('build-tsan', ['-Dwerror=true', '-Dtests=enabled', '-Db_sanitize=thread', '-Db_lundef=false', '-Doptimization=1',
                             '-Dwasm=disabled', '-Dc_args=-g1', f'-Dpage_file={ROOT}/build-check/viewer/page.html'],
              SANITIZED.cc, (), {'TSAN_OPTIONS': 'halt_on_error=1', 'ASSAY_TEST_FILES': 'together'})

# What build-asan/ of `check` is made without, for a third of the compiler's time. So few inputs teach libFuzzer nothing;
# and of UBSan's findings those that ASan sees too, or this processor does not mind.
LIGHT = ['-Dfuzz_coverage=false', '-Dc_args=-g1 -fno-sanitize=null,object-size,alignment']


def with_env(build, **more):
    return build._replace(env={**build.env, **more})


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
        out = test.get('stdout') or ''
        points = list(POINT.finditer(out)) if is_tap(test) else []
        wrong = 0
        for point, after in zip(points, points[1:] + [None]):
            bad, text, directive, why = point.groups(default='')
            if directive.lower() == 'skip':
                self.skip(f'{label}:{text.rstrip()}', why)
            elif bad and directive.lower() != 'todo':
                said = out[point.end():after.start() if after else len(out)]
                self.failed.append(f'{label}:{text.rstrip()}{last_lines(said)}')
                wrong += 1
            else:
                self.passed += 1
        if test['result'] in BAD and not wrong:
            self.failed.append(f'{label} ({test["result"].lower()}){last_lines(out + (test.get("stderr") or ""))}')
        elif test['result'] == 'SKIP' and not points:
            self.skip(label, all_skipped(test))
        elif not points:
            self.passed += 1


def last_lines(text):
    """The last lines of what a test said, each behind a line break."""
    return ''.join(f'\n    {line[:300]}' for line in text.strip().splitlines()[-SAID:])


def all_skipped(test):
    """Why a test program ran none of its tests."""
    plan = re.search(r'^1\.\.0\s*#\s*skip\S*(.*)$', test.get('stdout') or '', re.I | re.M)
    return plan[1] if plan else ''


def is_tap(test):
    return re.search(r'^1\.\.\d+', test.get('stdout') or '', re.M) is not None


def run(args, **env):
    print('$ ' + ' '.join(args), flush=True)
    return subprocess.run(args, cwd=ROOT, env={**os.environ, **env}, check=False).returncode


def compile_in(build, targets=('all', 'meson-test-prereq')):
    """True when the folder is set up as we want it and TARGETS in it build."""
    folder = ROOT / build.folder
    want = json.dumps([build.setup, build.cc, str(ROOT)])
    stamp = folder / 'check-setup'
    if folder.exists() and (not stamp.exists() or stamp.read_text() != want):
        shutil.rmtree(folder)
    if not folder.exists():
        if run(['meson', 'setup', build.folder, *build.setup], **build.cc):
            return False
        stamp.write_text(want)
    return run(['ninja', '-C', build.folder, '-j', JOBS, *targets]) == 0


class Tests:
    """The tests of a build's suites, begun; WORDS are meson's words for which of them, LOG the name of its log."""

    def __init__(self, build, words=(), log='testlog', jobs=JOBS, alone=('tools/alone.sh',), out=None):
        self.folder, self.log = build.folder, ROOT / build.folder / f'meson-logs/{log}.json'
        self.log.unlink(missing_ok=True)
        args = [*alone, 'meson', 'test', '-C', build.folder, '--no-rebuild', '--print-errorlogs', '--quiet', '--logbase', log,
                '--num-processes', jobs, '--timeout-multiplier', '3', *suites(build.suites), *words]
        print('$ ' + ' '.join(args), flush=True)
        self.process = subprocess.Popen(args, cwd=ROOT, env={**os.environ, **build.env}, stdout=out, stderr=subprocess.STDOUT if out else None)

    def count(self, tally):
        """Wait for them, and add them to TALLY."""
        self.process.wait()
        if not self.log.exists():
            tally.failed.append(f'{self.folder}: meson test did not run')
            return
        for line in self.log.read_text().splitlines():
            tally.add_test(self.folder, json.loads(line))


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
        Tests(Build(folder, [], {}, QUICK, {}), alone=()).count(tally)


def begin_beside(suite, words, env):
    """The tests of a suite of BESIDE, one at a time, beside all that follows; what they say goes to a file."""
    with open(ROOT / PLAIN.folder / f'meson-logs/{suite}.out', 'w', encoding='utf-8') as out:
        return Tests(PLAIN._replace(suites=(suite,), env=env), words, log=suite, jobs='1', out=out)


def check(tally, sanitized, long, env, once=()):
    """Both builds, with the long tests of these keys of LONG; SANITIZED is build-asan/, ENV the environment of BESIDE; ONCE are
    the suites that the other build leaves to it."""
    left_out = suites([f'long-{key}' for key in LONG if key not in long], '--no-suite')
    beside = {}
    for build in PLAIN, sanitized:
        start = time.monotonic()
        if not compile_in(build):
            tally.failed.append(f'{build.folder}: does not build')
            print()
            continue
        built = time.monotonic()
        if build is PLAIN:
            beside = {suite: begin_beside(suite, left_out, env) for suite in BESIDE}
        Tests(build, [*left_out, *suites(BESIDE, '--no-suite'), *(suites(once, '--no-suite') if build is PLAIN else ())]).count(tally)
        print(f'{build.folder}: {built - start:.0f} s to build, {time.monotonic() - built:.0f} s to test\n', flush=True)
    for suite, tests in beside.items():
        start = time.monotonic()
        tests.count(tally)
        print((ROOT / PLAIN.folder / f'meson-logs/{suite}.out').read_text(errors='replace'))
        print(f'{suite}: {time.monotonic() - start:.0f} s longer\n', flush=True)


def check_races(tally):
    start = time.monotonic()
    if compile_in(RACES, ['src/cli/assay']):
        Tests(RACES, ['fleet']).count(tally)
    else:
        tally.failed.append(f'{RACES.folder}: does not build')
    print(f'{RACES.folder}: {time.monotonic() - start:.0f} s\n', flush=True)


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
        check(tally, with_env(SANITIZED, FUZZ_SECONDS=os.environ.get('FUZZ_SECONDS', '25')), LONG, {})
        check_races(tally)
    else:
        light = SANITIZED._replace(setup=[*SANITIZED.setup, *LIGHT])
        check(tally, with_env(light, **FEWER_SANITIZED), changed(options.since) if options.since else (), FEWER, ONCE)
    for why, n in sorted(tally.beside.items()):
        print(f'not asked, {n} times: {why}')
    for why, n in sorted(tally.skipped.items()):
        print(f'skipped, {n} times: {why}')
    for name in tally.failed:  # last: of what runs somewhere else one often sees the end alone
        print(f'failed: {name}')
    if len(tally.failed) > 1:
        print('failed: ' + '; '.join(name.splitlines()[0] for name in tally.failed))
    print(f'{tally.passed} passed, {len(tally.failed)} failed')
    return 1 if tally.failed or not tally.passed else 0


if __name__ == '__main__':
    sys.exit(main())
