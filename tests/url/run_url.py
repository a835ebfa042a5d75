#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles by URL: the same answers as of files, from servers that do right; from those that do not, one clear error and
never a short profile. A server of ours does what the path says (server.py); Go's own net/http/pprof is asked, too."""
import gzip
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'data')]
import server as servers                                              # noqa: E402
from tap import ROOT, Scratch, Tap, assay, contents, equal, want      # noqa: E402

t = Tap('url')
BASIC = servers.BASIC
FIXTURES = pathlib.Path(ROOT) / 'tests/fixtures'
for name in ('http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE'):
    os.environ.pop(name, None)


def make_files(scratch):
    """name -> bytes of files that the server has, which lie in SCRATCH, too."""
    files = {'demo.prof': contents(FIXTURES / 'demo.prof'), 'a.folded': b'main;work 5\nmain;rest 2\n', 'b.folded': b'main;work 3\nidle 4\n',
             'callgrind.out': contents(FIXTURES / 'callgrind.out.demo')}
    raw = scratch.file('demo.prof', files['demo.prof'])
    made = assay('convert', raw, '-t', 'pprof', '-o', scratch.name('demo.pb.gz'))
    want(made.code == 0, 'convert', made)
    files['demo.pb.gz'] = contents(scratch.name('demo.pb.gz'))
    files['demo.pb'] = gzip.decompress(files['demo.pb.gz'])
    files['a.folded.gz'] = gzip.compress(files['a.folded'])
    for name, data in files.items():
        scratch.file(name, data)
    return files


SCRATCH = Scratch().__enter__()
SERVER = servers.Server(make_files(SCRATCH))
OTHER = servers.Server(SERVER.files)


def same_as_file(command, url, name, *words):
    """What is told of URL is what is told of the file but for its name."""
    got, wanted = assay(*command, url, *words), assay(*command, SCRATCH.name(name), *words)
    equal((got.code, got.err.replace(url, 'FILE'), got.out.replace(url.encode(), b'FILE')),
          (wanted.code, wanted.err.replace(SCRATCH.name(name), 'FILE'), wanted.out.replace(SCRATCH.name(name).encode(), b'FILE')),
          ' '.join([*command, url, *words]))
    equal(got.code, 0, got)


def fails(url, code, says, *words, env=None, secret='pa55phrase'):
    """One error in one line, with a hint, and no profile."""
    got = assay('top', *words, url, env=env)
    equal(got.code, code, got)
    equal(got.out, b'', got)
    lines = got.err.splitlines()
    want(len(lines) == 2 and lines[0].startswith('assay: http'), 'not one error with a hint', got)
    want(says in lines[0], 'does not say %r' % says, got)
    want(secret not in got.err, 'shows a secret', got)
    return got


# --- profiles

for path, name in (('file/demo.prof', 'demo.prof'), ('file/demo.pb.gz', 'demo.pb.gz'), ('file/demo.pb', 'demo.pb'), ('file/a.folded', 'a.folded'),
                   ('file/a.folded.gz', 'a.folded.gz'), ('file/callgrind.out', 'callgrind.out'), ('chunked/demo.pb.gz', 'demo.pb.gz'),
                   ('until_the_end/demo.pb.gz', 'demo.pb.gz'), ('slow/demo.prof', 'demo.prof'), ('file/demo.prof?seconds=1', 'demo.prof'),
                   ('to//file/demo.prof', 'demo.prof'), ('encoded/demo.pb.gz', 'demo.pb.gz'), ('encoded/demo.pb.gz?twice', 'demo.pb.gz'),
                   ('encoded/a.folded.gz', 'a.folded'), ('encoded/a.folded', 'a.folded')):
    def one(path=path, name=name):
        url = SERVER.url(path)
        shown = url.replace('?twice', '?*')
        got, wanted = assay('top', '-n', '0', url), assay('top', '-n', '0', SCRATCH.name(name))
        equal((got.code, got.err, got.out.replace(shown.encode(), b'FILE')), (0, wanted.err, wanted.out.replace(SCRATCH.name(name).encode(), b'FILE')), path)
    t.add('top of %s' % path, one)

