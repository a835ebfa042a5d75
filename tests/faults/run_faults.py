#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The n-th system call fails: the old file stands or the new one does, and the status tells which."""
import errno
import os
import pathlib
import shutil
import struct
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
CALLS = ['write', 'fsync', 'close', 'rename', 'link', 'linkat', 'unlink', 'fchmod', 'open', 'access', 'stat64', 'fstat64',
         'fstatat64', 'readlinkat', 'lseek64', 'mmap', 'mmap64', 'read', 'pread', 'pread64']
OLD = b'what was there before\n' * 40
FIRST = 6  # calls of each kind that fail, and the last one


def run(folder, job, call, at=None, number=errno.EIO, ever=False, old=True, short=None):
    """(status, what is at the name, other files in the folder, calls counted)"""
    command, source, name, *more = job
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    target, count = folder / name, folder.parent / 'count'
    if old:
        target.write_bytes(OLD)
    env = dict(os.environ, LD_PRELOAD=INJECT, FAULT_CALL=call, FAULT_COUNT=str(count), FAULT_ERRNO=str(number))
    env |= {'FAULT_AT': str(at)} if at else {}
    env |= {'FAULT_EVER': '1'} if ever else {}
    env |= {'FAULT_SHORT': short} if short else {}
    words = [ASSAY, command, str(FIXTURES / source), '-o', str(target), '-j', '1', *more] + (['-y'] if old else [])
    ran = subprocess.run(words, env=env, capture_output=True, timeout=120, check=False)
    text = target.read_bytes() if target.exists() else None
    return ran.returncode, text, [p.name for p in folder.iterdir() if p != target], int(count.read_text() or 0)


def wrong(got, good, old, call):
    status, text, others, _ = got
    before = OLD if old else None
    if call == 'unlink' and others:
        others = [name for name in others if '.assay-' not in name]
    if status < 0:
        return f'ended by signal {-status}'
    if others:
        return f'left {others}'
    if text not in (before, good):
        return 'neither the old file nor the new one'
    if (status == 0) != (text == good):
        return f'status {status}, but {"the new" if text == good else "the old"} file'
    return None


def addresses(path, base):
    """A profile whose code is that of INJECT, mapped from BASE on."""
    words = [0, 3, 0, 10000, 0] + [w for at in range(0x1000, 0x2000, 16) for w in (1, 1, base + at)] + [0, 1, 0]
    path.write_bytes(struct.pack(f'<{len(words)}Q', *words) + f'{base:08x}-{base + 0x10000:08x} r-xp 00000000 08:01 12345  {INJECT}\n'.encode())
    return 'symbolize', path, 'out.folded', '--symbols', 'auto', '--no-symbol-cache'


def in_parts(folder, jobs):
    """What is read and written a third at a time, or is interrupted each other time, comes out as it would."""
    bad = []
    for job in jobs:
        good = run(folder, job, 'none')[:3]
        bad += [f'{job[0]} to {job[2]}: {what}' for short, what in (('1', 'parts'), ('2', 'interrupted'))
                if run(folder, job, 'none', short=short)[:3] != good or good[0] != 0]
    return bad


def main():
    os.environ.pop('LD_PRELOAD', None)
    print(f'1..{len(JOBS) + 1}', flush=True)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.environ['XDG_CACHE_HOME'] = scratch + '/cache'
        folder = pathlib.Path(scratch, 'out')
        for number, job in enumerate(JOBS, 1):
            status, good, _, _ = run(folder, job, 'none')
            assert status == 0 and good not in (None, OLD), (job, status)
            bad, tried = [], 0
            for call in CALLS:
                for ever, old in ((False, True), (True, False)):
                    n = run(folder, job, call, old=old)[3]
                    for at in sorted({*range(1, min(n, FIRST) + 1), n} - {0}):
                        what = wrong(run(folder, job, call, at, errno.ENOSPC if call == 'write' else errno.EIO, ever, old), good, old, call)
                        tried += 1
                        if what:
                            bad.append(f'{call} {at} of {n}{" for ever" if ever else ""}: {what}')
            failed += bool(bad)
            print(f'{"not " if bad else ""}ok {number} - {job[0]} to {job[2]}: {tried} failing calls', flush=True)
            for line in bad[:10]:
                print('#', line)
        # The second is no layout of that file: it is not named.
        bad = in_parts(folder, [*JOBS, *(addresses(pathlib.Path(scratch, f'{base}.prof'), base) for base in (0x400000, 0x401000))])
        print(f'{"not " if bad else ""}ok {len(JOBS) + 1} - calls that do less than was asked, or are interrupted')
        for line in bad:
            print('#', line)
    return failed != 0 or bool(bad)


sys.exit(main())
