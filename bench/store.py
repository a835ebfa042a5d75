#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a store of a fleet takes: 100 hosts of 20 services, 60 minutes; 4.8 million rows, 100,000 stacks.

Starts servers of ClickHouse of its own, one and then two shards, writes rows straight into them, and asks. A Markdown table of
milliseconds, each the least of some runs, beside what is wanted; what misses it is marked, and --gate ends with 1 then. All sums
are compared with those that were generated, to the unit.
"""
import argparse
import collections
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / 'tests' / 'fleet'), str(ROOT / 'tests' / 'data')]
import clickhouse                                                     # noqa: E402
import proxy                                                          # noqa: E402
import store_ids                                                      # noqa: E402

WHO = {'ASSAY_STORE_USER': clickhouse.USER, 'ASSAY_STORE_PASSWORD': clickhouse.PASSWORD}
T0 = 1795430400                                                       # 2026-11-23 10:40, all of it in one day
DAY = T0 // 86400
TYPE, UNIT = 'cpu', 'nanoseconds'
COLUMNS = {name: re.findall(r'X\((\w+), "', body) for name, body in re.findall(
    r'#define AS_FLEET_(BATCHES|SAMPLES|STACKS|FRAMES|SERIES)\(X\)(.*?)\n\n', (ROOT / 'src/fleet/fleet_tables.h').read_text(), re.S)}
SAMPLE = struct.Struct('<HQIQQqQ')
# Of the fleets of docs/fleet.md: rows of a host and minute; a day's new stacks of a host, and frames for each; a GB and month on a disk.
HOST_ROWS, HOST_STACKS, FRAMES_OF_STACK, DOLLARS = 800, 1000, 0.4, 0.08


def text(s):
    return store_ids.text(s)


def array(items):
    return store_ids.leb(len(items)) + b''.join(items)


def hashed(*of):
    return int.from_bytes(hashlib.blake2b(repr(of).encode(), digest_size=8).digest(), 'little') or 1


class Made:
    """The fleet: the same for the same size and seed."""

    def __init__(self, args):
        self.args, self.rng = args, random.Random(args.seed)
        self.services = ['service%02d' % i for i in range(args.services)]
        self.hosts = ['host%03d' % i for i in range(args.hosts)]
        self.svc = {s: store_ids.xxh64(text(TYPE) + text(s)) for s in self.services}
        self.home = {s: struct.pack('<Q', store_ids.xxh64(text(s))) for s in self.services}
        self.series = {(s, h): hashed('series', s, h) for s in self.services for h in self.hosts}
        self.frame = [hashed('frame', i) for i in range(40000)]
        per = args.stacks // args.services
        self.stacks = {s: [(hashed('stack', s, i), self.chain(k)) for i in range(per)] for k, s in enumerate(self.services)}
        self.total, self.rows, self.made = 0, 0, []
        self.by_stack, self.by_service = collections.Counter(), collections.Counter()
        self.by_version = collections.Counter()

    def version(self, host):
        return 'v%d' % (1 + self.hosts.index(host) % 2)

    def chain(self, service):
        """Leaf first, about 30 deep: outer frames are shared by many stacks."""
        depth = self.rng.randrange(15, 46)
        own = 200 + service * 1900
        outer = [self.frame[(service * 7 + i) % 200] for i in range(min(depth, 8))]
        return [self.frame[own + int(self.rng.random() ** 2 * 1900)] for _ in range(depth - len(outer))] + outer[::-1]

    def dimensions(self):
        day = struct.pack('<H', DAY)
        frames = [struct.pack('<QH', f, 0) + text('ns%d::f%d(int)' % (i % 97, i)) + text('') + bytes(8) + text('src/f%d.cc' % (i % 900)) +
                  bytes(8) + text('/usr/lib/lib%d.so' % (i % 50)) + text('%040x' % (i % 50)) + text('') + struct.pack('<QQ', 10 + i % 500, 0) +
                  struct.pack('<QBI', 0x1000 + 16 * i, 1, 0) for i, f in enumerate(self.frame)]
        yield 'frames', b''.join(day + self.home[s] + row for k, s in enumerate(self.services)
                                 for row in frames[:200] + frames[200 + 1900 * k:2100 + 1900 * k])
        yield 'stacks', b''.join(day + self.home[s] + struct.pack('<Q', stack) + array([struct.pack('<Q', f) for f in chain])
                                 for s in self.services for stack, chain in self.stacks[s])
        series = b''
        for (s, h), i in self.series.items():
            labels = [('region', 'r%d' % (self.hosts.index(h) % 4)), ('version', self.version(h))]
            series += (day + struct.pack('<QQ', i, self.svc[s]) + text(TYPE) + text(UNIT) + bytes(8) + text('') + text('') +
                       struct.pack('<IIIB', 0, 0, 0, 0) + text(s) + text(h) + array([text(k) for k, _ in labels]) +
                       array([text(v) for _, v in labels]) + array([bytes(8)] * len(labels)) + array([text('')] * len(labels)))
        yield 'series', series

    def windows(self):
        """Rows of samples, and of batches, of each minute of all hosts; made once."""
        if not self.made:
            self.made = list(self.make_windows())
        return self.made

    def make_windows(self):
        each, rng = self.args.rows, self.rng
        for w in range(self.args.windows):
            ts, samples, batches = T0 + 60 * w, bytearray(), b''
            for s in self.services:
                svc, stacks = self.svc[s], self.stacks[s]
                for h in self.hosts:
                    attempt, total, series = hashed('attempt', s, h, w), 0, self.series[s, h]
                    for _ in range(each):
                        stack, value = stacks[int(rng.random() ** 2 * len(stacks))][0], 10101010 * rng.randrange(1, 4)
                        samples += SAMPLE.pack(DAY, svc, ts, series, stack, value, attempt)
                        total += value
                        self.by_stack[stack] += value
                    batches += (struct.pack('<HQQ', DAY, hashed('batch', s, h, w), attempt) + text(s) + text(h) +
                                struct.pack('<IIqqQqQQ', ts, ts + 60, ts * 10**9, 60 * 10**9, each, total, total, 0) + text('') +
                                struct.pack('<BQQQQ', 0, 0, 0, 0, 0))
                    self.by_service[s] += total
                    self.by_version[s, self.version(h)] += total
                    self.total += total
                    self.rows += each
            yield w, bytes(samples), batches


class Store:
    """Servers that hold a fleet, and how long it took."""

    def __init__(self, servers, args):
        self.servers, self.args = servers, args
        self.seconds = collections.Counter()
        self.rows = collections.Counter()
        self.url = servers.url()
        subprocess.run([args.assay, 'store', 'init', '-q', '--store', self.url], env={**WHO, 'PATH': '/usr/bin'}, check=True)

    def insert(self, table, rows, server=0, n=0):
        sql = 'INSERT INTO prof_%s (%s) FORMAT RowBinary' % (table, ', '.join(COLUMNS[table.upper()]))
        connection = http.client.HTTPConnection('127.0.0.1', self.servers.server[server].http, timeout=300)
        begin = time.perf_counter()
        connection.request('POST', '/?' + urllib.parse.urlencode({'query': sql, 'database': 'prof'}), rows)
        answer = connection.getresponse()
        body = answer.read()
        self.seconds[table] += time.perf_counter() - begin
        self.rows[table] += n
        if answer.status != 200:
            raise RuntimeError('%s: %s' % (table, body.decode()))

    def fill(self, made):
        n = len(self.servers.server)
        for table, rows in made.dimensions():
            for server in range(n):
                self.insert(table, rows, server)
        for w, samples, batches in made.windows():
            self.insert('samples', samples, w % n, len(samples) // SAMPLE.size)
            self.insert('batches', batches, w % n)
        for server in self.servers.server:
            for table in ('samples', 'stacks', 'frames', 'series', 'batches'):
                server.sql('OPTIMIZE TABLE prof_%s' % table, 'prof')

    def ask(self, sql):
        """How long SQL takes until its last byte is here, and the bytes."""
        connection = http.client.HTTPConnection('127.0.0.1', self.servers.server[0].http, timeout=300)
        begin = time.perf_counter()
        connection.request('POST', '/?database=prof&wait_end_of_query=1', sql)
        body = connection.getresponse().read()
        return time.perf_counter() - begin, body

    def cpu(self):
        """Seconds of the processors that the servers had so far."""
        fields = [pathlib.Path('/proc/%d/stat' % s.process.pid).read_text().rsplit(')', 1)[1].split() for s in self.servers.server]
        return sum(int(f[11]) + int(f[12]) for f in fields) / os.sysconf('SC_CLK_TCK')

    def asked(self, rounds, sqls):
        """What statements take together."""
        took = timed(rounds, self, lambda: [self.ask(sql) for sql in sqls])
        took.own = None
        return took

    def all_samples(self):
        return 'all_samples' if len(self.servers.server) > 1 else 'prof_samples'


class Took:
    """Seconds on the wall, and of the processors: of what was started, and of the servers."""

    def __init__(self, wall, own=None, servers=None):
        self.wall, self.own, self.servers = wall, own, servers


def children():
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def timed(rounds, store, work):
    """On the wall the least of some rounds; of the processors, whose time comes in hundredths of a second, their mean."""
    walls, own, servers = [], children(), store.cpu()
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        walls.append(time.perf_counter() - begin)
    return Took(min(walls), (children() - own) / rounds, (store.cpu() - servers) / rounds)


def run(args, store, *words):
    got = subprocess.run([args.assay, *words], env={**WHO, 'PATH': '/usr/bin', 'ASSAY_STORE': store.url, 'HOME': args.home},
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if got.returncode:
        raise RuntimeError('%s: %s' % (words, got.stderr.decode()))
    return got.stdout


def client(args, store, sql):
    subprocess.run(['clickhouse-client', '--host', '127.0.0.1', '--port', str(store.servers.server[0].tcp), '--database', 'prof', '--query',
                    sql + ' FORMAT RowBinary'], stdout=subprocess.DEVNULL, check=True)


def total_of(answer):
    return json.loads(answer)['events'][0]['total']


class Table:
    def __init__(self):
        self.missed = []
        print('| what | ms | assay, CPU ms | servers, CPU ms | wanted | |\n| --- | ---: | ---: | ---: | --- | --- |')

    def put(self, what, took, wanted, missed, note):
        if missed:
            self.missed.append(what)
        cells = [what] + ['' if v is None else '%.1f' % (v * 1000) for v in (took.wall, took.own, took.servers)]
        print('| %s | %s | %s |' % (' | '.join(cells), wanted, ('**missed** ' if missed else '') + note), flush=True)

    def row(self, what, took, wanted=None, note=''):
        self.put(what, took, '' if wanted is None else '≤ %.0f' % (wanted * 1000), wanted is not None and took.wall > wanted, note)

    def rate(self, what, rows, took, wanted=None):
        rate = rows / took.wall
        self.put(what, took, '' if wanted is None else '≥ %.1f M rows/s' % (wanted / 1e6), wanted is not None and rate < wanted,
                 '%.3f M rows/s, %d rows' % (rate / 1e6, rows))


def sums(args, store, made):
    """All that the store adds up is what was generated."""
    got = store.servers.server[0].sql('SELECT stack, sum(value) FROM %s GROUP BY stack' % store.all_samples(), 'prof')
    found = {int(stack): int(value) for stack, value in (line.split('\t') for line in got.splitlines())}
    assert found == made.by_stack, 'sums of stacks differ'
    assert total_of(run(args, store, 'top', 'store:', '-n', '1', '-f', 'json')) == made.total
    s = made.services[3]
    assert total_of(run(args, store, 'top', 'store:?service=' + s, '-n', '1', '-f', 'json')) == made.by_service[s]
    asked = 'store:?service=%s&version=v2' % s
    assert total_of(run(args, store, 'top', asked, '-n', '1', '-f', 'json')) == made.by_version[s, 'v2']


def sent(args, store, *words):
    """The statements that a command sends, in their order."""
    between = proxy.Proxy(store.servers.server[0])
    try:
        run(args, argparse.Namespace(url=between.url() + ('?cluster=fleet' if len(store.servers.server) > 1 else '')), *words)
    finally:
        between.close()
    return between.sent


def is_of_sums(sql):
    """It adds up samples; those that explain stacks ask for these alone."""
    return 'sum(' in sql and sql.rsplit('GROUP BY', 1)[-1].strip().startswith(('svc, stack', 'series, stack', 'stack'))


def questions(args, store, made, t, name):
    service = 'store:?service=' + made.services[3]
    label = service + '&version=v2'
    bare_sql = 'SELECT stack, sum(value) FROM %s GROUP BY stack' % store.all_samples()
    bare = timed(args.rounds, store, lambda: client(args, store, bare_sql))
    bare.own = None
    t.row(name + 'bare SQL in clickhouse-client: sum by stack over all', bare)
    sqls = sent(args, store, 'top', 'store:', '-n', '1')
    t.row(name + 'sum by stack over all, as assay asks for it', store.asked(args.rounds, [sql for sql in sqls if is_of_sums(sql)]), 1.5 * bare.wall)
    t.row(name + 'top of all, end to end', timed(args.rounds, store, lambda: run(args, store, 'top', 'store:', '-f', 'json')))
    took = timed(args.rounds, store, lambda: run(args, store, 'flame', service, '-o', '-', '-f', 'svg'))
    t.row(name + "one service's flame graph, end to end", took, 0.1)
    sqls = sent(args, store, 'top', label, '-n', '1')
    t.row(name + 'label filter: sum by stack, as assay asks for it', store.asked(args.rounds, [sql for sql in sqls if is_of_sums(sql)]), 0.05)
    t.row(name + 'top by a label, end to end', timed(args.rounds, store, lambda: run(args, store, 'top', label, '-f', 'json')))
    if args.verbose:
        for what in (['top', 'store:', '-n', '1'], ['flame', service, '-o', '-', '-f', 'svg'], ['top', label, '-n', '1']):
            for sql in sent(args, store, *what):
                took = store.asked(args.rounds, [sql])
                print('# %.1f ms, %.1f of the processors: %s' % (took.wall * 1000, took.servers * 1000, sql), flush=True)


def new_stacks(args, made, rng):
    """A file of 900,000 stacks that no server has."""
    yield ['main;run%d;f%d;g%d;h%d' % (k % 3, k % 90, k % 701, k // 90) for k in range(900000)]


def minutes(args, made, rng):
    """Minutes of hosts, of the stacks that are in the store: some of each service, about 30 deep."""
    names = {f: 'ns%d::f%d(int)' % (i % 97, i) for i, f in enumerate(made.frame)}
    for _ in range(300):
        chosen = {(s, int(rng.random() ** 2 * len(made.stacks[s]))) for s in made.services for _ in range(args.rows)}
        yield [';'.join(names[f] for f in reversed(made.stacks[s][i][1])) for s, i in sorted(chosen)]


def push(args, store, made, t):
    """One file of many rows, and many files of the rows of a host's minute, into an empty store."""
    other = argparse.Namespace(url=store.servers.url('other'))
    server, rng = store.servers.server[0], random.Random(args.seed)
    for what, files, wanted in (('assay push of one file, all stacks new, from start to exit', new_stacks, 1e6),
                                ('assay push of 300 files, a minute of a host each', minutes, 1e6)):
        paths, rows, total = [], 0, 0
        for i, stacks in enumerate(files(args, made, rng)):
            values = [rng.randrange(1, 1000) for _ in stacks]
            path = pathlib.Path(args.home, 'push%d.folded' % i)
            path.write_text(''.join('%s %d\n' % line for line in zip(stacks, values)))
            paths.append(str(path))
            rows, total = rows + len(set(stacks)), total + sum(values)
        run(args, other, 'store', 'init', '-q')
        took = timed(1, store, lambda: run(args, other, 'push', *paths, '--service', 'all', '--at', '2026-11-23T10:45'))
        assert server.sql('SELECT count(), sum(value) FROM prof_samples', 'other') == '%d\t%d\n' % (rows, total)
        t.rate(what, rows, took, wanted)
        t.row('reading one of these files alone', timed(1, store, lambda: run(args, other, 'info', paths[0], '-f', 'json')))
        run(args, other, 'store', 'verify', '-q')
        run(args, other, 'store', 'drop', '--yes', '-q')


