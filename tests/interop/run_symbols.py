#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names, files, lines and inlined calls of random addresses, against addr2line, llvm-symbolizer and eu-addr2line.

Real binaries are built from symbols/zoo.cc and symbols/zoo.c, and from assay's own sources, by gcc and clang in several
ways.  Where a build differs only in where its debug information is (separate file, dwz, split, compressed), the answers
must be those of the build that has it inside.  Readers differ among each other; an answer of assay that neither has must
be one of EXPLAINED, or the test fails.

Environment: LOOKUP_TOOL = tests/lookup_tool of the build; ASSAY_SYMBOL_ADDRESSES = how many addresses of each binary
(default: 200).  From 1000 on, all of them are built with the large part of zoo.cc, in more ways, and assay's own sources are more of them.
"""
import bisect
import collections
import functools
import glob
import os
import posixpath
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap
from tap import Scratch, want

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.environ.get('LOOKUP_TOOL') or os.path.join(tap.ROOT, 'build', 'tests', 'lookup_tool')
N = int(os.environ.get('ASSAY_SYMBOL_ADDRESSES', '200'))
t = tap.Tap('symbols')
NOWHERE = ('', '', 0)


def run(*args, cwd=None, stdin=''):
    # DEBUGINFOD_URLS is taken away: no reader of this test may ask the network.
    env = {k: v for k, v in os.environ.items() if k != 'DEBUGINFOD_URLS'}
    return subprocess.run(args, cwd=cwd, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, text=True,
                          errors='surrogateescape', env=dict(env, LC_ALL='C'))


def sh(*args, cwd=None, stdin=''):
    p = run(*args, cwd=cwd, stdin=stdin)
    want(p.returncode == 0, '%s: status %d' % (args[0], p.returncode), p.stderr[-600:])
    return p.stdout


# --- readers: {address: [(name, file, line), ...]}, innermost first ----------------------------------------------------

def ours(obj, addrs, *options):
    rows = {}
    for line in sh(TOOL, *options, obj, stdin=''.join('%x\n' % a for a in addrs)).split('\n'):
        field = line.split('\t')
        if len(field) > 1:
            rows.setdefault(int(field[0], 16), []).extend(
                [(field[1], field[2], int(field[3]))] if len(field) == 4 else [])
    return rows


def place(text):
    """FILE:LINE[:COLUMN] [(discriminator N)]"""
    m = re.match(r'(.*?):(\d+|\?)(?::\d+)?(?: \(discriminator \d+\))?\Z', text)
    if not m or m.group(1) in ('??', '?', ''):
        return '', 0
    file = posixpath.normpath(m.group(1))
    return file[2:] if file.startswith('./') else file, int(m.group(2)) if m.group(2) != '?' else 0


def blocks(text):
    rows, frames, name = {}, None, None
    for line in text.split('\n'):
        if re.fullmatch(r'0x[0-9a-f]+', line):
            frames = rows.setdefault(int(line, 16), [])
            name = None
        elif line and name is None:
            name = re.sub(r' inlined (at .* )?in .*', '', line)
        elif line:
            frame = ('' if name == '??' else name,) + place(line)
            if frame != NOWHERE:
                frames.append(frame)
            name = None
    return rows


def addr2line(obj, addrs):
    return blocks(sh('addr2line', '-a', '-i', '-f', '-e', obj, stdin=''.join('%#x\n' % a for a in addrs)))


def llvm(obj, addrs):
    tool = shutil.which('llvm-symbolizer-14') or shutil.which('llvm-symbolizer')
    if not tool:
        return {}
    return blocks(sh(tool, '--addresses', '--inlines', '--functions=linkage', '--no-demangle', '--obj=' + obj, stdin=''.join('%#x\n' % a for a in addrs)))


def elfutils(obj, addrs):
    if not shutil.which('eu-addr2line'):
        return {}
    p = run('eu-addr2line', '-a', '-i', '-f', '-e', obj, *['%#x' % a for a in addrs])
    if p.returncode:    # it knows functions but no lines of some binaries of clang: no judge of those
        print('# %s: eu-addr2line fails with status %d; the others judge alone' % (os.path.basename(obj), p.returncode))
        return {}
    return blocks(p.stdout)


# --- addresses ---------------------------------------------------------------------------------------------------------

@functools.cache
def functions(obj):
    out = set()
    for line in sh('nm', '-S', '--defined-only', obj).split('\n'):
        p = line.split()
        if len(p) == 4 and p[2] in 'tTwWi' and int(p[1], 16):
            out.add((int(p[0], 16), int(p[1], 16)))
    return sorted(out)


def addresses(obj, n=N):
    syms, ends, total = functions(obj), [], 0
    for _, size in syms:
        total += size
        ends.append(total)
    rnd, out = random.Random(20), set()
    while len(out) < min(n, total // 2):
        x = rnd.randrange(total)
        i = bisect.bisect_right(ends, x)
        out.add(syms[i][0] + x - (ends[i] - syms[i][1]))
    return sorted(out)


# --- comparison --------------------------------------------------------------------------------------------------------

def simple(name):
    """What a name is without its clone suffix, or the number of a function in a function."""
    return re.sub(r'(\.(isra|part|constprop|cold|lto_priv)(\.\d+)*|\.\d+)+\Z', '', name)


def without_params(name):
    """assay tells overloads without linkage names apart: "g(int)", "w(int) const"; others do not."""
    end = len(name) - len(' const') if name.endswith(') const') else len(name)
    depth = 0
    for i in range(end - 1, -1, -1):
        depth += {')': 1, '(': -1}.get(name[i], 0)
        if depth == 0:
            return name[:i] if i < end - 1 and not name[:i].endswith('operator') else name
    return name


def last(name):
    """The last part of a qualified name, without parameters."""
    name = without_params(name)
    depth, start = 0, 0
    for i, c in enumerate(name):
        if c == '<':
            depth += 1
        elif c == '>':
            depth -= 1
        elif name.startswith('::', i) and depth == 0:
            start = i + 2
    return name[start:]


def same_names(a, b):
    """Names are alike: linkage names; where a function has none, assay qualifies its name, and others do not."""
    return len(a) == len(b) and all(
        x == y or (not x.startswith(('_Z', '_R')) and last(x) == last(y)) for x, y in zip(a, b))


def same_places(a, b):
    return len(a) == len(b) and all(x[1:] == y[1:] for x, y in zip(a, b))


def same(a, b):
    return same_names([x[0] for x in a], [x[0] for x in b]) and same_places(a, b)


def chains_alike(a, b):
    """The places are the same, and so is every inlined name; the outermost is named after its symbol by one of them."""
    return same_places(a, b) and same_names([x[0] for x in a[:-1]], [x[0] for x in b[:-1]])


# Differences that remain, each with what it is. (assay, addr2line, llvm-symbolizer, eu-addr2line) -> bool
EXPLAINED = [
    ('the outermost name is the symbol\'s, with its clone suffix, not the function\'s',
     lambda a, b, c, e: any(r and same([(simple(x[0]),) + x[1:] for x in a], [(simple(x[0]),) + x[1:] for x in r]) for r in (b, c, e))),
    ('addr2line takes file 0 of a version 5 table for "<artificial>" or for nothing',
     lambda a, b, c, e: same_names([x[0] for x in a], [x[0] for x in b]) and [x[2] for x in a] == [x[2] for x in b] and
     all(x[1] == y[1] or y[1].endswith('<artificial>') or y[1] == '' for x, y in zip(a, b))),
    ('a function without linkage name: assay names it after its symbol, others by its own name, or the reverse',
     lambda a, b, c, e: any(r and chains_alike(a, r) and (a[-1][0].startswith('_Z') or '::' in a[-1][0]) for r in (b, c, e))),
    ('line 0 (no line of the source, or of version 2 no place of a call): others leave out the file, or take that of the symbol table',
     lambda a, b, c, e: any(
         r and same([x if x[2] else (x[0], '', 0) for x in a], [x if x[2] else (x[0], '', 0) for x in r]) for r in (b, c, e))),
    ('an address behind all functions of the symbol table\'s and the unit\'s: others give the nearest',
     lambda a, b, c, e: not a),
]


def compare(obj, addrs):
    mine, readers = ours(obj, addrs), [addr2line(obj, addrs), llvm(obj, addrs), elfutils(obj, addrs)]
    want(sorted(mine) == sorted(addrs), 'lookup_tool answers other addresses than it was asked for')
    counts, bad = collections.Counter(), []
    for a in addrs:
        rest = [r.get(a, []) for r in readers]
        if same(mine[a], rest[0]):
            counts['as addr2line'] += 1
        elif any(same(mine[a], r) for r in rest[1:]):
            counts['as llvm-symbolizer or eu-addr2line, not addr2line'] += 1
        else:
            why = next((text for text, f in EXPLAINED if f(mine[a], *rest)), None)
            counts[why] += 1
            if why is None:
                bad.append('%#x\n  assay     %s\n  addr2line %s\n  llvm      %s\n  elfutils  %s' % (a, mine[a], *rest))
    print('# %s: %d addresses: %s' % (os.path.basename(obj), len(addrs), ', '.join('%d %s' % (n, k) for k, n in counts.most_common())))
    want(not bad, '%d of %d addresses differ without explanation' % (len(bad), len(addrs)), '\n'.join(bad[:4]))
    agreed = counts['as addr2line'] + counts['as llvm-symbolizer or eu-addr2line, not addr2line']
    want(agreed > len(addrs) * 9 // 10, 'fewer than nine in ten are as another reader has them', str(counts))
    return mine


# --- the binaries ------------------------------------------------------------------------------------------------------

scratch = Scratch()
DIR = scratch.__enter__()
MANY = N >= 1000
BUILDS = {
    'gcc-pie': ('gcc', ['-O2', '-gdwarf-5', '-fPIE'], ['-pie']),
    'gcc-nopie-dwarf4': ('gcc', ['-O2', '-gdwarf-4', '-fno-pie', '-ffunction-sections'], ['-no-pie', '-Wl,--gc-sections']),
    'gcc-O0': ('gcc', ['-O0', '-g'], []),
    'clang-O2': ('clang-14', ['-O2', '-gdwarf-5'], []),
}
if MANY:
    BUILDS.update({
        'gcc-O3-lto': ('gcc', ['-O3', '-g', '-flto'], []),
        'gcc-types': ('gcc', ['-O2', '-g', '-fdebug-types-section'], []),
        'gcc-dwarf2': ('gcc', ['-O2', '-gdwarf-2', '-gstrict-dwarf'], []),
        'clang-dwarf4': ('clang-14', ['-O2', '-gdwarf-4'], []),
        'clang-lines': ('clang-14', ['-O2', '-gline-tables-only'], []),
    })


@functools.cache
def build(name, more=''):
    """DIR/NAME.d/NAME out of zoo.cc and zoo.c; objects stay, split debug information is beside them. MORE is a flag beside NAME's."""
    cc, flags, link = BUILDS[name]
    flags = [*flags, more] if more else flags
    name += more
    cxx = {'gcc': 'g++', 'clang-14': 'clang++-14'}[cc]
    if not shutil.which(cxx):
        return None
    work, objects = DIR.name(name + '.d'), []
    os.mkdir(work)
    for s in ('zoo.cc', 'zoo.c'):
        path = os.path.join(HERE, 'symbols', s)
        std = ['-std=c++17'] if s.endswith('.cc') else ['-std=gnu11']
        large = ['-DZOO_LARGE'] if MANY else []
        sh(cxx if s.endswith('.cc') else cc, *std, *large, *flags, '-c', path, '-o', s + '.o', cwd=work)
        objects.append(s + '.o')
    out = os.path.join(work, name)
    sh(cxx, *[f for f in flags if not f.startswith('-gsplit')], *link, *objects, '-o', out, '-pthread', '-Wl,--build-id', cwd=work)
    return out


