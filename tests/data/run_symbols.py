#!/usr/bin/env python3
"""Names and inlined functions: assay against the tables that google-pprof and pprof printed for the same files.

The binaries are part of the data; what they link with is not, so libc's functions are left out of every comparison.
"""
import os
import re

import tap
from tap import Scratch, assay, data_path, equal, info, same, top, want

t = tap.Tap('symbols')
REAL = data_path('gperftools', 'real')
BIN = os.path.join(REAL, 'bin')
ASK = ('--symbols', 'auto', '--no-symbol-cache')
HERE = ASK + ('--symfs', BIN)


def recorded_folder():
    """where the binaries were when the profiles were recorded"""
    rows = top(real('pie_100hz'), 'object', '--symbols', 'none')['rows']
    return next(os.path.dirname(r['object']) for r in rows if r['object'].endswith('/app_pie'))


def real(name):
    return os.path.join(REAL, 'prof', name + '.prof')


def expected(name):
    with open(os.path.join(REAL, 'expected', name)) as f:
        return f.read()


def our_words():
    """every identifier of the sources, and what the linker adds"""
    words = {'_start'}
    for name in os.listdir(os.path.join(REAL, 'src')):
        with open(os.path.join(REAL, 'src', name)) as f:
            words |= set(re.findall(r'\w+', f.read()))
    return words


def table(text):
    """{function: [self, inclusive]} of google-pprof --text and of pprof -top"""
    row = re.compile(r'^ *(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+% +(\S+)(?: \(inline\))?$', re.M)
    return {name: [int(own), int(incl)] for own, incl, name in row.findall(text) if not name.startswith('0x')}


def named(j):
    """the same of assay's answer; functions of one name in several files are added up, as pprof does"""
    out = {}
    names = os.listdir(BIN)
    for r in j['rows']:
        if r['function'] and os.path.basename(r['object'] or '') in names:
            row = out.setdefault(r['function'], [0, 0])
            row[0] += r['self'][0]
            row[1] += r['inclusive'][0]
    return out


def t_table(paths, wanted):
    ours = our_words()
    wanted = {k: v for k, v in table(wanted).items() if k in ours}
    want(len(wanted) > 1, 'the table has none of our functions')
    with_names = assay('top', *paths, '-n', '0', '-f', 'json', *HERE)
    want(with_names.code == 0, 'top failed', with_names)
    same(named(with_names.json()), wanted, '[self, inclusive] per function')


for case in ('pie_100hz', 'loop_100hz', 'single_100hz', 'pie_realtime_1000hz', 'pie_perthread_1000hz', 'dlclose_100hz'):
    suffix = '.google-pprof_text_noauto.txt'    # "auto" leaves out callers that all stacks have in common
    t.add('%s: self and inclusive per function' % case, lambda c=case, s=suffix: t_table([real(c)], expected(c + s)))


@t('two runs of a PIE at different addresses, merged by name')
def _():
    t_table([real('pie_100hz'), real('pie_100hz_b')], expected('merge_pie_pieb.pprof_top_samples.txt'))


@t('pie_100hz: the inlined mix is on top, in the file and line where it is written')
def _():
    j = top(real('pie_100hz'), 'function', *HERE)
    row = j['rows'][0]
    equal((row['function'], row['self'][0], os.path.basename(row['file'])), ('mix', 149, 'libwork.c'), 'first row')
    lines = [r for r in top(real('pie_100hz'), 'line', *HERE)['rows'] if r['function'] == 'mix']
    with open(os.path.join(REAL, 'src', 'libwork.c')) as f:
        body = [i for i, line in enumerate(f, 1) if re.search(r'\bh (\^|\*)=', line)]
    equal({r['line'] for r in lines} - set(body), set(), 'lines of mix')
    equal(sum(r['self'][0] for r in lines), 149, 'self cost of its lines')


@t('single_100hz: the callers that pprof loses are there')
def _():
    rows = named(top(real('single_100hz'), 'function', *HERE))
    for name in ('single_leaf', 'single_mid', 'single_outer', 'main'):
        equal(rows.get(name, [0, 0])[1], 43, 'inclusive cost of ' + name)


@t('--inline off: what was inlined is part of the function that holds its code')
def _():
    on, off = (named(top(real('pie_100hz'), 'function', *HERE, '--inline', x)) for x in ('on', 'off'))
    want('mix' not in off, 'mix is still there')
    equal(off['lib_hash'], [on['mix'][0] + on['lib_hash'][0], on['lib_hash'][1]], 'lib_hash')
    same({k: v for k, v in off.items() if k != 'lib_hash'}, {k: v for k, v in on.items() if k not in ('mix', 'lib_hash')}, 'the others')


@t('stripped_gzip_100hz: no name is invented')
def _():
    for r in top(real('stripped_gzip_100hz'), 'function', *ASK)['rows']:
        want(not (r['object'] == '/usr/bin/gzip' and r['function']), 'a name in a stripped file: %s' % r['function'])


@t('dlclose_100hz: what lay in no mapping stays an address')
def _():
    rows = top(real('dlclose_100hz'), 'function', *HERE)['rows']
    equal(sum(r['self'][0] for r in rows if not r['function'] and not r['object']), 95, 'self cost without object')


