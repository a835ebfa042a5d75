#!/usr/bin/env python3
"""Acceptance 6: callgrind_annotate, google-pprof and go tool pprof read what assay writes, with the same totals and top ten.

The source's figures come from the independent readers, so the chain is: source -> assay -> peer = source -> independent reader.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap
from tap import Scratch, assay, data_path, equal, want
import callgrind_oracle
import gperf_oracle

t = tap.Tap('interop')
CG, GP = data_path('callgrind'), data_path('gperftools')


def run(*args, cwd=None, env=None):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=300, cwd=cwd,
                       env=dict(os.environ, LC_ALL='C', **(env or {})))
    return p.returncode, p.stdout.decode('utf-8', 'surrogateescape'), p.stderr.decode('utf-8', 'replace')


GO_PPROF = tap.find_go_pprof()


def number(text):
    return int(text.replace(',', '')) if text not in ('.', '') else 0


# --- callgrind_annotate ------------------------------------------------------------------------------------------------

def annotate(path, cwd, *extra):
    """(program totals, {(file, function, object): first-event cost}, stderr)"""
    code, out, err = run('callgrind_annotate', '--threshold=100', '--show-percs=no', '--auto=no', *extra, path, cwd=cwd)
    want(code == 0, 'callgrind_annotate: exit status %s' % code, err[-400:])
    total = re.search(r'^(.*?)\s+PROGRAM TOTALS', out, re.M)
    want(total, 'callgrind_annotate prints no PROGRAM TOTALS', out[:500])
    rows = {}
    body = out[total.end():]
    for line in body.split('\n'):
        m = re.match(r'\s*((?:[\d,.]+\s+)+)(\S.*?):([^:].*?)(?: \[(.*)\])?\s*\Z', line)
        if m and not line.startswith('--'):
            m = re.match(r'\s*((?:(?:[\d,]+|\.)\s+)+)(.*)\Z', line)
            name = m.group(2).strip()
            rows[name] = rows.get(name, 0) + number(m.group(1).split()[0])
    return [number(x) for x in total.group(1).split()], rows, err


def t_annotate(name, *options):
    if not shutil.which('callgrind_annotate'):
        return 'skip: callgrind_annotate is not installed'
    source = os.path.join(CG, name)
    if not os.path.exists(source):
        return 'n/a: the data have no %s' % name
    p = callgrind_oracle.read(source)
    with Scratch() as s:
        out = s.name('callgrind.out.1')
        r = assay('convert', source, '-t', 'callgrind', '-o', out, *options)
        want(r.code == 0, 'convert', r)
        totals, rows, err = annotate(out, s.path)
        total0 = p.total()
        if len(p.parts) == 1:       # it prints summary:, which may be declared above the sum and is then kept
            want(totals in (total0, p.parts[0].summary), 'PROGRAM TOTALS of callgrind_annotate: wanted %s, got %s' % (total0, totals))
        equal(sum(rows.values()), total0[0], 'sum of its rows')
        want(not re.search(r'WARNING|Line \d+:', err), 'callgrind_annotate complains', err[:400])
        # its key is inline-file:function (T8): the same sums from the source
        wanted = {}
        for part, ref, file, line, addr, cost, ob in p.costs:
            n = cost.get(p.events[0], 0)
            key = '%s:%s' % (file or '???', ref[0].name or '???')
            wanted[key] = wanted.get(key, 0) + n
        got = {}
        for k, n in rows.items():
            k = re.sub(r' \[[^\[\]]*\]\Z', '', k)
            got[k] = got.get(k, 0) + n
        top = sorted(wanted.items(), key=lambda x: (-x[1], x[0]))[:10]
        have = sorted(got.items(), key=lambda x: (-x[1], x[0]))[:10]
        equal([n for _, n in have], [n for _, n in top], 'costs of the top ten\n%s\n%s' % (have, top))
        equal(sorted(k for k, _ in have if k.split(':')[0] not in ('???', '')), sorted(k for k, _ in top if k.split(':')[0] not in ('???', '')), 'names of the top ten')


for _name in ('real/callgrind.out.rec', 'real/callgrind.out.tmpl', 'real/callgrind.out.thr-01', 'real/callgrind.out.rec.noline', 'real/callgrind.out.jumps',
              'real/callgrind.out.full', 'real/callgrind.out.dump.2', 'real/cachegrind.out.rec', 'producers/cachegrind.out.xdebug', 'gprof2dot/issue35.callgrind',
              'real/callgrind.out.tmpl.full'):
    t.add('callgrind_annotate reads %s as we write it' % _name, t_annotate, _name)


def annotate_inclusive():
    """calls >= 1 and totals: make its inclusive list usable: main has 120,450"""
    if not shutil.which('callgrind_annotate'):
        return 'skip: callgrind_annotate is not installed'
    source = os.path.join(CG, 'real', 'callgrind.out.rec')
    if not os.path.exists(source):
        return 'n/a: the data have no such file'
    with Scratch() as s:
        out = s.name('callgrind.out.1')
        r = assay('convert', source, '-t', 'callgrind', '-o', out)
        want(r.code == 0, 'convert', r)
        totals, rows, err = annotate(out, s.path, '--inclusive=yes')
        mains = [n for k, n in rows.items() if re.search(r':main(?: \[|\Z)', k)]
        equal(mains, [120450], 'inclusive of main')


t.add('callgrind_annotate --inclusive: main 120,450, once', annotate_inclusive)


def annotate_gperf():
    if not shutil.which('callgrind_annotate'):
        return 'skip: callgrind_annotate is not installed'
    source = os.path.join(GP, 'real', 'prof', 'pie_100hz.prof')
    if not os.path.exists(source):
        return 'n/a: the data have no such file'
    with Scratch() as s:
        out = s.name('callgrind.out.1')
        r = assay('convert', source, '-t', 'callgrind', '-o', out)
        want(r.code == 0, 'convert', r)
        totals, rows, err = annotate(out, s.path)
        equal(totals[0], 312, 'PROGRAM TOTALS')
        equal(sum(rows.values()), 312, 'sum of its rows: no call was taken for self cost')


t.add('callgrind_annotate reads a gperftools profile as we write it in Callgrind: 312 samples, none twice', annotate_gperf)


# --- google-pprof and go tool pprof -------------------------------------------------------------------------------------

def google_pprof(path, cwd):
    code, out, err = run('google-pprof', '--text', '--addresses', '--no-auto-signal-frm', '/bin/true', path, cwd=cwd, env={'PPROF_PATH': cwd})
    if code != 0:
        code, out, err = run('google-pprof', '--text', '--addresses', '/bin/true', path, cwd=cwd, env={'PPROF_PATH': cwd})
    want(code == 0, 'google-pprof: exit status %s' % code, err[-400:])
    m = re.search(r'Total: (\d+) samples', out)
    want(m or not out.strip(), 'google-pprof prints no total', out[:300])
    rows = re.findall(r'^ *(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+% (.*)$', out, re.M)
    return int(m.group(1)) if m else 0, sorted((int(a) for a, _, _ in rows), reverse=True)


def go_raw(path, cwd):
    """{leaf and frames as printed: samples}, total"""
    code, out, err = run(GO_PPROF, '-raw', '-symbolize=none', path, cwd=cwd, env={'HOME': cwd, 'PPROF_TMPDIR': cwd})
    want(code == 0, 'go tool pprof -raw: exit status %s' % code, err[-400:])
    period = re.search(r'Period: (\d+)', out)
    stacks = {}
    section = out.split('Samples:')[1].split('Locations')[0]
    for line in section.split('\n')[2:]:
        m = re.match(r'\s*(\d+)\s+(\d+): ([\d ]*)', line)
        if m:
            stacks[m.group(3).strip()] = stacks.get(m.group(3).strip(), 0) + int(m.group(1))
    locations = {m.group(1): (int(m.group(2), 16), m.group(3)) for m in re.finditer(r'^\s+(\d+): 0x([0-9a-f]+)(?: M=(\d+))?', out.split('Locations')[1], re.M)}
    maps = {m.group(1): (int(m.group(2), 16), int(m.group(3), 16), m.group(4)) for m in
            re.finditer(r'^(\d+): 0x([0-9a-f]+)/0x[0-9a-f]+/0x([0-9a-f]+) *(\S*)', out.split('Mappings')[1], re.M)}
    result = {}
    for k, n in stacks.items():
        frames = []
        for i in k.split():
            address, m = locations[i]
            start, offset, path = maps.get(m, (0, 0, ''))
            frames.append((path, address - start + offset) if path else ('', address))
        result[tuple(frames)] = result.get(tuple(frames), 0) + n
    return result, int(period.group(1)) if period else None


def go_top(path, cwd):
    code, out, err = run(GO_PPROF, '-top', '-symbolize=none', '-sample_index=samples', '-addresses', '-nodefraction=0', '-edgefraction=0', '-nodecount=100000', path, cwd=cwd,
                         env={'HOME': cwd, 'PPROF_TMPDIR': cwd})
    want(code == 0, 'go tool pprof -top: exit status %s' % code, err[-400:])
    m = re.search(r'of (\d+) total', out)
    rows = re.findall(r'^ *(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+% ', out, re.M)
    return int(m.group(1)) if m else None, sorted(((int(a), int(b)) for a, b in rows), reverse=True)


PROFILES = ('real/prof/pie_100hz.prof', 'real/prof/pie_perthread_1000hz.prof', 'real/prof/pie_realtime_1000hz.prof', 'real/prof/loop_100hz.prof',
            'real/prof/stripped_gzip_100hz.prof', 'real/prof/dlclose_100hz.prof', 'pprof_profile/cppbench.cpu', 'pprof_profile/gobench.cpu')


def written(name, s):
    source = os.path.join(GP, name)
    out = s.name('our.prof')
    r = assay('convert', source, '-t', 'gperf', '-o', out)
    want(r.code == 0, 'convert', r)
    return source, out


def t_google(name):
    if not shutil.which('google-pprof'):
        return 'skip: google-pprof is not installed'
    if not os.path.exists(os.path.join(GP, name)):
        return 'n/a: the data have no %s' % name
    with Scratch() as s:
        source, out = written(name, s)
        total, rows = google_pprof(out, s.path)
        equal(total, gperf_oracle.read(source).samples, 'Total: of google-pprof')
        equal(rows[:10], google_pprof(source, s.path)[1][:10], 'top ten, against google-pprof on the original')


def t_go(name):
    if not GO_PPROF:
        return 'skip: go is not installed'
    if not os.path.exists(os.path.join(GP, name)):
        return 'n/a: the data have no %s' % name
    with Scratch() as s:
        source, out = written(name, s)
        samples = gperf_oracle.read(source).samples
        ours, theirs = go_raw(out, s.path), go_raw(source, s.path)
        equal(ours[1], theirs[1], 'period')
        equal(sum(ours[0].values()), samples, 'samples of -raw')
        tap.same(ours[0], theirs[0], 'stacks of -raw, original against ours')
        a, b = go_top(out, s.path), go_top(source, s.path)
        equal(a[0], samples, 'total of -top')
        equal(a[1][:10], b[1][:10], 'top ten (flat, cum), against go tool pprof on the original')


for _name in PROFILES:
    t.add('google-pprof --text reads %s as we write it' % _name, t_google, _name)
    t.add('go tool pprof reads %s as we write it' % _name, t_go, _name)


def t_converted():
    """a Callgrind file with addresses, written as gperf: the peers see its total"""
    source = os.path.join(CG, 'real', 'callgrind.out.rec.noline')
    if not os.path.exists(source):
        return 'n/a: the data have no such file'
    with Scratch() as s:
        out = s.name('our.prof')
        r = assay('convert', source, '-t', 'gperf', '-o', out)
        want(r.code == 0, 'convert', r)
        done = []
        if GO_PPROF:
            equal(go_top(out, s.path)[0], 244384, 'total of go tool pprof')
            done.append('go')
        if shutil.which('google-pprof'):
            equal(google_pprof(out, s.path)[0], 244384, 'Total: of google-pprof')
            done.append('perl')
        return None if done else 'skip: neither pprof is installed'


t.add('both pprofs read a Callgrind file as we write it in gperf: 244,384', t_converted)


def t_raw_symbols():
    """the --- symbol form that google-pprof --raw writes is read with its names and total"""
    binary, source = os.path.join(GP, 'real', 'bin', 'app_pie'), os.path.join(GP, 'real', 'prof', 'pie_100hz.prof')
    if not shutil.which('google-pprof'):
        return 'skip: google-pprof is not installed'
    if not os.path.exists(binary) or not os.path.exists(source):
        return 'n/a: the data have no such file'
    with Scratch() as s:
        out = s.name('raw.prof')
        with open(out, 'wb') as f:
            p = subprocess.run(['google-pprof', '--raw', '--no-auto-signal-frm', binary, source], stdout=f, stderr=subprocess.PIPE, timeout=300)
        want(p.returncode == 0, 'google-pprof --raw', p.stderr[-300:])
        j = tap.top(out, 'function')
        equal(tap.totals(j)[0], 312, 'samples')
        want([r for r in j['rows'] if r['function']], 'no function has a name')


t.add('google-pprof --raw (--- symbol) is read', t_raw_symbols)


def t_valgrind():
    """a file that the installed valgrind writes now, not one kept from then"""
    if not shutil.which('valgrind') or not shutil.which('callgrind_annotate'):
        return 'skip: valgrind is not installed'
    with Scratch() as s:
        out = s.name('callgrind.out.1')
        code, _, err = run('valgrind', '--tool=callgrind', '--callgrind-out-file=' + out, '--dump-instr=yes', '--collect-jumps=yes', '/bin/true', cwd=s.path)
        want(code == 0 and os.path.exists(out), 'valgrind', err[-300:])
        ir = int(re.search(r'Collected : (\d+)', err).group(1))
        equal(tap.totals(tap.top(out)), [ir], 'Collected: of valgrind')
        again = s.name('callgrind.out.2')
        r = assay('convert', out, '-t', 'callgrind', '-o', again)
        want(r.code == 0, 'convert', r)
        totals, rows, err = annotate(again, s.path)
        equal((totals, sum(rows.values())), ([ir], ir), 'callgrind_annotate on what we write')
        code, findings = tap.check(out)
        equal([f for f in findings if f['severity'] == 'error'], [], 'errors')


t.add('a fresh valgrind run: the Ir that valgrind itself reports', t_valgrind)


if __name__ == '__main__':
    if not os.path.isdir(CG):
        t.skip_all('no test data (ASSAY_SHARED_DATA)')
    t.run()
