#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A store of a fleet as an input, on real servers of ClickHouse, one and two shards: what commands say of it is, to the digit,
what they say of the files that were pushed."""
import atexit
import gzip
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'data'), str(HERE.parent / 'lib')]
import clickhouse                                                     # noqa: E402
import proxy                                                          # noqa: E402
from tap import ASSAY, ROOT, Scratch, Tap, assay, equal, want         # noqa: E402
from terminal import Terminal                                         # noqa: E402

t = Tap('fleet_ask')
WHO = {'ASSAY_STORE_USER': clickhouse.USER, 'ASSAY_STORE_PASSWORD': clickhouse.PASSWORD}
for name in list(os.environ):
    if name.startswith('ASSAY_STORE') or name in ('NETRC', 'http_proxy', 'all_proxy', 'XDG_CONFIG_HOME'):
        del os.environ[name]
if not clickhouse.installed():
    t.skip_all('there is no clickhouse-server')
    sys.exit(0)
SCRATCH = Scratch().__enter__()
ONE, TWO = clickhouse.Servers(1), clickhouse.Servers(2)
for held in (ONE, TWO):
    atexit.register(held.__exit__)
    held.__enter__()
RECORDED = os.path.join(ROOT, 'docs/pictures/assay.pb.gz')


def ok(*words, env=None, code=0):
    got = assay(*words, env={**WHO, **(env or {})})
    equal(got.code, code, got)
    return got


def made(servers, database):
    ok('store', 'init', '--store', servers.url(database))
    return servers.url(database)


def push(url, file, service='api', host='web1', *more):
    ok('push', file, '--store', url, '--service', service, '--host', host, '--at', '2026-11-23T10:45', *more)


def fails(got, code, says, hint=''):
    equal(got.code, code, got)
    lines = got.err.splitlines()
    want(len(lines) == 2 and says in lines[0] and hint in lines[1], 'does not say %r, %r' % (says, hint), got)


def without_inputs(got):
    """The answer but for what it was read from."""
    if not got.out.startswith(b'{'):
        return re.sub(rb'(three|minute)(\?cluster=fleet)?|merged\.pb\.gz', b'INPUT', got.out)
    answer = got.json()
    for key in ('format', 'files', 'input'):
        answer.get('profile', answer).pop(key, None)
    return answer


def same(words, store, files, merged=True):
    """What WORDS print of the store is what they print of the files, merged."""
    if merged and len(files) > 1:
        ok('merge', *files, '-o', SCRATCH.name('merged.pb.gz'), '--overwrite')
        files = [SCRATCH.name('merged.pb.gz')]
    equal(without_inputs(ok(*words, store)), without_inputs(ok(*words, *files)), ' '.join(words))


def total(*words):
    return ok('top', '-f', 'json', *words).json()['events'][0]['total']


# --- three hosts

def varint(data, at):
    value = shift = 0
    while True:
        value, shift, at = value | (data[at] & 127) << shift, shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def every(file, keeps):
    """The samples of a pprof file of whose numbers KEEPS says so; all else stays."""
    data, out, at, n = gzip.open(RECORDED).read(), b'', 0, 0
    while at < len(data):
        begin = at
        tag, at = varint(data, at)
        length, at = varint(data, at)
        at += length if tag & 7 == 2 else 0
        n += tag == 0x12
        out += data[begin:at] if tag != 0x12 or keeps(n) else b''
    pathlib.Path(file).write_bytes(out)
    return file


def three(servers):
    """The URL of a store that three hosts pushed to, and what they pushed."""
    url = made(servers, 'three')
    files = [every(SCRATCH.name('%d.pb' % i), keeps) for i, keeps in enumerate((lambda n: n % 3, lambda n: n % 2, lambda n: True))]
    for i, file in enumerate(files):
        push(url, file, 'api', 'web%d' % (i + 1))
    return url, files


HOSTS = [three(ONE), three(TWO)]
COMMANDS = (('top',), ('top', '-f', 'json', '-n', '0'), ('top', '--by', 'line', '-f', 'json', '-n', '0'), ('top', '--by', 'object', '-f', 'json'),
            ('top', '--by', 'address', '-f', 'json', '-n', '0'), ('tree',), ('tree', '-f', 'json'), ('flame', '-f', 'svg'), ('flame', '-f', 'text'),
            ('convert', '-t', 'folded', '-o', '-'))


def equal_to_files():
    for url, files in HOSTS:
        for words in COMMANDS:
            same(words, 'store:' + url, files)


t.add('what commands say is what they say of the merged files', equal_to_files)


def database():
    """A database of three hosts, with a minute in three segments, is in the store what its files are, merged; and so is each host."""
    folder, files = SCRATCH.name('minute'), {}
    for i in range(9):
        epoch = os.path.join(folder, 'web%d' % (i % 3 + 1), '202611231045')
        os.makedirs(epoch, exist_ok=True)
        raw = every(SCRATCH.name('segment.pb'), lambda n, i=i: n % 9 in (i, (i + 1) % 9))
        file = os.path.join(epoch, '20261123T1045%02dZ-20.pb.gz' % (i // 3 * 20))
        ok('convert', raw, '-o', file)
        files.setdefault('web%d' % (i % 3 + 1), []).append(file)
    for servers in (ONE, TWO):
        url = made(servers, 'minute')
        ok('push', folder, '--store', url, '--service', 'api', '--epoch', 'all')
        store = 'store:%s%shost=' % (url, '&' if '?' in url else '?')
        for words in COMMANDS:
            same(words, 'store:' + url, [file for host in files.values() for file in host])
        for host in files:
            same(('tree', '-f', 'json'), store + host, files[host])
        sides = ('web1', 'web2')
        for host in sides:
            ok('merge', *files[host], '-o', SCRATCH.name(host + '.pb'), '--overwrite')
        ours, theirs = (ok('diff', '-f', 'json', *two).json()['rows'] for two in ([store + host for host in sides], [SCRATCH.name(host + '.pb') for host in sides]))
        want(ours, 'nothing differs', theirs)
        for row in ours + theirs: # a store does not have how many signals brought the samples (docs/fleet.md), by which noise goes
            for figure in row['self'] + row['inclusive']:
                for key in ('significance', 'interval', 'p'):
                    figure.pop(key)
        equal(ours, theirs, 'diff')


t.add('a database of three hosts is what its files are', database)


def by_name():
    url, files = HOSTS[0]
    want = ok('top', *files).out
    equal(ok('top', 'store:', env={'ASSAY_STORE': url}).out, want, 'the usual store')
    equal(ok('top', 'store:our-fleet?service=api', env={'ASSAY_STORE_OUR_FLEET': url}).out, want, 'a store of a name')
    config = SCRATCH.name('config')
    os.makedirs(os.path.join(config, 'assay'))
    SCRATCH.file('config/assay/stores', '# ours\nours %s\n' % url)
    equal(ok('top', 'store:ours?', env={'XDG_CONFIG_HOME': config}).out, want, 'a store of a list')


t.add('a store has a name', by_name)


def chosen():
    """Each choice is what the files that it means say."""
    for url, files in HOSTS:
        store = 'store:%s%s' % (url, '&' if '?' in url else '?')
        same(('tree', '-f', 'json'), store + 'host=web2', files[1:2])
        same(('tree', '-f', 'json'), store + 'host=web1&host=web3', [files[0], files[2]])
        same(('tree', '-f', 'json'), store + 'service=api', files)
        equal([e['name'] for e in ok('top', '-f', 'json', store + 'event=samples').json()['events']], ['samples'], 'events')
        equal(ok('top', '--host', 'web2', store + 'service=api').out, ok('top', files[1]).out, '--host')
        fails(assay('top', store + 'service=other', env=WHO), 2, 'the store has nothing of that', 'assay store status')
        fails(assay('top', store + 'version=1', env=WHO), 2, 'nothing of that event or label', 'assay store status')
        fails(assay('top', store + 'service', env=WHO), 2, 'is no KEY=VALUE', 'store:fleet?service=api')
        fails(assay('top', store + 'since=soon', env=WHO), 2, "since 'soon' is no time", '2026-11-23')
        fails(assay('top', store + 'since=1h&until=2h', env=WHO), 2, 'since is not before until', '2026-11-23')


t.add('service, host and event choose', chosen)

LABELS = {'a b': 1, "it's": 2, '\\': 4, 'x%y&z=': 8, 'é': 16, '': 32}


def percent(text):
    return ''.join('%%%02x' % b for b in text.encode())


def by_label():
    for servers in (ONE, TWO):
        url = made(servers, 'labels')
        for value, cost in LABELS.items():
            push(url, SCRATCH.file('label.folded', 'main;f %d\n' % cost), 'api', 'web1', *(('--label', 'v=' + value) if value else ()))
        store = 'store:%s%s' % (url, '&' if '?' in url else '?')
        for value, cost in LABELS.items():
            if value:
                equal(total(store + 'v=' + percent(value)), cost, value)
        equal(total(store + 'v=a+b&v=' + percent('é')), 17, 'either')
        equal(total(store), 63, 'all')
        rows = ok('top', '--by', 'label:v', '-f', 'json', '-n', '0', store).json()['rows']
        for value, cost in LABELS.items():
            want([cost] in [r['self'] for r in rows if [k['value'] for k in r['labels']] == ([value] if value else [])], 'a row per value', rows)
        equal(total('--label', 'v=a b', store), 1, '--label')


t.add('labels choose, whatever is in them', by_label)


def by_option():
    """--label says of a store what it says of the file, and what it leaves out does not come."""
    file = SCRATCH.name('labelled.pb')
    subprocess.run(['sh', '-c', '. "$1"; labelled > "$2"', 'sh', str(HERE.parent / 'cli/samples'), file], check=True)
    keys = {(k['key'], str(k.get('value'))): 1 for r in ok('top', '--by', 'label', '-n', '0', '-f', 'json', file).json()['rows'] for k in r['labels']}
    want(len(keys) > 2, 'labels to choose by', keys)
    for servers in (ONE, TWO):
        url = made(servers, 'options')
        push(url, file, 'api', 'web1')
        push(url, SCRATCH.file('other.folded', 'main;elsewhere 7\n'), 'web', 'web2', '--label', 'rack=9')
        store = 'store:%s%sservice=api' % (url, '&' if '?' in url else '?')
        for words in [('%s=%s' % k,) for k in keys] + [(k,) for k, _ in keys if k != 'host'] + [tuple('%s=%s' % k for k in keys)]:
            options = [o for word in words for o in ('--label', word)]
            for command in (('top', '-n', '0', '-f', 'json'), ('tree', '-f', 'json'), ('top', '--focus', 'main', '-f', 'json'), ('top', '--by', 'label:size', '-f', 'json')):
                of_file, of_store = assay(*command, *options, file, env=WHO), assay(*command, *options, store, env=WHO)
                equal((of_store.code, without_inputs(of_store)), (of_file.code, without_inputs(of_file)), '%s %s' % (command, options))
        both = 'store:' + url
        equal([total('--label', w, both) for w in ('host=web2', 'service=web', 'rack=9', 'rack')], [7] * 4, 'host and service are labels')
        equal(total('--label', 'rack=9', '--label', 'host=web1', both), total('--label', 'host=web1', both) + 7, 'one or the other')
        got = assay('top', '--label', 'rack=8', both, env=WHO)
        want(got.code == 1 and 'rack=8' in got.err, 'nothing is left', got)
    between = proxy.Proxy(ONE.server[0])
    total('--label', 'rack=9', 'store:' + between.url('options'))
    between.close()
    want(any("'rack'" in sql and 'sum(value)' in sql for sql in between.sent), 'the store is asked for all', between.sent)


t.add('--label is asked of the store', by_option)


def by_time():
    url = made(ONE, 'times')
    for minute in range(5):
        file = SCRATCH.file('%d.folded' % minute, 'main;f %d\n' % 10 ** minute)
        ok('push', file, '--store', url, '--service', 'api', '--host', 'web1', '--at', '2026-11-23T10:4%d' % minute)
    for query, cost in (('since=2026-11-23T10:42', 11100), ('until=2026-11-23T10:42', 11), ('since=2026-11-23T10:41&until=2026-11-23T10:43', 110)):
        equal(total('store:%s?%s' % (url, query)), cost, query)
    equal(total('--since', '2026-11-23T10:44', 'store:' + url), 10000, '--since')
    fails(assay('top', 'store:%s?since=2027-01-01' % url, env=WHO), 2, 'the store has nothing of that')


t.add('times choose', by_time)


# --- figures

def large():
    """Sums beyond the 64 bits of the server."""
    for servers in (ONE, TWO):
        url = made(servers, 'large')
        for host in 'abcde':
            push(url, SCRATCH.file('large.folded', 'main;f %d\nmain;g 1\n' % (2 ** 63 - 10)), 'api', host)
        equal(total('store:' + url), 5 * (2 ** 63 - 9), 'five times 2^63 - 9')


t.add('no sum wraps', large)


def contradicted():
    """Samples that are not what was pushed are no answer."""
    url = made(ONE, 'wrong')
    push(url, SCRATCH.file('wrong.folded', 'main;f 5\n'))
    ONE.server[0].sql('INSERT INTO prof_samples SELECT day, svc, ts, series, stack, 1, attempt FROM prof_samples', 'wrong')
    got = assay('top', 'store:' + url, env=WHO)
    want(got.code == 3 and 'do not add up to what was pushed' in got.err and not got.out, 'a wrong sum', got)


t.add('samples that are not what was pushed are an error', contradicted)


def places():
    """DCPI's: places without callers stay places."""
    file = os.path.join(ROOT, 'tests/fixtures/dcpi')
    files = sorted(str(p) for p in pathlib.Path(file).rglob('*') if p.is_file())
    url = made(ONE, 'places')
    done = [f for f in files if assay('push', f, '--store', url, '--service', 'api', '--host', f[-20:].replace('/', '_'), env=WHO).code == 0]
    want(done, 'no DCPI profile was pushed', files)
    for words in (('top', '-f', 'json', '-n', '0'), ('top', '--by', 'address', '-f', 'json', '-n', '0')):
        same(words, 'store:' + url, done, merged=False)


