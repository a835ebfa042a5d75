#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text on every colour of a flame graph can be read: contrast of 4.5 to 1 and more (WCAG 2.2, 1.4.3), light and dark."""
import pathlib
import re
import sys

CSS = pathlib.Path(__file__).resolve().parent.parent / 'src/picture/flame.css'
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


def main():
    text = CSS.read_text()
    light, dark = text.split('@media (prefers-color-scheme:dark)')
    n = bad = 0
    for scheme, part in ('light', light), ('dark', dark.split('@media')[0]):
        fills = {selector.strip().lstrip('.'): colour for selector, colour in RULE.findall(part)}
        pairs = [('text', name) for name in fills if GROUND.match(name)]
        pairs += [('quiet', 'page'), ('frames .found text', 'frames .found rect')]
        for ink, ground in pairs:
            n += 1
            ratio = contrast(fills[ink], fills[ground])
            if ratio < LEAST:
                bad += 1
                print(f'{CSS.name}: {scheme}: {ink} on {ground} has a contrast of {ratio:.2f}; at least {LEAST}')
    print(f'{n} pairs of colours, {bad} of them too near to each other')
    sys.exit(1 if bad or n < 60 else 0)


if __name__ == '__main__':
    main()
