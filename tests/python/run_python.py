#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python module: its figures are those of the program, nothing is kept that nobody holds, and columns outlive
what they were made of.

Environment: ASSAY = the program, PYTHONPATH has the module.
"""
import ast
import contextlib
import ctypes
import gc
import glob
import io
import os
import re
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'data'))

import assay  # noqa: E402
from tap import Bad, Scratch, Tap, equal, want  # noqa: E402
import tap  # noqa: E402

t = Tap('run_python')
FIXTURES = os.path.join(ROOT, 'tests', 'fixtures')
DEMO = os.path.join(FIXTURES, 'callgrind.out.demo')
STACKS = os.path.join(FIXTURES, 'demo.symbolized.prof')
FORMATS = ('callgrind', 'cpuprofile', 'dcpi', 'firefox', 'folded', 'gmon', 'gperf', 'jfr', 'legacy', 'otlp', 'perfscript', 'pprof', 'pstats',
           'speedscope', 'traceevent')


def inputs():
    """The fixtures, and of each format every third golden."""
    files = [DEMO, os.path.join(FIXTURES, 'callgrind.out.demo.full'), os.path.join(FIXTURES, 'callgrind.out.before'), STACKS,
             os.path.join(FIXTURES, 'demo.prof')]
    for name in FORMATS:
        files += [f for f in sorted(glob.glob(os.path.join(ROOT, 'src', 'formats', name, 'golden', '*')))
                  if os.path.isfile(f) and not f.endswith(('.dump', '.err', '.md', '.lossy'))][::3]
    return files


def answer(*words):
    """The program's, or None where it refuses."""
    r = tap.assay(*words, '--names', 'full', '-f', 'json')
    want(not r.crashed, r.crashed, r)
    return r.json() if r.code == 0 else None


@contextlib.contextmanager
def refused(kind):
    """What is done in it raises KIND; `.exc` is it."""
    box = io.StringIO()
    try:
        yield box
    except kind as exc:
        box.exc = exc
    else:
        raise Bad('nothing was raised')


def spelled(text):
    """TEXT as JSON has it: bytes that are no UTF-8 are \\xNN."""
    return text and re.sub('[\udc80-\udcff]', lambda m: '\\x%02x' % (ord(m[0]) - 0xdc00), text)


def number(address):
    return int(address, 16) if address else 0


def top_is_top():
    """Each table of each input, for each event, row by row."""
    seen = rows = 0
    for path in inputs():
        try:
            prof = assay.open(path)
        except assay.Error:
            equal(answer('info', path), None, 'the program reads ' + path)
            continue
        seen += 1
        for by in ('function', 'file', 'object', 'line', 'address'):
            j = answer('top', path, '--by', by, '-n', '0')
            if j is None:
                continue
            names = [e.name for e in prof.events]
            for e, event in enumerate(j['events']):
                equal(prof.events[names.index(event['name'])].total, event['total'], f'total of {event["name"]} in {path}')
                mine = prof.top(by, event=event['name'])
                what = {'file': 'file', 'object': 'object'}.get(by, 'function')
                got = sorted(((spelled(name), spelled(file) if by != 'object' else None, spelled(obj) if by != 'file' else None, own, incl, calls)
                             for name, file, obj, own, incl, calls in
                             zip(*(mine[c] for c in ('name', 'file', 'object', 'self', 'inclusive', 'calls')))), key=repr)
                wanted = sorted(((r[what], r['file'], r['object'], r['self'][e], r['inclusive'] and r['inclusive'][e], r['calls'])
                                 for r in j['rows']), key=repr)
                equal(got, wanted, f'{event["name"]} by {by} of {path}')
                rows += len(got)
                equal(sum(mine['self']), event['total'], f'sum of {path} by {by}')
    mine = assay.open(DEMO).top(cycle_rows=True)
    got = sorted((incl, own, n) for incl, own, n, whole in zip(*(mine[c] for c in ('inclusive', 'self', 'cycle', 'is_cycle'))) if whole)
    wanted = sorted((c['inclusive'][0], c['self'][0], c['cycle']) for c in answer('top', DEMO, '-n', '0')['cycles'])
    want(wanted, 'cycles')
    equal(got, wanted, 'cycles')
    want(seen > 60 and rows > 5000, f'{seen} inputs, {rows} rows')


