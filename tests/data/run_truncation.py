#!/usr/bin/env python3
"""Every prefix of small files of each format, every single-byte append, and recordings of other profilers cut after every
4 KB, through `info`, `check` and `top`.  With ASSAY_TEST_EVERY=N every prefix is checked, and `info` and `top` see each Nth.

Allowed exit statuses are 0, 1, 3 and 4; nothing may crash, hang, upset a sanitizer or eat memory.  A gperftools profile cut
inside header, record or trailer, and a DCPI profile cut anywhere, must not pass `check` with status 0.  A total is never above
that of the whole file.
"""
import glob
import gzip
import os
import resource
import shutil
import struct
import subprocess
import sys

import tap
from tap import Scratch, assay, contents, data_path, equal, want
import gperf_oracle
import make_dcpi

t = tap.Tap('truncation')
tap.LIMIT = float(os.environ.get('ASSAY_TEST_TIMEOUT', '60'))
EVERY = int(os.environ.get('ASSAY_TEST_EVERY', '1'))
MEMORY_MB = int(os.environ.get('ASSAY_TEST_MEMORY_MB', '400'))

CALLGRIND = b"""# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 7
cmd: ./x
part: 1

desc: Trigger: Program termination
positions: instr line
event: Ir : Instructions
events: Ir Dr
summary: 42 8

ob=(1) /bin/x
fl=(1) a.c
fn=(1) main
0x1000 10 20 1
+4 +1 22
jump=5 +8 +3
*
jcnd=3/4 +8 +3
*
cob=(2) /lib/y.so
cfi=(2) y.c
cfn=(2) f
calls=3 0x2000 40
* * 100 7

ob=(2)
fl=(2)
fn=(2)
0x2000 40 0 7

totals: 42 8
"""
CACHEGRIND = b"""desc: I1 cache: 32768 B, 64 B, 8-way associative
cmd: ./x
events: Ir I1mr
fl=a.c
fn=main
1 5 .
2 0x10 -3
fn=f
9 7
summary: 28 -3
"""
GPERF = struct.pack('<22Q', 0, 3, 0, 10000, 0, 5, 3, 0x401000, 0x402005, 0x403005, 2, 3, 0x401010, 0x402015, 0x403005, 1, 2, 0x7f0000000100, 0x403005, 0, 1, 0) + \
    b'build=/b\n00400000-00500000 r-xp 00000000 00:00 1234       $build/prog\n7f0000000000-7f0000100000 r-xp 00001000 00:00 99 /lib/x.so\n'
GPERF32 = struct.pack('>14I', 0, 3, 0, 10000, 0, 5, 2, 0x401000, 0x402005, 1, 1, 0x401000, 0, 1) + struct.pack('>I', 0) + b'00400000-00500000 r-xp 00000000 00:00 1 /p\n'
SYMBOL = b'--- symbol\nbinary=/tmp/prog\n0x0000000000401000 leaf--up\n0x0000000000402004 main\n---\n--- profile\n' + struct.pack('<9Q', 0, 3, 0, 1, 0, 5, 2, 0x401000, 0x402004)
DCPICAT = b"""name           xemacs
image          19970328081403c0c18b
path           /usr/local/bin/xemacs
epoch          199805191724
platform       walnut
text_start     0x000120000000
text_size      0x000000800000
event          41  cycles:63488:10000
event          29  imiss:4096:10000
0x00012006cbb8   29   27
0x00012006cbd0   10    0
0x00012006cbd4    2    2
"""


BATCH = 64      # files that one check looks at


def calls(path, commands=('info', 'check', 'top')):
    """({command: its run}, list of complaints)"""
    bad, codes = [], {}
    for command in commands:
        r = assay(command, path, *{'info': ('--format', 'json'), 'check': (), 'top': ('-n', '0', '--format', 'json')}[command])
        codes[command] = r
        if r.crashed:
            bad.append('%s: %s: %s' % (command, r.crashed, r.err[:200]))
        elif r.code not in (0, 1, 3, 4):
            bad.append('%s: exit status %s' % (command, r.code))
        elif r.code in (3, 4) and not r.err.strip() and not (command == 'check' and r.out.strip()):
            bad.append('%s: status %d without a reason' % (command, r.code))
    return codes, bad


def checked(paths):
    """([whether check calls it sound], list of complaints) of these files, by one call"""
    r = assay('check', *paths, '--format', 'json')
    if r.crashed or r.code not in (0, 1, 3, 4):
        return [False] * len(paths), ['check: %s' % r]
    files, findings = r.json()['files'], r.json()['findings']
    bad = [] if [f['name'] for f in files] == paths else ['check: it has other files']
    sound = [f['readable'] and not f['errors'] for f in files]
    named = {f['file'] for f in findings if f['severity'] == 'error' and f['message']}
    bad += ['check: %s: no reason' % f['name'] for f, ok in zip(files, sound) if not ok and f['name'] not in named]
    if (r.code == 0) != all(sound):
        bad.append('check: status %d of files of which %d are sound' % (r.code, sum(sound)))
    return sound, bad


