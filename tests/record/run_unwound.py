#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies of stacks in files of perf: what assay unwinds of them against the chains that perf itself makes of the same file.

Each scene is recorded by `perf record --call-graph dwarf`; `perf script` prints the chains as objects and addresses in them, as assay
has them. Environment: ASSAY, SCENES, and SCENES_STATIC where there is a static libc.
"""
import collections
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import E, SCENES, Scratch, needs, tap, want  # noqa: E402

t = tap.Tap('unwound')
needs(t, 'SCENES', 'PLUGIN_A', 'PLUGIN_B')
PERF = shutil.which('perf')
if not PERF:
    t.skip_all('perf is not installed')
HZ = 997


def record(scratch, *scene, program=SCENES, size=16384):
    data = scratch.name('perf.data')
    # the build ids of mappings, as perf 6.1 reads its own files by no others on newer kernels
    done = subprocess.run([PERF, 'record', '-q', '-B', '-N', '--buildid-mmap', '-e', 'cpu-clock:u', '-F', str(HZ), '--call-graph',
                           'dwarf,%d' % size, '-m', '4M', '-o', data, '--', program] + [str(a) for a in scene],
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return data if os.path.exists(data) and os.path.getsize(data) else None, done.stderr.decode('utf-8', 'replace')


def perf_chains(data):
    """chain, the innermost last: how many samples; by perf"""
    done = subprocess.run([PERF, 'script', '-i', data, '--no-inline', '--max-stack', '1024', '-F', 'pid,tid,event,ip,dso'],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    want(done.returncode == 0, 'perf script failed', done.stderr.decode('utf-8', 'replace')[-600:])
    chains, frames = collections.Counter(), []
    for line in done.stdout.decode('utf-8', 'replace').splitlines() + ['']:
        frame = re.match(r'\s+([0-9a-f]+) \((.*)\)$', line)
        if frame:
            if frame[2] == '[unknown]' and frame[1] == 'f' * 16:
                continue                                                # it has come to the end of the copy
            name = os.path.basename(frame[2])
            frames.append('%s+0x%s' % ('anon' if name.startswith('perf-') else name, frame[1]))
        elif frames:
            chains[';'.join(reversed(frames))] += 1
            frames = []
    return chains


def our_chains(data):
    r = tap.assay('convert', '-q', '-t', 'folded', '-o', '-', data, env={'ASSAY_SYMBOLS': 'auto'})
    want(r.code == 0, 'convert failed', r)
    chains = collections.Counter()
    for line in r.out.decode('utf-8', 'replace').splitlines():
        chain, count = line.rsplit(' ', 1)
        if line.startswith('#'):
            continue
        chain = chain.replace('[truncated];', '')                   # there perf just ends
        chains[re.sub(r'\[([^;]+\+0x[0-9a-f]+)\]', r'\1', chain)] += round(int(count) * HZ / 1e9)
    return chains


def tail(chain, n):
    return ';'.join(chain.split(';')[-n:])


def is_same(theirs, ours):
    """perf subtracts one in the code that a signal's handler returns to, and ends early after an exec"""
    a, b = (re.split('[;+]', chain) for chain in (theirs, ours))
    if len(a) > len(b):
        return False
    return all(x == y or (x[:2] == y[:2] == '0x' and int(y, 16) - int(x, 16) == 1) for x, y in zip(a, b[len(b) - len(a):]))


def same_chains(scene, program=SCENES, size=16384, part=.99):
    if not program:
        return 'skip:no static libc'
    with Scratch() as s:
        data, said = record(s, *scene, program=program, size=size)
        if not data:
            return 'skip:perf events are not allowed here: %s' % said.strip()
        theirs, ours = perf_chains(data), our_chains(data)
        total = sum(theirs.values())
        want(total >= 20, '%d samples' % total)
        want(sum(ours.values()) == total, '%d samples, perf has %d' % (sum(ours.values()), total))
        leaf = [collections.Counter() for _ in range(2)]
        for counts, chains in zip(leaf, (theirs, ours)):
            for chain, n in chains.items():
                counts[tail(chain, 1)] += n
        want(leaf[0] == leaf[1], 'where samples are: %s' % dict((leaf[0] - leaf[1]) + (leaf[1] - leaf[0])))
        same = sum((theirs & ours).values())
        left, more = theirs - ours, ours - theirs
        for chain, n in left.items():
            for other in [o for o in more if is_same(chain, o)]:
                taken = min(n, more[other])
                same, n, more[other] = same + taken, n - taken, more[other] - taken
        for chain, n in more.most_common(3) if same < part * total else ():
            print('# ours %d %s' % (n, chain))
        want(same >= part * total, '%d of %d chains are the same' % (same, total))
        print('# %d of %d' % (same, total))
    return None