def test_build(name):
    obj = build(name)
    if not obj:
        return 'skip: no compiler'
    compare(obj, addresses(obj))


for name in BUILDS:
    t.add(name + ': as the other readers have it', test_build, name)


@t('the readers\' own language: assay\'s sources in a shared object, gcc -O3')
def own_sources():
    src = sorted(s for floor in ('base', 'model')[:2 if MANY else 1] for s in glob.glob(os.path.join(tap.ROOT, 'src', floor, '*.c')))
    src = [s for s in src if not s.endswith(('_test.c', '_fuzz.c'))]
    obj = DIR.name('own.so')
    sh('gcc', '-std=gnu11', '-O3', '-g', '-fPIC', '-shared', '-DASSAY_INTERNAL', '-I' + os.path.join(tap.ROOT, 'src'),
       '-I' + os.path.join(tap.ROOT, 'include'), *src, '-o', obj)
    compare(obj, addresses(obj))


@t('Rust')
def rust():
    if not shutil.which('rustc'):
        return 'skip: no rustc'
    source = DIR.file('zoo.rs', RUST)
    obj = DIR.name('zoo-rust')
    sh('rustc', '-O', '-g', source, '-o', obj)
    compare(obj, addresses(obj))
    return None


RUST = '''
use std::collections::{BTreeMap, HashMap};
struct Shape { side: f64 }
impl Shape { #[inline(never)] fn area(&self) -> f64 { self.side * self.side } }
trait Named { fn name(&self) -> String; }
impl Named for Shape { fn name(&self) -> String { format!("square {}", self.side) } }
fn count(text: &str) -> BTreeMap<String, usize> {
    let mut map: HashMap<&str, usize> = HashMap::new();
    for w in text.split_whitespace() { *map.entry(w).or_insert(0) += 1; }
    map.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
}
fn main() {
    let text = std::env::args().collect::<Vec<_>>().join(" ");
    let mut shapes: Vec<Box<dyn Named>> = vec![Box::new(Shape { side: 2.0 })];
    shapes.reverse();
    println!("{:?} {} {}", count(&text), shapes[0].name(), Shape { side: 3.0 }.area());
}
'''