def asked(s, inputs):
    """(title, whether check calls it sound, {'info', 'top': run}, list of complaints) of each (title, bytes)

    `check` looks at many in one call; of `info` and `top` there are no runs where it is not their turn.
    """
    for at in range(0, len(inputs), BATCH):
        batch = inputs[at:at + BATCH]
        paths = [s.file('%d' % i, data) for i, (_, data) in enumerate(batch)]
        sound, bad = checked(paths)
        for i, ((title, _), path, ok) in enumerate(zip(batch, paths, sound)):
            codes, more = calls(path, () if (at + i) % EVERY else ('info', 'top'))
            yield title, ok, codes, bad + more
            bad = []


def prefixes(data, must_fail, whole_total):
    problems, passed = [], []
    with Scratch() as s:
        for n, sound, codes, bad in asked(s, [(n, data[:n]) for n in range(len(data))]):
            problems += ['%d bytes: %s' % (n, b) for b in bad]
            if must_fail(n) and sound:
                passed.append(n)
            if 'top' in codes and codes['top'].code == 0 and isinstance(codes['top'].code, int):
                got = tap.totals(codes['top'].json())
                if whole_total and got and got[0] > whole_total:
                    problems.append('%d bytes: total %s, the whole file has %d' % (n, got, whole_total))
            if len(problems) > 12:
                break
    rss = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    want(not problems, '%d problems' % len(problems), *problems[:10])
    want(not passed, 'check calls these cut files sound: %s' % passed)
    want(rss <= MEMORY_MB, '%d MB resident for files of %d bytes' % (rss, len(data)))


def whole(data, total):
    with Scratch() as s:
        codes, bad = calls(s.file('whole', data))
    equal((bad, codes['info'].code, codes['check'].code in (0, 1), codes['top'].code), ([], 0, True, 0), 'complaints, status of info, check, top')
    equal(tap.totals(codes['top'].json())[0], total, 'total of the first event')


def appended(data, wrong):
    """one byte more: allowed statuses; for DCPI never sound"""
    problems = []
    with Scratch() as s:
        for extra in (b'\0', b'\n', b' ', b'0', b'x', b'\xff', b'\0' * 8):
            codes, bad = calls(s.file('more', data + extra))
            problems += ['+ %r: %s' % (extra, b) for b in bad]
            if wrong and codes['check'].code == 0:
                problems.append('+ %r: check calls it sound' % extra)
    want(not problems, *problems[:10])


def never(n):
    return False


def inside(data, bits=64, order='<'):
    """positions that cut a gperftools profile inside header, record or trailer, not between records"""
    size = bits // 8
    one, _ = gperf_oracle.parse(data)
    edges, pos = set(), (2 + one.words) * size
    edges.add(pos)
    for count, pcs in one.records:
        pos += (2 + len(pcs)) * size
        edges.add(pos)
    return lambda n: n < one.binary and n not in edges


SAMPLES = [('callgrind', CALLGRIND, never, 42), ('cachegrind', CACHEGRIND, never, 0), ('gperftools 64-bit', GPERF, inside(GPERF), 8),
           ('gperftools 32-bit big-endian', GPERF32, inside(GPERF32, 32, '>'), 6), ('gperftools --- symbol', SYMBOL, never, 5),
           ('DCPI', make_dcpi.golden(), lambda n: True, 47), ('DCPI as dcpicat prints it', DCPICAT, never, 41),
           ('callgrind in gzip', gzip.compress(CACHEGRIND, mtime=0), lambda n: True, 0)]
WHOLE = {'cachegrind': 28, 'callgrind in gzip': 28}

for _name, _data, _must, _total in SAMPLES:
    t.add('%s: every prefix of %d bytes' % (_name, len(_data)), prefixes, _data, _must, _total)
    t.add('%s: the whole file is read' % _name, whole, _data, WHOLE.get(_name, _total))
    t.add('%s: bytes added at the end' % _name, appended, _data, _name == 'DCPI')


def pipes():
    """what a file says, a pipe says"""
    for name, data, must, total in SAMPLES:
        for n in list(range(0, len(data), 37)) + [len(data)]:
            with Scratch() as s:
                a = assay('top', s.file('a', data[:n]), '-n', '0', '--format', 'json')
            b = assay('top', '-', '-n', '0', '--format', 'json', stdin=data[:n])
            want(not b.crashed, '%s, %d bytes: %s' % (name, n, b.crashed))
            equal(b.code, a.code, '%s, %d bytes: exit status of the pipe and of the file' % (name, n))
            if a.code == 0:
                equal([e['total'] for e in b.json()['events']], [e['total'] for e in a.json()['events']], '%s, %d bytes: totals' % (name, n))


