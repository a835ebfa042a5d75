#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/embed.py OUT.h FILE...: files as arrays of C, `as_NAME_EXT` for NAME.EXT.
tools/embed.py --raw SYMBOL OUT.c FILE: one file, byte for byte, as SYMBOL and SYMBOL_size.

Without --raw, indentation, empty lines and lines of comment go, so that what is embedded is small;
AS_NAME_EXT_HASH is what a policy calls it by, where xml.h has put it into HTML.
"""
import base64
import hashlib
import pathlib
import sys


def small(text):
    lines = (line.strip() for line in text.splitlines())
    return '\n'.join(line for line in lines if line and not line.startswith('//')) + '\n'


def numbers(data):
    rows = [', '.join(str(b) for b in data[i:i + 20]) for i in range(0, len(data), 20)]
    return '{\n\t' + ',\n\t'.join(rows) + '}'


def digest(path, data):
    """Of the element's text: of a script, the line that hides its marks from XML is part of it."""
    text = b'//\n' + data + b'//' if path.suffix == '.js' else b'\n' + data
    return "'sha256-" + base64.b64encode(hashlib.sha256(text).digest()).decode() + "'"


def array(path):
    data = small(path.read_text(encoding='utf-8')).encode()
    name = 'as_' + path.name.replace('.', '_')
    return (f'static const unsigned char {name}[] = {numbers(data)};\n'
            f'#define {name.upper()}_HASH "{digest(path, data)}"\n')


def raw(symbol, path):
    data = path.read_bytes()
    return (f'#include <stddef.h>\n\nextern const unsigned char {symbol}[];\nextern const size_t {symbol}_size;\n'
            f'const unsigned char {symbol}[] = {numbers(data)};\nconst size_t {symbol}_size = {len(data)};\n')


def main():
    if sys.argv[1] == '--raw':
        symbol, out, path = sys.argv[2:]
        pathlib.Path(out).write_text('/* SPDX-License-Identifier: Apache-2.0 */\n' + raw(symbol, pathlib.Path(path)))
        return
    out, *files = map(pathlib.Path, sys.argv[1:])
    out.write_text('/* SPDX-License-Identifier: Apache-2.0 */\n' + ''.join(map(array, files)))


if __name__ == '__main__':
    main()
