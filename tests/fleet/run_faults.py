#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pushes to which something happens at a random time: the client is killed, the server is killed, the line breaks. Whoever
pushed pushes again; then the store is whole, and its sums are those of the files, each once.

FAULTS_STORE of them, from FAULTS_SEED: the same but for what the machine's load makes of times.
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'data')]
import clickhouse                                                     # noqa: E402
import proxy                                                          # noqa: E402
from tap import ASSAY, Scratch, Tap, assay, equal, want               # noqa: E402

FAULTS = int(os.environ.get('FAULTS_STORE', '500'))
SEED = int(os.environ.get('FAULTS_SEED', '1'))
IN_A_STORE = 25                # then it is verified, and the next begins
WHO = {'ASSAY_STORE_USER': clickhouse.USER, 'ASSAY_STORE_PASSWORD': clickhouse.PASSWORD}
TABLES = ('frames', 'stacks', 'series', 'samples', 'batches')
t = Tap('fleet_faults')
if not clickhouse.installed():
    t.skip_all('there is no clickhouse-server')
    sys.exit(0)
rng = random.Random(SEED)
happened = dict.fromkeys(('client killed', 'server killed', 'line broken'), 0)


def generated(scratch, n):
    """A profile of some stacks, and what it costs."""
    lines, total = [], 0
    for i in range(rng.randrange(1, 400)):
        cost = rng.randrange(1, 1 << rng.randrange(1, 40))
        lines.append('main;f%d;g%d;h%d %d\n' % (rng.randrange(5), rng.randrange(40), i, cost))
        total += cost
    name = 'p%d.folded' % n
    scratch.file(name, ''.join(lines))
    return scratch.name(name), len(lines), total


def words(path, url, host):
    return ['push', path, '--store', url, '--service', 'api', '--host', host, '--at', '2026-11-23T10:45', '--timeout', '60s']


def started(path, url, host):
    return subprocess.Popen(ASSAY + words(path, url, host), env={**os.environ, **WHO}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_client(path, gate, servers, host):
    """At once, before it speaks, in the middle, or when it is about to end."""
    process = started(path, gate.url(), host)
    time.sleep(rng.random() ** 2 * 0.4)
    process.send_signal(signal.SIGKILL)
    happened['client killed'] += process.wait() == -signal.SIGKILL


def kill_client_at(path, gate, servers, host):
    """While a statement of it is under way."""
    process = None

    def dies(handler, body):
        process.send_signal(signal.SIGKILL)
        happened['client killed'] += 1
        if rng.random() < 0.5:
            handler.ask(body)
        handler.cut()
    gate.harms('INSERT INTO prof_' + rng.choice(TABLES), dies, 1, 1)
    process = started(path, gate.url(), host)
    process.wait()


def kill_server(path, gate, servers, host):
    process = started(path, gate.url(), host)
    time.sleep(rng.random() * 0.3)
    servers.server[0].kill()
    servers.server[0].start()
    happened['server killed'] += 1
    process.wait()


def break_line(path, gate, servers, host):
    harm = rng.choice((proxy.torn_before, proxy.torn_after, proxy.torn_answer, proxy.endless_answer, proxy.body_empty,
                       proxy.says(500, 'Code: 252, e.displayText() = DB::Exception: Too many parts'), proxy.says(503, 'busy')))
    fits = rng.choice(['INSERT INTO prof_' + table for table in TABLES] + ['SELECT'])
    first = rng.randrange(1, 3) if fits == 'SELECT' else 1
    gate.harms(fits, harm, first, first + rng.choice((0, 0, 1, 2)))
    process = started(path, gate.url(), host)
    process.wait()
    happened['line broken'] += gate.seen >= first


def pushed_again(path, gate, host):
    """Whoever is in doubt pushes again; and once more, for nothing is there twice."""
    gate.harms('', None)
    for _ in range(2):
        got = assay(*words(path, gate.url(), host), env=WHO)
        equal(got.code, 0, got)


def verdict(servers):
    got = assay('store', 'verify', '--store', servers.url(), '-f', 'json', env=WHO)
    return got.code, got.json()['rows'][0]


def answered(servers):
    """Rows and sum of what counts."""
    got = servers.server[0].sql('SELECT count(), sum(value) FROM prof_samples WHERE attempt IN '
                                '(SELECT min(attempt) FROM prof_batches GROUP BY batch)', 'prof')
    return tuple(map(int, got.split()))


def faults(n):
    """N of them in one store."""
    rows = total = 0
    with clickhouse.Servers(1) as servers, Scratch() as scratch:
        equal(assay('store', 'init', '--store', servers.url(), env=WHO).code, 0, 'init')
        gate = proxy.Proxy(servers.server[0])
        try:
            for i in range(n):
                path, some, cost = generated(scratch, i)
                rows, total = rows + some, total + cost
                how = rng.choices((kill_client, kill_client_at, break_line, kill_server), (8, 8, 16, 1))[0]
                how(path, gate, servers, 'host%d' % i)
                pushed_again(path, gate, 'host%d' % i)
                equal(answered(servers), (rows, total), 'rows and sum after %s' % how.__name__)
        finally:
            gate.close()
        code, row = verdict(servers)
        equal((code, row['verdict'], row['rows']), (0, 'whole', rows), row)
        equal(servers.server[0].number('SELECT count() FROM prof_batches'.replace('count()', 'uniqExact(batch)'), 'prof'), n, 'batches')
        # What verifies whole must be able to say otherwise.
        servers.server[0].sql('INSERT INTO prof_samples SELECT day, svc, ts, series, stack, value, attempt FROM prof_samples '
                              'WHERE attempt IN (SELECT min(attempt) FROM prof_batches GROUP BY batch) LIMIT 1', 'prof')
        code, row = verdict(servers)
        want(code == 1 and row['verdict'] != 'whole', 'a row twice is not whole', row)


for begin in range(0, FAULTS, IN_A_STORE):
    t.add('faults %d to %d' % (begin + 1, min(begin + IN_A_STORE, FAULTS)), faults, min(IN_A_STORE, FAULTS - begin))


def all_kinds():
    want(all(happened.values()) or FAULTS < 40, 'each kind happens', happened)
    want(sum(happened.values()) >= FAULTS * 3 // 4, 'most of them do', happened)
    print('# %s' % ', '.join('%s %d' % item for item in happened.items()))


t.add('something happened', all_kinds)
t.run()