for words in (['info'], ['check'], ['dump'], ['tree'], ['traces'], ['show'], ['top', '--by', 'line'], ['top', '-f', 'json'], ['tree', '-f', 'json'], ['lines'], ['graph'], ['cycles'],
              ['flame', '-f', 'svg'], ['treemap', '-f', 'svg']):
    t.add('%s of a URL is that of the file' % ' '.join(words), same_as_file, words, SERVER.url('file/demo.prof'), 'demo.prof')


@t('a profile that is looked at twice is asked for once')
def _():
    for words in (['top'], ['flame', '-f', 'svg'], ['share', '-o', SCRATCH.name('x.html')], ['dump'], ['info'], ['check']):
        SERVER.seen.clear()
        got = assay(*words, SERVER.url('file/demo.prof'))
        if 'page' not in assay('--version').out.decode() and words[0] == 'share':
            continue
        equal((got.code, len(SERVER.seen)), (0, 1), got)


@t('two URLs are two profiles, though they be the same')
def _():
    url = SERVER.url('count/x')
    SERVER.counted = 0
    got = assay('diff', '--normalize', 'none', '-f', 'json', url, url).json()
    equal([(e['base'], e['new']) for e in got['events']], [(1, 2)], got['events'])
    SERVER.counted = 0
    got = assay('merge', url, url, url, '-t', 'folded', '-o', '-')
    equal((got.code, got.out), (0, b'main;work 6\n'), got)


@t('diff, gate and stats of a URL and a file')
def _():
    a, b = SERVER.url('file/a.folded'), SERVER.url('file/b.folded')
    for words in (['diff'], ['diff', '--gate', 'self > 10%'], ['stats']):
        urls, files = assay(*words, a, b), assay(*words, SCRATCH.name('a.folded'), SCRATCH.name('b.folded'))
        mixed = assay(*words, a, SCRATCH.name('b.folded'))
        for got in urls, mixed:
            text = got.out.decode().replace(a, SCRATCH.name('a.folded')).replace(b, SCRATCH.name('b.folded'))
            equal((got.code, text.split()), (files.code, files.out.decode().split()), (words, got))


@t('--diff and --base are files as well')
def _():
    a, b = SERVER.url('private/a.folded', 'user:pa55phrase@'), SERVER.url('file/b.folded')
    shown = SERVER.url('private/a.folded')
    got, wanted = (assay('flame', '-f', 'svg', x, '--diff', y) for x, y in ((b, a), (SCRATCH.name('b.folded'), SCRATCH.name('a.folded'))))
    equal((got.code, got.out.decode().replace(shown, SCRATCH.name('a.folded')).replace(b, SCRATCH.name('b.folded'))), (0, wanted.out.decode()), got)
    if 'page' in assay('--version').out.decode():
        got = assay('share', b, '--base', a, '-y', '-o', SCRATCH.name('both.html'))
        equal(got.code, 0, got)
        want(b'pa55phrase' not in contents(SCRATCH.name('both.html')) and 'pa55phrase' not in got.err, 'a secret', got)


@t('a function before a URL, and the other way round')
def _():
    url = SERVER.url('file/a.folded')
    with open(SCRATCH.name('work'), 'w', encoding='ascii'):
        pass
    got = assay('peek', 'work', url, cwd=SCRATCH.path)
    equal(got.code, 0, got)
    got = assay('peek', url, 'main')
    equal(got.code, 2, got)
    want('the function comes first' in got.err, 'no hint', got)


@t('a URL alone is shown')
def _():
    url = SERVER.url('file/demo.prof')
    equal(assay(url).out, assay('show', url).out, 'what is shown')