# --- the same answers from elsewhere -----------------------------------------------------------------------------------

def must_equal(obj, other, options=()):
    addrs = addresses(obj)
    a, b = ours(obj, addrs), ours(other, addrs, *options)
    diff = [x for x in addrs if a[x] != b[x]]
    want(not diff, '%d of %d addresses differ' % (len(diff), len(addrs)),
         '\n'.join('%#x\n  inside    %s\n  elsewhere %s' % (x, a[x], b[x]) for x in diff[:4]))


def base():
    obj = build('gcc-pie')
    want(obj, 'no g++')
    return obj


def strip_to(obj, debug, stripped, link=True):
    sh('objcopy', '--only-keep-debug', obj, debug)
    sh('strip', '-o', stripped, obj)
    if link:
        sh('objcopy', '--add-gnu-debuglink=' + debug, stripped)


def build_id(obj):
    return re.search(r'Build ID: ([0-9a-f]+)', sh('readelf', '-n', obj)).group(1)


@t('separate debug file beside the object, by .gnu_debuglink')
def debuglink():
    os.mkdir(DIR.name('link'))
    strip_to(base(), DIR.name('link/zoo.debug'), DIR.name('link/zoo'))
    must_equal(base(), DIR.name('link/zoo'))


@t('separate debug file in .debug/, and below --debug-dir by the object\'s path')
def debuglink_dirs():
    os.makedirs(DIR.name('dot/.debug'))
    strip_to(base(), DIR.name('dot/.debug/zoo.debug'), DIR.name('dot/zoo'))
    must_equal(base(), DIR.name('dot/zoo'))
    tree = DIR.name('tree') + os.path.dirname(DIR.name('far/zoo'))
    os.makedirs(tree)
    os.mkdir(DIR.name('far'))
    strip_to(base(), tree + '/zoo.debug', DIR.name('far/zoo'))
    must_equal(base(), DIR.name('far/zoo'), ['-d', DIR.name('tree')])


