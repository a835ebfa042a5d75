#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--compat=pprof: the text of `go tool pprof -text`, `-tree`, `-peek` and `-traces`, to the byte, for every CPU profile and every
profile.proto that is there.

pprof reads the first of several profiles that stand in one file (a program that forked), assay all of them: those are
left out, and that they differ is checked.  Where filters leave nothing pprof prints an empty table, assay says so.
"""
import glob
import gzip
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap
import random_pprof
from tap import Run, want

t = tap.Tap('compat')
GO_PPROF = tap.find_go_pprof()
SEVERAL = ('fork.prof',)        # one header behind the other
# What pprof -x=y and -x are.
OURS = {'focus': '--focus', 'ignore': '--ignore', 'hide': '--hide', 'show': '--show', 'show_from': '--show-from',
        'tagfocus': '--tagfocus', 'tagignore': '--tagignore', 'tagshow': '--tagshow', 'taghide': '--taghide', 'tagroot': '--tagroot', 'tagleaf': '--tagleaf',
        'nodecount': '-n', 'unit': '-u', 'sample_index': '-e'}
WORDS = {'lines': ['--by', 'line'], 'addresses': ['--by', 'address'], 'files': ['--by', 'file'], 'filefunctions': ['--by', 'filefunction'],
         'cum': ['--cumulative'], 'noinlines': ['--inline', 'off'], 'relative_percentages': ['--relative']}
WAYS = ['', '-noinlines', '-sample_index=0', '-unit=ms']
TABLE = ['-lines', '-addresses', '-files', '-filefunctions', '-cum', '-nodecount=3', '-nodecount=20 -lines -cum', '-noinlines -lines',
         '-nodecount=5 -lines', '-unit=auto', '-unit=MB', '-hide=m -lines', '-focus=a -hide=m -lines -cum']
FILTERS = ['-focus=a', '-ignore=e', '-hide=m', '-show=m|i', '-show_from=o', '-focus=[lm] -relative_percentages', '-focus=a -hide=m']
TAGS = ['tag1', 'tag[13]', 'tag1,key2', 'tag1,tag3', 'key1=tag1,tag3', 'key1=tag', 'key2=tag1', 'key1:tag1', 'key[12]', '^tag', 'KEY1', 'nosuch',
        '100kb:', ':200kb', '100kb:400kb', '400kb', 'bytes=1mb:2gb', 'request=100kb:', 'bytes=102400', '102400', '102400:', ':102400b', '204800B:',
        '1mb:100kb', '100kb:1s', '1s:', '-1kb:', '+100kb:', 'key1=400', '100kb:x', 'bytes=', '100Kilobytes:', '0.5mb:']
LABELS = ['-tagfocus=' + x for x in TAGS] + ['-tagignore=' + x for x in TAGS] + ['-tagfocus=tag -tagignore=tag[13]',
                                                                                   '-tagfocus=100kb: -tagignore=1mb: -relative_percentages']
HIDDEN = ['-tagshow=key', '-taghide=key', '-tagshow=1 -taghide=key2', '-tagshow=bytes', '-taghide=.', '-tagshow=nosuch',
          '-tagfocus=tag1 -taghide=key1', '-tagignore=100kb: -tagshow=^b']
FRAMES = ['-tagroot=key', '-tagroot=key1,key2', '-tagleaf=bytes,key', '-tagleaf=request,key2', '-tagroot=key,nosuch',
          '-tagroot=key1,key -tagleaf=bytes,,request -focus=[tv]', '-tagroot=key,key1 -hide=line1000', '-tagleaf=key2 -tagfocus=tag1 -relative_percentages']
UNITS = ['-tagroot=bytes -unit=kb', '-tagleaf=bytes,key -lines', '-tagleaf=request,key2 -files', '-tagroot=nosuch,key1 -filefunctions']
KINDS = [(['-text'], ['top'], WAYS + FILTERS + TABLE), (['-tree'], ['tree'], WAYS + FILTERS), (['-peek=.'], ['peek', '.'], WAYS + FILTERS[:3]),
         (['-peek=[lm]'], ['peek', '[lm]'], WAYS + FILTERS[:3]), (['-traces'], ['traces'], WAYS + ['-focus=a', '-show_from=o'])]


def options_of(flags):
    """pprof's flags as ours"""
    out = []
    for name, equals, value in (flag[1:].partition('=') for flag in flags):
        out += [OURS[name], value] if equals else WORDS[name]
    return out


def pprof(path, flags, zone='UTC'):
    env = dict(os.environ, HOME=os.environ.get('TMPDIR', '/tmp'), TZ=zone)
    p = subprocess.run([GO_PPROF, '-symbolize=none'] + flags + [path], env=env, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120)
    return min(p.returncode, 1), p.stdout


def ours(path, command, flags, zone='UTC'):
    run = Run([command[0], '--compat', 'pprof', '--symbols', 'none'] + options_of(flags) + ['--'] + command[1:] + [path],
              env={'TZ': zone})
    want(run.code in (0, 1), 'assay: status %s' % run.code, run)
    return run.code, run.out