t.add('places stay places', places)


# --- names

PROGRAM = """
static inline __attribute__((always_inline)) unsigned mix(unsigned a, unsigned b) { return a * 31 + (b ^ a >> 3); }
__attribute__((noinline)) unsigned hash(unsigned n) { unsigned h = 7; for (unsigned i = 0; i < n; i++) h = mix(h, i); return h; }
__attribute__((noinline)) unsigned sum(unsigned n) { unsigned h = 0; for (unsigned i = 0; i < n; i++) h += mix(i, n); return h; }
int main(void) { return (int)(hash(9) + sum(9)); }
"""
NAMED, NAMELESS = {'ASSAY_SYMBOLS': ''}, {'ASSAY_SYMBOLS': 'none'}


def names():
    """What was pushed as addresses is named as that of files is, when it is looked at, or in the store for all."""
    source, program, profile = SCRATCH.file('program.c', PROGRAM), SCRATCH.name('program'), SCRATCH.name('program.prof')
    subprocess.run(['gcc', '-g', '-O2', '-o', program, source], check=True)
    subprocess.run([sys.executable, str(HERE.parent / 'lib/make_prof.py'), program, profile, 'hash', 'sum'], check=True)
    for servers in (ONE, TWO):
        url = made(servers, 'names')
        push(url, profile)
        store = 'store:' + url
        for words in (('top', '-f', 'json', '-n', '0'), ('top', '--by', 'line', '-f', 'json', '-n', '0'), ('tree', '-f', 'json')):
            plain, named = ok(*words, profile, env=NAMELESS), ok(*words, profile, env=NAMED)
            want(b'"mix"' in named.out and b'"mix"' not in plain.out, 'the names are no test', named)
            equal(without_inputs(ok(*words, store, env=NAMELESS)), without_inputs(plain), 'addresses: %s' % (words,))
            equal(without_inputs(ok(*words, store, env=NAMED)), without_inputs(named), 'names: %s' % (words,))
        got = assay('store', 'symbolize', '--store', url, env={**WHO, **NAMED})
        want(got.code == 0 and re.search(r'[1-9][0-9]* frames got names', got.err), 'names for the store', got)
        for words in (('top', '-f', 'json', '-n', '0'), ('top', '--by', 'line', '-f', 'json', '-n', '0'), ('tree', '-f', 'json')):
            equal(without_inputs(ok(*words, store, env=NAMELESS)), without_inputs(ok(*words, profile, env=NAMED)), 'in the store: %s' % (words,))
        want('0 frames got names' in assay('store', 'symbolize', '--store', url, env={**WHO, **NAMED}).err, 'a second time', url)
        equal(ok('store', 'verify', '-f', 'json', '--store', url).json()['rows'][0]['verdict'], 'whole', 'verify')