@t('separate debug file in a .build-id tree, without .gnu_debuglink')
def build_id_tree():
    ident = build_id(base())
    os.makedirs(DIR.name('ids/.build-id/' + ident[:2]))
    strip_to(base(), DIR.name('ids/.build-id/%s/%s.debug' % (ident[:2], ident[2:])), DIR.name('bare'), link=False)
    must_equal(base(), DIR.name('bare'), ['-d', DIR.name('ids')])


@t('a debug file of another build is not used')
def wrong_build():
    other = build('gcc-O0')
    os.mkdir(DIR.name('wrong'))
    strip_to(other, DIR.name('wrong/zoo.debug'), DIR.name('wrong/other'))
    strip_to(base(), DIR.name('wrong/right.debug'), DIR.name('wrong/zoo'), link=False)
    sh('objcopy', '--add-gnu-debuglink=' + DIR.name('wrong/right.debug'), DIR.name('wrong/zoo'))
    os.replace(DIR.name('wrong/zoo.debug'), DIR.name('wrong/right.debug'))
    rows = ours(DIR.name('wrong/zoo'), addresses(base(), 500))
    want(all(not f[1] for r in rows.values() for f in r), 'lines out of the debug file of another build')


@t('without build ids, the checksum in .gnu_debuglink decides')
def checksum():
    work = DIR.name('crc')
    os.mkdir(work)
    whole, bare = os.path.join(work, 'whole'), os.path.join(work, 'bare')
    source = os.path.join(HERE, 'symbols', 'zoo.c')
    sh('gcc', '-std=gnu11', '-g', '-O2', '-shared', '-fPIC', '-Wl,--build-id=none', source, '-o', whole)
    strip_to(whole, bare + '.debug', bare)
    must_equal(whole, bare)
    with open(bare + '.debug', 'ab') as f:
        f.write(b'x')
    rows = ours(bare, addresses(whole, 100))
    want(all(not f[1] for r in rows.values() for f in r), 'lines out of a file with another checksum')


