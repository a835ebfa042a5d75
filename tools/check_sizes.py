#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files and functions stay small enough to read.

Hard limits: .c 1,000 lines, .h in src/ 400, a function 80 with its braces, a line 100 columns. A longer
function carries, on a line above it, NOLINTNEXTLINE(readability-function-size): and the reason.
A folder of src/ has 50 files of the product. A static function's name says which file it is of: it is
no single word, and stands in no other file of the product.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ('src', 'include', 'fuzz', 'wasm', 'preload', 'bpf', 'bench', 'docs/examples', 'bindings', 'tests')
MAX_LINES = {'.c': 1000, '.h': 400}
MAX_FUNCTION = 80
MAX_COLUMNS = 100
MAX_FILES = 50
NO_PRODUCT = re.compile(r'_(test|testing|fuzz)$|^test_')
EXCUSE = re.compile(r'NOLINT\w*\([^)]*readability-function-size[^)]*\)\s*:?\s*\w+')
ATTRIBUTE = re.compile(r'__attribute__\(\(.*?\)\)')
STATIC = re.compile(r'^static [^;={}()]*?\b(\w+)\(', re.M)
TODO = re.compile(r'\b(TODO|FIXME|XXX)\b')


def functions(lines):
    """(line number of the opening brace, length) of every block that opens in column 0."""
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith('{') and start is None:
            start = number
        elif line.startswith('}') and start is not None:
            yield start, number - start + 1
            start = None


# Programs that profiles are of: their lines are those that the profiles name.
KEPT = ROOT / 'tests' / 'data' / 'profiles'


def excused(lines, start):
    return any(EXCUSE.search(line) for line in lines[max(0, start - 8):start])


def check(path):
    text = path.read_text(errors='replace')
    lines = text.splitlines()
    in_src = path.is_relative_to(ROOT / 'src')
    limit = MAX_LINES['.h' if path.suffix == '.h' and in_src else '.c']
    if len(lines) > limit:
        yield len(lines), f'{len(lines)} lines; the limit is {limit}'
    if path.suffix == '.c':
        for start, length in functions(lines):
            if length > MAX_FUNCTION and not excused(lines, start):
                yield start, f'a function of {length} lines; the limit is {MAX_FUNCTION}'
    for number, line in enumerate(lines, 1):
        if len(line.expandtabs(8)) > MAX_COLUMNS:
            yield number, f'{len(line.expandtabs(8))} columns; the limit is {MAX_COLUMNS}'
        if TODO.search(line) and path.is_relative_to(ROOT / 'src'):
            yield number, 'a TODO in src/ is an issue, not a comment'


def crowds():
    """(folder, its files of the product) of each folder of src/ that has too many."""
    files = collections.Counter(path.parent.relative_to(ROOT)
                                for path in (ROOT / 'src').rglob('*.[ch]')
                                if not NO_PRODUCT.search(path.stem))
    return sorted((folder, n) for folder, n in files.items() if n > MAX_FILES)


def unclear():
    """(file, static function) of each whose name does not say whose it is."""
    files = collections.defaultdict(set)
    for folder in ('src', 'wasm', 'preload'):
        for path in (ROOT / folder).rglob('*.c'):
            if not NO_PRODUCT.search(path.stem):
                for name in STATIC.findall(ATTRIBUTE.sub('', path.read_text())):
                    files[name].add(str(path.relative_to(ROOT)))
    return sorted((path, name) for name, places in files.items() for path in places
                  if len(places) > 1 or '_' not in name)


def main():
    bad = 0
    for path, name in unclear():
        print(f"{path}: {name}() does not say whose it is: give it the file's word")
        bad += 1
    for folder, n in crowds():
        print(f'{folder}: {n} files; the limit is {MAX_FILES}')
        bad += 1
    for folder in FOLDERS:
        for path in sorted(p for p in (ROOT / folder).rglob('*.[ch]') if KEPT not in p.parents):
            for line, complaint in check(path):
                print(f'{path.relative_to(ROOT)}:{line}: {complaint}')
                bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