t.add('names are found when asked, and written back', names)


def nameless(database):
    """The URL of a store that has addresses, and what says it with names and without."""
    url, profile = made(ONE, database), SCRATCH.name('program.prof')
    push(url, profile)
    named, plain = (without_inputs(ok('top', '--by', 'line', '-f', 'json', '-n', '0', profile, env=env)) for env in (NAMED, NAMELESS))
    return url, named, plain


def lines_of(url):
    return without_inputs(ok('top', '--by', 'line', '-f', 'json', '-n', '0', 'store:' + url, env=NAMELESS))


def names_on_replicas():
    """Names are written on all replicas, or later: without ZooKeeper none are, and reading goes on."""
    if not clickhouse.ZooKeeper.installed():
        return 'skip: there is no zookeeper'
    with clickhouse.Replicas(2) as servers:
        url, profile = servers.url(), SCRATCH.name('program.prof')
        ok('store', 'init', '--replicated', '--store', url)
        push(url, profile)
        named, plain = (without_inputs(ok('top', '--by', 'line', '-f', 'json', '-n', '0', profile, env=env)) for env in (NAMED, NAMELESS))
        servers.zookeeper.pause()
        try:
            got = assay('store', 'symbolize', '--store', url, '--timeout', '8s', env={**WHO, **NAMED})
            equal(got.code, 3, got)
            equal(lines_of(url), plain, 'reading')
        finally:
            servers.zookeeper.pause(False)
        for _ in range(6):
            got = assay('store', 'symbolize', '--store', url, env={**WHO, **NAMED})
            if got.code == 0:
                break
        want(got.code == 0, 'with ZooKeeper again', got)
        for server in servers.server:
            for _ in range(100):                                      # it fetches what it lacks when its session is there again
                got = assay('top', '--by', 'line', '-f', 'json', '-n', '0', 'store:http://%s/prof' % server.address(), env={**WHO, **NAMELESS})
                if got.code == 0 and without_inputs(got) == named:
                    break
                time.sleep(0.1)
            equal((got.code, without_inputs(got)), (0, named), 'a replica')


