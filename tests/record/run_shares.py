#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shares of time that are known, and what the sampler says: the table of docs/record.md.

The work is counted: 50, 30, 15 and 5 of a hundred steps that are all alike (scenes_shares.c), in three threads. The truth is what
the kernel's clocks say about each piece of it: CPU time of the thread in CPU mode, time that passed in wall mode. In CPU mode it
must be near what was counted, as far as the machine is fair; in wall mode, a thread that waits for a processor may wait in any.

Sigma is that of as many independent observations as the samples are worth, which is what the file says of its signals: at 1000 Hz,
where the kernel ticks at 250, samples come by four, and on a busy machine by more. It is an upper bound, as signals that come
regularly vary less, unless the work keeps step with them, which pieces of random length can't. Of 24 rows one is beyond 3 sigma in every 15 runs, if
all is right. So a rate that has such a row is run again, and a function fails that is beyond 3 sigma both times on the same side,
1 run in 10,000 by chance; or beyond 5 once. What is wrong by less, but always, shows in the mean of a function's six deviations:
it fails beyond 4 sigma of its own.

Every run prints the table, as comments. Environment: ASSAY, PROFILER, SCENES, PLUGIN_A; SHARES_MS = CPU time of each thread, for
a table of more observations than a test has time for.
"""
import math
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import E, Profile, Scratch, equal, incl_of, needs, right_total, run, shares, tap, want  # noqa: E402

t = tap.Tap('shares')
needs(t, 'PROFILER', 'SCENES', 'PLUGIN_A')

WORK = {'recursive': .5, 'called_back': .3, 'plain': .15, 'plugin_steps': .05}
LINE = re.compile(r'(?m)^(\w+) (\d+) steps ([\d.]+) cpu ([\d.]+) wall$')
found = {name: [] for name in WORK}         # deviations, in sigma


def truth(ran, wall):
    """Share of each function by the kernel's clocks; None: the machine was not fair, and nothing can be said."""
    steps, cpu, passed = ({name: 0 for name in WORK} for _ in range(3))
    for name, n, c, w in LINE.findall(ran.out):
        steps[name] += int(n)
        cpu[name] += float(c)
        passed[name] += float(w)
    for name, share in WORK.items():
        equal(round(steps[name] / sum(steps.values()), 9), share, 'steps of ' + name)
        if abs(cpu[name] / sum(cpu.values()) - share) >= .03:
            return None
    by = passed if wall else cpu
    return {name: by[name] / sum(by.values()) for name in WORK}


def observe(hz, wall):
    """function -> (true share, measured share, sigma, deviation in sigma), and how many observations there were."""
    for _ in range(5):
        seen = observed(hz, wall)
        if seen:
            return seen
    raise tap.Bad('five times the machine gave work another share of its time than steps')


def observed(hz, wall):
    with Scratch() as s:
        ran = run(s, 'shares', '%s:%s' % (E.get('SHARES_MS', '1500'), E['PLUGIN_A']), hz=hz, env={'CPUPROFILE_REALTIME': '1'} if wall else {})
        p = Profile(ran.path)
        equal(p.period, 1000000 // hz, 'period')
        if not wall:
            right_total(p, 3)
        rows, _ = shares(ran.path)
    total = sum(incl_of(rows, name) for name in WORK)
    observations = p.observations() * total / p.total
    seen, true = {}, truth(ran, wall)
    if not true:
        return None
    for name, share in true.items():
        sigma = math.sqrt(share * (1 - share) / observations)
        got = incl_of(rows, name) / total
        seen[name] = (share, got, sigma, (got - share) / sigma)
    return seen, round(observations)


def tell(mode, hz, seen, n):
    for name, (share, got, sigma, off) in seen.items():
        print('# | %s | %d Hz | %d | `%s` | %.0f %% | %.2f %% | %.2f %% | %.2f %% | %+.1f |'
              % (mode, hz, n, name, 100 * WORK[name], 100 * share, 100 * got, 100 * sigma, off))


def within(mode, hz):
    wall = mode == 'wall'
    seen, n = observe(hz, wall)
    tell(mode, hz, seen, n)
    for name in WORK:
        found[name].append(seen[name][3])
        want(abs(seen[name][3]) <= 5, '%s is %.1f sigma off' % (name, seen[name][3]))
    if all(abs(row[3]) <= 3 for row in seen.values()):
        return
    again, n = observe(hz, wall)
    tell(mode + ', again', hz, again, n)
    for name in WORK:
        a, b = seen[name][3], again[name][3]
        want(min(abs(a), abs(b)) <= 3 or a * b < 0, '%s is %.1f sigma off, and then %.1f' % (name, a, b))


t.head = ['# | mode | rate | observations | function | steps | time by the kernel | samples | sigma | off, in sigma |',
          '# | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |']
for kind in ('cpu', 'wall'):
    for rate in (100, 1000, 4000):
        t.add('shares of 50, 30, 15 and 5 percent in three threads, %s time at %d Hz' % (kind, rate), within, kind, rate)


def in_step(mode, hz, ms):
    """Work that begins at the same two moments of every 20 ms, just before a tick and across one."""
    with Scratch() as s:
        r = run(s, 'instep', ms, hz=hz, env={'CPUPROFILE_REALTIME': '1'} if mode == 'wall' else {})
        if Profile(r.path).count('threads that were sampled by the tick'):
            return 'skip:no clock events are to be had here'
        rows, _ = shares(r.path)
        before, across = incl_of(rows, 'before_tick'), incl_of(rows, 'across_tick')
        first, second = (float(x) for x in r.said(mode + r' ([0-9.]+ [0-9.]+)').split())
        share, n = first / (first + second), before + across
        sigma = math.sqrt(share * (1 - share) / n)
        print('# before the tick: %.1f %% of the time, %.1f %% of %d samples' % (100 * share, 100 * before / n, n))
        want(abs(before / n - share) <= 5 * sigma, '%.1f %% of the samples, %.1f %% of the time' % (100 * before / n, 100 * share))


t.add('work in step with the tick has its share', in_step, 'cpu', 1000, 6000)
for rate in (100, 1000):
    t.add('so has work in step with the wall clock, at %d Hz' % rate, in_step, 'wall', rate, 600000 // rate + 6000)


@t('no function is always a little off')
def _():
    for name, off in found.items():
        if not off:
            return 'skip:nothing was run'
        mean = sum(off) / math.sqrt(len(off))
        print('# %s: %+.1f sigma over %d runs' % (name, mean, len(off)))
        want(abs(mean) <= 4, '%s is %.1f sigma off over %d runs' % (name, mean, len(off)))


t.run()
