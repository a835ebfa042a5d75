#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the program knows is what the documents say.

- every folder in src/formats is in its list, and has docs/formats/NAME.md;
- every finding of src/model/findings.def is in docs/findings.md, and none that is gone;
- a finding has a golden or CLI test that names it;
- no merged document promises to be written.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROMISE = re.compile(r'\bto be written\b|\bTBD\b|\bXXX\b', re.I)


def words(path, pattern):
    match = re.search(pattern, path.read_text(), re.S | re.M)
    return re.findall(r"'([\w-]+)'", match.group(1)) if match else []


def check_formats():
    folders = sorted(path.name for path in (ROOT / 'src/formats').iterdir() if path.is_dir())
    formats = words(ROOT / 'src/formats/meson.build', r'^formats = \[(.*?)\]')
    for name in folders:
        if name not in formats:
            yield f'src/formats/{name}: not in the list of src/formats/meson.build'
    for name in formats:
        if name not in folders:
            yield f'src/formats/meson.build: lists {name}, which has no folder'
        if not (ROOT / f'docs/formats/{name}.md').exists():
            yield f'docs/formats/{name}.md: missing'
    if formats != sorted(formats):
        yield 'src/formats/meson.build: the list is not sorted'
    commands = words(ROOT / 'src/cli/meson.build', r'^commands = \[(.*?)\]')
    if commands != sorted(commands):
        yield 'src/cli/meson.build: the list is not sorted'


def evidence():
    """The words of everything in which a finding may be seen to happen."""
    places = list((ROOT / 'tests').rglob('*')) + list((ROOT / 'src').rglob('golden/*'))
    places += list((ROOT / 'src').rglob('*_test.c'))
    found = set()
    for path in places:
        if path.is_file() and path.stat().st_size < 1 << 20:
            found.update(re.findall(r'[\w-]+', path.read_text(errors='replace')))
    return found


def check_findings():
    table = ROOT / 'src/model/findings.def'
    if not table.exists():
        return
    ids = re.findall(r'^\s*X\(\s*(\w+)', table.read_text(), re.M)
    page = ROOT / 'docs/findings.md'
    if not page.exists():
        yield 'docs/findings.md: missing'
        return
    text = page.read_text()
    seen = evidence()
    for ident in ids:
        name = ident.lower().replace('_', '-')
        if not re.search(rf'`{name}`', text):
            yield f'docs/findings.md: `{name}` is not documented'
        if name not in seen and f'AS_F_{ident}' not in seen:
            yield f'src/model/findings.def: no test shows {name}'
    known = {ident.lower().replace('_', '-') for ident in ids}
    for name in re.findall(r'^#+ `([\w-]+)`|^\| `([\w-]+)` \|', text, re.M):
        name = name[0] or name[1]
        if name not in known:
            yield f'docs/findings.md: `{name}` is not a finding'


def check_promises():
    for path in sorted([*ROOT.glob('*.md'), *(ROOT / 'docs').rglob('*.md')]):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if PROMISE.search(line):
                yield f'{path.relative_to(ROOT)}:{number}: a document promises to be written'


def main():
    complaints = [*check_formats(), *check_findings(), *check_promises()]
    print('\n'.join(complaints), end='\n' if complaints else '')
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main())