@t('--all-parts is of files')
def _():
    got = assay('top', '--all-parts', SERVER.url('file/a.folded'))
    equal((got.code, got.out), (2, b''), got)


@t('convert writes of a URL what it writes of the file')
def _():
    for to in 'pprof', 'callgrind', 'folded':
        got = assay('convert', '-y', SERVER.url('file/demo.prof'), '-t', to, '-o', SCRATCH.name('url.out'))
        wanted = assay('convert', '-y', SCRATCH.name('demo.prof'), '-t', to, '-o', SCRATCH.name('file.out'))
        equal((got.code, wanted.code), (0, 0), got)
        equal(contents(SCRATCH.name('url.out')), contents(SCRATCH.name('file.out')), to)


@t('of one server one after another, of several at the same time')
def _():
    SERVER.busiest = 0
    got = assay('merge', *[SERVER.url('slow/a.folded')] * 4, '-t', 'folded', '-o', '-')
    equal((got.code, got.out, SERVER.busiest), (0, b'main;rest 8\nmain;work 20\n', 1), got)
    both = [servers.Server(SERVER.files) for _ in range(4)]
    began = []
    lock = both[0].lock
    for s in both:
        s.now, s.lock = both[0].now, lock       # counted together
        s.seen = began
    got = assay('merge', *[s.url('slow/a.folded') for s in both], '-t', 'folded', '-o', '-')
    equal((got.code, got.out), (0, b'main;rest 8\nmain;work 20\n'), got)
    want(max(s.busiest for s in both) > 1, 'they came one after another: %s' % [s.busiest for s in both])


# --- errors

t.add('404 with its text', fails, SERVER.url('gone', 'user:pa55phrase@'), 3, 'the server answers 404: Unknown profile')
t.add('500 with the text of Go', fails, SERVER.url('busy'), 3, 'the server answers 500: Could not enable CPU profiling: cpu profiling already in use')
t.add('a page of HTML is not shown', lambda: want(fails(SERVER.url('html'), 3, 'the server answers 502').err.splitlines()[0].endswith('502')))
t.add('401 is a matter of rights', fails, SERVER.url('private/demo.prof'), 5, 'the server answers 401: who are you?')
t.add('a wrong password', lambda: fails(SERVER.url('private/demo.prof', 'user:pa55phrase2@'), 5, 'the server answers 401', secret='pa55phrase2'))
t.add('206 is no file', fails, SERVER.url('partial/demo.prof'), 3, 'the server answers 206')
t.add('a redirect to a file is not followed', fails, SERVER.url('to?file://' + SCRATCH.name('a.folded')), 3, 'another scheme')
t.add('a redirect to ftp is not followed', fails, SERVER.url('to?ftp://127.0.0.1/x'), 3, 'another scheme')
t.add('a redirect that never ends', fails, SERVER.url('loop'), 3, 'redirects more than 5 times')
t.add('a redirect to nowhere', fails, SERVER.url('to'), 3, 'the server answers 302')
t.add('a body without end', fails, SERVER.url('endless'), 3, 'more than 1048576 bytes', '--max-download', '1M')
t.add('an error without end', fails, SERVER.url('endless?500'), 3, 'the server answers 500')
t.add('a body that is too slow', fails, SERVER.url('drip'), 3, 'the time is up', '--timeout', '500ms')
t.add('torn before its length', fails, SERVER.url('torn/a.folded'), 3, 'not all of it came')
t.add('torn between chunks', fails, SERVER.url('torn_chunks/a.folded'), 3, 'not all of it came')
t.add('a connection that is reset', fails, SERVER.url('reset/a.folded'), 3, 'not all of it came')
t.add('an answer of nothing', fails, SERVER.url('nothing'), 3, 'not all of it came')
t.add('no server', fails, 'http://user:pa55phrase@127.0.0.1:1/x', 3, 'no connection')
t.add('no right URL', fails, 'http://user:pa55phrase/@127.0.0.1:1/x', 3, 'not a right URL')
t.add('a page that is no profile', lambda: want('/debug/pprof/heap' in fails(SERVER.url('index'), 4, 'not a profile').err))
t.add('an encoding that was not asked for', fails, SERVER.url('brotli/x'), 4, "the encoding 'br'")


