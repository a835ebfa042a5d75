#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of time, `flame --chart` and `timeline -f svg`: what stands in their boxes is what the moments of the profile add up
to, by `dump`, by `timeline -f json` and by tables of a stretch of time, `--from` and `--to`."""
import collections
import os
import random
import re
import sys
import xml.etree.ElementTree as ElementTree

from tap import ROOT, Scratch, Tap, assay, equal, want

t = Tap('chart')
SVG = '{http://www.w3.org/2000/svg}'
GOLDEN = os.path.join(ROOT, 'src/formats')
NAMED = [os.path.join(GOLDEN, name) for name in
         ('uftrace/golden/two_threads.uftrace', 'uftrace/golden/odd.uftrace', 'perfdata/golden/clock.data', 'perfdata/golden/period.data',
          'perfdata/golden/pipe.data', 'perfdata/golden/system.data', 'perfdata/golden/z.data', 'jfr/golden/two_chunks.jfr',
          'jfr/golden/flushed.jfr', 'otlp/golden/times.otlp', 'otlp/golden/ebpf.otlp', 'perfscript/golden/layouts.perf', 'perfscript/golden/inlined.perf')]
SCRATCH = Scratch().__enter__()
Box = collections.namedtuple('Box', 'level start ns cost name n kind')


def recording(seed, n, threads=3, event='cpu-clock', period=1000000, apart=1000000):
    """Text of `perf script`: threads that run some functions for a while, and wait now and then."""
    chance = random.Random(seed)
    rows, stack = [], {}
    for thread in range(threads):
        time, stack[thread] = 5 * 10 ** 9 + thread * 1234, ['main']
        for _ in range(n // threads):
            for _ in range(chance.choice((0, 0, 0, 1, 2))):
                if len(stack[thread]) > 1 and chance.random() < 0.55:
                    stack[thread].pop()
                elif len(stack[thread]) < 9:
                    stack[thread].append(chance.choice(('read', 'parse', 'sort', 'write', 'main')))
            rows.append((time, thread, stack[thread][::-1]))
            time += apart + chance.randrange(-apart // 20, apart // 20 + 1)
            if chance.random() < 0.02:
                time += chance.randrange(3, 60) * apart
    out = []
    for time, thread, frames in sorted(rows):
        out.append('work %d/%d %d.%09d: %d %s: \n' % (100, 100 + thread, time // 10 ** 9, time % 10 ** 9, period, event))
        out += ['\t%x %s+0x0 (/bin/work)\n' % (0x1000 + 16 * (len(frame) * 7 % 13), frame) for frame in frames] + ['\n']
    return SCRATCH.file('run-%s-%s-%d.perf' % (seed, event, n), ''.join(out))


def drawn(path, *words):
    """The strips of a chart: of each its boxes, the first of them the thread's own; and the picture's text."""
    done = assay('flame', '--chart', '-f', 'svg', '-n', '0', path, *words)
    equal(done.code, 0, done)
    root = ElementTree.fromstring(done.out)
    width, strips = int(root.get('width')) - 20, []
    for g in root.find('.//' + SVG + "g[@class='frames']"):
        text, rect = g.find(SVG + 'title').text.split('\n'), g.find(SVG + 'rect')
        level, start, ns, cost = (int(g.get('data-' + key)) for key in ('level', 'from', 'ns', 'cost'))
        small = re.match(r'\+(\d+) (small|deeper)$', text[0])
        box = Box(level, start, ns, cost, text[0], int(small.group(1)) if small and g.get('class') == 'r' else 0, rect.get('class'))
        scale = whole.ns if level else ns
        want(abs(float(rect.get('x')) - start * width / scale) < 0.01, 'x of %s is %s of %d' % (box, rect.get('x'), scale))
        want(abs(float(rect.get('width')) - max(0.5, ns * width / scale)) < 0.01, 'width of %s is %s' % (box, rect.get('width')))
        if not level:
            whole = box
        elif level == 1:
            strips.append([box])
        else:
            strips[-1].append(box)
    return whole, strips, root


def moments(path, event, *words):
    """(part, time, value, is time, frames from the first on) of each moment."""
    sample, out = [None], []
    done = assay('dump', path, *words)
    equal(done.code, 0, done)
    for line in done.out.decode().splitlines():
        found = re.match(r'sample (\d+)(.*): [-\d ]+$', line)
        if found:
            sample.append((int(found.group(1)), tuple(re.findall(r'fn="((?:[^"\\]|\\.)*)"', found.group(2)))))
        found = re.match(r'moment (\d+) (\d+) "((?:[^"\\]|\\.)*)": (-?\d+)(?: duration=(\d+))?$', line)
        if found and found.group(3) == event:
            value, duration = int(found.group(4)), int(found.group(5) or 0)
            part, frames = sample[int(found.group(2))]
            out.append((part, int(found.group(1)), value, value > 0 and duration == value, frames))
    return out


def lasting(rows, stands_for):
    """(from, to, value, frames) of the moments of a thread, by the rule that the picture tells."""
    out = []
    for row, after in zip(rows, rows[1:] + [None]):
        _, time, value, is_time, frames = row
        apart = after[1] - time if after else None
        lasts = value if is_time else stands_for(value)
        if is_time and after:
            lasts = min(lasts, apart)
        elif after and apart <= 2 * lasts:
            lasts = apart
        out.append((time, time + lasts, value, frames))
    return out


def boxes_of(spans, level=2, depth=0):
    """What boxes there are, each before those in it: runs of one function that touch each other."""
    run = []
    for span in [*spans, None]:
        if run and (span is None or span[0] != run[-1][1] or span[3][depth:depth + 1] != run[-1][3][depth:depth + 1]):
            if run[0][3][depth:]:
                yield Box(level, run[0][0], run[-1][1] - run[0][0], sum(x[2] for x in run), run[0][3][depth], 0, '')
                yield from boxes_of(run, level + 1, depth + 1)
            run = []
        if span:
            run.append(span)


def check_sums(event, strips, json):
    """Each strip costs what `timeline` says; what is in a box, no more than it does."""
    rows = [row['self'] for row in json['rows']]
    at = [e['name'] for e in json['events']].index(event)
    equal([strip[0].cost for strip in strips], [self[at] for self in rows if self[at]], 'costs of threads')
    for strip in strips:
        above = []
        for box in strip:
            del above[box.level - 1:]
            want(len(above) == box.level - 1, 'a box on no other: %s' % (box,))
            if above:
                below = above[-1]
                want(below[0].start <= box.start and box.start + box.ns <= below[0].start + below[0].ns, '%s is not in %s' % (box, below[0]))
                want(box.start >= below[2], '%s begins in the one before it' % (box,))
                below[1] += box.cost
                below[2] = box.start + box.ns
                want(below[1] <= below[0].cost, 'more than %s costs is in it' % (below[0],))
            above.append([box, 0, box.start])


# --- what is large enough to be drawn

def exact(path, stands_for, event, words=()):
    """All boxes, where none is less than a pixel: by the moments themselves."""
    _, strips, _ = drawn(path, *words, '-e', event)
    rows = moments(path, event)
    parts = collections.defaultdict(list)
    for row in rows:
        parts[row[0]].append(row)
    begin = min(row[1] for row in rows)
    wanted = sorted([b._replace(start=b.start - begin) for b in boxes_of(lasting(part, stands_for))] for part in parts.values())
    got = sorted([box._replace(kind='') for box in strip[1:]] for strip in strips)
    equal(got, wanted, 'boxes')


t.add('boxes of uftrace are its calls', exact, NAMED[0], None, 'time')
t.add('samples of perf that stand for a time', lambda: exact(recording(1, 90), lambda value: value, 'cpu-clock', ('-w', '20000')))
t.add('samples of another thread count', lambda: exact(recording(2, 30, threads=1), lambda value: value, 'cpu-clock', ('-w', '20000')))


@t('samples that stand for no time last as long as usual')
def _():
    path = recording(3, 60, event='cycles')
    rows = moments(path, 'cycles')
    apart, last = [], {}
    for row in rows:
        apart += [row[1] - last[row[0]]] if row[0] in last else []
        last[row[0]] = row[1]
    usual = sorted(x for x in apart if x)[len(apart) // 4]
    exact(path, lambda value: usual, 'cycles', ('-w', '20000'))


# --- any file that has moments

def sums(path, *words):
    json = assay('timeline', '-f', 'json', '-n', '0', path, *words)
    equal(json.code, 0, json)
    json = json.json()
    whole, strips, _ = drawn(path, *words)
    check_sums(json['event'], strips, json)
    equal(whole.cost, sum(strip[0].cost for strip in strips), 'the whole')


for path in NAMED:
    t.add('boxes of %s add up' % os.path.basename(path), sums, path)
t.add('boxes of thousands of samples add up', lambda: sums(recording(4, 30000)))
t.add('and of a stretch of time', lambda: sums(recording(4, 30000), '--from', '1s', '--to', '3s'))
t.add('and with filters', lambda: sums(recording(4, 30000), '--focus', 'sort', '--hide', 'parse'))
t.add('and of one thread', lambda: sums(recording(4, 30000), '--thread', '101'))


@t('a stretch of time costs what its box does')
def _():
    for path, event, threads in ((recording(5, 9000), 'cpu-clock', ('100', '101', '102')), (NAMED[0], 'time', ('7', '8'))):
        seen = 0
        for thread in threads:
            _, strips, _ = drawn(path, '--thread', thread, '-e', event)
            first = min(box.start for box in strips[0][1:])
            equal(first, 0, 'the first box')
            own = assay('timeline', '-f', 'json', '--thread', thread, path).json()['start']
            for box in [b for b in strips[0] if b.level == 2][::7 if event == 'cpu-clock' else 1]:
                start = own + box.start
                got = assay('top', path, '-f', 'json', '-n', '0', '--thread', thread, '--from', '%dns' % start, '--to', '%dns' % (start + box.ns))
                equal(got.code, 0, got)
                equal(sum(row['self'][0] for row in got.json()['rows']), box.cost, (thread, box))
                seen += 1
        want(seen, 'no box')


@t('a million samples are a picture that can be opened')
def _():
    few = 200000 if os.environ.get('ASSAY_TEST_FILES') == 'small' else 1000000
    path = recording(6, few, threads=4, apart=100000, period=100000)
    done = assay('flame', '--chart', path, '-o', SCRATCH.name('big.svg'))
    equal(done.code, 0, done)
    want(os.path.getsize(SCRATCH.name('big.svg')) < 8e6, 'bytes: %d' % os.path.getsize(SCRATCH.name('big.svg')))
    json = assay('timeline', '-f', 'json', '-n', '0', path).json()
    whole, strips, root = drawn(path)
    want(sum(len(strip) for strip in strips) <= 20000, 'boxes: %d' % sum(len(strip) for strip in strips))
    check_sums('cpu-clock', strips, json)
    small = sum(box.n for strip in strips for box in strip)
    words = ' '.join(e.text or '' for e in root.iter(SVG + 'text'))
    want(small and re.search(r'\+n: %d too small to draw alone' % small, words), 'not told: %d, %s' % (small, words[:400]))
    want('nothing shorter than' in words, 'not told: %s' % words[:400])


@t('what is deeper is told, and costs what it does')
def _():
    path = recording(7, 300)
    _, strips, root = drawn(path, '-d', '2')
    want(max(box.level for strip in strips for box in strip) == 4, 'levels')
    want(all(box.n for strip in strips for box in strip if box.level == 4), 'a frame that is too deep')
    words = ' '.join(e.text or '' for e in root.iter(SVG + 'text'))
    want('only the first 2 levels are drawn' in words, words[:400])
    check_sums('cpu-clock', strips, assay('timeline', '-f', 'json', '-n', '0', path).json())


@t('threads that are left out are told')
def _():
    path = recording(8, 300)
    done = assay('flame', '--chart', '-f', 'svg', '-n', '1', path)
    want('2 threads with' in done.out.decode(), 'not told', done)
    equal(done.out.decode().count('data-level="1"'), 1, 'strips')


# --- lanes

def lanes(path, *words):
    """Each bar is a stretch that is not nothing, as high as its cost."""
    json, done = (assay('timeline', path, '-b', '230', '-f', form, *words) for form in ('json', 'svg'))
    equal((json.code, done.code), (0, 0), done)
    json, root = json.json(), ElementTree.fromstring(done.out)
    at = [e['name'] for e in json['events']].index(json['event'])
    most = max(cost for row in json['rows'] for cost in row['buckets'])
    drawn_lanes = root.findall(SVG + "g[@class='lane']")
    equal([int(g.get('data-cost')) for g in drawn_lanes], [row['self'][at] for row in json['rows']], 'lanes')
    for row, g in zip(json['rows'], drawn_lanes):
        bars = g.findall(SVG + 'rect')
        equal([(int(bar.get('data-from')), int(bar.get('data-cost'))) for bar in bars],
              [(i * json['width'], cost) for i, cost in enumerate(row['buckets']) if cost], 'bars')
        low = float(g.find(SVG + 'path').get('d').split(',')[1].split('h')[0])
        for bar in bars:
            x, y, width, height = (float(bar.get(key)) for key in ('x', 'y', 'width', 'height'))
            want(abs(height - max(0.5, 32 * int(bar.get('data-cost')) / most)) < 0.01 and abs(y + height - low) < 0.01, 'height of %s' % bar.attrib)
            want(abs(x - 270 - 4 * int(bar.get('data-from')) / json['width']) < 0.01 and width == 4, 'x of %s' % bar.attrib)
    words = ' '.join(e.text or '' for e in root.iter(SVG + 'text'))
    left = json['rest']['rows'] if json.get('rest') else 0
    want(('%d more thread' % left in words) == bool(left), 'left out: %d, %s' % (left, words[:300]))


for path in NAMED:
    t.add('lanes of %s are its stretches of time' % os.path.basename(path), lanes, path)
t.add('lanes of thousands of samples', lambda: lanes(recording(4, 30000)))
t.add('lanes of a stretch of time', lambda: lanes(recording(4, 30000), '--from', '1s', '--to', '2500ms', '--focus', 'sort'))
t.add('lanes that are left out are told', lambda: lanes(recording(4, 30000), '-n', '1'))


@t('colours of objects and of functions')
def _():
    path = recording(9, 300)
    for by in 'object', 'file', 'function', 'self':
        _, strips, _ = drawn(path, '--color', by)
        want(all(box.kind == 'c0' for box in (strip[0] for strip in strips)), 'a thread has a colour')
    kinds = {}
    for strip in drawn(path, '--color', 'function')[1]:
        for box in strip[1:]:
            if not box.n:
                equal(kinds.setdefault(box.name, box.kind), box.kind, 'colour of %s' % box.name)
    want(len(set(kinds.values())) > 2, kinds)


if __name__ == '__main__':
    sys.setrecursionlimit(10000)
    t.run()
