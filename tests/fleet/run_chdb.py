#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same statements on the engine of today's ClickHouse, which npm has as a library: what makes, fills, asks and clears a store
on it answers what it answers on Debian's server, and what the merged files say."""
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'data')]
import clickhouse                                                     # noqa: E402
import npm_peer                                                       # noqa: E402
from tap import Scratch, Tap, assay, equal                            # noqa: E402

VERSION = '3.4.0'
WHO = {'ASSAY_STORE_USER': clickhouse.USER, 'ASSAY_STORE_PASSWORD': clickhouse.PASSWORD}
t = Tap('fleet_chdb')
CHDB, why = npm_peer.package('chdb', VERSION)
if why:
    t.skip_all(why.replace('skip: ', ''))
SCRATCH = Scratch().__enter__()
FOLDER = pathlib.Path(SCRATCH.name('engine'))
FOLDER.mkdir()
ENGINE = subprocess.Popen(['node', str(HERE / 'chdb_server.mjs'), CHDB, str(FOLDER)], stdout=subprocess.PIPE)
URL = 'http://127.0.0.1:%s/prof' % ENGINE.stdout.readline().decode().strip()
BOTH = [URL]
OLD = clickhouse.Servers(1).__enter__() if clickhouse.installed() else None
if OLD:
    BOTH.append(OLD.url())
FILES = []
rng = random.Random(7)
for i in range(6):
    lines = ['%s;f%d;g%d;h%d %d\n' % (rng.choice(('main', 'start')), rng.randrange(4), rng.randrange(20), k % 37, rng.randrange(1, 10**9)) for k in range(200)]
    SCRATCH.file('p%d.folded' % i, ''.join(lines))
    FILES.append(SCRATCH.name('p%d.folded' % i))


def told(*words):
    """What a command prints, the same on all engines."""
    got = [assay(*[url if word == 'URL' else word for word in words], env={**WHO, 'ASSAY_STORE': url}) for url in BOTH]
    equal([g.code for g in got], [0] * len(got), got)
    for other in got[1:]:
        equal(got[0].out, other.out, words)
    return got[0]


def makes():
    for _ in range(2):
        told('store', 'init', '--store', 'URL')
    told('store', 'status', '--store', 'URL', '-f', 'json')
    told('store', 'verify', '--store', 'URL', '-f', 'json')


def pushes():
    for i, path in enumerate(FILES):
        host, version = 'web%d' % (i % 3), '1.%d' % (i // 3)
        for _ in range(2):
            told('push', path, '--store', 'URL', '--service', 'api', '--host', host, '--label', 'version=' + version, '--at', '2026-11-2%dT10:4%d' % (3 + i % 2, i))
    rows = told('store', 'verify', '--store', 'URL', '-f', 'json').json()['rows'][0]
    equal((rows['verdict'], rows['batches']), ('whole', len(FILES)), rows)
    told('store', 'status', '--store', 'URL', '--hosts', '-f', 'csv')


def rows_of(answer):
    return {row['function']: (row['self'], row['inclusive']) for row in answer.json()['rows']}


def answers():
    got = told('top', 'store:?service=api', '-n', '0', '-f', 'json')
    equal(rows_of(got), rows_of(assay('top', *FILES, '-n', '0', '-f', 'json')), 'all')
    for query, files in (('host=web1', FILES[1::3]), ('version=1.0', FILES[:3]), ('version=1.0&version=1.1&host=web0', FILES[::3]),
                         ('until=2026-11-24', FILES[::2]), ('since=2026-11-24', FILES[1::2])):
        got = told('top', 'store:?service=api&' + query, '-n', '0', '-f', 'json')
        equal(rows_of(got), rows_of(assay('top', *files, '-n', '0', '-f', 'json')), query)
    told('tree', 'store:?service=api', '-f', 'json')
    told('flame', 'store:?service=api', '-o', '-', '-f', 'svg')
    told('top', 'store:?service=api', '--by', 'label:version', '-f', 'csv')
    told('diff', 'store:?service=api&version=1.0', 'store:?service=api&version=1.1', '-f', 'json')
    told('top', 'store:?service=api', '--over', '1d', '-f', 'csv')


def lets_go():
    told('store', 'drop', '--store', 'URL', '--yes')


t.add('makes a store', makes)
t.add('pushes, each once', pushes)
t.add('answers what the merged files say', answers)
t.add('drops it', lets_go)
try:
    t.run()
finally:
    ENGINE.kill()
    if OLD:
        OLD.__exit__()
    SCRATCH.__exit__(None, None, None)
