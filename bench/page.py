#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/page.py [--rounds N] [--page PAGE.html] [--only RE] [--small]

From choosing a file in the browser to the first picture: assay's page, and beside it speedscope in
the same Chromium and `go tool pprof -http` from start to the last byte of its flame graph and its
table. Prints a Markdown table of medians. Says what is not there, and goes on without it.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request

from inputs import BENCH, ROOT, Inputs, say

SPEEDSCOPE = 'speedscope@1.25.0'
SKIPPED = 0
TIMEOUT = 120 # seconds, for one answer of pprof
# shape, size, what it is called, seconds to the first picture at most (the goals)
INPUTS = [('line1', '1m', 'Callgrind, 1 MB', 0.3), ('gperf', '1m', 'gperftools, 1 MB', 0.3),
          ('gperf', '100m', 'gperftools, 100 MB', 2), ('line1', '100m', 'Callgrind, 100 MB', 4)]


def chromium():
    named = os.environ.get('CHROMIUM')
    return named or shutil.which('chromium') or shutil.which('chromium-browser')


def modules(folder):
    """playwright-core in FOLDER; why not, or None."""
    done = subprocess.run([ROOT / 'tests/page/prepare.sh', folder], stdout=subprocess.PIPE, text=True,
                          check=False)
    return done.stdout.strip() if done.returncode else None


def speedscope(folder):
    """Its page, fetched once; None where npm cannot."""
    page = folder / 'node_modules/speedscope/dist/release/index.html'
    if not page.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-audit',
                        '--no-fund', SPEEDSCOPE], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
    return page if page.exists() else None


def get(url):
    with urllib.request.urlopen(url, timeout=TIMEOUT) as answer:
        return len(answer.read())


def pprof(file, what, tmp):
    """Seconds from the start of pprof's server to the last byte of one of its pages."""
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    env = dict(os.environ, HOME=str(tmp), PPROF_TMPDIR=str(tmp), PPROF_BINARY_PATH=str(tmp))
    began = time.monotonic()
    with subprocess.Popen(['go', 'tool', 'pprof', '-no_browser', '-symbolize=none',
                           f'-http=127.0.0.1:{port}', file], env=env, cwd=tmp,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True) as server:
        try:
            while server.poll() is None and time.monotonic() - began < TIMEOUT:
                try:
                    get(f'http://127.0.0.1:{port}/ui/{what}')
                    return time.monotonic() - began
                except (urllib.error.HTTPError, TimeoutError):
                    return None
                except OSError:
                    time.sleep(0.01)
        finally:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGTERM)
    return None


def browser_jobs(page, scope, made):
    """What is opened: (input, label) of each, and the job for page.mjs."""
    for shape, name, file, _ in made:
        for view, until in (('table', 'row'), ('flame', 'text')):
            yield {'label': f'{name}|assay, {view}', 'page': str(page), 'hash': f'#view={view}',
                   'file': file, 'until': until, 'pan': view == 'flame'}
        if scope and shape == 'line1':
            yield {'label': f'{name}|speedscope, flame', 'page': str(scope), 'file': file,
                   'until': 'text'}


def run_browser(jobs, folder, env):
    (folder / 'jobs.json').write_text(json.dumps(jobs))
    done = subprocess.run(['node', BENCH / 'page.mjs', folder / 'jobs.json'], env=env, text=True,
                          stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def measure(args, made, scope, folder, env):
    """label -> samples, in seconds; and gaps between frames, in milliseconds."""
    times, gaps = {}, {}
    jobs = [j for j in browser_jobs(args.page, scope, made) if re.search(args.only, j['label'])]
    go = shutil.which('go') is not None
    if not go:
        say('bench: there is no go: pprof is not measured')
    for number in range(args.rounds):
        say(f'round {number + 1}: load {os.getloadavg()[0]:.1f}')
        for sample in run_browser(jobs if number % 2 == 0 else jobs[::-1], folder, env):
            label = sample['label']
            times.setdefault(label, []).append(sample['ms'] / 1000 if 'ms' in sample else None)
            gaps.setdefault(label, []).extend(sample.get('gaps', []))
        for shape, name, file, _ in made if go else []:
            for what, view in (('top', 'table'), ('flamegraph', 'flame')):
                label = f'{name}|pprof -http, {view}'
                if shape == 'gperf' and re.search(args.only, label):
                    times.setdefault(label, []).append(pprof(file, what, folder))
    return times, gaps


def figure(samples):
    return 'failed' if None in samples else f'{statistics.median(samples):.2f} s'


def spread(samples):
    good = [s for s in samples if s is not None]
    return f'{min(good):.2f} to {max(good):.2f}' if good else ''


def table(times, gaps, made):
    goals = {name: goal for _, name, _, goal in made}
    print('| input | what | first picture | from to | goal | frames a second |')
    print('| --- | --- | --- | --- | --- | --- |')
    for label in sorted(times, key=lambda l: (list(goals).index(l.split('|')[0]), l)):
        name, what = label.split('|')
        goal = f'{goals[name]} s' if what.startswith('assay') else ''
        drawn = f'{1000 / statistics.median(gaps[label]):.0f}' if gaps.get(label) else ''
        print(f'| {name} | {what} | {figure(times[label])} | {spread(times[label])} | {goal} | {drawn} |')


def main():
    args = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument('--rounds', type=int, default=5)
    args.add_argument('--page', type=pathlib.Path, default=ROOT / 'build/viewer/page.html')
    args.add_argument('--dir', type=pathlib.Path, default=ROOT / 'build/bench-data')
    args.add_argument('--only', default='', metavar='RE', help="of 'Callgrind, 1 MB|assay, flame'")
    args.add_argument('--small', action='store_true', help='the 1 MB inputs only')
    args = args.parse_args()

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1)) # no server of pprof's stays behind
    args.page = args.page.resolve()
    if not args.page.exists():
        say(f'bench: skipped: there is no {args.page}; build it first')
        return SKIPPED
    if not chromium() or not shutil.which('node'):
        say('bench: skipped: it needs chromium and nodejs')
        return SKIPPED
    inputs = Inputs(args.dir)
    folder = inputs.folder / 'page'
    folder.mkdir(exist_ok=True)
    why = modules(folder)
    if why:
        say(f'bench: skipped: {why}')
        return SKIPPED
    scope = speedscope(folder / 'speedscope')
    if not scope:
        say(f'bench: npm could not fetch {SPEEDSCOPE}: it is not measured')
    made = [(shape, name, inputs.make(shape, size)[0], goal) for shape, size, name, goal in INPUTS
            if size == '1m' or not args.small]
    env = dict(os.environ, PAGE_MODULES=str(folder), CHROMIUM=chromium())
    before = os.getloadavg()[0]
    times, gaps = measure(args, made, scope, folder, env)
    table(times, gaps, made)
    print(f'\n{args.rounds} rounds, {os.cpu_count()} cores, load {before:.1f} before and '
          f'{os.getloadavg()[0]:.1f} after.')
    return 0


if __name__ == '__main__':
    sys.exit(main())