@t('a body of gzip that is torn is no profile, nor one that is much larger unpacked')
def _():
    SERVER.files['torn.gz'] = SERVER.files['a.folded.gz'][:-5]
    got = assay('top', SERVER.url('encoded/torn.gz'))
    equal((got.code, got.out), (3, b''), got)
    SERVER.files['bomb.gz'] = gzip.compress(b'main;work 1\n' * 1000000)
    fails(SERVER.url('encoded/bomb.gz'), 3, 'once unpacked', '--max-download', '1M')


@t('an empty answer is an empty file')
def _():
    SERVER.files['empty'] = b''
    fails(SERVER.url('file/empty'), 3, 'the file is empty')


@t('what is downloaded counts as memory')
def _():
    SERVER.files['large'] = b'main;work 1\n' * 2000000
    got = assay('top', '--max-memory', '8M', SERVER.url('file/large'))
    equal((got.code, got.out), (3, b''), got)
    want('--max-memory' in got.err, 'another error', got)


@t('hundreds of servers')
def _():
    many = [servers.Server(SERVER.files) for _ in range(150)]
    got = assay('merge', *[s.url('slow/a.folded') for s in many], '-t', 'folded', '-o', '-')
    equal((got.code, got.out), (0, b'main;rest 300\nmain;work 750\n'), got)


@t('control characters of a server do not reach the terminal')
def _():
    got = fails(SERVER.url('controls'), 3, 'the server answers 500')
    want('\x1b' not in got.err and len(got.err) < 600, 'control characters', got)


@t('seconds=N is waited for beside the limit of time')
def _():
    got = assay('top', '--timeout', '100ms', SERVER.url('slow/a.folded'))
    equal(got.code, 3, got)
    got = assay('top', '--timeout', '100ms', SERVER.url('slow/a.folded?seconds=20'))
    equal(got.code, 0, got)


@t('limits that are none')
def _():
    for words, says in ((['--timeout', 'soon'], '--timeout'), (['--timeout', '0'], '--timeout'), (['--max-download', 'much'], '--max-download')):
        got = assay('top', *words, SERVER.url('file/a.folded'))
        equal(got.code, 2, got)
        want(says in got.err, 'does not say %s' % says, got)
    equal(assay('top', '--max-download', '0', SERVER.url('file/a.folded')).code, 0, 'no limit')


@t('one of several fails: its error, and nothing else')
def _():
    got = assay('merge', SERVER.url('file/a.folded'), SERVER.url('gone'), '-t', 'folded', '-o', '-')
    equal((got.code, got.out), (3, b''), got)
    want('404' in got.err, 'no error', got)


# --- secrets

@t('user and password are sent, and shown nowhere')
def _():
    url = SERVER.url('private/demo.prof?token=tok3nvalue&seconds=1', 'user:pa55phrase@')
    shown = SERVER.url('private/demo.prof?token=*&seconds=1')
    out = SCRATCH.name('secret.out')
    for words in (['top'], ['top', '-f', 'json'], ['info'], ['info', '-f', 'json'], ['check', '-f', 'json'], ['dump'], ['show'], ['flame', '-f', 'svg'], ['flame', '-f', 'html'],
                  ['treemap', '-f', 'html'], ['graph'], ['convert', '-y', '-t', 'pprof', '-o', out], ['convert', '-y', '-t', 'dump', '-o', out], ['convert', '-y', '-t', 'callgrind', '-o', out],
                  ['share', '-o', out + '.html'], ['top', '-v']):
        got = assay(*words, url)
        written = b''.join(contents(path) for path in (out, out + '.html') if os.path.exists(path))
        if written[:2] == b'\x1f\x8b':
            written += gzip.decompress(written)
        for name in (out, out + '.html'):
            if os.path.exists(name):
                os.remove(name)
        text = got.out + got.err.encode() + written
        want(got.code == 0 or words[0] == 'share', words, got)
        want(b'pa55phrase' not in text and b'tok3nvalue' not in text, 'a secret in %s' % words, got)
    got = assay('info', '-f', 'json', url)
    want(shown.encode() in got.out, 'the URL is not shown', got)
    got = assay('merge', url, url, '-t', 'callgrind', '-o', '-')
    want(got.code == 0 and b'pa55phrase' not in got.out and b'tok3nvalue' not in got.out, 'merge', got)


