#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The floors of src/ are real: includes go down only, and only cli talks to the world. The page's engine, wasm/, stands on
them as cli does, and talks to nobody either.

A file includes from lower floors or from its own folder. formats/X never includes formats/Y.
Only formats ask what a format is called; others look at what struct as_format says of it.
Only cli may call exit (but for record's children of fork()), print to stdout or stderr, or read the environment.
Tests and fuzz targets stand on top of everything and are not looked at.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOORS = {
    'base': 0,
    'io': 1, 'model': 1, 'perf': 1,
    'formats': 2, 'term': 2,
    'change': 3, 'regex': 3, 'symbols': 3,
    'fleet': 4, 'store': 4, 'table': 4,
    'tree': 5, 'listing': 5,
    'diff': 6,
    'report': 7, 'record': 7,
    'compat': 8, 'picture': 8, 'serve': 8, 'session': 8,
    'browse': 9, 'daemon': 9, 'lib': 9, 'page': 9, 'recording': 9,
    'cli': 10, 'wasm': 10,
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
FORBIDDEN = re.compile(
    r'\b(exit|_exit|_Exit|quick_exit|printf|vprintf|puts|putchar|perror|getenv|secure_getenv'
    r'|(?:fprintf|vfprintf|fputs|fputc|fwrite)\s*\([^;]*?\b(?:stdout|stderr))\s*[(,)]')
BY_NAME = re.compile(r'\b(?:as_profile_is_from\(|as_slice_\w+\(as_str_get\([^()]*->format\)|strn?cmp\([^()]*\bfmt->name\b)')
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def blank(match):
    """Comments and literals become blanks; line numbers stay."""
    return re.sub(r'[^\n]', ' ', match.group(0))


def home(parts):
    """The unit that may include itself: a floor, or one format's folder."""
    return parts[:2] if parts[0] == 'formats' and len(parts) > 2 else parts[:1]


def check_include(path, line, target):
    parts, other = path.parts, pathlib.PurePath(target).parts
    if len(other) < 2:
        beside = parts[0] == 'wasm' and (ROOT / 'wasm' / target).exists()
        return None if beside or target.startswith('assay') else f'"{target}" is not named from the root of src/'
    if other[0] == 'assay':
        if FLOORS[parts[0]] >= FLOORS['lib']:
            return None
        return f'"{target}" is the public header, for lib and cli only'
    if other[0] not in FLOORS:
        return f'"{target}" is on no floor'
    if home(parts) == home(other):
        return None
    if parts[0] == 'formats' and other[0] == 'formats':
        if len(other) > 2:
            return f'"{target}": formats do not know each other'
        return None
    if FLOORS[other[0]] < FLOORS[parts[0]]:
        return None
    return f'"{target}" is on floor {FLOORS[other[0]]}, this file on floor {FLOORS[parts[0]]}'


def check(full, path):
    text = full.read_text(errors='replace')
    if path.parts[0] not in FLOORS:
        yield 1, f'{path.parts[0]} is on no floor: name it in tools/check_floors.py'
        return
    for match in INCLUDE.finditer(text):
        line = text.count('\n', 0, match.start(1)) + 1
        complaint = check_include(path, line, match.group(1))
        if complaint:
            yield line, complaint
    code = COMMENT_OR_STRING.sub(blank, text).replace('format(printf,', 'format(______,')
    for match in BY_NAME.finditer(code if path.parts[0] not in ('formats', 'model') else ''):
        yield code.count('\n', 0, match.start()) + 1, 'a format is not known by its name: struct as_format has what is special'
    if path.parts[0] == 'cli':
        return
    for match in FORBIDDEN.finditer(code):
        word = re.match(r'\w+', match.group(1)).group(0)
        if path.parts[0] in ('record', 'daemon') and word in ('_exit', '_Exit'):
            continue        # a child of fork() that could not become the program
        if path.parts == ('base', 'assert.c'):
            continue        # the last words of as_assert()
        yield code.count('\n', 0, match.start()) + 1, f'{word}: only cli exits, prints or reads the environment'


def main():
    bad = 0
    for full in sorted([*(ROOT / 'src').rglob('*.[ch]'), *(ROOT / 'wasm').glob('*.[ch]')]):
        shown = full.relative_to(ROOT)
        path = shown if shown.parts[0] == 'wasm' else full.relative_to(ROOT / 'src')
        if path.stem.endswith(('_test', '_testing', '_fuzz')) or len(path.parts) < 2:
            continue
        for line, complaint in check(full, path):
            print(f'{shown}:{line}: {complaint}')
            bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