t.add('names are written on all replicas, or later', names_on_replicas)


def pushed_meanwhile():
    """Sums, and what explains them, are asked for at the same time: what is in one answer and not yet in the other is asked again."""
    url, file = made(ONE, 'meanwhile'), SCRATCH.name('meanwhile.folded')
    pathlib.Path(file).write_text('main;f;g 3\nmain;h 4\n')
    push(url, file)
    words = ('top', '-f', 'json', '-n', '0')
    want_rows = ok(*words, file).json()['rows']
    for what in ('SELECT stack, frames', 'SELECT frame, idx'):
        for times in (1, 2):
            between = proxy.Proxy(ONE.server[0])
            between.harms(what, proxy.body_empty, 1, times)
            got = assay(*words, 'store:' + between.url('meanwhile'), env=WHO)
            between.close()
            equal((got.code, between.seen), (0, 2), what)
            want((got.json()['rows'] == want_rows) == (times == 1), 'rows', got)
            want(('in the store' in got.err) == (times == 2), 'what is missing is told', got)


t.add('what is pushed while it is asked for is explained', pushed_meanwhile)


def names_torn():
    """What is lost on the way is written again, by another server if need be."""
    harms = (proxy.torn_before, proxy.torn_after, proxy.body_empty, proxy.torn_answer, proxy.says(500, 'Code: 202, e.displayText() = DB::Exception: Too many'))
    for i, harm in enumerate(harms):
        url, named, _ = nameless('torn%d' % i)
        between = proxy.Proxy(ONE.server[0])
        between.harms('INSERT INTO prof_frames', harm)
        got = assay('store', 'symbolize', '--store', between.url('torn%d' % i), env={**WHO, **NAMED})
        want(got.code == 0 and re.search(r'[1-9][0-9]* frames got names', got.err) and between.seen > 1, 'it gave up', got)
        between.close()
        equal(lines_of(url), named, 'names after harm %d' % i)
    url, named, _ = nameless('away')
    gone, = clickhouse.free_ports(1)
    ok('store', 'symbolize', '--store', url.replace('http://', 'http://127.0.0.1:%d,' % gone), env=NAMED)
    equal(lines_of(url), named, 'the other server')


