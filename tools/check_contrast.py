#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text on every colour of a flame graph and of the page can be read: contrast of 4.5 to 1 and more (WCAG 2.2, 1.4.3),
light and dark. The boxes of the page have the flame graph's colours."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CSS = ROOT / 'src/picture/flame.css'
PAGE = ROOT / 'viewer/src/style.css'
RULE = re.compile(r'\.assay ([^{,]*)\{[^}]*?\bfill:(#[0-9a-f]{3,6})')
GROUND = re.compile(r'[chml]\d+$|page$')
LEAST = 4.5


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else ''.join(c + c for c in colour[1:])
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    r, g, b = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def pairs_of(fills):
    """Of a flame graph: text and what is behind it."""
    return [('text', name) for name in fills if GROUND.match(name)] + [
        ('quiet', 'page'), ('frames .found text', 'frames .found rect')]


def page_pairs(colours):
    pairs = [('fg', name) for name in colours if GROUND.match(name)]
    pairs += [(ink, ground) for ink in ('fg', 'quiet', 'warn', 'accent') for ground in ('bg', 'panel', 'row')]
    return pairs + [('fg', 'selected'), ('on-accent', 'accent'), ('bg', 'found')]


def check(where, colours, pairs):
    bad = 0
    for ink, ground in pairs:
        ratio = contrast(colours[ink], colours[ground])
        if ratio < LEAST:
            bad += 1
            print(f'{where}: {ink} on {ground} has a contrast of {ratio:.2f}; at least {LEAST}')
    return len(pairs), bad


def same(where, colours, fills):
    """How many boxes of the page differ from those of the flame graph."""
    wanted = {name: colour for name, colour in fills.items() if re.fullmatch(r'[chml]\d+', name)}
    wanted['found'] = fills['frames .found rect']
    differing = [name for name, colour in wanted.items() if colours.get(name) != colour]
    if differing:
        print(f'{where}: not as in {CSS.name}: {" ".join(differing)}')
    return len(differing)


def main():
    light, dark = CSS.read_text().split('@media screen and (prefers-color-scheme:dark)')
    page_light, page_dark = re.findall(r'^:root[^{]*\{([^}]*)\}', PAGE.read_text(), re.M)
    n = bad = 0
    for scheme, part, page in ('light', light, page_light), ('dark', dark.split('@media')[0], page_dark):
        fills = {selector.strip().lstrip('.'): colour for selector, colour in RULE.findall(part)}
        colours = dict(re.findall(r'--([\w-]+): (#[0-9a-f]{3,6});', page))
        results = [check(f'{CSS.name}: {scheme}', fills, pairs_of(fills)),
                   check(f'{PAGE.name}: {scheme}', colours, page_pairs(colours))]
        n += sum(count for count, _ in results)
        bad += sum(count for _, count in results) + same(f'{PAGE.name}: {scheme}', colours, fills)
    print(f'{n} pairs of colours, {bad} faults')
    sys.exit(1 if bad or n < 130 else 0)


if __name__ == '__main__':
    main()