def sizes(store):
    """Bytes of a row on the disk, and what fleets take by them: docs/fleet.md has that table."""
    rows = store.servers.server[0].sql("SELECT table, sum(rows), sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'prof' "
                                       "AND table != 'prof_meta' GROUP BY table ORDER BY table", 'prof')
    size = {}
    print('\n| table | rows | bytes of a row |\n| --- | ---: | ---: |')
    for table, n, size_of in (line.split('\t') for line in rows.splitlines()):
        size[table] = int(size_of) / int(n)
        print('| `%s` | %s | %.1f |' % (table, n, size[table]))
    print('\n| hosts | rows a second | rows a day | stacks a day | samples, GB a day | the rest, GB a day | GB of 30 days | of disk, $ a month |')
    print('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
    for hosts in (100, 1000, 10000):
        day, stacks = hosts * HOST_ROWS * 1440, hosts * HOST_STACKS
        samples = day * size['prof_samples'] / 1e9
        rest = (stacks * (size['prof_stacks'] + FRAMES_OF_STACK * size['prof_frames']) + hosts * 1440 * size['prof_batches']) / 1e9
        month = 30 * (samples + rest)
        print('| %d | %d | %.2f billion | %.1f million | %.2f | %.2f | %.0f | %.0f |' % (hosts, day / 86400, day / 1e9, stacks / 1e6, samples, rest, month, month * DOLLARS))
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--assay', default=str(ROOT / 'build/src/cli/assay'))
    parser.add_argument('--hosts', type=int, default=100)
    parser.add_argument('--services', type=int, default=20)
    parser.add_argument('--windows', type=int, default=60, help='minutes')
    parser.add_argument('--rows', type=int, default=40, help='of a host, a service and a minute')
    parser.add_argument('--stacks', type=int, default=100000)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--shards', type=int, nargs='*', default=[1, 2])
    parser.add_argument('--verbose', action='store_true', help='what each statement takes')
    parser.add_argument('--gate', action='store_true', help='end with 1 where something is missed')
    args = parser.parse_args()
    t, made = Table(), Made(args)
    with tempfile.TemporaryDirectory() as args.home:
        for n in args.shards:
            name = '' if n == 1 else '%d shards: ' % n
            with clickhouse.Servers(n) as servers:
                store = Store(servers, args)
                store.fill(made)
                t.rate(name + 'bare INSERTs of 80,000 rows', store.rows['samples'], Took(store.seconds['samples']), 1e6)
                sums(args, store, made)
                questions(args, store, made, t, name)
                if n == 1:
                    push(args, store, made, t)
                    sizes(store)
    if t.missed:
        print('missed: %s' % '; '.join(t.missed))
    return 1 if args.gate and t.missed else 0


if __name__ == '__main__':
    sys.exit(main())
