#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The line to a store's server: what is far is sent and answered packed, and by TLS who answers is who was meant."""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'data')]
import clickhouse                                                     # noqa: E402
import proxy                                                          # noqa: E402
from tap import Scratch, Tap, assay, equal, want                      # noqa: E402

t = Tap('fleet_line')
WHO = {'ASSAY_STORE_USER': clickhouse.USER, 'ASSAY_STORE_PASSWORD': clickhouse.PASSWORD}
for name in list(os.environ):
    if name.startswith('ASSAY_STORE') or name in ('NETRC', 'http_proxy', 'https_proxy', 'all_proxy', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'XDG_CONFIG_HOME'):
        del os.environ[name]
if not clickhouse.installed():
    t.skip_all('there is no clickhouse-server')
    sys.exit(0)
SCRATCH = Scratch().__enter__()
ONE = clickhouse.Servers(1).__enter__()
SERVER = ONE.server[0]
N = 20000
FILE = SCRATCH.file('many.folded', ''.join('main;f%d;g%d %d\n' % (i % 1100, i // 1100, i + 1) for i in range(N)))
AT = ('--at', '2026-11-23T10:45', '--service', 'api')


def rows(url, env=WHO):
    """The figures of all functions, of a store or of a file."""
    got = assay('top', url, '-n', '0', '-f', 'json', env=env)
    equal(got.code, 0, got)
    return {row['function']: (row['self'], row['inclusive']) for row in got.json()['rows']}


def pushed(url, env=WHO):
    got = assay('store', 'init', '-q', '--store', url, env=env)
    equal(got.code, 0, got)
    got = assay('push', FILE, '--store', url, *AT, env=env)
    equal((got.code, got.err), (0, 'assay: pushed: 1 profile, %d rows\n' % N), got)


# --- gzip

def far(gate, database):
    """An address of this machine that nobody takes for one."""
    return 'http://0.0.0.0:%d/%s' % (gate.server_address[1], database)


def packs():
    gates = {}
    for where in ('near', 'far'):
        gate = gates[where] = proxy.Proxy(SERVER)
        url = gate.url(where) if where == 'near' else far(gate, where)
        try:
            pushed(url)
            sent = [e for e in gate.encodings if e[2] > 65536]
            gate.encodings = []
            equal(rows('store:%s?service=api' % url), rows(FILE), where)
        finally:
            gate.close()
        want(len(sent) >= 2 if where == 'near' else sent, 'large bodies of', where, sent)
        for asked, answered, _, _ in sent:
            equal(asked, None if where == 'near' else 'gzip', where)
        equal({e[1] for e in gate.encodings if e[3] > 1000}, {None if where == 'near' else 'gzip'}, where)
        gates[where] = sum(e[3] for e in gate.encodings)
    want(gates['far'] < gates['near'] * 3 // 4, 'answers are not smaller', gates)


t.add('what goes far, and comes from afar, is packed, and the same', packs)


def reads_only():
    """Who may only read may not ask for packed answers, and gets them as they are."""
    gate = proxy.Proxy(SERVER)
    try:
        reader = {**WHO, 'ASSAY_STORE_USER': 'reader'}
        equal(rows('store:%s?service=api' % far(gate, 'far'), reader), rows(FILE), 'reader')
        told = [e[1] for e in gate.encodings].index(None)  # its version and its shards are asked for at the same time
        want(told <= 2, 'packed answers', gate.encodings)
        equal({e[1] for e in gate.encodings[told:]}, {None}, 'encodings behind the error')
        got = assay('push', FILE, '--store', far(gate, 'far'), *AT, '--run', '2', env=reader)
        want(got.code == 5 and 'the user may only read' in got.err, 'push', got)
    finally:
        gate.close()


t.add('who may only read gets answers as they are', reads_only)


def cuts():
    """An answer that is packed and cut off is none."""
    gate = proxy.Proxy(SERVER)
    try:
        for harm in (proxy.torn_answer, proxy.half_answer):
            gate.harms('GROUP BY stack', harm, 1, 99)
            got = assay('top', 'store:%s?service=api' % far(gate, 'far'), env=WHO)
            want(got.code == 3 and not got.out, 'half an answer', harm, got)
    finally:
        gate.close()


t.add('a packed answer that is cut off is an error', cuts)


# --- TLS

def openssl(*words):
    subprocess.run(['openssl', *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def authority(name):
    """One that signs certificates: its certificate and key."""
    cert, key = SCRATCH.name(name + '.pem'), SCRATCH.name(name + '.key')
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=' + name)
    return cert, key


def certificate(signer, host):
    """Of HOST, and its key."""
    name = SCRATCH.name('%s-%s' % (pathlib.Path(signer[0]).stem, host))
    pathlib.Path(name + '.ext').write_text('subjectAltName=DNS:%s\n' % host)
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', name + '.key', '-out', name + '.csr', '-subj', '/CN=' + host)
    openssl('x509', '-req', '-in', name + '.csr', '-CA', signer[0], '-CAkey', signer[1], '-CAcreateserial', '-out', name + '.pem', '-days', '2', '-extfile', name + '.ext')
    return name + '.pem', name + '.key'


def is_refused(url, gate, env):
    for words in (['push', FILE, '--store', url, *AT, '--timeout', '2s'], ['top', 'store:%s?service=api' % url], ['store', 'status', '--store', url]):
        got = assay(*words, env=env)
        want(got.code == 3 and 'the certificate is not trusted' in got.err and 'SSL_CERT_FILE' in got.err, 'refused', got)
        want(clickhouse.PASSWORD not in got.err, 'shows the password', got)
    equal(gate.sent, [], 'something was said to who is not known')


def trusts():
    if not shutil.which('openssl'):
        return 'skip: no openssl'
    ours, others = authority('ours'), authority('others')
    knows = {**WHO, 'SSL_CERT_FILE': ours[0]}
    for signer, host, env in ((ours, 'localhost', WHO), (others, 'localhost', knows), (ours, 'db.example', knows)):
        gate = proxy.Proxy(SERVER, certificate(signer, host))
        try:
            is_refused('https://localhost:%d/tls' % gate.server_address[1], gate, env)
        finally:
            gate.close()
    gate = proxy.Proxy(SERVER, certificate(ours, 'localhost'))
    url = 'https://localhost:%d/tls' % gate.server_address[1]
    try:
        pushed(url, knows)
        equal(rows('store:%s?service=api' % url, knows), rows(FILE), 'by TLS')
        equal(assay('store', 'verify', '-f', 'json', '--store', url, env=knows).json()['rows'][0]['verdict'], 'whole', 'verify')
        got = assay('top', '--insecure', 'store:%s?service=api' % url, env=WHO)
        equal(got.code, 0, got)
        got = assay('store', 'status', '--store', url.replace('https', 'http'), '--timeout', '2s', env=knows)
        want(got.code == 3, 'no TLS to who wants it', got)
    finally:
        gate.close()


t.add('by TLS a server is who its certificate says, or nothing is said to it', trusts)

try:
    t.run()
finally:
    ONE.__exit__()
    SCRATCH.__exit__(None, None, None)