t.add('names that are lost on the way are written again', names_torn)


def names_killed():
    """Killed in the middle, it leaves whole names and none; the next one writes the rest."""
    for i, kept in enumerate((0, 1, 2)):
        url, named, plain = nameless('killed%d' % i)
        between = proxy.Proxy(ONE.server[0])
        running = []

        def kill(handler, body, when=kept):
            if when:
                handler.ask(body)
            running[0].kill()
        between.harms('INSERT INTO prof_frames', kill)
        running.append(subprocess.Popen([os.environ['ASSAY'], 'store', 'symbolize', '--store', between.url('killed%d' % i)], env={**os.environ, **WHO, **NAMED}))
        equal(running[0].wait(60), -9, 'it was killed')
        between.close()
        if kept == 2: # as of a body that was cut off between two rows: the end of one frame is not there
            ONE.server[0].sql('ALTER TABLE prof_frames DELETE WHERE ver > 0 AND idx = 0', 'killed%d' % i)
            for _ in range(600):
                if not ONE.server[0].number("SELECT count() FROM prof_frames WHERE ver > 0 AND idx = 0", 'killed%d' % i):
                    break
                time.sleep(0.05)
            want(ONE.server[0].number('SELECT count() FROM prof_frames WHERE ver > 0', 'killed%d' % i), 'nothing is half', url)
        equal(lines_of(url), named if kept == 1 else plain, 'after it was killed: %d' % kept)
        ok('store', 'symbolize', '--store', url, env=NAMED)
        equal(lines_of(url), named, 'the next one: %d' % kept)
        ok('store', 'verify', '--store', url)


