#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/embed.py OUT.h FILE...: files as arrays of C, `as_NAME_EXT` for NAME.EXT.

Indentation, empty lines and lines of comment go, so that what is embedded is small.
"""
import pathlib
import sys


def small(text):
    lines = (line.strip() for line in text.splitlines())
    return '\n'.join(line for line in lines if line and not line.startswith('//')) + '\n'


def array(path):
    data = small(path.read_text(encoding='utf-8')).encode()
    rows = [', '.join(str(b) for b in data[i:i + 20]) for i in range(0, len(data), 20)]
    name = 'as_' + path.name.replace('.', '_')
    return f'static const unsigned char {name}[] = {{\n\t' + ',\n\t'.join(rows) + '};\n'


def main():
    out, *files = map(pathlib.Path, sys.argv[1:])
    out.write_text('/* SPDX-License-Identifier: Apache-2.0 */\n' + ''.join(map(array, files)))


if __name__ == '__main__':
    main()