@t('compressed sections, of all kinds')
def compressed():
    for how in ('zlib-gabi', 'zlib-gnu', 'zstd'):
        obj = DIR.name('zoo.' + how)
        if how == 'zstd' and how not in run('objcopy', '--help').stdout:
            continue
        sh('objcopy', '--compress-debug-sections=' + how, base(), obj)
        must_equal(base(), obj)


@t('two threads')
def threads():
    must_equal(base(), base(), ['-t'])
    if os.path.exists(DIR.name('own.so')):      # many units
        must_equal(DIR.name('own.so'), DIR.name('own.so'), ['-t'])


@t('stripped: only names of .dynsym and .gnu_debugdata, inside their sizes')
def stripped():
    rows = ours(base(), addresses(base()), '-s')
    syms = {}
    for line in sh('nm', '-S', '--defined-only', base()).split('\n'):
        p = line.split()
        if len(p) == 4:
            syms.setdefault(p[3], []).append((int(p[0], 16), int(p[1], 16)))
    for a, frames in rows.items():
        want(len(frames) == 1, '%#x has %d frames out of the symbol table' % (a, len(frames)))
        want(any(s <= a < s + n for s, n in syms[frames[0][0]]), '%#x is not in %s' % (a, frames[0][0]))
    if not shutil.which('xz'):
        return
    # As Fedora does it: the functions' symbols alone, compressed, in a section.
    mini = DIR.name('mini')
    sh('objcopy', '--only-keep-debug', base(), DIR.name('whole'))
    sh('objcopy', '--strip-debug', '--remove-section=.comment', DIR.name('whole'), mini + '.syms')
    sh('xz', '-f', mini + '.syms')
    sh('strip', '-o', mini, base())
    sh('objcopy', '--add-section', '.gnu_debugdata=' + mini + '.syms.xz', mini)
    small = ours(mini, addresses(base()))
    for a, frames in rows.items():
        want([f[0] for f in small[a]] == [f[0] for f in frames], '%#x: %s by .gnu_debugdata, %s by .symtab' % (a, small[a], frames))


