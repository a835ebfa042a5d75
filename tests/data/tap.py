"""What the acceptance runners share: TAP, where the data and the binary are, running it, comparing rows.

Environment: ASSAY = the binary (default: build/src/cli/assay under the repository), ASSAY_SHARED_DATA = the folder of test
data (default: ../shared/data beside the repository where there is one, else profiles/ beside this file).

A test returns nothing, or why it was not made: 'skip: WHY' where a tool or a right is missing, which `make check` takes for a
failure unless nothing could be done about it; 'n/a: WHY' where the question has no answer for this input.
"""
import functools
import gc
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

gc.set_threshold(1000000)   # what the runners read makes no cycles; to go through all of it again and again takes its time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'oracle'))

PROFILES = os.path.join(HERE, 'profiles')


def find_data():
    beside = os.path.join(os.path.dirname(ROOT), 'shared', 'data')
    return os.environ.get('ASSAY_SHARED_DATA') or (beside if os.path.isdir(beside) else PROFILES)


DATA = find_data()
LIMIT = float(os.environ.get('ASSAY_TEST_TIMEOUT', '300'))        # seconds for one call; a hang is a failure
SANITIZER = re.compile(r'AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|runtime error: |ThreadSanitizer')


def find_assay():
    if os.environ.get('ASSAY'):
        return os.environ['ASSAY'].split(' ')
    for build in ('build', 'build-check', 'build-asan'):
        for sub in ('src/cli/assay', 'assay', 'src/assay'):
            path = os.path.join(ROOT, build, sub)
            if os.access(path, os.X_OK):
                return [path]
    return None


ASSAY = find_assay()


