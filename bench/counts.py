#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The guard against slow regressions: instructions executed, counted by callgrind.

Times on a shared machine vary by half; instruction counts do not. assay runs under
`valgrind --tool=callgrind` on 1 MB inputs, the resulting profile is read with assay itself, and
the counts must not exceed those of bench/counts.json by more than a twentieth. After a change that
is meant to cost more (or that saved a lot), --update writes the new ones.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from inputs import BENCH, ROOT, Inputs, find_assay, say

RECORD = BENCH / 'counts.json'
os.environ['ASSAY_SYMBOLS'] = 'none'  # the binaries of this machine must not count
MERGED = 8  # profiles of 120 kB


def jobs(inputs):
    """name -> arguments. One thread: how threads meet is not deterministic."""
    line1, instr13, gperf, dcpi, folded = (
        inputs.make(shape, '1m')[0] for shape in ('line1', 'instr13', 'gperf', 'dcpi', 'folded'))
    pprof = inputs.make('pprof', '300k', 'counts-pprof', ['-r', '1'])[0]
    out = inputs.folder / 'tmp' / 'counts.out'
    runs = [path for path, _ in inputs.runs(MERGED, '120k')]
    protos = [path for path, _ in inputs.pprof_runs(MERGED, '20k')]
    one = ['--jobs', '1']
    return {
        'top line1': ['top', *one, '-n', '10', line1],
        'top instr13': ['top', *one, '-n', '10', instr13],
        'top gperf': ['top', *one, '-n', '10', gperf],
        'top dcpi': ['top', *one, '-n', '10', dcpi],
        'top folded': ['top', *one, '-n', '10', folded],
        'top pprof': ['top', *one, '-n', '10', pprof],
        'tree folded': ['tree', *one, folded],
        'tree pprof': ['tree', *one, pprof],
        'check line1': ['check', *one, line1],
        'check instr13': ['check', *one, instr13],
        'convert line1 callgrind': ['convert', *one, line1, '-o', out, '-t', 'callgrind', '-y'],
        'convert line1 folded': ['convert', *one, line1, '-o', out, '-t', 'folded', '-y'],
        'convert line1 pprof': ['convert', *one, line1, '-o', out, '-t', 'pprof', '-y'],
        'convert gperf gperf': ['convert', *one, gperf, '-o', out, '-t', 'gperf', '-y'],
        'convert gperf callgrind': ['convert', *one, gperf, '-o', out, '-t', 'callgrind', '-y'],
        'convert dcpi dcpi': ['convert', *one, dcpi, '-o', out, '-t', 'dcpi', '-y'],
        'convert folded folded': ['convert', *one, folded, '-o', out, '-t', 'folded', '-y'],
        'convert pprof pprof': ['convert', *one, pprof, '-o', out, '-t', 'pprof', '-y'],
        'merge pprof': ['merge', *one, *protos, '-o', out, '-t', 'pprof', '-y'],
        'merge gperf': ['merge', *one, *runs, '-o', out, '-t', 'gperf', '-y'],
    }


def written_total(path):
    """The file's own `totals:` line, or failing that `summary:`."""
    text = path.read_text(errors='replace')
    found = (re.search(r'^totals: (\d+)', text, re.M) or re.search(r'^summary: (\d+)', text, re.M))
    if not found:
        raise SystemExit(f'counts: {path} has neither totals nor summary')
    return int(found.group(1))


def read_total(assay, path):
    """Ir of a profile as assay reads it. It must be what valgrind wrote at the file's end."""
    written = written_total(path)
    done = subprocess.run([assay, 'info', '--format', 'json', path], capture_output=True,
                          text=True, check=False)
    try:
        events = {e['name']: e['total'] for e in json.loads(done.stdout)['events']}
    except (ValueError, KeyError, TypeError):
        say('counts: assay info does not answer; the total is taken from the file')
        return written
    if events.get('Ir') != written:
        raise SystemExit(f'counts: assay reads {events}, valgrind wrote {written}: {path}')
    return written


def count(assay, arguments, profile):
    """Instructions of one command, or None where it fails or writes nothing."""
    profile.unlink(missing_ok=True)
    output = next((arguments[i + 1] for i, a in enumerate(arguments) if a == '-o'), None)
    if output:
        output.unlink(missing_ok=True)
    # meson sets MALLOC_PERTURB_, and filling memory counts as work.
    env = {name: value for name, value in os.environ.items() if name != 'MALLOC_PERTURB_'}
    done = subprocess.run(
        ['valgrind', '--tool=callgrind', f'--callgrind-out-file={profile}', assay, *arguments],
        capture_output=True, text=True, errors='replace', check=False, env=env)
    written = output.exists() if output else done.stdout or arguments[0] == 'check'
    if done.returncode or not written:
        say(f'counts: status {done.returncode}: assay {" ".join(map(str, arguments))}\n'
            f'{done.stderr[-600:]}')
        return None
    return read_total(assay, profile)


def versions():
    def first(*argv):
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[0] if done.stdout else ''
    return {'valgrind': first('valgrind', '--version'), 'compiler': first('cc', '--version')}


def compare(counted, record, tolerance):
    """Print a table; the number of counts that are not as they should be."""
    bad = 0
    print(f'{"job":26} {"Ir":>14} {"recorded":>14} {"change":>8}')
    for name, ir in counted.items():
        known = record.get(name)
        if ir is None or known is None:
            bad += 1
            verdict = 'FAILED' if ir is None else 'not recorded: --update'
            print(f'{name:26} {ir or "-":>14} {known or "-":>14} {verdict}')
            continue
        change = 100 * (ir - known) / known
        verdict = ''
        if change > tolerance:
            bad += 1
            verdict = f'  MORE than {tolerance:g} %'
        elif change < -tolerance:
            verdict = '  less: record it with --update'
        print(f'{name:26} {ir:>14} {known:>14} {change:>+7.1f}%{verdict}')
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--assay', metavar='PATH', help='the program to measure')
    parser.add_argument('--dir', default=ROOT / 'build/bench-data', metavar='DIR',
                        help='where inputs are made and kept')
    parser.add_argument('--only', type=re.compile, default=re.compile(''), metavar='REGEX')
    parser.add_argument('--tolerance', type=float, default=5, metavar='PERCENT')
    parser.add_argument('--update', action='store_true', help='rewrite bench/counts.json')
    options = parser.parse_args()
    assay = find_assay(options.assay)
    if not assay:
        raise SystemExit('counts: assay is not built (--assay PATH)')
    if not shutil.which('valgrind'):
        raise SystemExit('counts: valgrind is not installed')
    inputs = Inputs(options.dir)
    profile = pathlib.Path(inputs.folder) / 'tmp' / 'callgrind.out.counts'
    counted = {name: count(assay, arguments, profile)
               for name, arguments in jobs(inputs).items() if options.only.search(name)}
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {'counts': {}}
    bad = compare(counted, record['counts'], options.tolerance)
    if not options.update:
        return 1 if bad else 0
    merged = {**record['counts'], **{k: v for k, v in counted.items() if v is not None}}
    RECORD.write_text(json.dumps({'schema': 'assay.counts/1', **versions(),
                                  'counts': dict(sorted(merged.items()))}, indent=1) + '\n')
    say(f'{RECORD.relative_to(ROOT)} written')
    return 1 if None in counted.values() else 0


if __name__ == '__main__':
    sys.exit(main())
