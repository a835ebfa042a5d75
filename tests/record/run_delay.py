#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`assay record --delay`: what ran before counts nowhere; and --max-size: what has no room has no stack, but counts.

What is asserted: samples against the CPU time that the program used, by its own clocks, since the moment that the sampler was told.
Environment: ASSAY.
"""
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

t = tap.Tap('delay')
CHECKS = {c['about']: c['state'] for c in tap.Run(['doctor', '-f', 'json']).json()['checks']}
if CHECKS.get('sampler') != 'ok':
    t.skip_all('there is no sampler')

# Busy until then, and for as long again as it is told; the CPU time of that is in the file.
PROGRAM = '''
import os, sys, time
begin = int(os.environ['ASSAY_BEGIN']) * 1e-9
while time.monotonic() < begin:
    pass
used = time.process_time()
if sys.argv[2] == 'sleep':
    time.sleep(.6)
else:
    while time.process_time() < used + .6:
        pass
open(sys.argv[1], 'w').write('%.6f' % (time.process_time() - used))
'''


def record(s, how, *options):
    script, truth, path = s.name('p.py'), s.name('truth'), s.name('p.pb.gz')
    with open(script, 'w', encoding='utf-8') as f:
        f.write(PROGRAM)
    subprocess.run([*tap.ASSAY, 'record', '-q', '--no-show', '-F', '500', '--delay', '500ms', *options, '-o', path,
                    sys.executable, script, truth, how], check=True, stderr=subprocess.DEVNULL)
    with open(truth, encoding='utf-8') as f:
        return tap.Run(['info', '-f', 'json', path]).json(), tap.top(path), float(f.read())


@t('CPU time')
def _():
    with Scratch() as s:
        _, top, used = record(s, 'burn')
        total = next(e['total'] * 1e-9 for e in top['events'] if e['unit'] == 'nanoseconds')
        want(abs(total - used) <= .05, '%.3f s of samples, %.3f s of CPU time' % (total, used))


@t('time that passes')
def _():
    with Scratch() as s:
        info, top, _ = record(s, 'sleep', '--mode', 'wall')
        total = next(e['total'] * 1e-9 for e in top['events'] if e['unit'] == 'nanoseconds')
        lasted = info['duration'] * 1e-9
        want(.55 <= total <= lasted + .05, '%.3f s of samples, %.3f s that it lasted' % (total, lasted))


@t('a program that ends before has no samples')
def _():
    with Scratch() as s:
        path = s.name('p.prof')
        script = 'import time\nwhile time.process_time() < .3: pass'
        subprocess.run([*tap.ASSAY, 'record', '-q', '--no-show', '--delay', '1h', '-o', path, sys.executable, '-c', script],
                       check=True, stderr=subprocess.DEVNULL)
        equal(tap.top(path)['events'][0]['total'], 0, 'samples')


@t('a process that runs already')
def _():
    if CHECKS.get('attach') != 'ok':
        return 'skip:may not attach'
    with Scratch() as s, subprocess.Popen([sys.executable, '-c', 'while True: pass']) as p:
        start = time.monotonic()
        subprocess.run([*tap.ASSAY, 'record', '-q', '--no-show', '-p', str(p.pid), '--delay', '1', '--for', '500ms', '-o', s.name('p.prof')],
                       check=True, stderr=subprocess.DEVNULL)
        lasted = time.monotonic() - start
        p.kill()
        duration = tap.Run(['info', '-f', 'json', s.name('p.prof')]).json()['duration'] * 1e-9
        want(lasted >= 1.5 and .5 <= duration <= lasted - 1, '%.3f s of %.3f' % (duration, lasted))


@t('what it is not for is refused before the program runs')
def _():
    for options, what in ((['--callgrind'], '--delay is for samples'), (['--stacks', 'copies'], '--delay needs a sampler')):
        r = subprocess.run([*tap.ASSAY, 'record', '--delay', '1', *options, '-o', '/nowhere.prof', 'echo', 'ran'], check=False,
                           capture_output=True, text=True)
        want(r.returncode and not r.stdout and re.search(what, r.stderr), str(r))


@t('stacks that find no room are lost, and their samples are not')
def _():
    program = 'import time\nwhile time.process_time() < 2.5: sorted(range(500), key=lambda x: -x)\n' \
              'import sys; open(sys.argv[1], "w").write(str(time.process_time()))'
    lost = []
    for options in ([], ['--max-size', '1M']):
        with Scratch() as s:
            path, truth = s.name('p.otlp'), s.name('truth')
            subprocess.run([*tap.ASSAY, 'record', '-q', '--no-show', '-F', '4000', '--timeline', *options, '-o', path, sys.executable, '-c',
                            program, truth], check=True, stderr=subprocess.DEVNULL)
            top = tap.Run(['top', '-q', '--by', 'object', '-n', '0', '-f', 'json', path]).json()
            each = top['events'][0]['period'] * 1e-6
            with open(truth, encoding='utf-8') as f:
                used = float(f.read())
            total = top['events'][0]['total'] * each
            want(abs(total - used) <= .1, '%.3f s of samples, %.3f s of CPU time' % (total, used))
            lost.append(sum(r['self'][0] for r in top['rows'] if r['object'] == '[lost]') * each)
    equal(lost[0], 0, 'lost without a limit')
    want(lost[1] > .2, 'lost with one: %.3f s' % lost[1])


t.run()
