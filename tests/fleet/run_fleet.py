#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A store of a fleet on real servers of ClickHouse: one, and two shards. What they are told wrong, and what goes wrong with
them, is one clear error each, and changes no sum."""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'data')]
import clickhouse                                                     # noqa: E402
from tap import Scratch, Tap, assay, equal, want                      # noqa: E402

t = Tap('fleet')
WHO = {'ASSAY_STORE_USER': clickhouse.USER, 'ASSAY_STORE_PASSWORD': clickhouse.PASSWORD}
for name in list(os.environ):
    if name.startswith('ASSAY_STORE') or name in ('NETRC', 'http_proxy', 'all_proxy', 'XDG_CONFIG_HOME'):
        del os.environ[name]


def store(*words, url, env=WHO, code=0):
    got = assay('store', *words, '--store', url, env=env)
    equal(got.code, code, got)
    return got


def fails(got, code, says, hint=''):
    """One error in two lines, which shows no password."""
    equal(got.code, code, got)
    lines = got.err.splitlines()
    want(len(lines) == 2 and says in lines[0] and hint in lines[1], 'does not say %r, %r' % (says, hint), got)
    want(clickhouse.PASSWORD not in got.err, 'shows the password', got)


if not clickhouse.installed():
    t.skip_all('there is no clickhouse-server')
    sys.exit(0)
SCRATCH = Scratch().__enter__()
ONE = clickhouse.Servers(1).__enter__()
TWO = clickhouse.Servers(2).__enter__()


# --- init, and who asks

def makes_and_drops():
    for servers in (ONE, TWO):
        url = servers.url('made')
        fails(assay('store', 'status', '--store', url, env=WHO), 3, 'there is no such database', 'assay store init')
        for _ in range(2):
            store('init', url=url)
        printed = store('init', '--print', url=url).out.decode()
        for server in servers.server:
            tables = set(server.sql('SHOW TABLES', 'made').split())
            equal(tables, {line.split()[5] for line in printed.splitlines() if line.startswith('CREATE TABLE')}, 'tables')
        equal(store('status', '-f', 'json', url=url).json()['rows'], [], 'an empty store')
        equal(store('verify', '-f', 'json', url=url).json()['rows'][0]['verdict'], 'whole', 'an empty store')
        fails(assay('store', 'drop', '--store', url, env=WHO), 2, 'removes the tables', '--yes')
        store('drop', '--yes', url=url)
        fails(assay('store', 'status', '--store', url, env=WHO), 3, 'there is no store in this database', 'assay store init')


t.add('init makes what --print shows, drop removes it', makes_and_drops)


def is_named():
    url = ONE.url('named')
    store('init', url=url)
    home = SCRATCH.name('home')
    os.makedirs(home + '/.config/assay')
    pathlib.Path(home, '.config/assay/stores').write_text('# ours\neu-west %s\n' % url)
    for env, words in (({'ASSAY_STORE': url}, []), ({'ASSAY_STORE_EU_WEST': url}, ['--store', 'eu-west']), ({'HOME': home}, ['--store', 'store:eu-west']),
                       ({}, ['--store', 'store:' + url]), ({'ASSAY_STORE': 'http://127.0.0.1:1/x', 'HOME': home}, ['--store', 'eu-west'])):
        equal(assay('store', 'status', *words, env={**WHO, **env}).code, 0, (env, words))
    fails(assay('store', 'status', env=WHO), 2, 'which store?', '--store URL')
    fails(assay('store', 'status', '--store', 'us', env=WHO), 2, "there is no store 'us'", 'ASSAY_STORE_US=')
    fails(assay('store', 'status', '--store', 'u s', env=WHO), 2, 'the name of a store has letters')
    fails(assay('store', 'status', '--store', 'http://u:%s@h/x' % clickhouse.PASSWORD, env=WHO), 2, 'no user and password')
    fails(assay('store', 'status', '--store', 'http://127.0.0.1:1/x', env=WHO), 3, 'no connection')


t.add('a store is named by its URL, variables and a file', is_named)


def asks_who():
    url = ONE.url('named')
    netrc = SCRATCH.name('netrc')
    fails(assay('store', 'status', '--store', url, env={**WHO, 'ASSAY_STORE_PASSWORD': 'x'}), 5, 'the password is wrong', '$ASSAY_STORE_USER')
    fails(assay('store', 'status', '--store', url, env={**WHO, 'ASSAY_STORE_USER': 'nobody'}), 5, 'does not know the user')
    fails(assay('store', 'status', '--store', url, env={**WHO, 'ASSAY_STORE_USER': 'a\nX-Header: b'}), 2, 'the user or the password of the store')
    reader = {**WHO, 'ASSAY_STORE_USER': 'reader'}
    equal(assay('store', 'status', '--store', url, env=reader).code, 0, 'a user who may only read')
    fails(assay('store', 'drop', '--yes', '--store', url, env=reader), 5, 'the user may only read')
    for login, code in (('nobody', 5), ('writer', 0)):
        word = clickhouse.PASSWORD.replace('\\', '\\\\')
        pathlib.Path(netrc).write_text('machine 127.0.0.1 login %s password "%s"\n' % (login, word))
        equal(assay('store', 'status', '--store', url, env={'NETRC': netrc}).code, code, login)


t.add('who asks is of the environment or netrc, and is shown nowhere', asks_who)


def other_versions_are_left_alone():
    url = ONE.url('later')
    store('init', url=url)
    ONE.server[0].sql("INSERT INTO prof_meta (version, shard, server) VALUES (7, 9, 'x')", 'later')
    for words in (['status'], ['verify'], ['init']):
        fails(assay('store', *words, '--store', url, env=WHO), 4, 'the store is of version 7')


t.add('a store of another version is left alone', other_versions_are_left_alone)


def clusters_are_whole():
    both = TWO.url('parted')
    first = both.replace(',' + TWO.server[1].address(), '')
    fails(assay('store', 'init', '--store', both.replace('?cluster=fleet', ''), env=WHO), 2, 'several servers are either a cluster')
    fails(assay('store', 'init', '--store', both.replace('=fleet', '=other'), env=WHO), 2, "no cluster 'other' with this server in it")
    got = assay('store', 'init', '--store', first, env=WHO)
    fails(got, 3, "a shard does not answer: the server says 279: There is no table parted.prof_meta on server", 'partial=1')
    store('init', url=both)
    TWO.server[1].kill()
    fails(assay('store', 'status', '--store', both, env=WHO), 3, 'a shard does not answer: the server says 279: Connection refused')
    TWO.server[1].start()
    store('status', url=both)


t.add('all shards of a cluster have the store, and a shard that is down is an error', clusters_are_whole)

try:
    t.run()
finally:
    for servers in (ONE, TWO):
        servers.__exit__()
    SCRATCH.__exit__(None, None, None)