def headers_of(*servers_):
    lines = [f'{s.url("").rstrip("/")} {line}' for s in servers_ for line in ('Authorization: Bearer tok3nvalue', 'X-Scope-OrgID:  7')]
    return '# of this test\n\n' + '\r\n'.join(lines)


@t('headers of a file, or of a variable, are sent to their server, and shown nowhere')
def _():
    path = SCRATCH.file('headers', headers_of(SERVER).encode())
    url = SERVER.url('token/a.folded')
    for words, env in ((('--headers', path), {}), ((), {'ASSAY_HEADERS': headers_of(SERVER)})):
        for out in ('-n', '0'), ('--format', 'json'):
            got = assay('top', url, *words, *out, env={**os.environ, **env})
            equal(got.code, 0, got)
            want(b'tok3nvalue' not in got.out and 'tok3nvalue' not in got.err, 'a secret', got)
    fails(url, 5, 'the server answers 401', secret='tok3nvalue')
    # another server, in the same command
    del OTHER.seen[:]
    got = assay('diff', SERVER.url('token/a.folded'), OTHER.url('file/b.folded'), '--headers', path)
    equal(got.code, 0, got)
    equal([seen[1] for seen in OTHER.seen], [None], 'what the other one was sent')


@t('headers do not go to another server by a redirect, nor by its beginning')
def _():
    path = SCRATCH.file('headers', headers_of(SERVER).encode())
    del OTHER.seen[:]
    got = fails(SERVER.url('to?' + OTHER.url('file/a.folded')), 3, 'the server answers 302', '--headers', path, secret='tok3nvalue')
    want('ask for the URL that it ends at' in got.err, 'another hint', got)
    equal(OTHER.seen, [], 'what the other one was asked')
    short = SCRATCH.file('short', (SERVER.url('').rstrip('/')[:-1] + ' Authorization: Bearer tok3nvalue\n').encode())
    fails(SERVER.url('token/a.folded'), 5, 'the server answers 401', '--headers', short, secret='tok3nvalue')


@t('lines that are no headers are told, and not shown')
def _():
    good = headers_of(SERVER).encode()
    for line in (b'Authorization: Bearer tok3nvalue', b'http://h', b'http://h tok3nvalue', b'http://h/path Authorization: tok3nvalue', b'ftp://h A: tok3nvalue',
                 b'http://user:tok3nvalue@h A: b', b'http://h A b: tok3nvalue', b'http://h A: tok3nvalue\x01', b'http://h : tok3nvalue'):
        path = SCRATCH.file('headers', good + b'\n' + line)
        got = assay('top', SERVER.url('token/a.folded'), '--headers', path)
        equal((got.code, got.out), (2, b''), (line, got))
        want('line 5 is no header' in got.err and 'tok3nvalue' not in got.err, line, got)
    got = assay('top', SERVER.url('token/a.folded'), '--headers', SCRATCH.name('none'))
    equal(got.code, 3, got)