def tree_is_tree():
    rows = 0
    for path in inputs():
        for way in ('callees', 'bottom-up'):
            j = answer('tree', path, '--' + way, '-m', '0')
            if j is None:
                continue
            prof = assay.open(path)
            at = [e.name for e in prof.events].index(j['events'][0]['name'])
            mine = prof.tree(way=way, event=at)
            got = [(d, k, spelled(n), address, cost) for d, k, n, address, cost in
                   zip(*(mine[c] for c in ('depth', 'kind', 'name', 'address', 'cost')))]
            wanted = [(r['depth'], r['kind'], r['function'], number(r['address']), r['inclusive'][0]) for r in j['rows']]
            equal(got, wanted, f'{way} of {path}')
            rows += len(got)
    want(rows > 1000, f'{rows} rows')
    mine = assay.open(DEMO).tree('mix', 'callers')
    j = answer('tree', DEMO, '^mix$', '--callers', '-m', '0')
    equal(list(zip(mine['name'], mine['cost'])), [(r['function'], r['inclusive'][0]) for r in j['rows']], 'callers of mix')
    with refused(LookupError):
        assay.open(DEMO).tree('nobody at all')


def diff_is_diff():
    for files in ((('callgrind.out.before',), ('callgrind.out.after',)), (('demo.prof',), ('demo.symbolized.prof',)),
                  (('callgrind.out.demo', 'callgrind.out.before'), ('callgrind.out.after', 'callgrind.out.demo'))):
        base, changed = ([os.path.join(FIXTURES, f) for f in side] for side in files)
        j = answer('diff', *base, '--', *changed, '-n', '0') if len(base) > 1 else answer('diff', *base, *changed, '-n', '0')
        want(j, f'the program compares {files}')
        mine = assay.diff([assay.open(f) for f in base], [assay.open(f) for f in changed], event=j['sort']['event'])
        at = [e['name'] for e in j['events']].index(j['sort']['event'])
        scale = 10 ** mine.about['decimals']
        got = [(r['function'], r['file'], r['object'], r['base'] / scale, r['changed'] / scale, r['verdict']) for r in mine.rows()]
        wanted = [(r['function'], r['file'], r['object'], r['self'][at]['base'], r['self'][at]['new'], r['self'][at]['significance'])
                  for r in j['rows']]
        equal(got, wanted, f'{files}')
        total = j['events'][at]
        equal((mine.about['base'] / scale, mine.about['changed'] / scale, mine.about['verdict']),
              (total['base'], total['new'], total['significance']), 'all there is')


def convert_is_convert():
    for path, target in ((DEMO, 'pprof'), (STACKS, 'folded'), (STACKS, 'gperf'), (DEMO, 'callgrind'), (DEMO, 'dump')):
        r = tap.assay('convert', path, '-t', target, '-o', '-')
        equal(r.code, 0, 'the program')
        done = assay.open(path).convert(format=target)
        equal(done.data, r.out, f'{target} of {path}')
        lost = [x.text for x in done.losses]
        want(all(text in r.err for text in lost) and bool(lost) == ('lost' in r.err), f'{target}: {lost}', r.err)
    with Scratch() as scratch:
        prof, path = assay.open(DEMO), scratch.name('out.pb.gz')
        equal(prof.convert(path).data, None, 'bytes of a file')
        equal(assay.open(path).events[0].total, prof.events[0].total, 'what was written')
        with refused(assay.SystemCallError):
            prof.convert(path)
        prof.convert(path, overwrite=True)
        with refused(assay.UnsupportedError):
            prof.convert(scratch.name('x.folded'), strict=True, estimate_paths=True)
        equal(sorted(os.listdir(scratch.path)), ['out.pb.gz'], 'files')


def errors_have_their_place():
    n = 0
    for path in glob.glob(os.path.join(ROOT, 'src', 'formats', '*', 'golden', '*.err')):
        path = path[:-4]
        r = tap.assay('info', path)
        if r.code == 0 or not os.path.isfile(path):
            continue
        with refused(assay.Error) as box:
            assay.open(path)
        said = r.err.splitlines()[0].replace('assay: ', '', 1)
        equal(str(box.exc), said, 'what is said')
        equal(box.exc.name, path, 'name')
        n += 1
    want(n > 20, f'{n} inputs')
    with refused(assay.FormatError) as box:
        assay.open(b'events: Ir\nfn=f\n1 x\n', name='mine', strict=True)
    equal((box.exc.name, box.exc.line, box.exc.offset, str(box.exc)), ('mine', 3, 18, "mine:3: expected a count, found 'x'"), 'place')
    with refused(OSError) as box:
        assay.open('nowhere')
    equal((box.exc.errno, box.exc.filename), (2, 'nowhere'), 'errno')
    with refused(assay.TruncatedError):
        assay.open(open(os.path.join(FIXTURES, 'demo.prof'), 'rb').read()[:20], strict=True)
    with refused(assay.NotProfileError):
        assay.open(sys.executable)
    with refused(assay.LimitError):
        assay.open(DEMO, max_memory=1000)
    prof = assay.open(DEMO)
    for bad in (lambda: prof.top('nothing'), lambda: prof.top(event='nothing'), lambda: prof.top(event=1), lambda: prof.tree(depth=-1),
                lambda: assay.open(DEMO, threads=2**32), lambda: assay.open(DEMO, options='key=1'), lambda: prof.filter('focus=('),
                lambda: assay.open(DEMO, format='nothing'), lambda: assay.diff([], prof), lambda: assay.open('a\0b'),
                lambda: prof.diff(prof, event='nothing'), lambda: assay.merge([])):
        with refused(ValueError):
            bad()
    with refused(OverflowError):
        prof.tree(min=2**64)
    with refused(TypeError):
        assay.open(3)