@t('stubs of the procedure linkage table, as objdump names them')
def stubs():
    source = DIR.file('stubs.c', '#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v)\n{\n'
                      '\tvoid *(*get)(size_t) = malloc;\n\treturn printf("%p", get(atoi(v[c - 1])));\n}\n')
    for n, flags in enumerate((['-fuse-ld=bfd'], ['-fuse-ld=bfd', '-fcf-protection', '-Wl,-z,ibtplt'], ['-fuse-ld=bfd', '-Wl,-z,now', '-no-pie'])):
        obj = DIR.name('stubs%d' % n)
        sh('gcc', '-O2', *flags, source, '-o', obj)
        sh('strip', obj)
        text = sh('objdump', '-d', obj)
        wanted = {int(a, 16): name for a, name in re.findall(r'^([0-9a-f]+) <([^>]*@plt)>:', text, re.M)}
        want(len(wanted) >= 2, 'objdump names no stubs', text[:400])
        got = {a: [f[0] for f in rows] for a, rows in ours(obj, sorted(wanted)).items()}
        want(all(got[a] == [wanted[a]] for a in wanted), 'stubs differ', got, wanted)


@t('dwz: a file of its own, and a common part')
def dwz():
    if not shutil.which('dwz'):
        return 'skip: no dwz'
    work = DIR.name('dwz')
    os.mkdir(work)
    one, two = os.path.join(work, 'one'), os.path.join(work, 'two')
    four = build('gcc-nopie-dwarf4')
    sh('dwz', base(), '-o', os.path.join(work, 'alone'))
    must_equal(base(), os.path.join(work, 'alone'))
    shutil.copy(base(), one)
    shutil.copy(base(), two)
    sh('dwz', '-m', 'common.debug', 'one', 'two', cwd=work)
    must_equal(base(), one)
    must_equal(base(), two)
    shutil.copy(four, one)
    shutil.copy(four, two)
    sh('dwz', '-m', 'common4.debug', 'one', 'two', cwd=work)
    must_equal(four, one)
    return None


def split(name):
    plain, obj = build(name), build(name, '-gsplit-dwarf')
    if not obj:
        return 'skip: no compiler'
    must_equal_text(plain, obj)
    dwos = glob.glob(os.path.join(os.path.dirname(obj), '*.dwo'))
    want(dwos, 'no .dwo was written')
    tool = shutil.which('dwp') if name.endswith('dwarf4') else shutil.which('llvm-dwp-14')
    if tool:
        sh(tool, '-e', obj, '-o', obj + '.dwp', cwd=os.path.dirname(obj))
        for dwo in dwos:
            os.remove(dwo)
        must_equal_text(plain, obj)
    return None


def must_equal_text(plain, obj):
    want(sh('objdump', '-d', '--no-show-raw-insn', plain).split('\n')[4:] == sh('objdump', '-d', '--no-show-raw-insn', obj).split('\n')[4:],
         'the code of the two builds differs')
    # The compilation directories differ in their last part.
    addrs = addresses(plain)
    a, b = ours(plain, addrs), ours(obj, addrs)
    diff = [x for x in addrs if a[x] != b[x]]
    want(not diff, '%d of %d addresses differ' % (len(diff), len(addrs)),
         '\n'.join('%#x\n  inside %s\n  split  %s' % (x, a[x], b[x]) for x in diff[:4]))


t.add('split DWARF 5, gcc; .dwo and .dwp', split, 'gcc-pie')
t.add('split DWARF 4, gcc; .dwo and .dwp', split, 'gcc-nopie-dwarf4')
if MANY:
    t.add('split DWARF 5, clang; .dwo and .dwp', split, 'clang-O2')
    t.add('split DWARF 4, clang; .dwo and .dwp', split, 'clang-dwarf4')


if not os.access(TOOL, os.X_OK):
    t.skip_all('no lookup_tool (set LOOKUP_TOOL)')
for program in ('g++', 'addr2line', 'nm', 'objcopy'):
    if not shutil.which(program):
        t.skip_all('no ' + program)
try:
    t.run()
finally:
    scratch.__exit__()