@t('user and password do not go to another server by a redirect')
def _():
    OTHER.seen.clear()
    got = assay('top', SERVER.url('to?' + OTHER.url('file/demo.prof'), 'user:pa55phrase@'))
    equal((got.code, OTHER.seen), (0, [('/file/demo.prof', None)]), got)
    SERVER.seen.clear()
    got = assay('top', SERVER.url('to?' + SERVER.url('file/demo.prof', host='localhost'), 'user:pa55phrase@'))
    equal((got.code, SERVER.seen[-1]), (0, ('/file/demo.prof', None)), got)
    SERVER.seen.clear()
    assay('top', SERVER.url('to?/private/demo.prof', 'user:pa55phrase@'))
    equal(SERVER.seen[-1], ('/private/demo.prof', BASIC), 'the same server')


@t('~/.netrc is not looked at')
def _():
    home = SCRATCH.name('home')
    os.makedirs(home, exist_ok=True)
    with open(home + '/.netrc', 'w', encoding='ascii') as f:
        f.write('machine 127.0.0.1 login user password pa55phrase\n')
    SERVER.seen.clear()
    assay('top', SERVER.url('file/demo.prof'), env={'HOME': home})
    equal(SERVER.seen, [('/file/demo.prof', None)], 'requests')


@t('a proxy of the environment is asked')
def _():
    OTHER.seen.clear()
    assay('top', 'http://there.invalid/file/demo.prof', env={'http_proxy': OTHER.url('')})
    equal(OTHER.seen[0][0], 'http://there.invalid/file/demo.prof', OTHER.seen)


# --- progress

def on_terminal(words):
    """What the program writes to a terminal on stderr."""
    ours, its = pty.openpty()
    program = subprocess.Popen([*os.environ.get('ASSAY', 'build/src/cli/assay').split(' '), *words], stdout=subprocess.DEVNULL, stderr=its, stdin=subprocess.DEVNULL)
    os.close(its)
    text = b''
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            piece = b''
        if not piece:
            break
        text += piece
    os.close(ours)
    return program.wait(), text


@t('progress is told to a terminal alone, and taken away')
def _():
    url = SERVER.url('wait/a.folded', 'user:pa55phrase@')
    SERVER.RequestHandlerClass.get_wait = lambda self, word, query: (time.sleep(1.5), self.get_file(word, query))
    code, text = on_terminal(['top', url])
    equal(code, 0, text)
    want(b'waiting for an answer, 0 s' in text and b'pa55phrase' not in text, 'no progress', text)
    want(text.rstrip().endswith(b'\x1b[K'), 'it stays', text)
    code, text = on_terminal(['top', '-q', url])
    equal((code, text), (0, b''), 'with -q')
    equal(assay('top', url).err, '', 'without a terminal')


# --- TLS

@t('a certificate must be known, or --insecure say that it need not')
def _():
    if not shutil.which('openssl'):
        return 'skip: no openssl'
    key, cert = SCRATCH.name('key.pem'), SCRATCH.name('cert.pem')
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost',
                    '-addext', 'subjectAltName=DNS:localhost'], check=True, stderr=subprocess.DEVNULL)
    tls = servers.Server(SERVER.files, (cert, key))
    url = tls.url('file/demo.prof', 'user:pa55phrase@', 'localhost', 'https')
    fails(url, 3, 'the certificate is not trusted')
    equal(tls.seen, [], 'something was asked of a server that is not known')
    same_as_file(['top', '--insecure'], tls.url('file/demo.prof', '', 'localhost', 'https'), 'demo.prof')
    equal(assay('top', url, env={'SSL_CERT_FILE': cert}).code, 0, 'its authority is named')
    fails(tls.url('file/demo.prof', '', '127.0.0.1', 'https'), 3, 'the certificate is not trusted', env={'SSL_CERT_FILE': cert})
    fails(tls.url('to?' + SERVER.url('file/demo.prof'), '', 'localhost', 'https'), 3, 'another scheme', '--insecure')
    equal(assay('top', '--insecure', SERVER.url('to?' + tls.url('file/demo.prof', '', 'localhost', 'https'))).code, 0, 'from http to https')


