#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flame graphs, tree maps and call graphs of every profile of the shared test data, and of some more.

Each is well-formed XML; its boxes have the names and costs of the rows of `assay tree`, which other
tests compare with other readers; no box leaves the one it stands on; and what is drawn adds up to the
total of `assay top`.
"""
import functools
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections import Counter

import tap
from tap import DATA, Scratch, assay, equal, info, is_asked, want

XMLLINT = shutil.which('xmllint')
SVG = '{http://www.w3.org/2000/svg}'
LEVEL = 17
PLAIN = '--symbols', 'none', '--min', '1%'
NO_PROFILE = re.compile(r'\.(md|tsv|txt|c|h|py|so|sh|json|string|dot)$')
OWN = [os.path.join(tap.ROOT, *f.split('/')) for f in (
    'src/formats/dcpi/golden', 'src/formats/dcpicat/golden', 'tests/fixtures')]
t = tap.Tap('flame')
if not os.path.isdir(DATA):
    t.skip_all('no test data')


PICTURES = Scratch().__enter__()
drawn_as = {}   # file of a picture: what it shows


def parse(what, text):
    """The picture of WHAT as XML."""
    if XMLLINT:
        drawn_as[PICTURES.file('%d.svg' % len(drawn_as), text)] = what
    return ET.fromstring(text)


def lint():
    """xmllint finds them all well-formed as well."""
    if not XMLLINT:
        return 'skip: xmllint is not installed'
    if not drawn_as:
        return 'n/a: nothing was drawn'
    # Names have any length, so lines have.
    done = subprocess.run([XMLLINT, '--noout', '--huge', '--nonet', *drawn_as], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    said = done.stderr.decode('utf-8', 'replace')
    equal((done.returncode, said[:300]), (0, ''), 'xmllint of %s' % drawn_as.get(said.split(':')[0]))
    return None


@functools.lru_cache(maxsize=2)
def table(path):
    """Every function of PATH, as `assay top` has it."""
    return assay('top', '-f', 'json', '-n', '0', '--symbols', 'none', path).json()


def boxes(what, text):
    """(name, facts, x, width, level) of each box, as it stands in the picture."""
    frames = next(g for g in parse(what, text).iter(SVG + 'g') if g.get('class') == 'frames')
    bottom = float(frames[0].find(SVG + 'rect').get('y'))
    for g in frames:
        rect = g.find(SVG + 'rect')
        name, facts = g.find(SVG + 'title').text.split('\n')[:2]
        yield (name, facts, float(rect.get('x')), float(rect.get('width')),
               round((bottom - float(rect.get('y'))) / LEVEL))


def cost_of(facts):
    return int(re.match(r'~?(-?[\d,]+) ', facts)[1].replace(',', ''))


def holds_together(drawn):
    """Boxes lie on the one below them, side by side."""
    open_, eps = {}, 0.02
    for name, facts, x, width, level in drawn:
        if level:
            left, right = open_[level - 1]
            want(x >= left - eps and x + width <= right + eps, '%s: %s leaves the box below' % (name, facts))
        open_[level] = (x, x + width)


def kind_of(name):
    return name if name[0] == '+' else '[no caller]' if name == '[no caller]' else 'function'


def rows_of(tree):
    for row in tree['rows']:
        cost = int(row['inclusive'][0])
        if cost:
            yield '+%d small' % row['rows'] if row['kind'] == 'rest' else row['kind'], row['depth'] + 1, cost


def refused(path, why):
    """What is refused cannot be drawn: it has no events, a cost below 0, or places only."""
    has = info(path)
    if 'not who called whom' in why:
        equal(has['shape'], 'places', 'what is refused for having no calls')
    elif 'no events' in why:
        equal(has['events'], [], 'what is refused for having no events')
    else:
        want('below 0' in why, 'refused without a reason that is known: ' + why)
        rows = table(path)['rows']
        want(any(int(cost) < 0 for row in rows for cost in row['self'] + (row['inclusive'] or [])), 'nothing in it is below 0')


def compare(path):
    svg = assay('flame', '-f', 'svg', *PLAIN, path)
    want(not svg.crashed, svg.crashed, svg)
    if svg.code == 4:
        return refused(path, svg.err)
    equal(svg.code, 0, 'exit status: ' + svg.err)
    drawn = list(boxes(path, svg.out))
    holds_together(drawn)
    top = table(path)
    equal(cost_of(drawn[0][1]), int(top['events'][0]['total']), 'the root is the total')
    event = top['events'][0]['name']     # of one event more is sure than of several at once
    tree = assay('tree', '-f', 'json', *(['-e', event] if event else []), *PLAIN, path)
    if tree.code == 4:
        equal(sum(cost_of(b[1]) for b in drawn if b[4] == 2), cost_of(drawn[0][1]), 'functions make the total')
        return None
    equal(Counter((kind_of(b[0]), b[4], cost_of(b[1])) for b in drawn[1:]), Counter(rows_of(tree.json())),
          'boxes and rows of the tree')
    return None


def lies_in(a, b):
    """What is in an object or a file comes right after it."""
    ax, ay, bx, by = float(a.get('x')), float(a.get('y')), float(b.get('x')), float(b.get('y'))
    return (bx <= ax and by <= ay and ax + float(a.get('width')) <= bx + float(b.get('width')) + 0.02
            and ay + float(a.get('height')) <= by + float(b.get('height')) + 0.02)


def compare_map(path):
    svg = assay('treemap', '--symbols', 'none', path)
    want(not svg.crashed, svg.crashed, svg)
    if svg.code == 4:
        return refused(path, svg.err)
    equal(svg.code, 0, 'exit status: ' + svg.err)
    frames = next(g for g in parse(path, svg.out).iter(SVG + 'g') if g.get('class') == 'frames')
    top = table(path)
    functions = Counter(int(row['self'][0]) for row in top['rows'] if int(row['self'][0]))
    small = 0
    for g, inner in zip(frames, list(frames)[1:] + [None]):
        name, facts = g.find(SVG + 'title').text.split('\n')
        if inner is not None and lies_in(inner.find(SVG + 'rect'), g.find(SVG + 'rect')):
            continue
        if re.match(r'\+\d+ small$', name):
            small += cost_of(facts)
        else:
            functions[cost_of(facts)] -= 1
    want(min(functions.values(), default=0) >= 0, 'a box whose cost is none of the table')
    left = sum(cost * n for cost, n in functions.items() if n > 0)
    equal(left, small, 'functions that have no box of their own cost what the boxes for them say')
    return None


def numbers(text, what):
    return int(re.search(what, text)[1].replace(',', ''))


def texts(element):
    return [''.join(e.itertext()) for e in element.iter(SVG + 'text')]


def compare_graph(path):
    """The self costs of the functions in the picture and what it says to have left out are the total."""
    svg = assay('graph', '-f', 'svg', '--symbols', 'none', path)
    want(not svg.crashed, svg.crashed, svg)
    if svg.code == 4 and re.search('no graph drawing|Graphviz', svg.err):
        return 'skip: no Graphviz'
    if svg.code == 4:
        return refused(path, svg.err)
    equal(svg.code, 0, 'exit status: ' + svg.err)
    root = parse(path, svg.out)
    lines = texts(root)
    event = table(path)['events'][0]
    # Of several events each is a line with the name behind its figure.
    title = next(line for line in lines if ': ' in line and '%)' in line)
    equal(numbers(title, r': (-?[\d,]+) \('), int(event['total']), 'the total')
    left = [line for line in lines if line.startswith('left out: ')]
    nodes = [line for g in root.iter(SVG + 'g') if g.get('class') == 'node' for line in texts(g)]
    self = [numbers(line, r'self (-?[\d,]+)') for line in nodes if re.match(r'self -?[\d,]+ \(', line)]
    rest = sum(numbers(line, r'with (-?[\d,]+) ') for line in left if ' with ' in line)
    equal(sum(self) + rest, int(event['total']), 'functions and what is left out')
    return None


def is_profile(path):
    return not NO_PROFILE.search(path) and is_asked(path) and assay('info', '-q', path).code == 0


for top_folder in DATA, *OWN:
    for folder, _, names in sorted(os.walk(top_folder)):
        for name in sorted(names):
            if is_profile(os.path.join(folder, name)):
                path = os.path.join(folder, name)
                what = os.path.relpath(path, top_folder)
                t.add(what, compare, path)
                t.add(what + ', as a map', compare_map, path)
                t.add(what + ', as a graph', compare_graph, path)
t.add('all pictures are well-formed to xmllint, too', lint)
try:
    t.run()
finally:
    PICTURES.__exit__()