t.add('who is killed as names are written leaves none half', names_killed)


def names_again():
    """Names of a clock that is ahead are older than those that come later."""
    url, named, plain = nameless('versions_of_names')
    ahead = 4000000000
    ok('store', 'symbolize', '--store', url, env=NAMED)
    columns = 'day, home, frame, idx, func, system, start, file, entry, module, buildid, site, line, col, addr, kind'
    ONE.server[0].sql("INSERT INTO prof_frames (%s, ver) SELECT %s, %d FROM prof_frames WHERE ver = 0" % (columns, columns, ahead), 'versions_of_names')
    equal(lines_of(url), plain, 'the largest counts')
    want('0 frames got names' not in assay('store', 'symbolize', '--store', url, env={**WHO, **NAMED}).err, 'they are not named again', url)
    equal(lines_of(url), named, 'names after those')
    equal(ONE.server[0].number('SELECT max(ver) FROM prof_frames', 'versions_of_names'), ahead + 1, 'the version')


t.add('the last names count, whatever a clock said', names_again)

HOSTILE = ['\x1b]0;owned\x07', '\x1b[2J', 'a\tb', '\u202egnp.exe', '</script><script>alert(1)</script>', '"\'`$(x)\\', 'x' * (1 << 20), '%n%s']


def hostile():
    """Nothing that stands in a store moves a cursor, ends a quote, or runs in a page."""
    url = made(ONE, 'hostile')
    service, n = "it's; DROP TABLE prof_samples --", len(HOSTILE)
    frames = [{'name': 'main'}] + [{'name': name} for name in HOSTILE]
    profile = {'type': 'sampled', 'name': 'x', 'unit': 'none', 'startValue': 0, 'endValue': 1,
               'samples': [[0, i + 1] for i in range(n)], 'weights': [i + 1 for i in range(n)]}
    files = [SCRATCH.file('hostile.speedscope.json', json.dumps({'$schema': 'https://www.speedscope.app/file-format-schema.json',
                                                                'shared': {'frames': frames}, 'profiles': [profile]})), SCRATCH.name('bytes.folded')]
    pathlib.Path(files[1]).write_bytes(b''.join(b'main;f%d 1\n' % i for i in range(40)) + b'main;\xff\xfe\x80 99\n')
    for file in files:
        push(url, file, service, '\x1b[31mhost', *(('--label', 'x=\x1b[2J') if file == files[0] else ()))
    store = 'store:%s?' % url
    for words in (('top', '-n', '0'), ('top', '--by', 'label', '-n', '0'), ('tree', '-n', '0'), ('info',), ('flame', '-f', 'text')):
        for chosen in ('', 'x=%1b[2J'):
            got = assay(*words, store + chosen, env=WHO)
            want(got.code in (0, 2), words, got)
            want(not re.search(rb'[\x00-\x08\x0b-\x1f\x7f]', got.out) and not re.search('[\x00-\x08\x0b-\x1f\x7f]', got.err), 'control characters', words)
    for words in (('top', '-n', '0', '-f', 'json'), ('top', '-n', '0', '-f', 'csv'), ('tree', '-f', 'json')):
        same(words, store + 'x=%1b[2J', files[:1])
    want(b'<script>alert(1)' not in ok('flame', '-f', 'svg', store + 'x=%1b[2J').out, 'a script', 'flame')
    equal(ONE.server[0].number('SELECT count() FROM prof_samples', 'hostile'), 2 * n + 41, 'rows: speedscope has two events')
    equal(total(store + 'service=' + percent(service) + '&x=%1b[2J'), sum(range(n + 1)), 'a hostile service')


t.add('hostile names harm nothing', hostile)


# --- comparisons

