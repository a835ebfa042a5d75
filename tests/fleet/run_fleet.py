#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A store of a fleet on real servers of ClickHouse: one, and two shards. What they are told wrong, and what goes wrong with
them, is one clear error each, and changes no sum."""
import os
import pathlib
import socket
import struct
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'data')]
import clickhouse                                                     # noqa: E402
import proxy                                                          # noqa: E402
from tap import ASSAY, Scratch, Tap, assay, equal, want               # noqa: E402

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


# --- push

PROFILES = {'a.folded': 'main;work;inner 70\nmain;work 5\nmain;rest 25\n', 'b.folded': 'main;work;inner 1\nother 9\n', 'empty.folded': ''}
for name, text in PROFILES.items():
    SCRATCH.file(name, text)
AT = ('--at', '2026-11-23T10:45')


def push(*words, url, env=WHO, service='api'):
    return assay('push', *words, '--store', url, '--service', service, *AT, env=env)


def fresh(servers, database):
    """The URL of a store without anything in it."""
    store('drop', '--yes', url=servers.url(database)) if 'prof_meta' in servers.server[0].sql('SHOW TABLES FROM %s' % database
        if database in servers.server[0].sql('SHOW DATABASES').split() else 'SELECT 1') else None
    store('init', url=servers.url(database))
    return servers.url(database)


def summed(servers, database):
    """Rows and their sum that answers have, told by the servers."""
    rows = total = 0
    committed = {line for server in servers.server for line in server.sql(
        'SELECT batch, min(attempt) FROM prof_batches GROUP BY batch', database).splitlines()}
    chosen = {}
    for line in committed:
        batch, attempt = line.split('\t')
        chosen[batch] = min(chosen.get(batch, 1 << 64), int(attempt))
    for server in servers.server:
        for line in server.sql('SELECT attempt, count(), sum(value) FROM prof_samples GROUP BY attempt', database).splitlines():
            attempt, n, value = map(int, line.split('\t'))
            if attempt in chosen.values():
                rows, total = rows + n, total + value
    return rows, total


def is_whole(servers, database, rows, total):
    equal(summed(servers, database), (rows, total), 'rows and sum')
    verdict = store('verify', '-f', 'json', url=servers.url(database)).json()['rows'][0]
    equal((verdict['verdict'], verdict['rows']), ('whole', rows), verdict)
    return verdict


def pushes_once():
    for servers in (ONE, TWO):
        url = fresh(servers, 'once')
        for file in ('a.folded', 'b.folded', 'a.folded', 'empty.folded', 'b.folded'):
            equal(push(SCRATCH.name(file), url=url).code, 3 if file == 'empty.folded' else 0, file)
        is_whole(servers, 'once', 5, 110)
        got = push(SCRATCH.name('a.folded'), url=url)
        equal(got.err, 'assay: there already: 1 profile\n', got)
        equal(push(SCRATCH.name('a.folded'), '--run', '2', url=url).err, 'assay: pushed: 1 profile, 3 rows\n', 'another run')
        equal(push(SCRATCH.name('a.folded'), '--host', 'x', url=url).err, 'assay: pushed: 1 profile, 3 rows\n', 'another host')
        equal(push(SCRATCH.name('a.folded'), '--label', 'v=2', url=url).err, 'assay: pushed: 1 profile, 3 rows\n', 'another label')
        is_whole(servers, 'once', 14, 410)
        rows = store('status', '-f', 'json', url=url).json()['rows']
        equal([(r['day'], r['hosts'], r['batches'], r['rows']) for r in rows], [('2026-11-23', 2, 5, 14)], 'status')
        rows = store('status', '--hosts', '-f', 'json', url=url).json()['rows']
        equal([r['last'] for r in rows], ['2026-11-23T10:45:00Z'] * 2, 'status')


t.add('a profile is pushed once, whoever tries it how often', pushes_once)


TABLES = ('frames', 'stacks', 'series', 'samples', 'batches')
MANY = 300                                                            # files, of which 256 are sent together
MANY_SUM = sum(i + 1 + i % 7 + 1 for i in range(MANY))


def small_files():
    return [SCRATCH.file('small%d.folded' % i, 'main;f;g %d\nmain;f %d\n' % (i + 1, i % 7 + 1)) for i in range(MANY)]


def inserts(gate):
    return [sum(sql.startswith('INSERT INTO prof_%s ' % table) for sql in gate.sent) for table in TABLES]


def pushes_together():
    url, gate = fresh(ONE, 'together'), proxy.Proxy(ONE.server[0])
    files = small_files()
    try:
        got = push(*files, files[7], url=gate.url('together'))
        equal((got.code, got.err), (0, 'assay: there already: 1 profile\nassay: pushed: %d profiles, %d rows\n' % (MANY, 2 * MANY)), got)
        equal(inserts(gate), [1, 1, 1, 2, 2], 'what is named goes once')
        gate.sent.clear()
        equal(push(*files, url=gate.url('together')).err, 'assay: there already: %d profiles\n' % MANY, 'again')
        equal(inserts(gate), [0] * 5, 'inserts')
    finally:
        gate.close()
    is_whole(ONE, 'together', 2 * MANY, MANY_SUM)
    got = push(files[0], SCRATCH.name('empty.folded'), files[1], '--run', '2', url=url)
    want(got.code == 3 and 'pushed: 1 profile, 2 rows' in got.err, 'what is before an error is pushed', got)


t.add('many are pushed together, and what they name goes once', pushes_together)


def forgets_what_went():
    """Somebody empties the table of stacks between two pushes of a process that has sent them."""
    def emptied(handler, body):
        ONE.server[0].sql('TRUNCATE TABLE prof_stacks', 'together')
        handler.pass_on(body)
    fresh(ONE, 'together')
    gate = proxy.Proxy(ONE.server[0])
    gate.harms('INSERT INTO prof_samples', emptied, 2, 2)
    try:
        got = push(*small_files(), url=gate.url('together'))
        want(got.code == 0 and got.err.count('it is pushed again') == 1 and 'the server has other stacks' in got.err, 'tried again', got)
        equal(inserts(gate), [2, 2, 2, 3, 2], 'inserts')
    finally:
        gate.close()
    is_whole(ONE, 'together', 2 * MANY, MANY_SUM)


t.add('what a server had, and has no more, is sent again', forgets_what_went)


def stacks_of(body):
    """Home, id and frames of rows of stacks."""
    at = 0
    while at < len(body):
        _, home, stack, n = struct.unpack_from('<HQQB', body, at)
        yield home, stack, struct.unpack_from('<%dQ' % n, body, at + 19)
        at += 19 + 8 * n


def goes_in_order():
    """Stacks of several files as the table has them, so that no server sorts them; a mark behind many."""
    bodies = []

    def seen(handler, body):
        bodies.append(body)
        handler.pass_on(body)
    fresh(ONE, 'order')
    gate = proxy.Proxy(ONE.server[0])
    gate.harms('INSERT INTO prof_stacks', seen)
    try:
        for n, marks in ((128, 0), (129, 1)):
            files = [SCRATCH.file('order%d.folded' % k, ''.join('main;f%d;g%d;h%d 1\n' % (n, k, i) for i in range(n))) for k in (1, 2)]
            gate.harms('INSERT INTO prof_stacks', seen)
            equal(push(*files, url=gate.url('order')).code, 0, 'push')
            rows = list(stacks_of(bodies.pop()))
            equal(rows, sorted(rows), 'the order')
            equal([frames for home, _, frames in rows if home == (1 << 64) - 1], [()] * marks, 'marks')
            equal(len(rows) - marks, 2 * n, 'stacks')
    finally:
        gate.close()
    is_whole(ONE, 'order', 2 * 128 + 2 * 129, 2 * 128 + 2 * 129)


t.add('stacks go in the order of their table', goes_in_order)


def refuses():
    url = fresh(ONE, 'once')
    file = SCRATCH.name('a.folded')
    fails(assay('push', file, '--store', url, env=WHO), 2, 'which service was profiled?', '--service')
    fails(push(file, '--label', 'x', url=url), 2, "'--label' takes KEY=VALUE")
    fails(assay('push', file, '--store', url, '--service', 'a', '--at', 'soon', env=WHO), 2, "'--at' takes a time")
    got = push(os.path.join(HERE.parent, 'fixtures/callgrind.out.demo'), url=url)
    want(got.code == 4 and 'no calls' in got.err, 'calls', got)
    fails(push(file, url=ONE.url('nosuch')), 3, 'there is no such database')
    fails(push(file, url=url, env={**WHO, 'ASSAY_STORE_USER': 'reader'}), 5, 'the user may only read')
    got = assay('push', file, '--store', url, '--service', 'a', env=WHO)
    want('the profile does not say when it was: as its file, 20' in got.err and got.code == 0, 'the time of the file', got)
    equal(ONE.server[0].number('SELECT count() FROM prof_batches', 'once'), 1, 'commits')


t.add('what cannot be pushed is refused', refuses)


# --- what goes wrong

def generated(name, n):
    """A profile of N stacks; the sum of its costs."""
    SCRATCH.file(name, ''.join('main;f%d;g%d %d\n' % (i % 1100, i // 1100, i + 1) for i in range(n)))
    return n * (n + 1) // 2


def harmed(fits, harm, first=1, last=1, tries=(1,)):
    """A push that something happens to is whole in the end, after so many TRIES more."""
    url = fresh(ONE, 'harmed')
    gate = proxy.Proxy(ONE.server[0])
    gate.harms(fits, harm, first, last)
    try:
        got = assay('push', SCRATCH.name('many.folded'), '--store', gate.url('harmed'), '--service', 'api', *AT, env=WHO)
        equal(got.code, 0, got)
        want(got.err.count('it is pushed again') in tries, 'tries', got)
    finally:
        gate.close()
    is_whole(ONE, 'harmed', 2000, SUM)


SUM = generated('many.folded', 2000)
SAMPLES, COMMIT = 'INSERT INTO prof_samples', 'INSERT INTO prof_batches'
BROKEN = (0, 1)     # libcurl itself sends it again, where the connection was open before
for title, harm, tries in (('is cut off between two rows, and taken for whole', proxy.body_cut(700), (1,)), ('does not come, and is said to have', proxy.body_empty, (1,)),
                           ('is torn before the server has it', proxy.torn_before, BROKEN), ('is stored, and the answer is lost', proxy.torn_after, BROKEN),
                           ('is refused, as too many parts wait', proxy.says(500, 'Code: 252, e.displayText() = DB::Exception: Too many parts'), (1,)),
                           ('is refused, as ZooKeeper is away', proxy.says(500, 'Code: 999, e.displayText() = zkutil::KeeperException: x'), (1,)),
                           ('meets a busy proxy', proxy.says(503, 'busy'), (1,))):
    t.add('samples: what is sent ' + title, harmed, SAMPLES, harm, 1, 1, tries)
for table in ('frames', 'stacks', 'series'):
    t.add('%s: what is sent does not come, and is said to have' % table, harmed, 'INSERT INTO prof_' + table, proxy.body_empty)
    t.add('%s: the line breaks' % table, harmed, 'INSERT INTO prof_' + table, proxy.torn_after, 1, 1, BROKEN)
for table, size in (('frames', proxy.MARK_OF_FRAMES), ('stacks', proxy.MARK_OF_STACKS)):
    t.add('%s: only the last row is cut off' % table, harmed, 'INSERT INTO prof_' + table, proxy.body_cut(1, size))


def large_goes_as_it_is():
    """Many stacks of one profile: by id, with a mark behind them; all go again where that is cut off."""
    n, bodies = 66000, []
    total = generated('many_stacks.folded', n)

    def cut_once(handler, body):
        bodies.append(body)
        if len(bodies) == 1:
            proxy.body_cut(1, proxy.MARK_OF_STACKS)(handler, body)
        else:
            handler.pass_on(body)
    fresh(ONE, 'lent')
    gate = proxy.Proxy(ONE.server[0])
    gate.harms('INSERT INTO prof_stacks', cut_once, 1, 2)
    try:
        got = push(SCRATCH.name('many_stacks.folded'), url=gate.url('lent'))
        equal((got.code, got.err.count('it is pushed again')), (0, 1), got)
    finally:
        gate.close()
    is_whole(ONE, 'lent', n, total)
    sent = [list(stacks_of(body)) for body in bodies]
    equal([(len(rows), rows == sorted(rows)) for rows in sent], [(n + 1, True)] * 2, 'stacks and a mark, in order')
    equal(sent[0][:n], sent[1][:n], 'the same again')
    want(sent[0][n][0] == sent[1][n][0] == (1 << 64) - 1 and sent[0][n] != sent[1][n], 'each attempt has its mark', (sent[0][n], sent[1][n]))


t.add('stacks of a large profile: only the last row is cut off', large_goes_as_it_is)
t.add('commit: it does not come, and is said to have', harmed, COMMIT, proxy.body_empty)
t.add('commit: the line breaks before', harmed, COMMIT, proxy.torn_before, 1, 1, BROKEN)
t.add('commit: the line breaks when it is there', harmed, COMMIT, proxy.torn_after, 1, 1, BROKEN)
t.add('four breaks in a row', harmed, SAMPLES, proxy.torn_after, 1, 4, (2, 3, 4))
for title, harm in (('is cut off', proxy.torn_answer), ('does not say where it ends', proxy.endless_answer)):
    t.add('the count: an answer that %s is none' % title, harmed, 'SELECT attempt, toUInt64(count()), toInt64(sum(value))', harm)


def error_behind_rows():
    """Trap 2: status 200, rows, and then an error."""
    url = fresh(ONE, 'harmed')
    push(SCRATCH.name('a.folded'), url=url)
    gate = proxy.Proxy(ONE.server[0])
    try:
        for harm, says in ((proxy.says_late('Code: 241, e.displayText() = DB::Exception: Memory limit exceeded'), 'no memory left for it'),
                           (proxy.torn_answer, 'not all of it came'), (proxy.endless_answer, 'does not say where it ends')):
            gate.harms('uniqExact(h)', harm)
            got = assay('store', 'status', '--store', gate.url('harmed'), env=WHO)
            want(got.code == 3 and says in got.err and not got.out, 'half an answer', got)
    finally:
        gate.close()


t.add('an error behind rows, a cut answer and one without an end are errors', error_behind_rows)


def too_many_parts():
    """Trap 8, by a real server."""
    with clickhouse.Servers(1, delay=2, throw=3) as servers:
        url = servers.url()
        store('init', url=url)
        server = servers.server[0]
        server.sql('SYSTEM STOP MERGES')
        for run in '123':
            equal(push(SCRATCH.name('a.folded'), '--run', run, url=url).code, 0, run)
        got = push(SCRATCH.name('a.folded'), '--run', '4', '--timeout', '3s', url=url)
        want(got.code == 3 and 'too many parts wait to be merged' in got.err and 'it is pushed again' in got.err, 'too many parts', got)
        server.sql('SYSTEM START MERGES')
        for table in ('samples', 'stacks', 'frames', 'series', 'batches'):
            server.sql('OPTIMIZE TABLE prof_%s' % table, 'prof')
        equal(push(SCRATCH.name('a.folded'), '--run', '4', url=url).code, 0, 'afterwards')
        is_whole(servers, 'prof', 12, 400)


t.add('too many parts: it waits, and says so', too_many_parts)


def killed_server():
    """Trap 5: a server that dies in the middle of an INSERT, and comes back."""
    with clickhouse.Servers(1) as servers:
        store('init', url=servers.url())
        server = servers.server[0]

        def dies(handler, body):
            connection = socket.create_connection(('127.0.0.1', server.http))
            head = 'POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n' % (handler.path, len(body))
            head += ''.join('%s: %s\r\n' % (n, v) for n, v in handler.headers.items() if n.lower().startswith('x-click'))
            connection.sendall(head.encode() + b'\r\n' + body[:len(body) // 2])
            time.sleep(0.2)
            server.kill()
            connection.close()
            handler.cut()
            server.start()

        gate = proxy.Proxy(server)
        gate.harms(SAMPLES, dies)
        try:
            got = push(SCRATCH.name('many.folded'), url=gate.url())
            equal(got.code, 0, got)
        finally:
            gate.close()
        is_whole(servers, 'prof', 2000, SUM)


t.add('a server that is killed in the middle of an INSERT', killed_server)


def shard_down():
    """Trap 6: pushed to the shard that is there, also what the other one has; no sum without the other."""
    url = fresh(TWO, 'down')
    hosts = ['h%d' % i for i in range(6)]
    for host in hosts:
        equal(push(SCRATCH.name('a.folded'), '--host', host, url=url).code, 0, 'both are there')
    counts = [server.number('SELECT count() FROM prof_batches', 'down') for server in TWO.server]
    want(0 < counts[0] < 6 and sum(counts) == 6, counts)
    for away in (1, 0):
        TWO.server[away].kill()
        try:
            for host in hosts:
                got = push(SCRATCH.name('a.folded'), '--host', host, url=url)
                equal(got.code, 0, got)
            equal(push(SCRATCH.name('b.folded'), '--host', 'h%d' % away, url=url).code, 0, 'one is there')
            for words in (['verify'], ['status']):
                got = assay('store', *words, '--store', url, env=WHO)
                want(got.code == 3 and not got.out, 'half an answer', got)
        finally:
            TWO.server[away].start()
    verdict = is_whole(TWO, 'down', 22, 620)
    want(verdict['again'] >= 6, 'pushed to both', verdict)


t.add('a shard that is down is an error, never part of a sum', shard_down)


def wrong_clock():
    """Trap 9: a machine whose clock is wrong is told so; what it pushes is where its clock says."""
    url = fresh(ONE, 'clock')
    gate = proxy.Proxy(ONE.server[0])
    try:
        for ahead, says in ((7200, 'ahead of the server'), (-7200, 'behind the server'), (0, '')):
            gate.harms('now()', lambda handler, body, ahead=ahead: handler.answer(200, struct.pack('<Q', int(time.time()) - ahead)))
            got = push(SCRATCH.name('a.folded'), '--run', str(ahead), url=gate.url('clock'))
            equal(got.code, 0, got)
            want(says in got.err and ('clock' in got.err) == bool(ahead), 'skew', got)
    finally:
        gate.close()
    for run, at in (('past', '1970-01-02'), ('future', '2105-12-31T23:59')):
        equal(assay('push', SCRATCH.name('a.folded'), '--store', url, '--service', 'api', '--run', run, '--at', at, env=WHO).code, 0, at)
    is_whole(ONE, 'clock', 15, 500)
    equal([r['day'] for r in store('status', '-f', 'json', url=url).json()['rows']], ['1970-01-02', '2026-11-23', '2105-12-31'], 'days')
    store('retain', '1d', url=url)      # now is later than 2026-11-24
    equal([r['day'] for r in store('status', '-f', 'json', url=url).json()['rows']][-1], '2105-12-31', 'days')
    is_whole(ONE, 'clock', 3, 100)


t.add('a wrong clock is told, and any time has its day', wrong_clock)


def zookeeper_stops():
    """Trap 7: replicas without their ZooKeeper can be read, and nothing is half pushed."""
    if not clickhouse.ZooKeeper.installed():
        return 'skip: there is no zookeeper'
    with clickhouse.Replicas(2) as servers:
        url, first = servers.url(), servers.url().replace(',' + servers.server[1].address(), '')
        fails(assay('store', 'init', '--store', url, env=WHO), 2, 'several servers are either a cluster')
        store('init', '--replicated', url=url)
        equal(push(SCRATCH.name('a.folded'), url=url).code, 0, 'both are there')
        for server in servers.server:
            equal(server.sql('SELECT count(), sum(value) FROM prof_samples', 'prof'), '3\t100\n', 'a replica has not what was committed')
        servers.zookeeper.pause()
        try:
            got = push(SCRATCH.name('b.folded'), '--timeout', '20s', url=url)
            want(got.code == 3 and 'it is pushed again' in got.err, 'without ZooKeeper', got)
            equal(store('status', '-f', 'json', url=url).json()['rows'][0]['rows'], 3, 'reading')
        finally:
            servers.zookeeper.pause(False)
        wait_for(lambda: push(SCRATCH.name('b.folded'), url=url).code == 0, 6)
        for server in servers.server:
            wait_for(lambda server=server: server.number('SELECT count() FROM prof_batches', 'prof') == 2)
            verdict = assay('store', 'verify', '-f', 'json', '--store', first, env=WHO).json()['rows'][0]
            equal((verdict['verdict'], verdict['batches'], verdict['rows']), ('whole', 2, 5), verdict)
        servers.server[1].kill()
        got = push(SCRATCH.name('a.folded'), '--run', 'x', '--timeout', '5s', url=url)
        want(got.code == 3, 'one replica only', got)
        equal(store('status', '-f', 'json', url=url.replace(',' + servers.server[1].address(), '')).json()['rows'][0]['rows'], 5, 'nothing counts that one has')


t.add('ZooKeeper stops: reading goes on, nothing is half pushed', zookeeper_stops)


def five_commands():
    """What docs/fleet.md says first, as it stands there."""
    text = (HERE.parent.parent / 'docs/fleet.md').read_text()
    script = text.split('```sh\n')[1].split('```')[0]
    equal(len(script.splitlines()), 5, script)
    want('http://127.0.0.1:8123/prof' in script, script)
    with clickhouse.Servers(1) as servers:
        script = script.replace('http://127.0.0.1:8123/prof', servers.url())
        equal(assay('convert', SCRATCH.name('a.folded'), '-o', SCRATCH.name('cpu.pb.gz')).code, 0, 'cpu.pb.gz')
        path = os.path.dirname(os.path.abspath(ASSAY[0])) + ':' + os.environ['PATH']
        done = subprocess.run(['sh', '-eu', '-c', script], capture_output=True, text=True, cwd=SCRATCH.path, env={**os.environ, 'PATH': path})
        equal(done.returncode, 0, done)
        want('inner' in done.stdout and '70' in done.stdout.replace('70.0', ''), done.stdout)


t.add('from an empty server to the first answer in five commands', five_commands)


def daemon_pushes():
    """What a daemon records is in the store, to the unit, though the server goes away and comes back."""
    db = SCRATCH.name('db')
    with clickhouse.Servers(1) as servers:
        server, url = servers.server[0], servers.url()
        env = {**os.environ, **WHO, 'ASSAY_DB': db}
        store('init', url=url)
        daemon = subprocess.Popen([*ASSAY, 'daemon', '--host', 'box', '--segment', '1', '--push', url, '--label', 'rack=7', '--service', 'web'], env=env,
                                  stderr=subprocess.PIPE)
        try:
            if not wait_for(lambda: server.number('SELECT count() FROM prof_batches', 'prof') > 1 or daemon.poll() is not None) or daemon.poll() is not None:
                return 'skip: perf events are not allowed' if daemon.poll() == 5 else want(False, daemon.communicate()[1].decode())
            server.kill()
            wait_for(lambda: b'not pushed segments 3' in assay('daemon', 'status', '--host', 'box', env=env).out)
            spool = assay('daemon', 'status', '--host', 'box', env=env)
            want(b'which are kept until they are' in spool.out, 'status', spool)
            server.start()
            wait_for(lambda: b'not pushed segments 0' in assay('daemon', 'status', '--host', 'box', env=env).out)
            equal(assay('daemon', 'quit', '--host', 'box', env=env).code, 0, 'quit')
            err = daemon.communicate()[1].decode()
        finally:
            daemon.kill()
        told = err.count('not pushed, which is tried again')        # none where it tried until the server was back
        want(told <= 1 and told == err.count('it is pushed again') and clickhouse.PASSWORD not in err, err)
        info = assay('info', 'db:', '--epoch', 'all', '-f', 'json', env={'ASSAY_DB': db}).json()
        # a commit that the server took as it died comes a second time
        rows = server.number('SELECT sum(n) FROM (SELECT batch, any(rows) AS n FROM prof_batches GROUP BY batch)', 'prof')
        is_whole(servers, 'prof', rows, sum(int(event['total']) for event in info['events']))
        equal(server.sql("SELECT DISTINCT service, host, label_text[indexOf(label_key, 'rack')] FROM prof_series", 'prof'), 'web\tbox\t7\n', 'series')
        before = server.number('SELECT count() FROM prof_samples', 'prof')
        got = assay('push', 'db:', '--store', url, '--service', 'web', '--label', 'rack=7', '--epoch', 'all', env=env)
        want(got.code == 0 and 'there already' in got.err and 'pushed' not in got.err, 'all is there', got)
        equal(server.number('SELECT count() FROM prof_samples', 'prof'), before, 'rows')


def daemon_sends_once():
    """What it has pushed of a day it does not push again, though a process of its own pushes each time."""
    db = SCRATCH.name('db2')
    env = {**os.environ, **WHO, 'ASSAY_DB': db}
    url = fresh(ONE, 'daily')
    server = ONE.server[0]
    server.sql('SYSTEM STOP MERGES')
    daemon = subprocess.Popen([*ASSAY, 'daemon', '--host', 'box', '--segment', '1', '--push', url, '--service', 'web'], env=env, stderr=subprocess.PIPE)
    try:
        if not wait_for(lambda: server.number('SELECT count() FROM prof_batches', 'daily') > 4 or daemon.poll() is not None) or daemon.poll() is not None:
            return 'skip: perf events are not allowed' if daemon.poll() == 5 else want(False, daemon.communicate()[1].decode())
        equal(assay('daemon', 'quit', '--host', 'box', env=env).code, 0, 'quit')
        daemon.communicate()
    finally:
        daemon.kill()
        server.sql('SYSTEM START MERGES')
    equal(server.sql('SELECT count(), count() > 0 FROM prof_stacks', 'daily'), server.sql('SELECT uniqExact(day, stack), 1 FROM prof_stacks', 'daily'), 'stacks')
    known, = pathlib.Path(db, 'box').glob('pushed-*.known')
    want(known.stat().st_size > 8 * server.number('SELECT count() FROM prof_stacks', 'daily') // 2, 'what is known', known.stat())
    equal(assay('info', 'db:', '--epoch', 'all', env={'ASSAY_DB': db}).err, '', 'the database')


t.add('a daemon sends stacks of a day once', daemon_sends_once)


def segments_have_their_time():
    """Files of a database that do not say when they began do so by their names."""
    url = fresh(ONE, 'named')
    epoch = pathlib.Path(SCRATCH.name('dated'), 'box', '202611231045')
    epoch.mkdir(parents=True)
    pathlib.Path(SCRATCH.name('n.folded')).write_text('main;f 3\n')
    equal(assay('convert', SCRATCH.name('n.folded'), '-o', str(epoch / '20261123T104500Z-60.pb.gz')).code, 0, 'convert')
    got = assay('push', str(epoch.parents[1]), '--store', url, '--service', 'api', env=WHO)
    want(got.code == 0 and 'does not say when' not in got.err, 'push', got)
    equal(ONE.server[0].sql('SELECT t0, host FROM prof_batches', 'named'), '1795430700\tbox\n', 'time and host')


t.add('what does not say when it was is of the time that its name in a database says', segments_have_their_time)


def wait_for(what, seconds=60):
    """Whether it comes true."""
    for _ in range(seconds * 10):
        if what():
            return True
        time.sleep(0.1)
    return False


t.add('a daemon pushes what it records, once the server is there', daemon_pushes)


def large_inserts():
    """Trap 3: above 1,048,576 rows an INSERT is several parts, and not all or nothing."""
    fresh(ONE, 'large')
    n = 1100000
    total = generated('large.folded', n)
    gate = proxy.Proxy(ONE.server[0])
    try:
        equal(push(SCRATCH.name('large.folded'), url=gate.url('large')).code, 0, 'push')
        equal(len([sql for sql in gate.sent if sql.startswith(SAMPLES)]), 2, 'inserts of samples')
    finally:
        gate.close()
    is_whole(ONE, 'large', n, total)


if os.environ.get('ASSAY_TEST_FILES') == 'large':
    t.tests = []
    t.add('more rows than a server takes at once', large_inserts)
if os.environ.get('ASSAY_TEST_FILES') == 'together':                  # what has threads, for build-tsan/
    t.tests = []
    t.add('many are pushed together, and what they name goes once', pushes_together)
    t.add('what a server had, and has no more, is sent again', forgets_what_went)

try:
    t.run()
finally:
    for servers in (ONE, TWO):
        servers.__exit__()
    SCRATCH.__exit__(None, None, None)
