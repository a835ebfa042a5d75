#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every C file under src/ stands in the meson.build of its folder, or of the nearest above it, and
nowhere else.

X.c belongs to the folder's list (..._src), X_test.c to ..._tests, X_fuzz.c to fuzz_targets.
With --fix, write the missing ones in; io/ has two lists, so there a human decides.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENTRY = re.compile(r"'([\w/]+\.c)'")


def listed(text):
    """Names of the C files that a meson.build mentions."""
    return ENTRY.findall(text)


def files_of(folder):
    """The C files below a folder that no meson.build further down lists."""
    for path in folder.rglob('*.c'):
        if not any((up / 'meson.build').exists() for up in path.parents if folder in up.parents):
            yield str(path.relative_to(folder))


def commands(folder, text):
    """src/cli lists commands by word; the word stands for cmd/cmd_WORD.c."""
    match = re.search(r"^commands = \[(.*?)\]", text, re.S | re.M)
    return [f'cmd/cmd_{word}.c' for word in re.findall(r"'(\w+)'", match.group(1))] if match else []


def kind(name):
    for suffix in ('_test', '_fuzz'):
        if name.endswith(suffix + '.c'):
            return suffix[1:]
    return 'src'


def insert(text, name):
    """Put one file into the list where it belongs, keeping the list sorted."""
    stem = name[:-2]
    heads = {
        'src': (r"(^\w+_src \+?= files\(\n)(.*?)(^\))", f"  '{name}',"),
        'test': (r"(^\w+_tests \+?= files\(\n)(.*?)(^\))", f"  '{name}',"),
        'fuzz': (r"(^fuzz_targets \+= \{\n)(.*?)(^\})",
                 f"  '{stem[:-len('_fuzz')]}': files('{name}'),"),
    }
    pattern, line = heads[kind(name)]
    match = re.search(pattern, text, re.S | re.M)
    if not match:
        return None
    lines = sorted(match.group(2).splitlines() + [line])
    body = ''.join(entry + '\n' for entry in lines)
    return text[:match.start()] + match.group(1) + body + match.group(3) + text[match.end():]


def main():
    fix = '--fix' in sys.argv[1:]
    bad = 0
    for build in sorted((ROOT / 'src').rglob('meson.build')):
        folder = build.parent
        text = build.read_text()
        names = listed(text) + commands(folder, text)
        files = sorted(files_of(folder))
        for name in files:
            if name in names:
                continue
            if fix and not (folder.name == 'io' and kind(name) == 'src'):
                new = insert(text, name)
                if new:
                    text = new
                    print(f'{build.relative_to(ROOT)}: added {name}')
                    continue
            print(f'{folder.relative_to(ROOT)}/{name}: not in {build.relative_to(ROOT)}')
            bad += 1
        if fix and text != build.read_text():
            build.write_text(text)
        for name in sorted(set(names) - set(files)):
            print(f'{build.relative_to(ROOT)}: lists {name}, which is not there')
            bad += 1
    seen = {}
    for path in sorted((ROOT / 'src').rglob('*.[ch]')):
        if path.name in seen:
            print(f'{path.relative_to(ROOT)}: same file name as {seen[path.name]}')
            bad += 1
        seen[path.name] = path.relative_to(ROOT)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
