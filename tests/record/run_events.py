#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several events of a machine at once: daemon -e and record --all -e, against the kernel's own counts.

The truth is what rusage says of a program that touches a known number of pages and sleeps a known number of times, and conservation,
for each event. Without a processor's counters no two events take turns: that is tested with times made by hand (perf_columns).
Environment: ASSAY, SCENES.
"""
import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'oracle'))
import dcpi_oracle  # noqa: E402
from daemons import HZ, Daemon, run  # noqa: E402
from scene import E, Scratch, needs, tap, want  # noqa: E402

t = tap.Tap('events')
needs(t, 'SCENES')
PAGES, NAPS, LOOP_MS = 20000, 300, 400
EVENTS = ('cpu-clock', 'page-faults', 'context-switches')
PROGRAM = '''
import mmap, time
m = mmap.mmap(-1, %d * 4096)
for i in range(%d): m[4096 * i] = 1
for i in range(%d): time.sleep(.001)
end = time.process_time() + %d * .001
while time.process_time() < end: pass
''' % (PAGES, PAGES, NAPS, LOOP_MS)

with Scratch() as first:
    tried = subprocess.run([E['ASSAY'], 'record', '--all', '--no-show', '-y', '-o', first.name('x.pb.gz'), 'true'],
                           stderr=subprocess.PIPE, check=False)
    if tried.returncode:
        t.skip_all('events of processors are not allowed here: %s' % tried.stderr.decode().strip())


def totals(path):
    """event -> (sum of its column, period, unit of that)"""
    return {e['name']: (e['total'], e['period'], e['period_unit']) for e in json.loads(run('info', '-q', '-f', 'json', path)[0])['events']}


def told(path):
    """'samples counted of page-faults' -> number, in the comments of a segment"""
    meta = json.loads(run('info', '-q', '-f', 'json', path)[0])['metadata']
    return facts('\n'.join('%s: %s' % (m['key'], m['text']) for m in meta))


def columns(path, pid):
    """event -> what process PID has of it"""
    out = json.loads(run('tags', path, '-q', '-f', 'json', '-n', '0', '-e', ','.join(EVENTS))[0])
    for label in out['labels']:
        for v in label['values']:
            if label['label'] == 'pid' and v['value'] == str(pid):
                return dict(zip((e['name'] for e in out['events']), v['self']))
    return {}


def facts(text):
    """'samples stored of cpu-clock' -> number"""
    return {k: int(v) for k, v in (line[len('assay: '):].rsplit(': ', 1) for line in text.splitlines() if line.startswith('assay: samples '))}


def near(got, wanted, share, lost, what):
    """The kernel counts what it does for a process before and behind its main(), too; what was lost may have been its."""
    want(wanted * (1 - share) - lost <= got <= wanted * (1 + share) + 20, '%s: %d, %d by rusage, %d lost' % (what, got, wanted, lost))


def look_at(mine, used, lost, what):
    near(mine['page-faults'], used.ru_minflt + used.ru_majflt, .02, lost['page-faults'], what + ' faults')
    near(mine['context-switches'], used.ru_nvcsw + used.ru_nivcsw, .1, lost['context-switches'], what + ' switches')
    want(used.ru_minflt >= PAGES and used.ru_nvcsw >= NAPS, '%s' % (used,))
    want(mine['cpu-clock'] * 4994e-6 >= .5 * LOOP_MS * 1e-3 - lost['cpu-clock'] * 4994e-6, 'clock: %s' % mine)


@t('each event is a column with its period: what one process did of it, and all of them add up')
def _():
    with Scratch() as s, Daemon(s, '-F', str(HZ), '-e', 'cpu-clock,page-faults:1,context-switches:1', '--stacks', 'fp', '--segment', '60') as d:
        p = subprocess.Popen([sys.executable, '-c', PROGRAM])
        used = os.wait4(p.pid, 0)[2]
        d.ask('flush')
        after = d.status()
        said = d.end()
        first = d.segments()[0]
        lost = {e: int(after['lost of ' + e]) for e in EVENTS}
        look_at(columns(first, p.pid), used, lost, 'the program\'s')
        sums = {e: 0 for e in EVENTS}
        for path in d.segments():
            for e, (n, period, unit) in totals(path).items():
                sums[e] += n
                says = told(path)
                want(says['samples counted of ' + e] == n == says['samples stored of ' + e] + says['samples lost of ' + e], '%s: %s' % (e, says))
                want((period, unit) == {'cpu-clock': (4994, 'microseconds')}.get(e, (1, 'events')), '%s: one in %s %s' % (e, period, unit))
        want('%d samples' % sum(sums.values()) in said, '%s: %s' % (sums, said))
        for e in EVENTS:
            counted, stored, pending = (int(after['%s of %s' % (w, e)]) for w in ('counted', 'stored', 'pending'))
            want(counted == stored + pending and stored <= sums[e], '%s: %s, %s in the files' % (e, after, sums))
            want(after['active of %s 100.00' % e] == '%', '%s' % after)
        want(int(after['counted']) == sum(int(after['counted of ' + e]) for e in EVENTS), '%s' % after)
        want(int(after['lost']) == sum(lost.values()), '%s' % after)


@t('flat: a DCPI profile for each image and event, with its period, which add up to what was counted of each')
def _():
    with Scratch() as s, Daemon(s, '-F', str(HZ), '--flat', '-e', 'page-faults:3,cpu-clock,context-switches') as d:
        subprocess.run([sys.executable, '-c', PROGRAM], check=True)
        d.ask('flush')
        d.end()
        faults = 0
        for folder in d.segments('dcpi'):
            files = glob.glob(folder + '/*.dcpi*')
            if files:
                run('check', *files)
            sums = {e: 0 for e in EVENTS}
            for f in files:
                prof = dcpi_oracle.read(f)
                event = prof.get('event')
                want(f.removesuffix('.gz').endswith('-' + event + '.dcpi') or '~' in f, f)
                # without a period of its own a fixed one, a 199th of what is many for a second
                want(prof.get('period') == {'page-faults': '3', 'cpu-clock': '4994', 'context-switches': '502'}[event], f)
                want(prof.get('active') is None, '%s: it was counted all the time' % f)
                sums[event] += sum(prof.offsets(1).values())
            says = facts(open(folder + '/facts').read())
            for e in EVENTS:
                want(says['samples counted of ' + e] == sums[e], '%s of %s: %s, %d in the files' % (e, folder, says, sums[e]))
            want(says['samples counted'] == sum(sums.values()), '%s' % says)
            faults += sums['page-faults']
        want(3 * faults >= PAGES, '%d faults' % (3 * faults))


@t('a question to several segments has every column')
def _():
    with Scratch() as s, Daemon(s, '-F', str(HZ), '-e', 'cpu-clock,page-faults:2', '--stacks', 'fp', '--segment', '1') as d:
        subprocess.run([sys.executable, '-c', PROGRAM], check=True)
        d.end()
        sums = {}
        for path in d.segments():
            for e, (n, *_) in totals(path).items():
                sums[e] = sums.get(e, 0) + n
        whole = totals(d.db)
        want({e: v[0] for e, v in whole.items()} == sums and whole['page-faults'][1:] == (2, 'events'), '%s: %s' % (whole, sums))


@t('one recording to a file; without a period a frequency makes one')
def _():
    with Scratch() as s:
        path = s.name('m.pb.gz')
        words = ['--all', '--no-show', '-F', '199', '-o', path, '--stacks', 'frames']
        said = run('record', *words, '-y', '-e', 'cpu-clock,page-faults:1,context-switches:1', '--', sys.executable, '-c',
                   PROGRAM + 'import os, resource; u = resource.getrusage(0); '
                   'print(os.getpid(), u.ru_minflt + u.ru_majflt, u.ru_nvcsw + u.ru_nivcsw)')
        pid, faults, switches = (int(x) for x in said[0].split())
        mine = columns(path, pid)
        lost = sum(int(line.split()[1]) for line in said[1].splitlines() if 'lost their stacks' in line)
        near(mine['page-faults'], faults, .02, lost, 'faults')
        near(mine['context-switches'], switches, .1, lost, 'switches')
        run('record', *words, '-y', '-e', 'cpu-clock,page-faults', '--', sys.executable, '-c', PROGRAM)
        got = totals(path)
        want(got['cpu-clock'][1:] == (4994, 'microseconds') and got['page-faults'][1:] == (502, 'events'), '%s' % got)
        want(got['page-faults'][0] * 502 >= .5 * PAGES, '%s' % got)


@t('one event of those that have no clock')
def _():
    with Scratch() as s:
        path = s.name('m.pb.gz')
        run('daemon', '--for', '1s', '-e', 'page-faults:10', '-o', path, '--stacks', 'fp')
        want(list(totals(path)) == ['page-faults'], '%s' % totals(path))


@t('what is no event here is told, with those that there are')
def _():
    with Scratch() as s:
        env = dict(E, ASSAY_DB=s.name('db'))
        for words, said in (('cpu-clock,fault', "there is no event 'fault'"), ('cs,context-switches:3', "'context-switches' stands twice"),
                            ('page-faults:0', "the period of 'page-faults'"), ('cpu-clock:49', "the period of 'cpu-clock'")):
            answer = run('daemon', '-e', words, code=2, env=env)[1]
            want(said in answer and 'this machine counts cpu-clock' in answer, answer)
        want('all of them have one' in run('daemon', '-F', '9', '-e', 'cpu-clock:4000,cs:2', code=2, env=env)[1], 'a frequency of none')
        want('of the whole machine: -a' in run('record', '-e', 'page-faults', 'true', code=2)[1], 'of a program')
        here = {r['about']: r['found'] for r in json.loads(run('doctor', '-f', 'json')[0])['checks']}['events'].split(', ')
        want(set(EVENTS) <= set(here), '%s' % here)
        if 'cycles' not in here:
            answer = run('daemon', '-e', 'cpu-clock,cycles', code=4, env=env)[1]
            want("does not count 'cycles'" in answer and all(e in answer for e in here), answer)


@t('several events take the rights to record all processes, which is told')
def _():
    if os.geteuid() != 0 or int(open('/proc/sys/kernel/perf_event_paranoid').read()) <= 0:
        return 'skip:needs rights that can be given up'
    with Scratch() as s:
        os.chmod(s.path, 0o755)
        os.mkdir(s.name('db'))
        os.chown(s.name('db'), 65534, 65534)
        try:
            said = run('daemon', '--for', '1s', '-e', 'cpu-clock,page-faults', code=5, user=65534, env=dict(E, ASSAY_DB=s.name('db')))[1]
        except PermissionError:
            return "skip:nobody else can't reach the build"
        want('all processes may not be recorded here' in said, said)
        return None


t.run()
