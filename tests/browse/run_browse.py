#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay browse, on the screen of a terminal (tmux): its figures beside those of the commands, every key, sizes, what ends it.

The truth is what other commands print of the same file, and the terminal's own state before and after.
Environment: ASSAY, AS_SOURCE_ROOT.
"""
import base64
import json
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys

ROOT = os.environ.get('AS_SOURCE_ROOT') or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, 'tests', 'data'), os.path.join(ROOT, 'tests', 'lib')]
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402
from terminal import PLAIN, Terminal, until  # noqa: E402

t = tap.Tap('browse')
ASSAY = ' '.join(tap.ASSAY or ['assay'])
FIXTURES = os.path.join(ROOT, 'tests', 'fixtures')
CG, PROF = (os.path.join(FIXTURES, x) for x in ('callgrind.out.demo.full', 'demo.symbolized.prof'))
BEFORE, AFTER = (os.path.join(FIXTURES, 'callgrind.out.' + x) for x in ('before', 'after'))
TAKEN = '1 0 1'       # the other screen, no cursor
SIZES = ((40, 10), (100, 24), (300, 100))
os.environ['ASSAY_OPTIONS'] = ''
for name in ('NO_COLOR', 'COLORTERM', 'COLORFGBG', 'VISUAL', 'EDITOR'):
    os.environ.pop(name, None)
if not shutil.which('tmux'):
    t.skip_all('tmux is not installed')
if ' ncursesw' not in tap.assay('--version').out.decode() or 'no ncursesw' in tap.assay('--version').out.decode():
    t.skip_all('built without ncursesw')


class Browser(Terminal):
    """assay browse in a terminal; FIRST is what the title has once it is there."""

    def __init__(self, scratch, *args, size=(100, 24), **env):
        self.size = size
        super().__init__(scratch, *size, 'exec %s browse %s' % (ASSAY, ' '.join(shlex.quote(a) for a in args)), **env)
        self.mode(TAKEN)
        self.sees('the first view', lambda s: len(s) == size[1] and '?' in s[-1])

    def body(self):
        """The rows, without title, views, heads and the last line."""
        return [r for r in self.screen()[3:-1] if r]

    def view(self, name):
        """Wait until the view NAME is the one that is shown, by its colours."""
        until('the view ' + name, lambda s: re.search(r'48;5;153m *\d %s' % name, s), lambda: self.tmux('capture-pane', '-pe'))

    def title(self, what, *words):
        return self.sees(what, lambda s: all(w in s[0] for w in words))

    def status(self, what, word):
        return self.sees(what, lambda s: word in s[-1])[-1]

    def table(self, what, holds):
        return self.sees(what, lambda s: holds([r for r in s[3:-1] if r]))


def top(*args):
    return json.loads(tap.assay('top', *args, '-n', '0', '-f', 'json').out.decode())


def number(text):
    return int(text.replace(',', ''))


def cells(row):
    return re.split(r' {2,}', row.strip())


# ---- figures ----

@t('the table has the figures of assay top, in any size')
def _():
    rows = top(CG)['rows']
    total = top(CG)['events'][0]['total']
    for size in SIZES:
        with Scratch() as s, Browser(s, CG, size=size) as b:
            body = b.body()
            equal(len(body), min(len(rows), size[1] - 4), 'rows of %dx%d' % size)
            want(max(map(len, b.screen())) <= size[0], 'a line is too long')
            for row, line in zip(rows, body):
                share = '%.1f' % (100 * row['self'][0] / total)
                found = cells(line)
                if size[0] >= 100:
                    equal((number(found[0]), found[1]), (row['self'][0], share), 'self of ' + line)
                    want(row['inclusive'] is None or '\u2264' in line or number(found[2]) == row['inclusive'][0], line)
                else:
                    want(share in line, '%s: %s' % (share, line))
                want(size[0] < 300 or re.split('[.@]', row['function'])[0] in line, '%s: %s' % (row['function'], line))


@t('code without names has a row for each address, also behind the first screens')
def _():
    n = 20000
    counts = [1 + 7919 * i % n for i in range(n)]  # each once
    lines = ('version pdb-0.07', 'image 0123', 'epoch 9612042334', 'platform walnut', 'event cycles', 'period 63488',
             'tstart 65536', 'tsize 131072', 'cpuspeed 333', 'path /bin/many')
    head = ''.join(line + '\n' for line in lines)
    head += 'samples'.ljust(-(len(head) + 1) % 4 + 8) + '\n'
    with Scratch() as s:
        many = s.file('many', head.encode() + struct.pack('<%dI' % (n + 4), 4096, n, *counts, n, sum(counts)))
        rows = top(many)['rows']
        equal([r['self'][0] for r in rows], list(range(n, 0, -1)), 'the rows of top')
        with Browser(s, many) as b:
            equal([number(cells(r)[0]) for r in b.body()], list(range(n, n - 20, -1)), 'the first rows')
            b.keys(*['NPage'] * 120)
            b.sees('rows behind the first thousand', lambda s: re.search(r' \d{4} of %d ' % n, s[-1]))
            first = number(cells(b.body()[0])[0])
            equal([number(cells(r)[0]) for r in b.body()], list(range(first, first - 20, -1)), 'the next rows')
            b.keys('End')
            b.status('all rows', ' %d of %d ' % (n, n))
            equal([number(cells(r)[0]) for r in b.body()], list(range(20, 0, -1)), 'the last rows')
            want(rows[-1]['address'] in b.body()[-1], b.body()[-1])
        with Browser(s, many) as b:
            b.keys('/', *rows[-1]['address'], 'Enter')
            b.status('the row that is found', ' 1 of 1 ')
            equal([number(cells(r)[0]) for r in b.body()], [1], 'the row of the address')


@t('it begins with the event and in the order that are asked for')
def _():
    with Scratch() as s, Browser(s, '-s', 'inclusive:Dr', CG) as b:
        b.title('the title', 'Dr, inclusive cost first')
        rows = sorted(top(CG, '-s', 'inclusive:Dr', '-e', 'Dr')['rows'], key=lambda r: -r['inclusive'][0])
        shown = [number(cells(r)[2].replace('\u2264', '')) for r in b.body()]
        equal(shown[:5], [r['inclusive'][0] for r in rows[:5]], 'inclusive costs')


@t('callers and callees, tree, source, instructions, threads and differences are those of their commands')
def _():
    with Scratch() as s, Browser(s, CG, size=(160, 60)) as b:
        b.keys('/', 's', 'o', 'r', 't', '_', 'p', 'Enter', 'Enter')
        b.view('Callers')
        peek = json.loads(tap.assay('peek', 'sort_phase', CG, '-f', 'json').out.decode())['functions'][0]
        wanted = [(c['cost'][0] if 'cost' in c else c['inclusive'][0]) for side in ('callers', 'callees') for c in peek[side]]
        shown = [number(cells(r)[0]) for r in b.body() if '< ' in r or '> ' in r]
        equal(sorted(shown), sorted(x for x in wanted if x), 'costs of neighbours')
        b.keys('o')
        b.view('Source')
        text = tap.assay('list', 'sort_phase', CG, '-e', 'Ir').out.decode()
        plain = [re.sub(r',(?=\d{3})', '', r).split() for r in b.body()]
        same = [r for r in text.split('\n') if r.split() and r.split() in plain]
        want(len(same) >= 5, 'lines of source: %s\n%s' % (b.body(), text))
        b.keys('a')
        b.view('Asm')
        code = tap.assay('asm', 'sort_phase', CG, '-e', 'Ir').out.decode()
        address = re.findall(r'0x[0-9a-f]+', code)[0]
        b.table('instructions', lambda body: any(address in r for r in body))
        b.keys('t')
        b.view('Tree')
        tree = tap.assay('tree', CG, '-m', '0.5%').out.decode()
        first = [r for r in tree.split('\n') if ' main' in r and 'below' not in r][0].split()[0]
        want(any(number(cells(r)[0]) == int(first) for r in b.body() if ' main' in r), b.body())
    with Scratch() as s, Browser(s, BEFORE, AFTER) as b:
        b.title('both', 'callgrind.out.before')
        diff = json.loads(tap.assay('diff', BEFORE, AFTER, '-n', '0', '-f', 'json').out.decode())['rows']
        for row, line in zip(diff, b.body()):
            ev = row['self'][0] if isinstance(row['self'], list) else row['self']
            want(row['function'] in line and '{:+,}'.format(int(ev['difference'])).replace('+0', '0') in line, '%s: %s' % (row, line))
    with Scratch() as s, Browser(s, AFTER, '--base', BEFORE) as b:
        b.title('both', 'callgrind.out.before : ')


# ---- steps ----

@t('each step is undone, and done again: the screens are the same')
def _():
    steps = (('c',), ('b',), ('b',), ('b',), ('b',), ('f',), ('Enter',), ('o',), ('t',), ('*',), ('b',), ('F',), ('Down', 'Enter'), ('8',),
             ('Down', 'Enter'), ('1',), ('/', 'm', 'Enter'), ('g', *'hide fib', 'Enter'), ('H',), ('2',))
    with Scratch() as s, Browser(s, CG) as b:
        seen = [b.screen()[:-1]]
        for step in steps:
            b.keys(*step)
            seen.append(b.sees('another screen behind %s' % (step,), lambda x: x[:-1] != seen[-1] and len(x) == 24)[:-1])
        for k in range(len(steps) - 1, -1, -1):
            b.keys('z')
            b.sees('before %s' % (steps[k],), lambda x: x[0] == seen[k][0] and x[1] == seen[k][1] and x[2] == seen[k][2])
        b.keys('z')
        b.status('the beginning', 'this is where it began')
        for k in range(1, len(steps) + 1):
            b.keys('Z')
            b.sees('behind %s' % (steps[k - 1],), lambda x: x[0] == seen[k][0])
        b.keys('Escape')
        b.sees('Esc goes back, too', lambda x: x[0] == seen[-2][0])


@t('filters leave what assay top with them leaves')
def _():
    name = top(PROF)['rows'][2]['function']
    for key, word in (('f', 'focus'), ('d', 'ignore'), ('h', 'hide'), ('w', 'show'), ('x', 'show-from'), ('p', 'prune-from')):
        rows = top(PROF, '--' + word, 'fn:(?-i)^%s$' % re.escape(name))['rows']
        with Scratch() as s, Browser(s, PROF) as b:
            b.keys('Down', 'Down', key)
            b.title(word, '  %s fn:(?-i)^%s$' % (word, name))
            body = b.body()
            equal([number(cells(r)[0]) for r in body], [r['self'][0] for r in rows], word)
    with Scratch() as s, Browser(s, PROF) as b:
        b.keys('g', *'focus (', 'Enter')
        b.status('what is wrong', 'missing )')
        b.keys('g', *'colour red', 'Enter')
        b.status('the words there are', 'no filter is called')
        b.keys('g', *'focus nothing_at_all', 'Enter')
        b.status('nothing is left', 'choose nothing')
        want('focus' not in b.screen()[0], b.screen()[0])


@t('a search narrows as it is typed; what is wrong is told; Esc drops it; n and N go on')
def _():
    with Scratch() as s, Browser(s, CG) as b:
        whole = b.body()
        b.keys('/', 'F', 'I')
        b.table('no capitals', lambda body: body == ['  [nothing matches]'])
        b.keys('BSpace', 'BSpace', 'f', 'i', 'b')
        b.table('one row', lambda body: len(body) == 1 and ' fib' in body[0])
        b.keys('C-u', '(')
        b.status('the mistake', 'missing )')
        b.keys('Escape')
        b.table('all rows', lambda body: body == whole)
        b.keys('t', '/', 'm', 'i', 'x', 'Enter')
        first = b.status('found', ' of ')
        b.keys('n')
        second = b.sees('the next', lambda x: x[-1] != first)[-1]
        b.keys('N')
        b.sees('back', lambda x: x[-1] == first and first != second)


@t('a time that is chosen is chosen in source, too')
def _():
    with Scratch() as s:
        s.file('p.txt', ''.join('prog 1 [000] %d.000000: 1 cycles:\n\t400000 hot+0x0 (/x/prog)\n\t400100 main+0x10 (/x/prog)\n\n' % i for i in range(1, 6)))
        name = s.name('p.txt')
        wanted = [r for r in tap.assay('list', 'hot', name, '--from', '2500ms').out.decode().split('\n') if ': self ' in r]
        want(len(wanted) == 1 and ': self 2 ' in wanted[0], wanted)
        with Browser(s, name, '--from', '2500ms') as b:
            equal([cells(r)[0] for r in b.body()], ['2', '0'], 'the table')
            b.keys('o')
            b.table('source', lambda body: wanted[0] in body)


# ---- every key ----

@t('every key of the table does what it says')
def _():
    table = tap.assay('browse', '--keys').out.decode()
    told = {k for row in table.split('\n')[2:] if row for k in re.search(r'`([^`]+)`', row).group(1).split(' ')}
    tried = set()

    with Scratch() as s, Browser(s, CG, size=(100, 16)) as b:
        def press(name, key, what, holds):
            b.keys(key)
            b.sees('%s: %s' % (name, what), holds)
            tried.add(name)

        def at(n):
            return lambda x: x[-1].startswith(' %d of ' % n)

        for name, key, n in (('Down', 'Down', 2), ('j', 'j', 3), ('Up', 'Up', 2), ('k', 'k', 1), ('PgDn', 'NPage', 12), ('PgUp', 'PPage', 1),
                             ('End', 'End', 63), ('Home', 'Home', 1), ('>', '>', 63), ('<', '<', 1)):
            press(name, key, 'row %d' % n, at(n))
        views = ('Callers', 'Tree', 'Flame', 'Source', 'Asm', 'Threads', 'Events')
        for name, view in zip(('2', '3', '4', '5', '6', '7', '8', 's', 't', 'F', 'o', 'a', 'H', 'e'), views * 2):
            b.keys(name)
            b.view(view)
            b.keys('z')
            b.view('Functions')
            tried.add(name)
        for name in ('1', 'T'):
            b.keys('8')
            b.view('Events')
            b.keys(name)
            b.view('Functions')
            tried.add(name)
        press('z', 'z', 'undo', lambda x: 'event' in x[2])
        press('Esc', 'Escape', 'back', lambda x: 'function' in x[2])
        press('Z', 'Z', 'again', lambda x: 'event' in x[2])
        b.keys('1', 'Home')
        press('c', 'c', 'order', lambda x: 'inclusive cost first' in x[0])
        b.keys('z')
        press('b', 'b', 'by file', lambda x: x[2].split()[-1] == 'file')
        b.keys('z')
        press('Tab', 'Tab', 'the next view', lambda x: x[2].split()[0] == 'cost')
        b.keys('3')
        b.view('Tree')
        press('*', '*', 'folded', lambda x: x[-1].startswith(' 1 of 1 '))
        press('*', '*', 'unfolded', lambda x: x[-1].startswith(' 1 of ') and int(x[-1].split()[2]) > 20)
        whole = b.status('rows', ' of ').split()[2]
        press('Left', 'Left', 'folded', at(1))
        b.sees('one row', lambda x: x[-1].startswith(' 1 of 1 '))
        press('Right', 'Right', 'unfolded', lambda x: x[-1].startswith(' 1 of %s ' % whole))
        press('Space', 'Space', 'folded', lambda x: x[-1].startswith(' 1 of 1 '))
        press('Enter', 'Enter', 'unfolded', lambda x: x[-1].startswith(' 1 of %s ' % whole))
        press('/', '/', 'typing', lambda x: x[-1].startswith('/_'))
        b.keys('m', 'i', 'x', 'Enter')
        found = b.sees('found', lambda x: not x[-1].startswith(' 1 of') and x[-1].startswith(' '))[-1]
        press('n', 'n', 'the next', lambda x: x[-1] != found)
        press('N', 'N', 'the one before', lambda x: x[-1] == found)
        for name, word in (('f', 'focus'), ('d', 'ignore'), ('h', 'hide'), ('w', 'show'), ('x', 'show-from'), ('p', 'prune-from')):
            press(name, name, word, lambda x: ' %s fn:' % word in x[0] or 'choose' in x[-1] or 'does not tell' in x[-1])
            b.keys('z')
            b.sees('without it', lambda x: ' fn:' not in x[0])
        press('g', 'g', 'a filter is typed', lambda x: x[-1].startswith('filter: _'))
        b.keys('Escape')
        press('y', 'y', 'the command', lambda x: x[-1].startswith('assay tree '))
        press('Y', 'Y', 'the name', lambda x: x[-1] == 'mix')
        press('E', 'E', 'no line', lambda x: 'of which line' in x[-1])
        press('?', '?', 'the keys', lambda x: 'keys; ? or Esc ends' in x[2])
        b.keys('Escape')
        press('Ctrl-L', 'C-l', 'the same', lambda x: 'incl %' in x[2])
        b.keys('%')
        b.status('no key', 'no key')
        b.keys('q')
        tried.update(('q', 'Ctrl-C'))       # what ends it has tests of its own
    equal(told - tried, set(), 'keys that were not tried')


@t('y tells the command that gives what is shown, and copies it')
def _():
    with Scratch() as s, Browser(s, CG, '--ignore', 'fib', size=(250, 40)) as b:
        b.tmux('set', '-g', 'set-clipboard', 'on')
        for keys in (('c',), ('b',), ('z', 'Home', 'Enter'), ('t',), ('o',), ('a',), ('8', 'Down', 'Enter'), ('H',), ('F',), ('1',)):
            b.keys(*keys)
            b.sees('the view', lambda x: len(x) == 40 and not x[-1].startswith('assay '))
            b.keys('y')
            shown = b.status('the command', 'assay ')
            copied = until('the clipboard', lambda x: x.startswith('assay ') and (shown.startswith(x) or x.startswith(shown)),
                           lambda: b.tmux('show-buffer', check=False).rstrip('\n'))
            p = subprocess.run(['sh', '-c', copied.replace('assay ', ASSAY + ' ', 1)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            equal(p.returncode, 0, '%s: %s' % (copied, p.stderr.decode()))
            want('--ignore fib' in copied, copied)
            figures = {re.sub(r'[^\d]', '', c) for c in p.stdout.decode().split()}
            body = [r for r in b.body() if re.match(r' *[\d,]+ ', r)]
            want(keys == ('F',) or all(re.sub(r'[^\d]', '', r.split()[0]) in figures for r in body), '%s\n%s' % (copied, '\n'.join(b.body())))
        b.keys('1', '/', 'm', 'i', 'x', 'Enter', 'y')
        want('| grep -iE -e mix' in b.status('what is searched', 'grep'), b.screen())


@t('a name of a file is no order to the shell')
def _():
    with Scratch() as s:
        name = s.name("it's $(touch owned) `x`.cg")
        shutil.copy(AFTER, name)
        with Browser(s, name, size=(200, 20)) as b:
            b.keys('y')
            shown = b.status('the command', 'assay top ')
            equal(shlex.split(shown)[2], name, 'the file')


# ---- outside ----

@t('a line of source goes to the editor, of the option, or of the environment')
def _():
    with Scratch() as s:
        s.file('ed', '''#!/bin/sh
{ printf '%%s\\n' "$@"; stty -a | grep -c -- ' icanon.* echo '; } > %s
mv %s %s
''' % (s.name('new'), s.name('new'), s.name('got')))
        os.chmod(s.name('ed'), 0o755)
        sources = os.path.join(FIXTURES, 'src')
        for args, env in ((('--editor', s.name('ed') + ' -w'), {}), ((), {'EDITOR': s.name('ed')}), ((), {'EDITOR': 'false', 'VISUAL': s.name('ed')})):
            with Browser(s, CG, '--path-map', '/tmp/assay-demo=' + sources, *args, **env) as b:
                b.keys('o')
                b.view('Source')
                row = b.sees('source', lambda x: any('demo.c' in r for r in x))
                want(row, 'no source')
                b.keys('E')
                if 'is not here' in b.screen()[-1]:
                    return 'skip: the source of the fixture is not found'
                got = until('the editor', lambda x: x.count('\n') >= 3, lambda: tap.contents(s.name('got')).decode() if os.path.exists(s.name('got')) else '')
                words = got.split('\n')
                want(re.match(r'\+\d+$', words[1 if args else 0]) and words[2 if args else 1].endswith('demo.c'), got)
                equal(words[-2], '1', 'the terminal is the editor\'s as it was')
                b.mode(TAKEN)
                os.unlink(s.name('got'))


SCRIPT = '''trap : INT QUIT
stty -g > before
echo one two three
%s browse %s
echo $? > status
stty -g > after
echo four
sleep 600
'''


def ends(s, how):
    """assay browse, ended by HOW(terminal, pid): the exit status, and the terminal is as it was."""
    s.file('script', SCRIPT % (ASSAY, CG))
    for f in ('before', 'after', 'status'):
        if os.path.exists(s.name(f)):
            os.unlink(s.name(f))
    with Terminal(s, 100, 20, '-c', s.path, 'sh script') as term:
        term.mode(TAKEN)
        term.sees('a table', lambda x: '? keys' in x[-1])
        term.keys('F')
        term.sees('the flame graph', lambda x: x[2:] and x[2].startswith('all'))
        shell = term.tmux('display-message', '-p', '#{pane_pid}').strip()
        pid = subprocess.run(['pgrep', '-P', shell], stdout=subprocess.PIPE, check=True).stdout.decode().split()[0]
        how(term, int(pid))
        term.sees('the screen of before', lambda x: x[:1] == ['one two three'] and x[-1] == 'four' and 'Functions' not in ''.join(x))
        term.mode(PLAIN)
        equal(term.tmux('display-message', '-p', '#{mouse_any_flag}#{mouse_button_flag}#{mouse_standard_flag}').strip(), '000', 'the mouse')
        want(tap.contents(s.name('before')) == tap.contents(s.name('after')), 'stty')
        return int(tap.contents(s.name('status')))


def kill(number_):
    return lambda _, pid: os.kill(pid, number_)


@t('the terminal is as it was: after q, Ctrl-C, and each signal that would end it')
def _():
    with Scratch() as s:
        for how, code in ((lambda x, _: x.keys('q'), 0), (lambda x, _: x.keys('C-c'), 0), (kill(signal.SIGINT), 0),
                          (kill(signal.SIGTERM), 143), (kill(signal.SIGHUP), 129), (kill(signal.SIGQUIT), 131),
                          (kill(signal.SIGUSR1), 138), (kill(signal.SIGABRT), 134), (kill(signal.SIGSEGV), 139)):
            equal(ends(s, how), code, 'exit status')


def writer(path):
    """The end of a pipe that somebody reads; -1: nobody does."""
    try:
        return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return -1


@t('while a file is read Ctrl-C ends it, and the terminal is as it was')
def _():
    with Scratch() as s:
        os.mkfifo(s.name('pipe'))
        s.file('script', 'cat %s > first\ncp first prof\n%s browse prof\nstatus=$?\nstty -g > after\necho status $status\nsleep 600\n' % (PROF, ASSAY))
        with Terminal(s, 100, 20, '-c', s.path, 'stty -g > before; trap : INT; . ./script') as term:
            term.mode(TAKEN)
            term.sees('a table', lambda x: '? keys' in x[-1])
            os.rename(s.name('pipe'), s.name('prof'))      # what is read next never comes
            term.keys('t')
            fd = until('the reader', lambda x: x >= 0, lambda: writer(s.name('prof')))
            term.keys('C-c')
            term.mode(PLAIN)
            term.sees('the shell', lambda x: any('status 130' in r for r in x))
            os.close(fd)
            want(tap.contents(s.name('before')) == tap.contents(s.name('after')), 'stty')


@t('stopped by Ctrl-Z the shell has its terminal, and in the foreground again the screen is back')
def _():
    with Scratch() as s, Terminal(s, 100, 20, 'bash', '--norc', '--noprofile') as term:
        term.sees('a shell', lambda x: x[0].startswith('ready>'))
        term.keys('%s browse %s' % (ASSAY, CG), 'Enter')
        term.mode(TAKEN)
        was = term.sees('a table', lambda x: '? keys' in x[-1])
        term.keys('C-z')
        term.mode(PLAIN)
        term.sees('the shell', lambda x: 'Stopped' in '\n'.join(x))
        term.keys('stty -a | grep -c -- " icanon.* echo "', 'Enter')
        term.sees('echo is on', lambda x: '1' in x)
        term.keys('fg', 'Enter')
        term.mode(TAKEN)
        term.sees('the same table', lambda x: x == was)
        term.keys('q')
        term.mode(PLAIN)


@t('another size is another screen')
def _():
    with Scratch() as s, Browser(s, CG) as b:
        for columns, lines in ((40, 10), (300, 100), (12, 4), (1, 1), (80, 2), (100, 24)):
            for view in '1', '2', '3', '4', '5', '7':
                b.tmux('resize-window', '-x', str(columns), '-y', str(lines))
                b.keys(view)
                b.sees('%dx%d' % (columns, lines), lambda x: len(x) <= lines and max(map(len, x)) <= columns)
        b.keys('1')
        b.sees('the table', lambda x: len(x) == 24 and 'function' in x[2])


@t('the mouse marks, enters, chooses views and scrolls')
def _():
    def event(button, x, y):
        codes = [button] if button >= 64 else [button, 3]       # what goes down comes up
        return ['-H'] + [v for c in codes for v in ('1b', '5b', '4d', '%x' % (32 + c), '%x' % (33 + x), '%x' % (33 + y))]

    with Scratch() as s, Browser(s, CG) as b:
        b.keys(*event(0, 50, 5))
        b.status('the third row', ' 3 of ')
        b.keys(*event(0, 50, 5))
        b.view('Callers')
        b.keys(*event(0, 2, 1))
        b.view('Functions')
        b.keys(*event(65, 50, 5))
        b.status('scrolled', ' 4 of ')
        b.keys(*event(64, 50, 5))
        b.status('back', ' 1 of ')
        b.keys(*event(0, 10, 2))
        b.title('the order', 'inclusive cost first')
        b.keys('F')
        b.view('Flame')
        b.keys(*event(0, 10, 8))
        name = b.sees('a box', lambda x: ' Ir, ' in x[-1] and not x[-1].startswith('all'))[-1].split(' ')[0]
        b.keys(*event(0, 10, 8))
        b.sees('zoomed', lambda x: x[2].startswith(name))


# ---- colours ----

def colours(b):
    return b.tmux('capture-pane', '-pe')


@t('colours are those of the terminal and of its ground; none without')
def _():
    with Scratch() as s:
        with Browser(s, CG) as b:
            dark = colours(b)
            want('\x1b[38;5;209m' in dark or '38;5;209' in dark, dark)
        with Browser(s, CG, '--theme', 'light') as b:
            want('38;5;160' in colours(b), colours(b))
        with Browser(s, CG, COLORFGBG='0;15') as b:
            want('38;5;160' in colours(b), colours(b))
        for env, args in (({'NO_COLOR': '1'}, ()), ({}, ('--color', 'never'))):
            with Browser(s, CG, *args, **env) as b:
                b.keys('F')
                b.sees('the flame graph', lambda x: x[2].startswith('all'))
                want(not re.search(r'\x1b\[[0-9;]*\b[34]\d\b', colours(b)), repr(colours(b)))
        with Terminal(s, 100, 24, 'TERM=xterm exec %s browse %s' % (ASSAY, CG)) as b:
            b.sees('a table', lambda x: '? keys' in x[-1])
            want('38;5' not in colours(b) and re.search(r'\x1b\[[0-9;]*\b3[1-7]m', colours(b)), repr(colours(b)))


@t('true colours where the terminal has them')
def _():
    if not shutil.which('tic'):
        return 'skip: tic is not installed'
    with Scratch() as s:
        s.file('direct.ti', 'tmux-direct|of this test,\n\tRGB, colors#0x1000000, pairs#0x7fff,\n'
               '\tsetab=\\E[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,\n'
               '\tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,\n\tuse=tmux-256color,\n')
        subprocess.run(['tic', '-x', '-o', s.name('ti'), s.name('direct.ti')], check=True)
        with Terminal(s, 100, 24, 'TERMINFO=%s TERM=tmux-256color COLORTERM=truecolor exec %s browse %s' % (s.name('ti'), ASSAY, CG)) as b:
            b.sees('a table', lambda x: '? keys' in x[-1])
            want('38;2;255;135;95' in colours(b), repr(colours(b)))
        with Terminal(s, 100, 24, 'TERM=tmux-256color COLORTERM=truecolor exec %s browse %s' % (ASSAY, CG)) as b:
            b.sees('a table', lambda x: '? keys' in x[-1])
            want('38;5;209' in colours(b) or '38;2;255;135;95' in colours(b), repr(colours(b)))


# ---- what stands in profiles ----

HOSTILE = ['\x1b[2Jgone', '\x1b]0;title\x07', '\x1b[?1049l', 'a\rb', 'new\\x0aline', '\x9b31m', 'e\u202ever', '\x1bP$q', 'wide \u4e2d\u6587', '\u0301accent',
           '\xff\xfe', '\x1b]52;c;' + base64.b64encode(b'evil').decode() + '\x07']


@t('names that are orders to a terminal stand on the screen as text')
def _():
    with Scratch() as s:
        path = s.name('hostile.cg')
        with open(path, 'wb') as f:
            f.write(b'events: Ir\n')
            for i, name in enumerate(HOSTILE):
                raw = name.encode('latin-1') if name in ('\xff\xfe', '\x9b31m') else name.encode()
                f.write(b'fl=/x/%s.c\nfn=%s\n%d %d\n' % (raw, raw, i + 1, 1000 - i))
        with Browser(s, path) as b:
            b.tmux('set', '-g', 'set-clipboard', 'on')
            for view in ('1', '3', '4', '1'):
                b.keys(view, 'Down')
            for key in ('Enter', 'o', 'a', 'y', 'Y', 'f', '/', 'x', 'Enter', '1'):
                b.keys(key)
            b.keys('8')
            b.view('Events')
            b.mode(TAKEN)
            equal(b.tmux('show-buffer', check=False).find('evil'), -1, 'the clipboard')
        with Browser(s, path) as b:
            seen = '\n'.join(b.screen())
            want('\\x1b[2Jgone' in seen and '\u4e2d\u6587' in seen and 'e\\xe2\\x80\\xaever' in seen, seen)


# ---- files ----

@t('databases are files as others are')
def _():
    with Scratch() as s:
        made = '. %s/tests/cli/database/database.inc; minute db/box/202611231045/20261123T104500Z 1; minute db/box/202611231045/20261123T104600Z 2' % ROOT
        subprocess.run(['sh', '-ec', made], cwd=s.path, check=True)
        rows = top('db:', '--db', s.name('db'))['rows']
        with Browser(s, 'db:', '--db', s.name('db'), size=(140, 24)) as b:
            for row, line in zip(rows, b.body()):
                equal(number(cells(line)[0]), row['self'][0], line)
            b.keys('t')
            b.view('Tree')
            b.keys('H')
            b.view('Threads')
            b.keys('Enter')
            b.title('a thread', '  thread nginx')
            rows = top('db:', '--db', s.name('db'), '--thread', 'nginx')['rows']
            equal([number(cells(r)[0]) for r in b.body()], [r['self'][0] for r in rows], 'of the thread')
            b.keys('y')
            shown = b.status('the command', 'assay top db: -n 0 --thread nginx')
            want('--db' in shown, shown)


@t('assay FILE names a key that opens it; any other ends, and is the shell\'s')
def _():
    with Scratch() as s, Terminal(s, 100, 30, 'bash', '--norc', '--noprofile') as term:
        term.sees('a shell', lambda x: x[0].startswith('ready>'))
        term.keys('clear; %s %s' % (ASSAY, PROF), 'Enter')
        term.sees('the key', lambda x: x[-1] == 'b: browse it; any other key: done')
        term.keys('b')
        term.mode(TAKEN)
        term.sees('the browser', lambda x: '? keys' in x[-1])
        term.keys('q')
        term.mode(PLAIN)
        for end in ('q', 'Space', 'Escape', 'C-c'):
            term.keys('clear; %s %s' % (ASSAY, PROF), 'Enter')
            term.sees('the key', lambda x: x[-1] == 'b: browse it; any other key: done')
            term.keys(end)
            term.sees('the shell', lambda x: x[-1].startswith('ready>') and 'any other key' not in '\n'.join(x))
        for way in ('--no-keys', '-q', '< /dev/null', '| cat', '&'):
            term.keys('clear; %s %s %s; echo done' % (ASSAY, PROF, way) if way != '&' else 'clear; %s %s & wait; echo done' % (ASSAY, PROF), 'Enter')
            term.sees('no key with ' + way, lambda x: 'done' in x and 'any other key' not in '\n'.join(x))


@t('what cannot be is told')
def _():
    for args, code, word in (((), 2, 'needs a file'), ((CG,), 4, 'there is no terminal'), (('-',), 2, 'keys come from standard input'),
                             ((CG, CG, CG), 2, 'one file, or BASE and NEW')):
        r = tap.assay('browse', *args)
        want(r.code == code and word in r.err, r)
    # ncurses keeps what it has made before it looks for the terminal
    with Scratch() as s, Terminal(s, 100, 24, '%s browse /no/such; echo $?; ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 TERM=no-such %s browse %s; echo $?; %s browse -s Xy %s; echo $?; sleep 600'
                                  % (ASSAY, ASSAY, CG, ASSAY, CG)) as term:
        got = '\n'.join(term.sees('three refusals', lambda x: '2' in x))
        want('/no/such' in got and "the terminal 'no-such'" in got and '3' in got.split('\n') and '4' in got.split('\n'), got)


t.run()