def versions():
    url = made(ONE, 'versions')
    files = {}
    for version, cost in (('1.4', 100), ('1.5', 150)):
        for host in ('web1', 'web2', 'web3'):
            name = SCRATCH.file('%s-%s.folded' % (version, host), 'main;f %d\nmain;g %d\n' % (cost + len(files), 100))
            push(url, name, 'api', host, '--label', 'version=' + version)
            files.setdefault(version, []).append(name)
    store = 'store:%s?version=' % url
    ours = ok('diff', '-f', 'json', store + '1.4', store + '1.5').json()
    theirs = ok('diff', '-f', 'json', *files['1.4'], '--', *files['1.5']).json()
    for answer in (ours, theirs):
        for side in ('base', 'new'):
            answer.pop(side)
    equal(ours, theirs, 'three hosts against three')
    push(url, files['1.4'][0], 'other', 'web9')
    ours = ok('diff', '-f', 'json', 'store:%s?service=api' % url, 'store:%s?service=other' % url).json()
    equal((len(ours['base']['files']), len(ours['new']['files'])), (3, 1), 'hosts of another service are none of these')
    one = ok('diff', '-f', 'json', store + '1.4&host=web1', store + '1.5&host=web1').json()
    equal(one['rows'], ok('diff', '-f', 'json', files['1.4'][0], files['1.5'][0]).json()['rows'], 'a host against itself')
    gate = ok('diff', store + '1.4', store + '1.5', '--normalize', 'none', '--fail-if', "self(samples,'f') > +20%", code=1)
    want('f' in gate.out.decode() + gate.err, 'the gate', gate)


t.add('two versions are compared as their files are', versions)


