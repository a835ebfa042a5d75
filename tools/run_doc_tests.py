#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the ```console blocks of README.md and docs/ and compare.

run_doc_tests.py ASSAY [FILE...]

A line that starts with `$ ` is a command (lines that start with `> ` go on with it), what follows
is what it prints on stdout and stderr together. A line `...` stands for any lines, `…` for any
text within one. Commands run in a copy of tests/fixtures, one copy per document, with `assay` in
PATH; a command that does not exist or that crashes is a failure.

AS_UPDATE=1 writes the outputs anew, except where `...` or `…` stands. The output is TAP.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
UPDATE = os.environ.get('AS_UPDATE') == '1'


class Step:
    """One command of a document, and where its expected output stands."""

    def __init__(self, command, line):
        self.command = command
        self.line = line  # index of the first line of output
        self.want = []


def steps(lines):
    found, inside = [], False
    for index, line in enumerate(lines):
        if not inside:
            inside = bool(re.match(r'\s*```console\s*$', line))
            step = None
        elif line.strip() == '```':
            inside = False
        elif line.startswith('$ '):
            step = Step(line[2:], index + 1)
            found.append(step)
        elif step and line.startswith('> ') and not step.want:
            step.command += '\n' + line[2:]
            step.line = index + 1
        elif step:
            step.want.append(line)
    return found


def matches(want, got):
    parts = []
    for line in want:
        if line == '...':
            parts.append(r'(?:[^\n]*\n)*?')
        else:
            parts.append('[^\n]*'.join(re.escape(piece) for piece in line.split('…')) + r'\n')
    return re.fullmatch(''.join(parts), ''.join(line + '\n' for line in got)) is not None


def execute(step, scratch, env):
    done = subprocess.run(['sh', '-c', step.command], cwd=scratch, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240, check=False)
    text = done.stdout.decode('utf-8', 'replace').replace(scratch + '/', '')
    return done.returncode, [line.rstrip() for line in text.splitlines()]


def check(path, env):
    """Complaints about one document; renews it when asked to."""
    lines = path.read_text().splitlines()
    complaints, renewed = [], []
    with tempfile.TemporaryDirectory(prefix='assay-doc-') as folder:
        scratch = f'{folder}/fixtures'
        shutil.copytree(ROOT / 'tests/fixtures', scratch)
        for step in steps(lines):
            status, got = execute(step, scratch, env)
            broken = status in (126, 127) or status < 0 or status > 128
            if matches(step.want, got) and not broken:
                continue
            if UPDATE and not broken and not any('…' in line or line == '...' for line in step.want):
                renewed.append((step, got))
                continue
            complaints.append(f'line {step.line}: $ {step.command}  (status {status})')
            complaints += [f'  expected: {line}' for line in step.want] + [f'  got:      {line}' for line in got]
    for step, got in reversed(renewed):
        lines[step.line:step.line + len(step.want)] = got
    if renewed:
        path.write_text('\n'.join(lines) + '\n')
    return complaints


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    assay = pathlib.Path(sys.argv[1]).resolve()
    names = sys.argv[2:] or [ROOT / 'README.md', *sorted((ROOT / 'docs').rglob('*.md'))]
    documents = [path for path in map(pathlib.Path, names)
                 if path.exists() and steps(path.read_text().splitlines())]
    env = {key: value for key, value in os.environ.items()
           if key in ('PATH', 'ASAN_OPTIONS', 'UBSAN_OPTIONS')}
    env.update(PATH=f'{assay.parent}:{env["PATH"]}', LC_ALL='C.UTF-8', TERM='dumb', HOME='/nonexistent',
               ASSAY_SYMBOLS='none')  # what is installed here must not show
    failed = 0
    print(f'1..{len(documents)}')
    for number, path in enumerate(documents, 1):
        complaints = check(path.resolve(), env)
        failed += bool(complaints)
        print(f'{"not " if complaints else ""}ok {number} - {path.resolve().relative_to(ROOT)}')
        for line in complaints:
            print('# ' + line.encode('ascii', 'backslashreplace').decode())
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
