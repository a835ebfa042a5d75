#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Read every golden input and compare its canonical dump; write it and read it again.

run_golden_tests.py ASSAY [NAME...]   a NAME is a piece of a golden's path

In src/formats/FORMAT/golden/ an input NAME.EXT has beside it

    NAME.EXT.dump   `assay convert NAME.EXT -t dump -o -`, for an input that is read
    NAME.EXT.err    exit status and message, for an input that is refused

An input that is read is also written in its own format, if that can be written, and read again: the
dump stays the same.
A NAME.EXT.lossy beside it says, in words, why it does not (and switches that part off).

AS_UPDATE=1 writes the expectations anew. The output is TAP.
"""
import difflib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
UPDATE = os.environ.get('AS_UPDATE') == '1'
NOTES = ('.dump', '.err', '.lossy', '.md', '.txt')


def assay(program, folder, *args):
    done = subprocess.run([program, *args], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=120, env={**os.environ, 'LC_ALL': 'C.UTF-8', 'TERM': 'dumb', 'ASSAY_SYMBOLS': 'none',
                               'XDG_CONFIG_HOME': '/nonexistent', 'ASSAY_OPTIONS': ''},
                          check=False)
    return done.returncode, done.stdout, done.stderr


def diff(want, got, what):
    return ''.join(difflib.unified_diff(
        want.decode('utf-8', 'replace').splitlines(True), got.decode('utf-8', 'replace').splitlines(True),
        f'{what}: expected', f'{what}: got'))


def expect(path, got):
    if UPDATE:
        if not path.exists() or path.read_bytes() != got:
            path.write_bytes(got)
        return ''
    if not path.exists():
        return f'{path.name} is missing; AS_UPDATE=1 writes it\n'
    want = path.read_bytes()
    return diff(want, got, path.name) if want != got else ''


def again(program, path, dump):
    """Write in the input's own format, read that, and dump it."""
    kind = path.parent.parent.name
    with tempfile.TemporaryDirectory(prefix='assay-golden-') as folder:
        copy = f'{folder}/{path.name}'
        status, _, err = assay(program, path.parent, 'convert', path.name, '-t', kind, '-o', copy)
        if status:
            return f'cannot be written again: {err.decode("utf-8", "replace")}'
        status, got, err = assay(program, folder, 'convert', path.name, '-t', 'dump', '-o', '-')
        if status:
            return f'what was written cannot be read: {err.decode("utf-8", "replace")}'
        return diff(dump, got, 'the dump of what was written') if got != dump else ''


def writable(program):
    """The formats that can be written."""
    status, out, _ = assay(program, ROOT, 'formats', '-f', 'json')
    return set() if status else {f['name'] for f in json.loads(out)['formats'] if f['write']}


def check(program, path, formats):
    status, out, err = assay(program, path.parent, 'convert', path.name, '-t', 'dump', '-o', '-')
    refused = path.with_name(path.name + '.err')
    accepted = path.with_name(path.name + '.dump')
    if status < 0:
        return f'killed by signal {-status}\n{err.decode("utf-8", "replace")}'
    if status:
        if accepted.exists() and not UPDATE:
            return f'refused, with status {status}: {err.decode("utf-8", "replace")}'
        return expect(refused, f'exit {status}\n'.encode() + err)
    if refused.exists():
        return 'read, although it should be refused\n'
    complaint = expect(accepted, out)
    if complaint or path.with_name(path.name + '.lossy').exists() or path.parent.parent.name not in formats:
        return complaint
    return again(program, path, out)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = str(pathlib.Path(sys.argv[1]).resolve())
    inputs = [path for path in sorted((ROOT / 'src/formats').glob('*/golden/*'))
              if path.is_file() and path.suffix not in NOTES
              and (not sys.argv[2:] or any(word in str(path) for word in sys.argv[2:]))]
    failed = 0
    formats = writable(program)
    if not formats:
        sys.exit('assay formats names none that can be written')
    print(f'1..{len(inputs)}')
    for number, path in enumerate(inputs, 1):
        complaint = check(program, path, formats)
        failed += bool(complaint)
        print(f'{"not " if complaint else ""}ok {number} - {path.parent.parent.name}/{path.name}')
        for line in complaint.splitlines()[:200]:
            print('# ' + line.encode('ascii', 'backslashreplace').decode())
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