def whole_figures():
    """Counts of more than 63 bits stay what they are."""
    text = b'events: Ir Big\nfn=f\n1 18446744073709551615 3\n2 18446744073709551615 4\nfn=g\n1 1 5\n'
    prof = assay.open(text)
    top = prof.top(events=['Ir', 'Big'])
    equal(list(zip(top['name'], top['self:Ir'], top['self:Big'])), [('f', 2 * (2**64 - 1), 7), ('g', 1, 5)], 'self')
    want(isinstance(top['self:Ir'], list) and isinstance(top['self:Big'], memoryview), 'types of columns')
    equal(prof.events[0].total, 2**65 - 1, 'total')
    equal(assay.merge([prof, prof]).events[0].total, 2 * (2**65 - 1), 'merged')
    equal(list(assay.open(STACKS).top()['calls'])[:1], [None], 'calls of stacks')
    name = assay.open(b'f\xff;g 3\n', format='folded').tree()['name'][0]
    equal(name, 'f\udcff', 'bytes that are not UTF-8')
    equal(list(assay.open(b'f\xff;g 3\n', format='folded').tree(name)['cost'])[:1], [3], 'and back')


def columns_outlive():
    """Without pandas as well: a column holds what it shows, and nobody can write to it."""
    top = assay.open(DEMO).top()
    column, copy = top['self'], list(top['self'])
    del top
    gc.collect()
    filler = [bytes(len(copy) * 8) for _ in range(100)]
    equal(list(column), copy, 'the column')
    want(column.readonly and column.format == 'q' and column.itemsize == 8, 'what it is')
    del filler
    try:
        import numpy
        import pandas
    except ImportError as exc:
        return f'skip: {exc}'
    array = numpy.asarray(column)
    want(numpy.shares_memory(array, column) and not array.flags.writeable and array.dtype == numpy.int64, 'numpy copies it')
    del column
    gc.collect()
    equal(array.tolist(), copy, 'the array')
    top = assay.open(DEMO).top(cycle_rows=True)
    frame = top.to_pandas()
    for name in ('self', 'inclusive', 'line', 'address', 'is_cycle'):
        want(numpy.shares_memory(frame[name].to_numpy(), numpy.asarray(top[name])), f'pandas copies {name}')
    del top
    gc.collect()
    equal(frame[~frame.is_cycle]['self'].tolist(), copy, 'the frame')
    equal(int(frame[~frame.is_cycle].groupby('object', dropna=False)['self'].sum().sum()), 1222029, 'pandas sums')
    want(isinstance(frame, pandas.DataFrame) and list(frame.columns) == list(assay.open(DEMO).top(cycle_rows=True)), 'columns')
    empty = assay.open(DEMO).filter('focus=nobody at all')
    equal(empty.unmatched, ['focus=nobody at all'], 'what matched nothing')
    equal(len(empty.top().to_pandas()), 0, 'no rows')


def every_call():
    """Each call, right and wrong."""
    prof = assay.open(DEMO)
    other = assay.open(open(STACKS, 'rb').read())
    return [
        lambda: assay.open(DEMO, check=True), lambda: assay.open(open(STACKS, 'rb').read()),
        *(lambda by=by: list(prof.top(by).rows()) for by in ('function', 'line', 'thread', 'label')),
        lambda: other.top(label='x', by='label'), lambda: prof.tree(min=1000), lambda: prof.tree('mix', 'callers'),
        lambda: prof.convert(format='pprof'), lambda: prof.diff(prof), lambda: prof.filter('focus=mix', 'focus=nobody'),
        lambda: assay.merge([prof, prof], parts=True), assay.formats, lambda: other.symbolize(binaries=['nowhere']),
        # and wrong:
        lambda: assay.open('nowhere'), lambda: assay.open(b'x'), lambda: prof.convert(format='folded', strict=True),
        lambda: prof.filter('a=('), lambda: assay.merge([prof, other]), lambda: prof.diff(other, event='Ir'),
        lambda: prof.tree('nobody'), lambda: prof.tree('('), lambda: assay._assay.open(None, b'x', 3), lambda: assay._assay.top(None),
        lambda: assay._assay.merge((prof,), False), lambda: assay._assay.filter(prof._handle, ('a',), False, False, None),
        lambda: assay._assay.compare((prof._handle,), (3,), 0, 0, False, False, False, None, False),
        lambda: assay._assay.symbolize(prof._handle, (b'a',), (b'b',), ('c',), None, False, False, 1)]


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                ('arena', 'ordblks', 'smblks', 'hblks', 'hblkhd', 'usmblks', 'fsmblks', 'uordblks', 'fordblks', 'keepcost')]


