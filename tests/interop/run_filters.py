#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Filters: the same functions with the same costs as google-pprof and go tool pprof have them.

google-pprof knows focus and ignore, and inlined functions; go tool pprof knows all six filters. Compared are the total that is
left, and flat and cumulative cost of the functions of the test program; what the C library's functions are called is another
matter, and is not filtered by.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap
from tap import Scratch, assay, contents, data_path, equal, want

t = tap.Tap('filters')
REAL = data_path('gperftools', 'real')
DRIVER = data_path('gperftools', 'pprof_driver')
OWN = {'main', 'thread_main', 'even_phase', 'sort_phase', 'fib', 'is_even', 'is_odd', 'cmp_u32', 'mix', 'single_mid', 'single_outer',
       'lib_hash', 'lib_process', 'lib_sum_squares'}

# google-pprof's: each alone and both, by function, by library
PERL = [['--focus=is_even'], ['--focus=lib_hash'], ['--focus=^mix$'], ['--ignore=^mix$'], ['--ignore=is_odd'],
        ['--focus=thread_main', '--ignore=lib_hash'], ['--focus=even_phase|sort_phase'], ['--ignore=even_phase|lib_sum']]

# Pprof's own names; --show_from and --prune_from have a hyphen in assay.
GO = PERL[:2] + PERL[4:] + [
    ['--focus=libwork'], ['--ignore=libwork'], ['--focus=app\\.c'], ['--hide=is_odd'], ['--hide=libwork'], ['--hide=lib_'],
    ['--hide=^main$', '--hide=^main$'], ['--show=is_'], ['--show=lib_|^main$'], ['--show=libwork'], ['--show_from=is_odd'],
    ['--show_from=even_phase'], ['--show_from=lib_|is_even'], ['--show_from=libwork'], ['--prune_from=is_even'],
    ['--prune_from=lib_process|sort_phase'], ['--prune_from=thread_main'], ['--prune_from=libwork'],
    ['--focus=is_', '--hide=is_even'], ['--ignore=lib_hash', '--show=lib_|is_|main', '--show_from=is_odd|lib_'],
    ['--focus=main', '--hide=is_odd', '--show_from=even_phase', '--prune_from=is_even'],
    ['--show=lib_|is_', '--prune_from=is_odd'], ['--hide=even_phase|main', '--show_from=is_'], ['--focus=IS_EVEN'],
    ['--show_from=no_such_function'], ['--prune_from=no_such_function'], ['--focus=no_such_function']]


def run(*args, env=None):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=300,
                       env=dict(os.environ, LC_ALL='C', **(env or {})))
    return p.returncode, p.stdout.decode('utf-8', 'replace'), p.stderr.decode('utf-8', 'replace')


def ours(path, filters, *extra, own=True):
    """(total, {function: (flat, cum)}) of the test program's functions; nothing left is ({}, 0)"""
    words = [f.replace('show_from', 'show-from').replace('prune_from', 'prune-from') for f in filters]
    r = assay('top', path, '-n', '0', '-f', 'json', '--compat', 'pprof', *words, *extra, env={'ASSAY_SYMBOLS': 'auto'})
    if r.code == 1:
        want('nothing is left' in r.err, 'exit status 1 without its reason', r)
        return 0, {}
    want(r.code == 0, 'assay top', r)
    j = r.json()
    rows = {x['function']: (x['self'][0], x['inclusive'][0]) for x in j['rows'] if not own or x['function'] in OWN}
    return j['events'][0]['total'], rows


def with_paths(s, name):
    """The profile with its binaries where they are now."""
    data = contents(os.path.join(REAL, 'prof', name)).replace(b'/srv/lab/data/', os.fsencode(os.path.realpath(tap.DATA)) + b'/')
    return s.file(name, data)


def cost(text, period):
    """Samples, each of PERIOD ms."""
    return 0 if text == '0' else round(float(text.rstrip('ms')) / period)


def go_top(s, path, filters, symbolize, period=10):
    code, out, err = run(shutil.which('go'), 'tool', 'pprof', '-symbolize=' + symbolize, '-top', '-unit=ms', '-nodecount=0', '-nodefraction=0',
                         *(f[1:] for f in filters), path, env={'PPROF_TMPDIR': s.name('tmp'), 'HOME': s.path})
    want(code == 0, 'go tool pprof: exit status %s' % code, err[-400:])
    rows = {}
    for line in out.split('\n'):
        m = re.match(r'\s*(\S+)\s+\S+\s+\S+%\s+(\S+)\s+\S+\s+(.*?)(?: \(inline\))?\Z', line)
        if m and re.match(r'[\d.]+(ms)?\Z', m.group(1)):
            rows[m.group(3)] = cost(m.group(1), period), cost(m.group(2), period)
    shown = re.search(r'Showing nodes accounting for (\S+),', out)
    return cost(shown.group(1), period) if shown else 0, rows