def find_go_pprof():
    """Go's pprof itself: `go tool` takes as long to find it as it takes to run. None: it is not installed."""
    if not shutil.which('go'):
        return None
    done = subprocess.run(['go', 'tool', '-n', 'pprof'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode().strip() if not done.returncode else None


class Run:
    """One call of assay: code, out, err (bytes out, text err)."""

    def __init__(self, args, stdin=None, cwd=None, env=None):
        self.args = args
        started = time.time()
        full = dict(os.environ, NO_COLOR='1', PAGER='cat', LC_ALL='C.UTF-8')
        full.update(env or {})
        try:
            p = subprocess.run(ASSAY + args, input=stdin, stdin=subprocess.DEVNULL if stdin is None else None,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT, cwd=cwd, env=full)
            self.code, self.out, self.err = p.returncode, p.stdout, p.stderr.decode('utf-8', 'replace')
        except subprocess.TimeoutExpired:
            self.code, self.out, self.err = 'timeout after %g s' % LIMIT, b'', ''
        self.seconds = time.time() - started

    @property
    def crashed(self):
        """A word when it died or a sanitizer spoke, else ''."""
        if not isinstance(self.code, int):
            return self.code
        if self.code < 0:
            return 'killed by signal %d' % -self.code
        if SANITIZER.search(self.err):
            return 'sanitizer: ' + SANITIZER.search(self.err).group(0)
        return ''

    def json(self):
        return json.loads(self.out.decode('utf-8'))

    def __str__(self):
        return '`assay %s` -> %s\nstderr: %s\nstdout: %s' % (' '.join(self.args), self.code, self.err[:600],
                                                            self.out[:300].decode('utf-8', 'replace'))


def assay(*args, **kw):
    return Run([str(a) for a in args], **kw)


class Bad(AssertionError):
    pass


def want(condition, text='', *details):
    if not condition:
        raise Bad(str(text) + ''.join('\n' + str(d) for d in details))


def equal(got, wanted, what):
    if got != wanted:
        raise Bad('%s\n  wanted %r\n  got    %r' % (what, wanted, got))


def directive(word):
    """What stands behind the title of a test that returned WORD."""
    if isinstance(word, str) and word.startswith('skip:'):
        return ' # SKIP ' + word[5:].strip()
    return ' # SKIP ' + word if isinstance(word, str) and word.startswith('n/a:') else ''


class Tap:
    """Tests are added with @t('title') and run in order by t.run()."""

    def __init__(self, name):
        self.name, self.tests, self.head = name, [], []     # HEAD: remarks before the first test

    def __call__(self, title):
        def keep(f):
            self.tests.append((title, f))
            return f
        return keep

    def add(self, title, f, *args):
        self.tests.append((title, lambda: f(*args)))

    def skip_all(self, why):
        print('1..0 # SKIP ' + (why if why.startswith('n/a: ') else '%s: %s' % (self.name, why)))
        sys.exit(0)

    def run(self):
        only = [re.compile(x) for x in sys.argv[1:]]
        tests = [x for x in self.tests if not only or any(r.search(x[0]) for r in only)]
        if ASSAY is None:
            self.skip_all('no assay binary (set ASSAY)')
        print('\n'.join(['TAP version 13', '1..%d' % len(tests)] + self.head))
        failed = 0
        for i, (title, f) in enumerate(tests):
            title, began = title.replace('#', '(hash)').replace('\n', ' '), time.monotonic()
            try:
                word = f()
                print('ok %d - %s%s' % (i + 1, title, directive(word)))
            except Exception as e:      # a test that cannot be run is a failed test
                failed += 1
                text = str(e) if isinstance(e, Bad) else '%s: %s' % (type(e).__name__, e)
                print('not ok %d - %s' % (i + 1, title))
                for line in text.split('\n')[:24]:
                    print('#   ' + line[:300])
            if time.monotonic() - began > 2:
                print('# that took %.0f s' % (time.monotonic() - began))
            sys.stdout.flush()
        if failed:
            print('# %s: %d of %d failed' % (self.name, failed, len(tests)))
        sys.exit(1 if failed else 0)


class Scratch:
    """A temporary folder that goes away."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix='assay-test-')
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name, data=b''):
        path = os.path.join(self.path, name)
        with open(path, 'wb') as f:
            f.write(data if isinstance(data, bytes) else data.encode('utf-8', 'surrogateescape'))
        return path

    def name(self, name):
        return os.path.join(self.path, name)


def data_path(*parts):
    return os.path.join(DATA, *parts)


def is_asked(path):
    """Whether this run is to look at PATH: ASSAY_TEST_FILES=small or large are those below 100 kB, or the rest."""
    which = os.environ.get('ASSAY_TEST_FILES')
    return not which or (os.path.getsize(path) < 1e5) == (which == 'small')


def contents(path):
    with open(path, 'rb') as f:
        return f.read()


# --- reading assay's answers ------------------------------------------------------------------------------------

@functools.cache
def nothing(x):
    """Unknown names: null, '' and the formats' own word for it are one; so is what assay calls an id that has no name."""
    return None if x in (None, '', '???') or x.startswith('[function ') else x


def stays(path):
    """Whether PATH is of the data or the tree: what assay says of it is the same for the whole run."""
    return os.path.realpath(path).startswith((os.path.realpath(DATA) + os.sep, os.path.realpath(ROOT) + os.sep))


def kept(ask):
    """ASK, whose answers about such files are kept for the questions that follow. Nobody changes an answer."""
    answer = functools.lru_cache(maxsize=8)(ask)
    return lambda path, *words: (answer if stays(path) else ask)(path, *words)


@kept
def top(path, by='function', *extra):
    r = assay('top', path, '--by', by, '-n', '0', '--format', 'json', *extra)
    want(r.code == 0, 'top failed', r)
    j = r.json()
    equal(j.get('schema'), 'assay.top/1', 'schema')
    equal([x for x in j if x != 'cycles'], ['schema', 'profile', 'by', 'events', 'rows', 'rest'], 'field order of top')
    equal(j['by'], by, 'by')
    for row in j['rows']:
        # What passes through a member of a circle at the most stands behind its inclusive cost, in members only.
        if [x for x in row if x != 'inclusive_at_most'] != ['function', 'file', 'line', 'object', 'address', 'self', 'inclusive', 'calls', 'recursive',
                                                                 *(['at', 'instruction'] if by == 'address' else [])]:
            raise Bad('field order of a row: %s' % list(row))
    return j


@kept
def info(path, *extra):
    r = assay('info', path, '--format', 'json', *extra)
    want(r.code == 0, 'info failed', r)
    j = r.json()
    equal(j.get('schema'), 'assay.info/1', 'schema')
    return j


def check(path, *extra, codes=(0, 1), stdin=None):
    r = assay('check', path, '--format', 'json', *extra, stdin=stdin)
    want(not r.crashed, r.crashed, r)
    want(r.code in codes, 'check: exit status %s, allowed %s' % (r.code, codes), r)
    j = r.json()
    equal(j.get('schema'), 'assay.check/1', 'schema')
    errors = [x for x in j['findings'] if x['severity'] == 'error']
    if r.code in (0, 1):
        equal(r.code, 1 if errors else 0, 'exit status of check against its own findings %s' % j['findings'][:5])
    return r.code, j['findings']


def totals(j):
    return [e['total'] for e in j['events']]


def cycles(j):
    """sorted [(inclusive, self, calls, members)] of a top --by function; members are sorted (object, file, function)"""
    return sorted((c['inclusive'], c['self'], c['calls'], sorted(((nothing(m['object']), nothing(m['file']), nothing(m['function'])) for m in c['members']), key=repr))
                  for c in j.get('cycles', []))


def wanted_cycles(groups):
    """the same of the independent reader's groups"""
    return sorted((incl, own, called, sorted((tuple(nothing(x) for x in f) for f in members), key=repr)) for members, incl, own, called in groups)


def by_function(j):
    """{(object, file, function): [self, inclusive, calls]} of a top --by function; twins are added up"""
    out = {}
    for row in j['rows']:
        key = nothing(row['object']), nothing(row['file']), nothing(row['function'])
        if key not in out:
            out[key] = [list(row['self']), list(row['inclusive']) if row['inclusive'] is not None else None, row['calls']]
        elif key[2] is None:    # several functions of which nothing but the place is known
            out[key] = None
        else:
            raise Bad('function twice in the answer: %s' % (key,))
    for key in [k for k, v in out.items() if v is None]:
        rows = [r for r in j['rows'] if (nothing(r['object']), nothing(r['file']), nothing(r['function'])) == key]
        out[key] = [[sum(x) for x in zip(*(r['self'] for r in rows))],
                    [sum(x) for x in zip(*(r['inclusive'] for r in rows))] if rows[0]['inclusive'] is not None else None, sum(r['calls'] or 0 for r in rows)]
    return out


def first_difference(got, wanted, show=4):
    """Text of the first differences of two dictionaries, '' when equal."""
    lines = []
    for key in sorted(set(got) | set(wanted), key=repr):
        if got.get(key) != wanted.get(key):
            lines.append('%s: wanted %s, got %s' % (key, wanted.get(key), got.get(key)))
    if not lines:
        return ''
    return '%d of %d differ\n' % (len(lines), len(set(got) | set(wanted))) + '\n'.join(lines[:show])


def same(got, wanted, what):
    text = first_difference(got, wanted)
    if text:
        raise Bad(what + ': ' + text)