def same_text(path, leave_out=()):
    if not os.path.getsize(path):
        return 'n/a: an empty file, which pprof refuses'
    labels = LABELS if json.loads(Run(['tags', path, '-f', 'json']).out)['labels'] else []
    for kind, command, ways in KINDS + [(['-text'], ['top'], labels), (['-traces'], ['traces'], labels and HIDDEN + FRAMES[4:]),
                                        (['-text'], ['top'], labels and FRAMES + UNITS), (['-tree'], ['tree'], labels and FRAMES[:5])]:
        for way in ways:
            if way.startswith(leave_out or ' ') or kind[0] in leave_out:
                continue
            flags = kind + way.split()
            a, b = pprof(path, flags), ours(path, command, way.split())
            nothing = b' for 0, ' in a[1] or (command == ['traces'] and a[1].count(b'-+-') == 1)
            if a[0] == b[0] == 1 or (b[0] == 1 and nothing):
                continue
            want(a == b, '%s differs' % ' '.join(flags), 'pprof: %d' % a[0], *a[1].decode(errors='replace').split('\n')[:8],
                 'assay: %d' % b[0], *b[1].decode(errors='replace').split('\n')[:8])
    return None


def several(path):
    want(pprof(path, ['-text']) != ours(path, ['top'], []), 'it is one profile: it can be compared')


def below_zero(option):
    """Percentages are of what the samples cost together, whatever their signs, also where filters chose."""
    with tap.Scratch() as s:
        out, folder = s.name('diff.pb.gz'), os.path.join(tap.DATA, 'gperftools', 'pprof_driver')
        p = pprof(os.path.join(folder, 'driver_cpu.pb.gz'), ['-proto', '-output=' + out, option, os.path.join(folder, 'driver_cpusmall.pb.gz')])
        want(p[0] == 0 and os.path.getsize(out), 'pprof -base')
        want(b'-' in ours(out, ['top'], ['-cum'])[1], 'nothing is below zero')
        return same_text(out)


def random_profile(seed, signs=(1,)):
    """Not -show_from: where code is inlined pprof cuts below the highest match, too.  Not -traces: where frames were dropped
    it prints samples of one stack one by one.  Not edges of weights with signs: those of one size it has in any order."""
    without = ('-show_from', '-traces') + (('-tree', '-peek=.', '-peek=[lm]') if -1 in signs else ())
    with tap.Scratch() as s:
        return same_text(s.file('%d.pb.gz' % seed, random_pprof.make(seed, signs)), without)


def time_of_day():
    """When the profile was taken, by the clock on the wall."""
    with tap.Scratch() as s:
        with gzip.open(os.path.join(tap.DATA, 'gperftools', 'pprof_driver', 'driver_heap.pb.gz')) as f:
            data = f.read()
        for at in (1700000000123456789, 1720742400 * 10 ** 9, 5 * 10 ** 17):
            varint, rest = b'', at
            while rest > 127:
                varint, rest = varint + bytes([rest & 127 | 128]), rest >> 7
            path = s.file('%d.pb.gz' % at, gzip.compress(data + b'\x48' + varint + bytes([rest])))   # time_nanos
            for zone in [z for z in ('UTC', 'America/New_York', 'Asia/Kolkata') if z == 'UTC' or os.path.exists('/usr/share/zoneinfo/' + z)]:
                a, b = pprof(path, ['-text'], zone), ours(path, ['top'], [], zone)
                want(b'Time: ' in a[1], 'pprof tells no time')
                want(a == b, 'time in ' + zone, a[1].decode().split('\n')[:6], b[1].decode().split('\n')[:6])


files = [os.path.join(tap.ROOT, 'tests', 'fixtures', 'demo.prof')]
for pattern in ('real/prof/*.prof', 'pprof_profile/*.cpu', 'pprof_driver/*.cpu', 'pprof_driver/*.pb.gz',
                'real/expected/*.pb.gz'):
    files += sorted(glob.glob(os.path.join(tap.DATA, 'gperftools', pattern)))[::int(os.environ.get('ASSAY_TEST_EVERY', '1'))]
for path in files:
    t.add(os.path.basename(path), several if os.path.basename(path) in SEVERAL else same_text, path)
for number in range(int(os.environ.get('ASSAY_TEST_SEEDS', '6'))):
    t.add('random profile, seed %d' % number, random_profile, number)
for number in range(100, 102):
    t.add('random profile with values below zero, seed %d' % number, random_profile, number, (1, 1, -1))
if os.path.isdir(os.path.join(tap.DATA, 'gperftools')):
    t.add('differences below zero', below_zero, '-base')
    t.add('differences below zero, shares of the base', below_zero, '-diff_base')
    t.add('time of day', time_of_day)
if not GO_PPROF:
    t.skip_all('no go tool pprof')
t.run()