def findings(data, *more, **env):
    r = tap.assay('check', '-f', 'json', *more, data, env=dict({'ASSAY_SYMBOLS': 'auto'}, **env))
    want(r.code in (0, 1), 'check failed', r)
    return {f['code']: f['message'] for f in r.json()['findings']}


for words in (('calibrated', 500), ('deep', 100), ('sort', 300), ('work', 300), ('shares', '300:' + E['PLUGIN_A']),
              ('plugins', E['PLUGIN_A'] + ':' + E['PLUGIN_B']), ('handler',), ('coroutines',), ('jit',), ('fork',), ('forktree', 3), ('execchain', 2)):
    t.add(' '.join(os.path.basename(str(w)) for w in words), same_chains, words)
t.add('a static program', same_chains, ('sort', 300), E.get('SCENES_STATIC'))
t.add('a program with frame pointers', same_chains, ('shares', '300:' + E['PLUGIN_A']), E.get('SCENES_FRAMED', SCENES))
t.add('short copies', same_chains, ('deep', 100), SCENES, 1024)


@t('what is not unwound is told, and begins with [truncated]')
def _():
    with Scratch() as s:
        program = s.name('program')
        shutil.copy(SCENES, program)
        data, said = record(s, 'deep', 100, program=program)
        if not data:
            return 'skip:perf events are not allowed here: %s' % said.strip()
        whole = our_chains(data)
        total = sum(whole.values())
        # Of the loader's own code, and of a few instructions elsewhere, no table tells the caller: where a sample falls is chance.
        cut = re.match(r'\d+', findings(data).get('pd-truncated', '0'))
        want(int(cut[0]) * 100 <= total, 'all but one of a hundred are whole', findings(data))
        told = findings(data, ASSAY_SYMBOLS='none')
        want(told.get('pd-copies', '').startswith('%d samples have a copy' % total), 'binaries may not be looked at', told)
        shutil.copy(SCENES, s.name('moved'))
        shutil.copy(sys.executable, program)                            # another build
        told = findings(data)
        want(told.get('pd-truncated', '').startswith('%d of %d stacks' % (total, total)), 'another binary is there now', told)
        r = tap.assay('convert', '-q', '-t', 'folded', '-o', '-', data, env={'ASSAY_SYMBOLS': 'auto'})
        want(all(line.startswith((b'[truncated];', b'#')) for line in r.out.splitlines()), 'all are marked', r)
        r = tap.assay('traces', '-f', 'json', '-n', '0', '--inline', 'off', '--binary', s.name('moved'), data, env={'ASSAY_SYMBOLS': 'auto'})
        want(r.code == 0 and b'[truncated]' not in r.out and b'"main"' in r.out, '--binary names the right one', r)
    return None


@t('two processes that make code have the names of their own maps')
def _():
    with Scratch() as s:
        data = s.name('perf.data')
        both = ''.join('timeout 1 %s jitnamed %s_work & ' % (SCENES, name) for name in ('alpha', 'beta')) + 'wait'
        done = subprocess.run([PERF, 'record', '-q', '-B', '-N', '--buildid-mmap', '-k', 'mono', '-e', 'cpu-clock:u', '-F', str(HZ), '-g', '-o',
                               data, '--', 'sh', '-c', both], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if not os.path.exists(data) or not os.path.getsize(data):
            return 'skip:perf events are not allowed here: %s' % done.stderr.decode().strip()
        r = tap.assay('top', '-f', 'json', '-n', '0', '--by', 'function', data, env={'ASSAY_SYMBOLS': 'auto'})
        want(r.code == 0, 'top failed', r)
        rows = {row['function']: row['self'][0] for row in r.json()['rows']}
        total = r.json()['events'][0]['total']
        want(rows.get('alpha_work', 0) + rows.get('beta_work', 0) > .9 * total and min(rows['alpha_work'], rows['beta_work']) > .2 * total,
             'each has its half', rows, total)
        for pid in {p['pid'] for p in tap.assay('info', '-f', 'json', data).json()['parts'] if p.get('pid')}:
            if os.path.exists('/tmp/perf-%d.map' % pid):
                os.unlink('/tmp/perf-%d.map' % pid)
    return None


t.run()