PATHS = {
    '--symfs': lambda s: ['--symfs', BIN],
    '--path-map': lambda s: ['--path-map', recorded_folder() + '=' + BIN, '--path-map', '/usr/lib/=/nowhere/'],
    '--binary': lambda s: ['--binary', os.path.join(BIN, 'app_pie'), '--binary', os.path.join(BIN, 'libwork.so'), '--path-map', '/usr/lib/=/nowhere/'],
}
for option, words in PATHS.items():
    @t('%s finds the binaries' % option)
    def _(words=words):
        with Scratch() as s:
            wanted = named(top(real('pie_100hz'), 'function', *HERE))
            same(named(top(real('pie_100hz'), 'function', *ASK, *words(s))), wanted, 'functions')


@t('totals are what they were, by object and by address')
def _():
    for case in ('pie_100hz', 'pie_100hz_b', 'pie_perthread_1000hz', 'dlclose_100hz'):
        for by in ('object', 'address'):
            rows = [{(r['object'], r['address']): r['self'] for r in top(real(case), by, *how)['rows'] if any(r['self'])}
                    for how in (('--symbols', 'none'), HERE)]
            same(rows[1], rows[0], '%s by %s' % (case, by))


@t('info: the share of the cost that has names, by missing file')
def _():
    s = info(real('pie_100hz'), *HERE)['symbols']
    equal((s['self'], s['self_nameless']), (312, 10), 'shares')
    states = {os.path.basename(o['object']): o['state'] for o in s['objects']}
    equal(states, {'app_pie': 'named', 'libwork.so': 'named', 'libc.so.6': 'missing'}, 'states')
    by_name = {os.path.basename(o['object']): o for o in s['objects']}
    equal(by_name['libc.so.6']['self_nameless'], 10, 'nameless cost in libc')
    equal(by_name['libwork.so']['addresses'], by_name['libwork.so']['addresses_named'], 'addresses of libwork.so')


@t('a missing object is told once, not with -q; the status is 0')
def _():
    r = assay('top', real('pie_100hz'), *HERE)
    equal((r.code, r.err.count('libc.so.6')), (0, 1), 'status, notes')
    r = assay('top', real('pie_100hz'), *HERE, '-q')
    equal((r.code, r.err), (0, ''), 'status, words with -q')


@t('another file at the path is refused, and used with --force')
def _():
    with Scratch() as s:
        with open(os.path.join(BIN, 'libwork.so'), 'rb') as f:
            lib = bytearray(f.read())
        off = int.from_bytes(lib[32:40], 'little')
        for i in range(int.from_bytes(lib[56:58], 'little')):
            ph = off + 56 * i
            if int.from_bytes(lib[ph:ph + 4], 'little') == 1 and lib[ph + 4] & 1:
                lib[ph + 32:ph + 40] = (0x1800).to_bytes(8, 'little')   # its code is a page longer
        s.file('libwork.so', bytes(lib))
        words = ['-n', '0', '-f', 'json', *ASK, '--symfs', s.path]
        r = assay('top', real('loop_100hz'), *words)
        want('not the file that was recorded' in r.err, 'no word about it', r)
        want('mix' not in named(r.json()), 'names of another file')
        r = assay('top', real('loop_100hz'), *words, '--force')
        want('as --force says' in r.err, 'no word about --force', r)
        equal(named(r.json()).get('mix', [0])[0], 152, 'self cost of mix')


@t('symbolize writes names, files and lines; a format without names is refused')
def _():
    with Scratch() as s:
        out = s.name('callgrind.out.1')
        r = assay('symbolize', real('pie_100hz'), '-o', out, *HERE)
        want(r.code == 0, 'symbolize failed', r)
        got, wanted = named(top(out)), named(top(real('pie_100hz'), 'function', *HERE))
        for name in ('is_even', 'is_odd'):  # they call each other: calls tell the cycle's inclusive cost, not theirs
            equal(got[name][0], wanted[name][0], name)
            del got[name], wanted[name]
        same(got, wanted, 'functions')
        r = assay('symbolize', real('pie_100hz'), '-o', s.name('x.prof'), *HERE)
        equal(r.code, 4, 'status for gperf')
        want('no names' in r.err and not os.path.exists(s.name('x.prof')), 'a reason, and no file', r)


@t('convert and merge do not symbolize')
def _():
    with Scratch() as s:
        r = assay('convert', real('single_100hz'), '-t', 'dump', '-o', '-')
        want(r.code != 0 or b'single_mid' not in r.out, 'convert has names')
        out = s.name('two.prof')
        r = assay('merge', real('pie_100hz'), real('pie_100hz_b'), '-o', out)
        want(r.code == 0, 'merge failed', r)
        t_table([out], expected('merge_pie_pieb.pprof_top_samples.txt'))


@t('one thread and several give the same bytes; so does the cache')
def _():
    with Scratch() as s:
        env = {'XDG_CACHE_HOME': s.path}
        words = ['top', real('pie_100hz'), '-n', '0', '-f', 'json', '--symbols', 'auto', '--symfs', BIN]
        runs = [assay(*words, '-j1', '--no-symbol-cache'), assay(*words, '-j4', '--no-symbol-cache'),
                assay(*words, env=env), assay(*words, env=env)]
        for r in runs[1:]:
            equal(r.out, runs[0].out, 'answer of %s' % r.args)


if not os.path.isdir(BIN):
    t.skip_all('no data in %s' % REAL)
t.run()