def nothing_is_kept():
    """Neither objects of Python nor memory of malloc grow with the calls."""
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Mallinfo

    def held():
        gc.collect()
        info = libc.mallinfo2()
        return sys.getallocatedblocks(), info.uordblks + info.hblkhd

    # Caches of Python and malloc grow for a while; what each call loses, every batch of calls shows.
    for number, call in enumerate(every_call()):
        for _ in range(40):
            before = held()
            for _ in range(20):
                with contextlib.suppress(assay.Error, LookupError, TypeError, ValueError):
                    call()
            blocks, space = (now - then for now, then in zip(held(), before))
            if blocks < 20 and space < 20 * 16:
                break
        else:
            raise Bad(f'call {number}: {blocks} blocks and {space} bytes more after 20 calls')


def waiting_lets_others_work():
    """open() of a pipe that this very thread has to fill: with the GIL held neither would ever end."""
    with Scratch() as scratch:
        pipe, got = scratch.name('pipe'), []
        os.mkfifo(pipe)
        reader = threading.Thread(target=lambda: got.append(assay.open(pipe)), daemon=True)
        reader.start()
        with open(pipe, 'wb') as out:
            out.write(open(DEMO, 'rb').read())
        reader.join(60)
        equal([p.events[0].total for p in got], [1222029], 'what was read')


def threads_share_a_profile():
    prof, answers = assay.open(DEMO), []

    def work():
        for _ in range(10):
            answers.append((bytes(prof.top()['self']), bytes(prof.tree()['cost']), prof.convert(format='pprof').data))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    equal((len(answers), len(set(answers))), (40, 1), 'answers, and how many differ')


def stubs_are_true():
    """The extension has what its stub says, and all of it."""
    with open(os.path.join(ROOT, 'bindings', 'python', 'assay', '_assay.pyi'), encoding='utf-8') as f:
        tree = ast.parse(f.read())
    said = {n.name: len(n.args.args) for n in tree.body if isinstance(n, ast.FunctionDef)}
    there = {n for n in dir(assay._assay) if not n.startswith('__') and callable(getattr(assay._assay, n))}
    equal(set(said), there, 'functions')
    for name, n in said.items():
        with refused(TypeError) as box:
            getattr(assay._assay, name)(*[None] * (n + 1))
        want(f'{n} argument' in str(box.exc) or n == 0, f'{name} takes {n}?', box.exc)
    version = tap.assay('--version').out.decode().split()[1]
    equal(assay.__version__, version, 'version')
    for name in assay.__all__:
        want(getattr(assay, name).__doc__, f'{name} says what it is')
    for name in ('top', 'tree', 'convert', 'diff', 'filter', 'symbolize'):
        want(getattr(assay.Profile, name).__doc__, f'Profile.{name} says what it is')


def the_guide_runs():
    """The cells of docs/python.md, one after the other, print what stands below them."""
    try:
        import pandas  # noqa: F401
    except ImportError as exc:
        return f'skip: {exc}'
    with open(os.path.join(ROOT, 'docs', 'python.md'), encoding='utf-8') as f:
        cells = re.findall(r'^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?', f.read(), re.M | re.S)
    want(len(cells) > 8, f'{len(cells)} cells')
    with Scratch() as scratch:
        for name in os.listdir(FIXTURES):
            if os.path.isfile(os.path.join(FIXTURES, name)):
                os.symlink(os.path.join(FIXTURES, name), scratch.name(name))
        here, space = os.getcwd(), {}
        os.chdir(scratch.path)
        try:
            for code, wanted in cells:
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(code, 'docs/python.md', 'exec'), space)
                equal(out.getvalue(), wanted, code)
        finally:
            os.chdir(here)


t.add('top() has the rows of assay top, for many formats', top_is_top)
t.add('tree() has the rows of assay tree', tree_is_tree)
t.add('diff() has the rows of assay diff', diff_is_diff)
t.add('convert() writes what assay convert writes, and says what is lost', convert_is_convert)
t.add('errors say what and where, as the program does', errors_have_their_place)
t.add('no figure is cut', whole_figures)
t.add('columns are shared, read-only, and outlive their tables', columns_outlive)
t.add('nothing is kept', nothing_is_kept)
t.add('a thread that waits lets others work', waiting_lets_others_work)
t.add('threads share a profile', threads_share_a_profile)
t.add('stubs, docstrings and version are true', stubs_are_true)
t.add('the cells of docs/python.md run', the_guide_runs)
t.run()
