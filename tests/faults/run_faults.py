#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The n-th system call fails: the old file stands or the new one does, and the status tells which."""
import errno
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ASSAY, INJECT = os.environ['ASSAY'], os.environ['INJECT']
FIXTURES = pathlib.Path(os.environ['FIXTURES'])
JOBS = [
    ('convert', 'demo.prof', 'out.pb.gz'),
    ('convert', 'callgrind.out.demo', 'out.callgrind'),
    ('convert', 'demo.prof', 'out.folded'),
    ('merge', 'demo.prof', 'out.prof'),
    ('flame', 'demo.prof', 'out.svg'),
    ('graph', 'callgrind.out.demo', 'out.dot'),
]
CALLS = ['write', 'fsync', 'rename', 'link', 'linkat', 'fchmod', 'open', 'mmap', 'mmap64', 'read', 'pread', 'pread64']
OLD = b'what was there before\n' * 40
FIRST = 6  # calls of each kind that fail, and the last one


def run(folder, job, call, at=None, number=errno.EIO, ever=False, old=True):
    """(status, what is at the name, other files in the folder, calls counted)"""
    command, source, name = job
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    target, count = folder / name, folder.parent / 'count'
    if old:
        target.write_bytes(OLD)
    env = dict(os.environ, LD_PRELOAD=INJECT, FAULT_CALL=call, FAULT_COUNT=str(count), FAULT_ERRNO=str(number))
    env |= {'FAULT_AT': str(at)} if at else {}
    env |= {'FAULT_EVER': '1'} if ever else {}
    words = [ASSAY, command, str(FIXTURES / source), '-o', str(target), '-j', '1'] + (['-y'] if old else [])
    ran = subprocess.run(words, env=env, capture_output=True, timeout=120, check=False)
    text = target.read_bytes() if target.exists() else None
    return ran.returncode, text, [p.name for p in folder.iterdir() if p != target], int(count.read_text() or 0)


def wrong(got, good, old):
    status, text, others, _ = got
    before = OLD if old else None
    if status < 0:
        return f'ended by signal {-status}'
    if others:
        return f'left {others}'
    if text not in (before, good):
        return 'neither the old file nor the new one'
    if (status == 0) != (text == good):
        return f'status {status}, but {"the new" if text == good else "the old"} file'
    return None


def main():
    os.environ.pop('LD_PRELOAD', None)
    print(f'1..{len(JOBS)}', flush=True)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.environ['XDG_CACHE_HOME'] = scratch + '/cache'
        folder = pathlib.Path(scratch, 'out')
        for number, job in enumerate(JOBS, 1):
            status, good, _, _ = run(folder, job, 'none')
            assert status == 0 and good not in (None, OLD), (job, status)
            bad, tried = [], 0
            for call in CALLS:
                n = run(folder, job, call)[3]
                for at in sorted({*range(1, min(n, FIRST) + 1), n} - {0}):
                    for ever, old in ((False, True), (True, False)):
                        what = wrong(run(folder, job, call, at, errno.ENOSPC if call == 'write' else errno.EIO, ever, old), good, old)
                        tried += 1
                        if what:
                            bad.append(f'{call} {at} of {n}{" for ever" if ever else ""}: {what}')
            failed += bool(bad)
            print(f'{"not " if bad else ""}ok {number} - {job[0]} to {job[2]}: {tried} failing calls', flush=True)
            for line in bad[:10]:
                print('#', line)
    return failed != 0


sys.exit(main())