def recorded(name, f, squares, alone=0):
    """A profile of the recorder's: F samples in /f, 200 in /g; SQUARES and ALONE as docs/formats/gperf.md has them."""
    words = (0, 3, 0, 1000, 0, f, 1, 0x401000, 200, 1, 0x501000, 0, 1, 0)
    lines = ['00400000-00500000 r-xp 00000000 00:00 0 /f', '00500000-00600000 r-xp 00000000 00:00 0 /g', 'assay: command: %s' % name]
    lines += ['assay: signals: %d' % (f // 4), 'assay: squares of their samples: %d' % squares] if squares else []
    lines += ['assay: samples of threads that ended before them: %d' % alone] if alone else []
    pathlib.Path(SCRATCH.name(name)).write_bytes(struct.pack('<%dQ' % len(words), *words) + '\n'.join(lines + ['']).encode())
    return SCRATCH.name(name)


def verdicts(*words):
    """What diff says of its rows, and of their noise; whether a gate trips."""
    answer = ok('diff', '-f', 'json', '--by', 'object', *words).json()
    gate = [assay('diff', *words, '--by', 'object', '--fail-if', condition, env=WHO).code for condition in ('total(samples) > 0', "total(samples) > +1%")]
    for side in ('base', 'new'):
        answer.pop(side)
    return answer, gate


def signals():
    """Of one host a side noise goes by the signals, be they all of a host's, or those of what a label or an event chooses."""
    sides = {'old': [recorded('old1', 400, 2400), recorded('old2', 380, 2300, 300)], 'few': [recorded('few', 500, 900)],
             'many': [recorded('many', 500, 2800)], 'mute': [recorded('mute', 500, 0)], 'half': [recorded('half1', 500, 2800), recorded('half2', 540, 0)]}
    for servers in (ONE, TWO):
        url = made(servers, 'signals')
        store, merged = 'store:%s%sservice=api' % (url, '&' if '?' in url else '?'), {}
        for side, files in sides.items():
            for file in files:
                push(url, file, 'api', 'web1', '--label', 'side=' + side)
                push(url, file, side, 'web1')
            merged[side] = SCRATCH.name(side + '.merged.prof')
            ok('merge', *files, '-o', merged[side], '--overwrite')
        said = set()
        for side in list(sides)[1:]:
            theirs = verdicts(merged['old'], merged[side])
            equal(verdicts(store + '&side=old', store + '&side=' + side), theirs, side)
            equal(verdicts(store.replace('=api', '=old'), store.replace('=api', '=' + side) + '&event=samples'), theirs, side)
            said.add(json.dumps(theirs))
        equal(len(said), 4, 'verdicts that differ')
    got = ok('push', sides['few'][0], '--store', url, '--service', 'told', '--host', 'x', '--at', '2026-11-23T10:45')
    want('lost: 1 line of metadata' not in got.err, 'signals are lost', got)


t.add("a recorder's profiles are judged as their files are", signals)


def signals_of_the_first():
    """The same samples with other signals are the same push. Where two got in, as by two shards, signals are of the attempt that counts."""
    old, few, many = recorded('old', 400, 2400), recorded('few', 500, 900), recorded('many', 500, 2800)
    want(verdicts(old, few) != verdicts(old, many), 'signals decide nothing', few)
    for database, (first, second) in (('first', (few, many)), ('second', (many, few))):
        url = made(ONE, database)
        push(url, old, 'old')
        push(url, first, 'new')
        got = ok('push', second, '--store', url, '--service', 'new', '--host', 'web1', '--at', '2026-11-23T10:45')
        want('there already: 1 profile' in got.err and 'pushed' not in got.err, 'it is the same push', got)
        sides = ['store:%s?service=%s' % (url, side) for side in ('old', 'new')]
        equal(verdicts(*sides), verdicts(old, first), 'the first stays')
        sql, of = ONE.server[0].sql, "WHERE attempt = (SELECT any(attempt) FROM prof_batches WHERE service = 'new')"
        sql('INSERT INTO prof_samples SELECT day, svc, ts, series, stack, value, 1 FROM prof_samples ' + of, database)
        for attempt, squares in ((1, {few: 900, many: 2800}[second]), ((1 << 64) - 1, 123456)):
            sql('INSERT INTO prof_batches SELECT day, batch, %d, service, host, t0, t1, begin, nanos, rows, total, mass, lost, note, known, samples, signals, '
                "%d, unsignalled FROM prof_batches WHERE service = 'new' LIMIT 1" % (attempt, squares), database)
        sql('OPTIMIZE TABLE prof_batches', database)
        equal(verdicts(*sides), verdicts(old, second), 'the attempt that counts')


t.add('signals are those of the attempt that counts', signals_of_the_first)


def recordings():
    """What assay record makes: each side one recording."""
    loop = 'import time\nend = time.process_time() + .3\nwhile time.process_time() < end: sum(range(%d))'
    files, url = [], made(ONE, 'recordings')
    for i, size in enumerate((300, 3000)):
        files.append(SCRATCH.name('recorded%d.prof' % i))
        ok('record', '-F', '1000', '-o', files[i], '--', sys.executable, '-c', loop % size)
        push(url, files[i], 'run%d' % i, 'web1')
    want(b'squares of their samples' in open(files[0], 'rb').read(), 'the recorder does not say its signals', files)
    stores = ['store:%s?service=run%d' % (url, i) for i in range(2)]
    for words in ((), ('--normalize', 'total'), ('--relative', '--focus', 'python')):
        equal(verdicts(*words, *stores), verdicts(*words, *files), words)


t.add('recordings are judged as their files are', recordings)


# --- assay browse

def browsed():
    """A terminal shows of a store what it shows of the file that was pushed, view by view."""
    if not shutil.which('tmux') or 'no ncursesw' in ok('--version').out.decode():
        return 'skip: no tmux, or built without ncursesw'
    url = made(ONE, 'browsed')
    push(url, RECORDED)
    shown = {name: Terminal(SCRATCH, 110, 24, 'exec %s browse %s' % (' '.join(ASSAY), shlex.quote(name)), **WHO) for name in (RECORDED, 'store:' + url)}
    try:
        for key, word in (('', 'as_strings_get'), ('2', '< '), ('t', '▾ _start'), ('4', 'all  '), ('7', '  pid'), ('Enter', 'thread assay'), ('1', 'as_tally_at'),
                          ('5', 'src/model/strings.h'), ('8', 'nanoseconds'), ('q', '')):
            rows = []
            for terminal in shown.values():
                terminal.keys(*[key] if key else [])
                if key != 'q':
                    rows.append(terminal.sees('key ' + key, lambda s, word=word: any(word in row for row in s)))
            equal([row[1:] for row in rows[:1]], [row[1:] for row in rows[1:]], 'key ' + key)
    finally:
        for terminal in shown.values():
            terminal.__exit__()


t.add('a store is browsed as its file is', browsed)


# --- servers

def shard_down():
    url, files = HOSTS[1]
    store = 'store:%s&' % url
    TWO.server[1].kill()
    try:
        got = assay('top', store + 'service=api', env=WHO)
        want(got.code == 3 and not got.out, 'an answer without a shard', got)
        got = assay('top', store + 'partial=1', env=WHO)
        want('shard 2 of 2 is missing: these are the figures of the others' in got.err, 'a word about the shard', got)
        equal(got.code, 7, got)
        got = assay('top', '-q', '-f', 'json', store + 'partial=1', env=WHO)
        equal((got.code, got.err), (7, ''), got)
        want(b'not whole: of what could be read' in assay('flame', '-f', 'svg', store + 'partial=1', env=WHO).out, 'a word in the picture', url)
        got = assay('diff', store + 'partial=1&host=web1', files[0], '--fail-if', 'total(cpu) > 1', env=WHO)
        want(got.code == 3 and 'not whole' in got.err + got.out.decode(), 'a gate', got)
    finally:
        TWO.server[1].start()
    same(('top',), store + 'service=api', files)
    equal(assay('top', '-q', store + 'partial=1', env=WHO).code, 0, 'partial, and all is there')


t.add('a shard that is down is an error, or told', shard_down)

try:
    t.run()
finally:
    SCRATCH.__exit__(None, None, None)