# --- libcurl that fails

os.mkdir(SCRATCH.name('curl'))
shutil.copy(os.environ['CURL_FAILS_LIB'], SCRATCH.name('curl/libcurl.so.4'))


def curl_fails(url, what, code, says):
    fails(url, code, ': ' + says, env={'LD_LIBRARY_PATH': SCRATCH.name('curl'), 'CURL_FAILS': what})


for what, code, says in (('easy 0', 4, 'libcurl cannot begin: code 2'), ('setopt 48', 4, 'libcurl cannot begin: code 48'), ('setopt 27', 3, 'out of memory'),
                         ('add 4', 4, 'libcurl cannot go on: multi code 4'), ('add 3', 3, 'out of memory'),
                         ('perform 4', 4, 'libcurl cannot go on: multi code 4'), ('poll 4', 4, 'libcurl cannot go on: multi code 4'), ('poll 3', 3, 'out of memory')):
    t.add('a file, and libcurl fails: %s' % what, curl_fails, SERVER.url('file/demo.prof'), what, code, says)
    t.add('a store, and libcurl fails: %s' % what, curl_fails, 'store:http://127.0.0.1:1/prof?service=x', what, code, says)


# --- Go

@t("Go's net/http/pprof")
def _():
    root = subprocess.run(['go', 'env', 'GOROOT'], stdout=subprocess.PIPE).stdout.decode().strip() if shutil.which('go') else ''
    packages = root + '/pkg/linux_amd64'
    if not os.path.exists(packages + '/net/http/pprof.a'):
        return 'skip: no Go with its packages built'
    service = str(HERE / 'service.go')
    subprocess.run(['go', 'tool', 'compile', '-p', 'main', '-I', packages, '-o', SCRATCH.name('service.o'), service], check=True)
    subprocess.run(['go', 'tool', 'link', '-L', packages, '-o', SCRATCH.name('service'), SCRATCH.name('service.o')], check=True)
    with subprocess.Popen([SCRATCH.name('service')], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as go:
        base = go.stdout.readline().decode().strip() + '/debug/pprof/'
        try:
            ask_go(base)
        finally:
            go.stdin.close()


def ask_go(base):
    got = assay('top', base + 'profile?seconds=1', '-f', 'json')
    equal(got.code, 0, got)
    got = got.json()
    want(any(row['function'] == 'main.burn' for row in got['rows']), 'no main.burn: %s' % [r['function'] for r in got['rows']][:9])
    want(got['profile']['format'] == 'pprof', got['profile'])
    for page, event in (('heap', 'inuse_space'), ('allocs', 'alloc_space'), ('heap?seconds=1', 'inuse_space'), ('goroutine', 'goroutine'), ('mutex', 'delay')):
        got = assay('info', base + page, '-f', 'json')
        equal(got.code, 0, got)
        want(event in [e['name'] for e in got.json()['events']], '%s: no %s' % (page, event), got)
    fails(base + 'nosuch', 3, 'the server answers 404: Unknown profile')
    got = assay('diff', base + 'profile?seconds=1', base + 'profile?seconds=1')     # one after another
    equal(got.code, 0, got)
    busy = subprocess.Popen([*os.environ.get('ASSAY', 'build/src/cli/assay').split(' '), 'top', base + 'profile?seconds=4'], stdout=subprocess.DEVNULL)
    while b'net/http/pprof.Profile' not in urllib.request.urlopen(base + 'goroutine?debug=1').read():
        want(busy.poll() is None, 'it has ended')
    got = assay('top', base + 'profile?seconds=1')
    equal(got.code, 3, got)
    want('the server answers 500: Could not enable CPU profiling: cpu profiling already in use' in got.err, 'another text', got)
    equal(busy.wait(), 0, 'the first')


t.run()