def t_go(name, filters):
    if not shutil.which('go'):
        return 'skip: go is not installed'
    if not os.path.exists(os.path.join(REAL, 'prof', name)):
        return 'n/a: the data have no such file'
    with Scratch() as s:
        path = with_paths(s, name)
        once = list(dict.fromkeys(filters))     # pprof takes an option once
        total, rows = go_top(s, path, once, 'local', 1 if '1000hz' in name else 10)
        got_total, got = ours(path, filters, '--inline', 'off')
        equal(got_total, total, 'what is left')
        tap.same(got, {k: v for k, v in rows.items() if k in OWN}, 'functions')


def t_perl(name, filters):
    if not shutil.which('google-pprof'):
        return 'skip: google-pprof is not installed'
    if not os.path.exists(os.path.join(REAL, 'prof', name)):
        return 'n/a: the data have no such file'
    with Scratch() as s:
        path = with_paths(s, name)
        code, out, err = run('google-pprof', '--text', '--nodefraction=0', '--nodecount=1000', *filters, os.path.join(REAL, 'bin', 'app_pie'), path)
        want(code == 0, 'google-pprof: exit status %s' % code, err[-400:])
        rows = {}
        flat = 0
        for m in re.finditer(r'^\s*(\d+)\s+\S+%\s+\S+%\s+(\d+)\s+\S+% (.*)$', out, re.M):
            flat += int(m.group(1))
            rows[re.sub(r' \(inline\)$', '', m.group(3))] = int(m.group(1)), int(m.group(2))
        total, got = ours(path, filters)
        equal(total, flat, 'what is left')
        tap.same(got, {k: v for k, v in rows.items() if k in OWN}, 'functions')


def t_objects(filters):
    """Code without any names: only objects can be chosen."""
    path = os.path.join(DRIVER, 'cppbench.cpu')
    if not shutil.which('go'):
        return 'skip: go is not installed'
    if not os.path.exists(path):
        return 'n/a: the data have no such file'
    with Scratch() as s:
        total, rows = go_top(s, path, filters, 'none')
        words = [f.replace('_', '-') for f in filters]
        r = assay('objects', path, '-n', '0', '-f', 'json', '--compat', 'pprof', *words)
        want(r.code == 0, 'assay objects', r)
        j = r.json()
        equal(j['events'][0]['total'], total, 'what is left')
        got = {'[%s]' % os.path.basename(x['object']): (x['self'][0], x['inclusive'][0]) for x in j['rows']}
        tap.same(got, rows, 'objects')


def t_pb(filters):
    """Inlined functions, in a profile of pprof's own."""
    path = os.path.join(DRIVER, 'driver_cpu.pb.gz')
    if not shutil.which('go'):
        return 'skip: go is not installed'
    if not os.path.exists(path):
        return 'n/a: the data have no such file'
    if assay('info', path).code == 4:
        return 'skip: this assay does not read profiles of pprof'
    with Scratch() as s:
        _, rows = go_top(s, path, filters, 'none')
        r = assay('top', path, '-n', '0', '-f', 'json', '-e', 'cpu', '--compat', 'pprof', *(f.replace('_', '-') for f in filters))
        if r.code == 1 and 'nothing is left' in r.err:
            return equal({}, rows, 'functions')
        want(r.code == 0, 'assay top', r)
        unit = 10 * 1000 * 1000 if r.json()['events'][0]['unit'] == 'nanoseconds' else 10
        got = {x['function']: (round(x['self'][0] / unit), round(x['inclusive'][0] / unit)) for x in r.json()['rows']}
        tap.same(got, rows, 'functions')


@t('focus and ignore add up to the whole, whatever is asked for')
def t_sum():
    name = os.path.join(REAL, 'prof', 'pie_100hz.prof')
    if not os.path.exists(name):
        return 'n/a: the data have no such file'
    with Scratch() as s:
        path = with_paths(s, 'pie_100hz.prof')
        for word in sorted(OWN):
            equal(ours(path, ['--focus=' + word])[0] + ours(path, ['--ignore=' + word])[0], 312, word)


for one in PERL:
    t.add('google-pprof %s' % ' '.join(one), t_perl, 'pie_100hz.prof', one)
for one in GO:
    t.add('go tool pprof %s' % ' '.join(one), t_go, 'pie_100hz.prof', one)
for one in PERL[:1] + GO[7:9] + GO[17:19]:
    t.add('go tool pprof %s (threads)' % ' '.join(one), t_go, 'pie_perthread_1000hz.prof', one)
for one in [['--focus=libc'], ['--ignore=libc'], ['--hide=libc'], ['--hide=cppbench'], ['--focus=libpthread', '--hide=libpthread'],
            ['--show_from=cppbench']]:
    t.add('go tool pprof, no names, %s' % ' '.join(one), t_objects, one)
for one in [['--hide=line[X3]0'], ['--show=[12]00'], ['--hide=line[X3]0', '--focus=[12]00'], ['--show_from=line2'], ['--prune_from=line2'],
            ['--focus=line3'], ['--ignore=line3'], ['--hide=line3002'], ['--show_from=line3001']]:
    t.add('go tool pprof, inlined functions, %s' % ' '.join(one), t_pb, one)

if __name__ == '__main__':
    t.run()
