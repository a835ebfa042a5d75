#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A database whose writer is killed, or whose disk fails: each segment that was durable is there once, and whole.

ASSAY_STORE_KILLS=N kills it N times in each mode (default 60).
"""
import csv
import errno
import io
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ASSAY, WRITER, INJECT = os.environ['ASSAY'], os.environ['WRITER'], os.environ['INJECT']
KILLS = int(os.environ.get('ASSAY_STORE_KILLS', '60'))
CALLS = ['write', 'fsync', 'close', 'rename', 'link', 'linkat', 'unlink', 'open', 'mkdir', 'opendir']
FIRST = 5  # calls of each kind that fail, and the last one
EPOCH = 50


def ask(*words):
    ran = subprocess.run([ASSAY, *words], capture_output=True, text=True, timeout=120, check=False)
    return ran.returncode, ran.stdout, ran.stderr


def stored(db, mode):
    """Segment -> cost, as a question to all of it has it."""
    by = ['--by', 'address'] if mode == 'flat' else []
    status, text, said = ask('top', str(db), '--epoch', 'all', '-f', 'csv', '-n', '0', *by)
    assert status == 0 and 'left out' not in said, (status, said)
    rows = csv.DictReader(io.StringIO(text))
    if mode == 'flat':
        return {(int(row['address'], 16) - 0x1000) // 4: int(row['self cpu']) for row in rows}
    return {int(row['function'][1:]): int(row['self cpu']) for row in rows}


def wrong(db, mode, durable, perhaps):
    """What is not as it must be: DURABLE segments are there once, of PERHAPS some may be, others are not."""
    have = stored(db, mode) if durable or (perhaps and any(db.glob('*/*/[0-9]*'))) else {}
    bad = [f'segment {i} is lost' for i in durable if i not in have]
    bad += [f'segment {i} has {cost}, not {i + 1}' for i, cost in have.items() if cost != i + 1]
    bad += [f'segment {i} was refused, and is there' for i in have if i not in durable and i not in perhaps]
    status, text, _ = ask('check', str(db), '--epoch', 'all') if have else (0, '', '')
    return bad + ([f'check: {text}'] if status else [])


def leftovers(db):
    return [str(p) for p in db.rglob('.*')]


def killed(db, mode, rng):
    """(what is wrong, segments that were durable)"""
    durable, perhaps, at = set(), set(), 0
    for _ in range(KILLS):
        with subprocess.Popen([WRITER, str(db), mode, str(at), '400'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as writer:
            done = [int(writer.stdout.readline()) for _ in range(rng.randrange(9))]
            time.sleep(rng.uniform(0, 0.01))
            writer.kill()
            done += [int(word) for word in writer.stdout.read().split()]
            said = writer.stderr.read()
        if said:
            return [said], durable
        durable |= set(done)
        perhaps.add(done[-1] + 1 if done else at)
        at = max(durable | perhaps) + 1
    bad = wrong(db, mode, durable, perhaps)
    # Who comes next sweeps what the others left, and rolls up what they did not.
    subprocess.run([WRITER, str(db), mode, str(at), '60'], stdout=subprocess.PIPE, check=True)
    bad += wrong(db, mode, durable | set(range(at, at + 60)), perhaps)
    return bad + [f'{name} is left' for name in leftovers(db)], durable


def fail(db, mode, call, at, number):
    """(what is wrong, calls counted)"""
    shutil.rmtree(db, ignore_errors=True)
    count = db.parent / 'count'
    env = dict(os.environ, LD_PRELOAD=INJECT, FAULT_CALL=call, FAULT_COUNT=str(count), FAULT_ERRNO=str(number))
    env |= {'FAULT_AT': str(at)} if at else {}
    ran = subprocess.run([WRITER, str(db), mode, '45', '12'], env=env, capture_output=True, text=True, timeout=60, check=False)
    durable = {int(word) for word in ran.stdout.split()}
    bad = [f'ended with {ran.returncode}: {ran.stderr}'] if ran.returncode not in (0, 1, 3) else []
    bad += ['nothing is said'] if len(durable) < 12 and not ran.stderr and ran.returncode == 0 else []
    # A number that could not be printed is of a segment that is there.
    perhaps = set(range(45, 57)) - durable if call == 'write' and ran.returncode == 1 else set()
    return bad + wrong(db, mode, durable, perhaps), int(count.read_text() or 0)


def faults(db, mode):
    bad, tried = [], 0
    for call in CALLS:
        n = fail(db, mode, call, None, 0)[1]
        for at in sorted({*range(1, min(n, FIRST) + 1), n // 2, n} - {0}):
            what = fail(db, mode, call, at, errno.ENOSPC if call in ('write', 'mkdir') else errno.EIO)[0]
            bad += [f'{call} {at} of {n}: {line}' for line in what]
            tried += 1
    return bad, tried


def main():
    os.environ.pop('LD_PRELOAD', None)
    os.environ['ASSAY_SYMBOLS'] = 'none'
    failed = 0
    print('1..4', flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for number, (what, mode) in enumerate((what, mode) for what in ('killed', 'faults') for mode in ('stacks', 'flat')):
            db = pathlib.Path(scratch, f'db{number}')
            if what == 'killed':
                bad, done = killed(db, mode, random.Random(number))
                text = f'{mode}: killed {KILLS} times, {len(done)} segments'
            else:
                bad, done = faults(db, mode)
                text = f'{mode}: {done} calls that fail'
            failed += bool(bad)
            print(f'{"not " if bad else ""}ok {number + 1} - {text}', flush=True)
            for line in bad[:10]:
                print('#', line)
    return failed != 0


sys.exit(main())
