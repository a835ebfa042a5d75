#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables over time of a store are those of the files that were pushed."""
import csv
import io
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'data')]
import clickhouse                                                     # noqa: E402
from tap import Scratch, Tap, assay, equal, want                      # noqa: E402

t = Tap('fleet_over')
if not clickhouse.installed():
    t.skip_all('there is no clickhouse-server')
    sys.exit(0)
WHO = {'ASSAY_STORE_USER': clickhouse.USER, 'ASSAY_STORE_PASSWORD': clickhouse.PASSWORD}
SCRATCH = Scratch().__enter__()
SERVERS = clickhouse.Servers(1).__enter__()
URL = SERVERS.url()
DB = SCRATCH.name('db')
MINUTES = ('20261123T104500Z', '20261123T104612.5Z', '20261123T105900Z', '20261124T001000Z')


def made():
    """Minutes of two hosts, pushed into a store."""
    script = '. "%s/database.inc"\n' % (HERE.parent / 'cli' / 'database')
    for k, host in enumerate(('box', 'web')):
        script += ''.join('minute %s/%s/202611231045/%s %d\n' % (DB, host, at, 10 * k + i) for i, at in enumerate(MINUTES))
    subprocess.run(['sh', '-e', '-c', script], cwd=SCRATCH.name(''), check=True)
    equal(assay('store', 'init', '--store', URL, env=WHO).code, 0, 'init')
    for host in ('box', 'web'):
        for at in MINUTES:
            when = '%s-%s-%sT%s:%s:%s' % (at[:4], at[4:6], at[6:8], at[9:11], at[11:13], at[13:].rstrip('Z'))
            got = assay('push', '%s/%s/202611231045/%s-60.pb.gz' % (DB, host, at), '--store', URL, '--service', 'api', '--host', host,
                        '--at', when, env=WHO)
            equal(got.code, 0, got)


def rows(got):
    """Of what says it, without how many parts of a file are in a row."""
    return [{key: value for key, value in row.items() if key != 'parts'} for row in csv.DictReader(io.StringIO(got.out.decode()))]


def over(*words):
    """The same table, of the database and of the store."""
    files = assay('top', DB, '--epoch', 'all', *words, '-f', 'csv')
    store = assay('top', 'store:?service=api', *words, '-f', 'csv', env={**WHO, 'ASSAY_STORE': URL})
    equal((files.code, store.code), (0, 0), (files, store))
    equal(rows(store), rows(files), words)
    return store


def adds_up():
    for width in ('1m', '5m', '12h', '2d'):
        for more in ((), ('--sort', 'inclusive'), ('--by', 'process'), ('--by', 'label:unit'), ('--process', 'sh'), ('-n', '2')):
            over('--over', width, *more)


def says_what_it_does_not_know():
    got = over('--over', '1h')
    want('says when it began, and no more' in got.err, 'pushes of no known length', got)


t.add('a database is pushed', made)
t.add('columns are those of the files', adds_up)
t.add('what is of no known length is said to stand where it began', says_what_it_does_not_know)
try:
    t.run()
finally:
    SERVERS.__exit__()
    SCRATCH.__exit__(None, None, None)