t.add('standard input gives what a file gives', pipes)


def flips():
    """every byte of the binary formats set to 0xff: no crash, no hang, no huge allocation"""
    problems = []
    with Scratch() as s:
        for name, data in (('gperf', GPERF[:GPERF.index(b'build')]), ('dcpi', make_dcpi.golden())):
            for n, _, _, bad in asked(s, [(n, data[:n] + b'\xff' + data[n + 1:]) for n in range(len(data))]):
                problems += ['%s byte %d: %s' % (name, n, b) for b in bad]
    want(not problems, *problems[:10])
    rss = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    want(rss <= MEMORY_MB, '%d MB resident' % rss)


t.add('every byte of a binary profile set to 0xff', flips)


# ---- files and folders of profilers ----

PAGE = 4096


def event_totals(run):
    return {e['name']: e['total'] for e in run.json()['events']} if run.code == 0 else {}


def cut_problems(path, whole, note):
    """What is wrong with the answers about PATH, which has a part of what gave the totals WHOLE."""
    codes, bad = calls(path)
    for name, total in event_totals(codes['top']).items():
        if total > whole.get(name, total):
            bad.append('%s: %s, the whole has %s' % (name, total, whole[name]))
    return ['%s: %s' % (note, b) for b in bad]


def pages(path):
    """cut after every 4 KB"""
    data = contents(path)
    whole = event_totals(assay('top', path, '-n', '0', '--format', 'json'))
    problems = []
    with Scratch() as s:
        for n in range(0, len(data), PAGE):
            problems += cut_problems(s.file(os.path.basename(path), data[:n]), whole, '%d bytes' % n)
    want(not problems, '%d problems' % len(problems), *problems[:10])


def folder(path, step):
    """each of its files cut after every STEP bytes, the others whole"""
    whole = event_totals(assay('top', path, '-n', '0', '--format', 'json'))
    problems = []
    want(whole, 'the folder is not read')
    with Scratch() as s:
        copy = s.name('copy')
        shutil.copytree(path, copy)
        for name in sorted(os.listdir(path)):
            data = contents(os.path.join(path, name))
            for n in range(0, len(data), step):
                s.file(os.path.join('copy', name), data[:n])
                problems += cut_problems(copy, whole, '%s, %d bytes' % (name, n))
            s.file(os.path.join('copy', name), data)
    want(not problems, '%d problems' % len(problems), *problems[:10])


def made_folder(name):
    with Scratch() as s:
        subprocess.run([sys.executable, os.path.join(tap.ROOT, 'tests', 'lib', 'uftrace_dir.py'), name, s.name('rec')], check=True)
        folder(s.name('rec'), 7)


PROFILES = ('perf/own/*.data', 'jfr/own/*', 'otlp/own/*', 'legacy/own/*', 'legacy/pprof/*', 'gmon/gmon*')
for _name in ('all_fields', 'any_order', 'front'):
    _path = os.path.join(tap.ROOT, 'src', 'formats', 'pprof', 'golden', _name + '.pb')
    t.add('pprof: every prefix of %s.pb' % _name, prefixes, contents(_path), never, 0)
for _path in sorted(p for pattern in PROFILES for p in glob.glob(data_path('neighbours-binary', pattern))):
    if os.path.isfile(_path) and os.path.getsize(_path) > PAGE:
        t.add('%s: cut after every 4 KB' % os.path.relpath(_path, data_path('neighbours-binary')), pages, _path)
for _name in ('two_threads', 'odd'):
    t.add('uftrace: the files of a folder cut, %s' % _name, made_folder, _name)
for _path in glob.glob(data_path('neighbours-binary', 'uftrace', '*', '')):
    t.add('uftrace: the files of a folder cut after every 4 KB', folder, _path.rstrip('/'), PAGE)


def real_prefixes():
    """a real file cut at 40 places"""
    problems = []
    for parts in (('callgrind', 'real', 'callgrind.out.dump.thr-02'), ('callgrind', 'producers', 'cachegrind.out.xdebug'), ('gperftools', 'real', 'prof', 'single_100hz.prof'),
                  ('gperftools', 'pprof_profile', 'java.cpu')):
        path = data_path(*parts)
        if not os.path.exists(path):
            continue
        data = contents(path)
        with Scratch() as s:
            for n, _, _, bad in asked(s, [(len(data) * i // 40, data[:len(data) * i // 40]) for i in range(40)]):
                problems += ['%s at %d: %s' % (parts[-1], n, b) for b in bad]
    want(not problems, *problems[:10])


t.add('real files cut at 40 places', real_prefixes)

if __name__ == '__main__':
    t.run()
