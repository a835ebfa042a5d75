#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run tests/cli/**/NAME.sh and compare what they print and return.

run_cli_tests.py ASSAY [--but] [NAME...]      a NAME is a piece of a test's path; all tests but those with --but

Each script runs under `sh -eu` in an empty directory of its own, with

    $ASSAY     the program; its folder is also first in PATH, so `assay` is it
    $FIXTURES  tests/fixtures          $DATA  tests/data
    $FEWER     1 where a test that starts the program more than a thousand times is to do less, else empty

Beside NAME.sh stand NAME.stdout, NAME.stderr and NAME.exit. One that is missing means: nothing
printed, status 0. With .glob at its end, `*` in a line is any text and a line `...` any lines;
with .ignore instead, the stream is not looked at. The values of $FIXTURES, $DATA, $ASSAY and of
the scratch directory are put back to $FIXTURES, $DATA, $ASSAY and $SCRATCH before comparing.
A script that ends with status 77 is skipped, for the reason that it printed last.

AS_UPDATE=1 writes the expectations anew (globs are left to you). The output is TAP.
"""
import concurrent.futures
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / 'tests/cli'
UPDATE = os.environ.get('AS_UPDATE') == '1'
TIMEOUT_S = 240
SKIPPED = 77


def environment(assay, scratch):
    env = {key: value for key, value in os.environ.items()
           if key in ('PATH', 'LD_LIBRARY_PATH', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LANG')}
    env.update(ASSAY=str(assay), FIXTURES=str(ROOT / 'tests/fixtures'), DATA=str(ROOT / 'tests/data'),
               FEWER=os.environ.get('ASSAY_FEWER', ''), HOME=scratch, TMPDIR=scratch, LC_ALL='C.UTF-8', TERM='dumb',
               ASSAY_SYMBOLS='none',  # what is installed here must not show; tests say --symbols auto
               PATH=f'{assay.parent}:{env["PATH"]}')
    return env


def plain(data, env, scratch):
    """The output with everything taken out that differs between machines."""
    text = data.decode('utf-8', 'surrogateescape')
    for value, name in ((scratch, '$SCRATCH'), (env['FIXTURES'], '$FIXTURES'),
                        (env['DATA'], '$DATA'), (env['ASSAY'], '$ASSAY')):
        text = text.replace(value, name)
    return text


def glob_matches(pattern, text):
    parts = []
    for line in pattern.splitlines():
        if line == '...':
            parts.append(r'(?:[^\n]*\n)*?')
        else:
            parts.append('[^\n]*'.join(re.escape(piece) for piece in line.split('*')) + r'\n')
    if text and not text.endswith('\n'):
        text += '\n'
    return re.fullmatch(''.join(parts), text) is not None


def read(path):
    return path.read_bytes().decode('utf-8', 'surrogateescape') if path.exists() else ''


def write(path, text):
    if text:
        path.write_bytes(text.encode('utf-8', 'surrogateescape'))
    elif path.exists():
        path.unlink()


def compare(script, stream, got):
    """Complaint about one stream, or ''."""
    exact = script.with_suffix('.' + stream)
    glob = script.with_suffix(f'.{stream}.glob')
    if script.with_suffix(f'.{stream}.ignore').exists():
        return ''
    if glob.exists():
        want = read(glob)
        if glob_matches(want, got):
            return ''
    else:
        want = read(exact)
        if want == got:
            return ''
        if UPDATE:
            write(exact, got)
            return ''
    return ''.join(difflib.unified_diff(
        want.splitlines(True), [line if line.endswith('\n') else line + '\n' for line in got.splitlines(True)],
        f'{stream}: expected', f'{stream}: got'))


def compare_exit(script, status):
    path = script.with_suffix('.exit')
    want = int(read(path) or 0)
    if status == want:
        return ''
    if UPDATE and status >= 0:
        write(path, f'{status}\n' if status else '')
        return ''
    return f'exit status: expected {want}, got {status}\n'


def run(script, assay):
    with tempfile.TemporaryDirectory(prefix='assay-cli-') as scratch:
        env = environment(assay, scratch)
        try:
            done = subprocess.run(['sh', '-eu', script], cwd=scratch, env=env, timeout=TIMEOUT_S,
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            return f'still running after {TIMEOUT_S} s\n', ''
        if done.returncode == SKIPPED:
            return '', (plain(done.stdout, env, scratch).splitlines() or ['it says not why'])[-1]
        return (compare_exit(script, done.returncode)
                + compare(script, 'stdout', plain(done.stdout, env, scratch))
                + compare(script, 'stderr', plain(done.stderr, env, scratch))), ''


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    assay = pathlib.Path(sys.argv[1]).resolve()
    but = sys.argv[2:3] == ['--but']
    names = sys.argv[2 + but:]
    scripts = [path for path in sorted(TESTS.rglob('*.sh'))
               if not names or any(name in str(path) for name in names) != but]
    jobs = int(os.environ.get('JOBS') or os.cpu_count() or 2)
    failed = 0
    print(f'1..{len(scripts)}', flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda script: run(script, assay), scripts)
        for number, (script, (complaint, skip)) in enumerate(zip(scripts, results), 1):
            name = script.relative_to(TESTS).with_suffix('')
            print(f'{"not " if complaint else ""}ok {number} - {name}{" # SKIP " + skip if skip else ""}')
            for line in complaint.splitlines():
                print('# ' + line.encode('ascii', 'backslashreplace').decode())
            sys.stdout.flush()
            failed += bool(complaint)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
