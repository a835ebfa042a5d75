#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assay live: what is hot now, on the screen of a terminal (tmux) and as text, by a daemon's samples and by its own.

The truth is what programs do that we start, a recording of the same seconds, the files that a daemon writes of them, and the
terminal's own state before and after.
Environment: ASSAY, SCENES.
"""
import json
import math
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'lib'))
import scene  # noqa: E402
import terminal  # noqa: E402
from daemons import HZ, Daemon, Made, answer, labels, total  # noqa: E402
from scene import E, Scratch, needs, tap  # noqa: E402
from terminal import PLAIN, TAKEN, until  # noqa: E402

t = tap.Tap('live')
needs(t, 'SCENES')
E['ASSAY_DB'] = '/nowhere'      # whatever records on this machine
LIVE, PERIOD = E['ASSAY'] + ' live', 10038e-6     # of 99 Hz
if not shutil.which('tmux'):
    t.skip_all('tmux is not installed')


def want(holds, seen=''):
    scene.want(holds, str(seen))


def live(*args, code=0, **more):
    p = subprocess.run([E['ASSAY'], 'live', *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False, **more)
    want(code is None or p.returncode == code, '%s: exit status %d: %s' % (' '.join(args), p.returncode, p.stderr.decode()))
    return p.stdout.decode(), p.stderr.decode()


def once(*args):
    return json.loads(live('--once', '-f', 'json', '-n', '0', *args)[0])


def self_of(answer):
    rows = {}
    for r in answer['rows']:
        rows[r['function']] = rows.get(r['function'], 0) + r['self'][0]
    return rows


class Scene:
    """Programs that run until nobody needs them."""

    def __init__(self, *args, n=1, program=E['SCENES']):
        self.args, self.n, self.program = args, n, program

    def __enter__(self):
        self.p = [subprocess.Popen([self.program, *self.args], stdout=subprocess.DEVNULL) for _ in range(self.n)]
        return self

    def __exit__(self, *_):
        for p in self.p:
            p.kill()
            p.wait()


def ran(process):
    """CPU seconds until now, by the kernel."""
    return int(tap.contents('/proc/%d/schedstat' % process.pid).split()[0]) * 1e-9


def enough(holds, ask):
    """What ASK returns: the first of which that holds, or the tenth, for a busy machine gives a program little of its time."""
    for _ in range(10):
        got = ask()
        if holds(got):
            break
    return got


class Terminal(terminal.Terminal):
    """100 columns by 20 lines."""

    def __init__(self, scratch, *command):
        super().__init__(scratch, 100, 20, *command)

    def rows(self, what, holds):
        """The lines of the table once that holds: without the head."""
        return self.sees(what, lambda s: len(s) > 3 and s[0].startswith('assay live: ') and holds(s))[3:]


with Scratch() as first:
    tried = subprocess.run([E['ASSAY'], 'record', '--all', '--no-show', '-y', '-o', first.name('x.pb.gz'), 'true'],
                           stderr=subprocess.PIPE, check=False)
    if tried.returncode:
        t.skip_all('events of processors are not allowed here: %s' % tried.stderr.decode().strip())


def keys(term):
    term.rows('half of it on top', lambda x: ' half ' in x[3])
    term.keys('s')
    top = term.rows('by inclusive cost', lambda x: ', inclusive cost first' in x[1])
    costs = [int(r.split()[2]) for r in top if re.match(r' *\d+ +[\d.]+ +\d+ ', r)]
    want(len(costs) > 3 and costs == sorted(costs, reverse=True) and ' half ' not in top[0], top)
    term.keys('s', 'b')
    top = term.rows('by object', lambda x: x[1].startswith('by object, self cost'))
    want(top[0].endswith('/scenes'), top)
    term.keys('b')
    top = term.rows('by process', lambda x: x[1].startswith('by process'))
    want(re.match(r' *\d+ +\d+\.\d +scenes$', top[0]), top)
    term.keys('b')
    term.rows('by line, half of it on top', lambda x: x[1].startswith('by line') and re.search(r' half +scenes\.c:\d+$', x[3]))
    term.keys('b', '/')
    term.sees('what is typed', lambda x: x[1] == '/_')
    term.keys('^thirt', 'BSpace', 'd')
    term.sees('what is typed', lambda x: x[1] == '/^third_')
    term.keys('Enter')
    top = term.rows('the filter', lambda x: x[1].endswith('; /^third') and ' third ' in x[3])
    want(not any(' half ' in r or ' seventh ' in r for r in top), top)
    term.keys('/', 'C-u', '(', 'Enter')
    term.sees('the mistake', lambda x: 'missing' in x[1])
    term.keys('/', 'Escape')
    term.sees('the filter as it was', lambda x: 'missing' not in x[1] and x[1].endswith('; /^third'))
    term.keys('Enter')
    top = term.rows('callers', lambda x: any('* third' in r for r in x))
    want(any('< shares' in r for r in top), top)
    term.keys('Escape')
    term.rows('the table again', lambda x: ' third ' in x[3])
    term.keys('/', 'C-u', 'Enter')
    term.rows('no filter', lambda x: '/' not in x[1] and ' half ' in x[3])
    term.keys('p')
    was = term.sees('the pause', lambda x: x[1].startswith('PAUSED, '))
    time.sleep(1.5)
    want(term.screen() == was, '%s\n%s' % (was, term.screen()))
    term.keys('p')
    term.sees('the end of the pause', lambda x: x[1].startswith('by ') and x[0] != was[0])
    term.keys('h')
    term.sees('the help', lambda x: any('  q  ' in r for r in x))
    term.keys('Escape')
    term.rows('the table', lambda x: ' half ' in x[3])
    term.keys('Down', 'j', 'Up', 'Enter')
    term.rows('callers of the second', lambda x: any('  * ' in r and '* half' not in r for r in x))


def other_size(term):
    term.keys('Escape')
    term.tmux('resize-window', '-x', '60', '-y', '10')
    term.rows('a smaller one', lambda x: len(x) <= 10 and ' half ' in x[3] and max(map(len, x)) <= 60)


@t('a hot program is on top; keys sort, group, filter, pause, help and show callers; the screen has another size')
def _():
    with Scratch() as s:
        with Scene('loop', '600000', n=4 * os.cpu_count()), Terminal(s, LIVE) as term:     # whatever else this machine does
            top = term.rows('the program on top', lambda x: re.match(r' *\d+ +\d+\.\d +\d+ +\d+\.\d +burn +\S*scenes\.c$', x[3]))
            want(len(term.screen()) <= 20 and 'more rows]' in top[-1], top)
        with Scene('calibrated', '600000') as run, Terminal(s, LIVE + ' -d 0.5 -p %d' % run.p[0].pid) as term:
            keys(term)
            other_size(term)


SCRIPT = '''trap : INT QUIT
stty -g > before
echo one two three
%s -d 0.2
echo $? > status
stty -g > after
echo four
sleep 600
'''


def ends(s, how):
    """assay live, ended by HOW(terminal, pid): the exit status, and the terminal is as it was."""
    s.file('script', SCRIPT % LIVE)
    for f in ('before', 'after', 'status'):
        if os.path.exists(s.name(f)):
            os.unlink(s.name(f))
    with Terminal(s, '-c', s.path, 'sh script') as term:
        term.mode(TAKEN)
        term.rows('a table', lambda x: 'CPUs busy' in x[0])
        shell = term.tmux('display-message', '-p', '#{pane_pid}').strip()
        pid = subprocess.run(['pgrep', '-P', shell], stdout=subprocess.PIPE, check=True).stdout.decode().split()[0]
        how(term, int(pid))
        term.sees('the screen of before', lambda x: x[:1] == ['one two three'] and x[-1] == 'four' and 'assay live:' not in ''.join(x))
        term.mode(PLAIN)
        want(tap.contents(s.name('before')) == tap.contents(s.name('after')), 'stty')
        return int(tap.contents(s.name('status')))


def kill(number):
    return lambda _, pid: os.kill(pid, number)


@t('the terminal is as it was: after q, Ctrl-C, and each signal that would end it')
def _():
    with Scratch() as s:
        for how, code in ((lambda x, _: x.keys('q'), 0), (lambda x, _: x.keys('C-c'), 0), (kill(signal.SIGINT), 0),
                          (kill(signal.SIGTERM), 143), (kill(signal.SIGHUP), 129), (kill(signal.SIGQUIT), 131),
                          (lambda x, _: x.keys('C-\\'), 131), (kill(signal.SIGUSR1), 138), (kill(signal.SIGALRM), 142),
                          (kill(signal.SIGABRT), 134), (kill(signal.SIGSEGV), 139)):
            got = ends(s, how)
            want(got == code, 'exit status %d, not %d' % (got, code))


@t('stopped by Ctrl-Z the shell has its terminal, and in the foreground again the screen is back')
def _():
    with Scratch() as s, Terminal(s, 'bash', '--norc', '--noprofile') as term:
        term.sees('a shell', lambda x: x[0].startswith('ready>'))
        term.keys(LIVE + ' -d 0.2', 'Enter')
        term.mode(TAKEN)
        term.keys('C-z')
        term.mode(PLAIN)
        term.sees('the shell', lambda x: 'Stopped' in '\n'.join(x) and 'assay live:' not in '\n'.join(x))
        term.keys('stty -a | grep -c -- " icanon.* echo "', 'Enter')
        term.keys('fg', 'Enter')
        term.mode(TAKEN)
        term.rows('a table', lambda x: 'CPUs busy' in x[0])
        term.keys('q')
        term.mode(PLAIN)


@t('it ends with its terminal')
def _():
    with Scratch() as s, Terminal(s, LIVE) as term:
        term.mode(TAKEN)
        pid = int(term.tmux('display-message', '-p', '#{pane_pid}'))
        term.tmux('kill-server')
        until('its end', lambda there: not there, lambda: os.path.exists('/proc/%d/stat' % pid))


@t('shares of one program are those that it spends, within five sigma')
def _():
    with Scene('calibrated', '600000') as run:
        rows = enough(lambda x: sum(x.values()) > 300, lambda: self_of(once('-d', '4', '-F', '997', '-p', str(run.p[0].pid))))
        want(sum(rows.values()) > 300, rows)
        burnt = {f: rows.get(f, 0) for f in ('half', 'third', 'seventh', 'twentieth')}
        n = sum(burnt.values())
        want(n > .9 * sum(rows.values()), rows)
        for f, p in (('half', .5), ('third', .3), ('seventh', .15), ('twentieth', .05)):
            want(abs(burnt[f] - p * n) <= 5 * math.sqrt(p * (1 - p) * n), '%s: %d of %d: %s' % (f, burnt[f], n, burnt))
        want(run.p[0].poll() is None, 'it has ended')


@t('a screen is what a recording of the same seconds has, within five sigma; and the CPU time by the kernel')
def _():
    with Scratch() as s, Scene('loop', '600000', program=shutil.copy(E['SCENES'], s.name('hot'))) as run:
        path, before = s.name('m.pb.gz'), ran(run.p[0])
        other = subprocess.Popen([E['ASSAY'], 'record', '--all', '-F', '199', '-d', '4', '--no-show', '-o', path], stderr=subprocess.DEVNULL)
        mine = once('-F', '199', '-d', '4', '--by', 'object')
        other.wait()
        spent = ran(run.p[0]) - before
        theirs = json.loads(subprocess.run([E['ASSAY'], 'objects', path, '-q', '-f', 'json', '-e', 'samples', '-n', '0'],
                                           stdout=subprocess.PIPE, check=True).stdout)
        a, b = (next((r['self'][0] for r in x['rows'] if r['object'] == s.name('hot')), 0) for x in (mine, theirs))
        n, m = mine['events'][0]['total'], theirs['events'][0]['total']
        p = (a + b) / (n + m)
        want(a and b and abs(a / n - b / m) <= 5 * math.sqrt(p * (1 - p) * (1 / n + 1 / m)), '%d of %d, %d of %d' % (a, n, b, m))
        want(a * 4994e-6 <= spent * 1.06 + .1, '%d samples, %.2f s by the kernel' % (a, spent))


@t('one process of two; a process that is not there, and one that does nothing')
def _():
    with Scene('loop', '600000', n=2) as run:
        before = ran(run.p[0])
        one = once('-d', '2', '-p', str(run.p[0].pid), '--by', 'process')
        most_of_it = (ran(run.p[0]) - before) / PERIOD
        want([r['label'] if 'label' in r else r for r in one['rows']] and len(one['rows']) == 1, one['rows'])
        want(0 < one['events'][0]['total'] <= most_of_it + 5 * math.sqrt(most_of_it) + 2, '%s of %.1f' % (one, most_of_it))
        text = live('--once', '-p', str(os.getpid()))[0].splitlines()
        want(text[0].startswith('assay live: process %d, the last ' % os.getpid()), text)
        want('no samples in this time' in live('--once', '--unit', 'no such')[0], 'a unit')
        gone = subprocess.Popen(['true'])
        gone.wait()
        want('there is no process' in live('-p', str(gone.pid), code=3)[1], 'a process')


@t('a unit, by its control group')
def _():
    group = next((g for g in ('/sys/fs/cgroup', '/sys/fs/cgroup/unified') if os.path.exists(g + '/cgroup.controllers')), None)
    mine = '%s/assay-test-%d.service' % (group, os.getpid())
    try:
        os.mkdir(mine)
    except OSError:
        return 'skip:no control group can be made'
    try:
        with Scene('loop', '600000', n=2) as run:
            with open(mine + '/cgroup.procs', 'w') as f:
                f.write('%d\n' % run.p[0].pid)
            name = os.path.basename(mine)
            for word in (name, name[:-len('.service')]):
                got = enough(lambda x: x['events'][0]['total'] > 10, lambda word=word: once('-d', '2', '--unit', word))
                want(self_of(got).get('burn', 0) > .5 * got['events'][0]['total'] > 5, got['events'])
    finally:
        until('an empty group', lambda x: not x, lambda: tap.contents(mine + '/cgroup.procs'))
        os.rmdir(mine)
    return None


@t('text: screen after screen, without a byte for terminals; Ctrl-C and a closed pipe end it')
def _():
    out = live('--screens', '3', '-d', '0.3', '-n', '4')[0]
    want(out.count('assay live: the machine, the last ') == 3 and '\033' not in out, out)
    blocks = out.split('\n\n')
    want(len(blocks) == 3 and all(len(b.strip().split('\n')) <= 8 for b in blocks), out)
    seconds = [float(re.search(r'the last ([\d.]+) s', b).group(1)) for b in blocks]
    want(seconds == sorted(seconds) and seconds[2] > seconds[0], seconds)
    p = subprocess.Popen([E['ASSAY'], 'live', '-d', '0.2'], stdout=subprocess.PIPE)
    p.stdout.readline()
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=60)
    want(p.returncode == 0, 'exit status %d' % p.returncode)
    p = subprocess.Popen([E['ASSAY'], 'live', '-d', '0.2'], stdout=subprocess.PIPE)
    p.stdout.readline()
    p.stdout.close()
    want(p.wait(60) == -signal.SIGPIPE, 'exit status %d' % p.returncode)


@t('words that make no sense')
def _():
    for args, said in ((['-F', '0'], 'from 1 to 20000'), (['-d', '0.01'], 'from 0.1 to 3600'), (['-d', 'x'], 'from 0.1 to 3600'),
                       (['-p', '0'], 'the number of a process'), (['--once', '--screens', '2'], 'one of them'), (['x'], "takes no 'x'")):
        want(said in live(*args, code=2)[1], '%s' % args)


def plain(f):
    """F(scratch, arguments of Popen for somebody without rights), where there can be somebody who has none."""
    if os.geteuid() != 0 or int(open('/proc/sys/kernel/perf_event_paranoid').read()) <= 0:
        return 'skip:needs rights that can be given up'
    with Scratch() as s:
        os.chmod(s.path, 0o755)
        for name in ('ASSAY', 'SCENES'):
            shutil.copy(E[name], s.name(name))
            os.chmod(s.name(name), 0o755)
        return f(s, {'user': 65534, 'group': 65534, 'extra_groups': []})


@t('another user is shown the processes that are his, and told so; or what all processes take, where not even that is allowed')
def _():
    def his_rows(p):
        return {r.split(None, 2)[2]: int(r.split()[0]) for r in p.stdout.decode().splitlines()[3:] if re.match(r' *[1-9]', r)}

    def other(s, who):
        ours = subprocess.Popen([E['SCENES'], 'loop', '600000'], stdout=subprocess.DEVNULL)
        his = subprocess.Popen([s.name('SCENES'), 'loop', '600000'], stdout=subprocess.DEVNULL, **who)
        try:
            until('its work', lambda n: n > .1, lambda: ran(his))
            p = enough(lambda p: p.returncode or his_rows(p).get('SCENES', 0) > 5, lambda: subprocess.run(
                [s.name('ASSAY'), 'live', '--once', '-d', '2', '-n', '0', '--by', 'process'], stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=120, check=False, **who))
        finally:
            for x in (ours, his):
                x.kill()
                x.wait()
        if int(open('/proc/sys/kernel/perf_event_paranoid').read()) > 2:
            want(p.returncode == 5 and not p.stdout and b'may not be recorded here' in p.stderr and b'assay doctor' in p.stderr, p.stderr)
            return None
        want(p.returncode == 0, p.stderr)
        text = p.stdout.decode().splitlines()
        want(text[0].startswith("assay live: this user's processes, the last ") and ' Hz of its own, ' in text[1], text)
        rows = his_rows(p)
        want(set(rows) <= {'SCENES', 'ASSAY', '[no label]'}, text)      # the last one: of no sample
        want(rows.get('SCENES', 0) > 5, text)
        return None
    return plain(other)


# ---- of a daemon ----

def since(d, at=None):
    """What the daemon says of the samples since AT, and the file that it hands out; by its protocol."""
    path = next(p for p in (os.path.join(d.db, h, 'socket') for h in os.listdir(d.db)) if os.path.exists(p))
    with socket.socket(socket.AF_UNIX) as c:
        c.connect(path)
        c.sendall(b'live\n' if at is None else b'live %d\n' % at)
        text, fds, _, _ = socket.recv_fds(c, 1 << 16, 4)
        while more := c.recv(1 << 16):
            text += more
    want(text.startswith(b'ok\n') and len(fds) <= 1, (text, fds))
    said = {k: int(v) for k, v in (line.split() for line in text.decode().splitlines()[1:])}
    for fd in fds:
        said['file'] = os.pread(fd, os.fstat(fd).st_size, 0)
        os.close(fd)
    return said


def most(ns):
    """The most samples that a daemon can take in so long: its period varies."""
    return os.cpu_count() * (1.2 * ns / 4994e3 + 2)


def stored(d):
    return sum(total(path) for path in d.segments())


def shown(d, *args, **more):
    return json.loads(live('--once', '-f', 'json', '-n', '0', '--db', d.db, *args, **more)[0])


def by_process(paths):
    sums = {}
    for path in paths:
        for pid, n in labels(path, 'pid').items():
            want(pid.isdigit(), 'a sample of %s' % pid)
            sums[pid] = sums.get(pid, 0) + n
    return sums


@t('a daemon hands out each sample once and stores it once, whoever asks, over ends of segments and of epochs')
def _():
    with Scratch() as s, Scene('loop', '600000', n=2) as run, Daemon(s, '--segment', '1') as d:
        early = time.monotonic_ns()
        d.ask('flush')
        old, begun = set(d.segments()), since(d)
        mine, others, at, other = [], [], begun['until'], begun['until']
        for i in range(24):
            time.sleep(.2)
            mine.append(since(d, at))
            want(mine[-1]['from'] == at <= mine[-1]['until'], (mine[-1], at))
            at = mine[-1]['until']
            if i % 5 == 4:      # somebody else, less often
                others.append(since(d, other))
                other = others[-1]['until']
            if i == 9:
                d.ask('epoch')
        d.ask('flush')
        mine.append(since(d, at))       # up to the end of the segment, and perhaps a little of the next
        others.append(since(d, other))
        edges = begun['until'] - early - others[-1]['until']
        d.ask('flush')
        edges += time.monotonic_ns()
        after, kept = d.status(), sum(total(x) for x in set(d.segments()) - old)
        others_until = others[-1]['until']
        told, others = sum(x['taken'] for x in mine), sum(x['taken'] for x in others)
        want(told > 4 / 5.1e-3 and told <= others <= told + most(others_until - mine[-1]['until']), (told, others))
        want(others <= kept <= others + most(edges), '%d told, %d stored, but for %d ms' % (others, kept, edges / 1e6))
        paths = []
        for i, x in enumerate(mine):
            if 'file' in x:
                paths.append(s.name('%d.pb' % i))
                with open(paths[-1], 'wb') as f:
                    f.write(x['file'])
            want(x['taken'] == (total(paths[-1]) if 'file' in x else 0), x['taken'])
        theirs = by_process(sorted(set(d.segments()) - old))
        for pid, n in by_process(paths).items():
            want(n <= theirs.get(pid, 0), '%s: %d told, %s stored' % (pid, n, theirs.get(pid)))
        want(all(theirs.get(str(p.pid), 0) > 5 for p in run.p), theirs)
        said = d.end()
        want(int(after['counted']) == int(after['stored']) + int(after['pending']), after)
        want('%d samples' % stored(d) in said, (stored(d), said))
        checked = subprocess.run([E['ASSAY'], 'check', '-q', *d.segments()], stdout=subprocess.PIPE, check=False)
        want(checked.returncode == 0, checked.stdout)


@t('a screen of a daemon is what its files have of these seconds; it opens no events')
def _():
    with Scratch() as s, Scene('loop', '600000'), Scene('calibrated', '600000') as run, Daemon(s, '--segment', '1') as d:
        edges = -time.monotonic_ns() - 4e9
        d.ask('flush')
        before = set(d.segments())
        p = subprocess.Popen([E['ASSAY'], 'live', '--once', '-f', 'json', '-n', '0', '--db', d.db, '-d', '4'], stdout=subprocess.PIPE)
        time.sleep(2)
        fds = '/proc/%d/fd/' % p.pid
        opened = [os.readlink(fds + x) for x in os.listdir(fds)]
        want(opened and not any('perf_event' in x for x in opened), opened)
        mine = json.loads(p.communicate(timeout=60)[0])
        d.ask('flush')
        edge = most(edges + time.monotonic_ns())
        files = sorted(set(d.segments()) - before)
        theirs = {}
        for f in files:
            for r in answer('top', f)['rows']:
                theirs[r['function']] = theirs.get(r['function'], 0) + r['self'][0]
        n, m = mine['events'][0]['total'], sum(total(f) for f in files)
        want(len(files) >= 3 and .8 * 4 / 5.1e-3 < n <= m <= n + edge, (n, m, edge, files))
        for name in ('burn', 'half', 'third'):
            a, b = self_of(mine).get(name, 0), theirs.get(name, 0)
            want(0 < a <= b <= a + edge, '%s: %d of %d, %d of %d' % (name, a, n, b, m))
        want(run.p[0].poll() is None, 'it has ended')
        text = live('--once', '-d', '1', '--db', d.db)[0].splitlines()
        want(text[0].startswith('assay live: the machine, the last ') and " %d Hz of the daemon's, " % HZ in text[1], text)
        text = live('--once', '-d', '1', '--own', env=d.env)[0].splitlines()
        want(' 99 Hz of its own, ' in text[1], text)


@t('of one process, of a name, of a unit and of a label, by a daemon and by its own events')
def _():
    with Scratch() as s, Daemon(s) as d, Scene('loop', '600000', n=2) as run:
        marked = subprocess.Popen([E['ASSAY'], 'daemon', 'label', 'night', '--', E['SCENES'], 'calibrated', '600000'], env=d.env,
                                  stdout=subprocess.DEVNULL)
        try:
            until('its label', lambda x: x, lambda: shown(d, '-d', '.3', '--label', 'label=night')['events'][0]['total'])
            def has(*functions):
                return lambda x: all(self_of(x).get(f, 0) > 5 for f in functions)

            pid, name, label, both, none, other = (enough(has(*f), lambda x=x: shown(d, '-d', '1', *x)) for f, *x in (
                (['burn'], '-p', str(run.p[0].pid)), (['burn', 'half'], '--process', 'scenes'), (['half'], '--label', 'label=night'),
                (['half'], '--label', 'label=x', '--label', 'label'), ([], '--label', 'label=nigh'), ([], '--unit', 'no such')))
            burnt = self_of(pid)
            want(burnt.get('burn', 0) > .5 * sum(burnt.values()) > 2, pid)
            burnt = self_of(name)
            want(burnt.get('burn', 0) > 5 and burnt.get('half', 0) > 5, name)
            for x in label, both:
                want(self_of(x).get('half', 0) > 5 and not self_of(x).get('burn'), x)
            for x in none, other:
                want(x['events'][0]['total'] == 0 if x.get('events') else not x.get('rows'), x)
            got = enough(has('burn'), lambda: once('-d', '1', '--label', 'process=scenes'))
            want(self_of(got).get('burn', 0) > 5 and got['events'][0]['total'] >= self_of(got)['burn'], got)
            rows = once('-d', '1', '--label', 'process=scenes', '--by', 'process')['rows']
            want(len(rows) == 1, rows)
        finally:
            marked.kill()
            marked.wait()


@t('code that processes have made has the names that each tells, of a daemon and of its own events')
def _():
    with Scratch() as s, Daemon(s) as d, Made('red', 'blue') as made:
        if made.fails():
            return 'skip:no file system can be mounted: %s' % made.fails()
        for ask in (lambda *x: shown(d, *x), lambda *x: once('--own', *x)):
            rows = until('both', lambda x: x.get('red') and x.get('blue'), lambda ask=ask: self_of(ask('-d', '1')))
            rows = enough(lambda x: x.get('red', 0) > 2, lambda ask=ask: self_of(ask('-d', '1', '-p', str(made.p[0].pid))))
            want(rows.get('red', 0) > 2 and 'blue' not in rows, rows)
        return None


@t('the screen goes on when a segment ends, and by its own events when the daemon has')
def _():
    with Scratch() as s, Scene('calibrated', '600000') as run, Daemon(s, '--segment', '1') as d:
        with Terminal(s, 'env', 'ASSAY_DB=' + d.db, E['ASSAY'], 'live', '-d', '.3', '-p', str(run.p[0].pid)) as term:
            term.rows('the daemon\'s', lambda x: " Hz of the daemon's, " in x[1] and ' half ' in x[3])
            segments = len(d.segments())
            until('other segments', lambda n: n > segments + 2, lambda: len(d.segments()))
            term.rows('the last ten seconds', lambda x: float(re.search(r'the last ([\d.]+) s', x[0]).group(1)) > 2 and ' half ' in x[3])
            d.end()
            term.rows('its own', lambda x: ' 99 Hz of its own, ' in x[1] and ' half ' in x[3])
            term.keys('q')


@t('nobody is asked who does not record there, or may not be asked')
def _():
    with Scratch() as s:
        want('no daemon records' in live('--once', '--db', s.name('none'), code=3)[1], 'a folder that is not there')
        for args in (['--own', '--db', 'x'], ['-F', '99', '--db', 'x']):
            want("'--db'" in live(*args, code=2)[1], args)

    def other(s, who):
        with Daemon(s) as d:
            more = {'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, 'timeout': 120, 'check': False, **who}
            p = subprocess.run([s.name('ASSAY'), 'live', '--once', '-d', '.3', '--db', d.db], **more)
            want(p.returncode == 5 and b'Permission denied' in p.stderr, p)
            p = subprocess.run([s.name('ASSAY'), 'live', '--once', '-d', '.3'], env=d.env, **more)
            want(p.returncode == 5 or b"this user's processes" in p.stdout, p)
        return None
    return plain(other)


@t('a daemon of several events is asked as well: the clock is shown, or the first, and no CPU time that is of all of them')
def _():
    with Scratch() as s, Scene('loop', '600000'), Daemon(s, '-e', 'page-faults,cpu-clock:5000') as d:
        got = enough(lambda x: self_of(x).get('burn', 0) > 2, lambda: shown(d, '-d', '1'))
        want(got['events'][0]['name'] == 'cpu-clock' and self_of(got).get('burn', 0) > 2, got['events'])
        text = live('--once', '-d', '1', '--db', d.db)[0].splitlines()
        want('CPUs' not in text[0] and ' samples/s, ' in text[0], text)


@t('a daemon of addresses is asked as well')
def _():
    with Scratch() as s, Scene('loop', '600000'), Daemon(s, '--flat') as d:
        edges = -time.monotonic_ns() - 2e9
        d.ask('flush')
        before = int(d.status()['stored'])
        n = shown(d, '-d', '2')['events'][0]['total']
        d.ask('flush')
        edges += time.monotonic_ns()
        after = d.status()
        want(1 / 5.1e-3 < n <= int(after['stored']) - before <= n + most(edges), (n, before, after))
        facts = 0
        for folder in d.segments('dcpi'):
            facts += sum(int(x.split()[-1]) for x in tap.contents(folder + '/facts').decode().splitlines() if ' stored' in x)
        want(facts == int(after['stored']) - int(after['lost']), (facts, after))


t.run()
