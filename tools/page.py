#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/page.py --esbuild PROGRAM --zopfli PROGRAM --wasm FILE --depfile FILE VIEWER OUT.html

Builds the page: bundles VIEWER's scripts and style, and puts them and the engine into its
page.html. The policy in it names what may run by hashes. The same sources give the same bytes.
"""
import argparse
import base64
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LIMIT = 350_000 # bytes of the page, gzip -9: what is sent over a network
# What the program that is given a profile looks for.
MARKER = '<!--@profile@-->'
# Between these is what is left out for a profile without moments.
WHEN = '<!--@when@-->'
# Lower six bits of characters that a page does not have: docs/page.md.
SHORT = {ord(c) % 64 for c in '\0\r\x1b<'}
MODULES = '/usr/share/nodejs' # where Debian puts libraries
NOTICES = pathlib.Path(__file__).resolve().parent.parent / 'THIRD-PARTY'


# dagre and graphlib without what the page does not use: what stands in place of their files.
PLAIN = {'dagre/index.js': 'dagre.js', 'dagre/lib/lodash.js': 'lodash.js',
         'graphlib/index.js': 'graphlib.js', 'graphlib/lib/lodash.js': 'lodash.js'}


def modules(viewer, out):
    """The libraries as they are bundled, in OUT; the files that are copied there."""
    for name in ('dagre', 'graphlib'):
        shutil.copytree(f'{MODULES}/{name}', out / name, ignore=shutil.ignore_patterns('dist'))
    for name, ours in PLAIN.items():
        shutil.copy(viewer / 'dagre' / ours, out / name)
    return [viewer / 'dagre' / ours for ours in PLAIN.values()]


def bundle(esbuild, entry, out):
    """The bundle's text, its style, and the files that it is made of."""
    meta = out / 'meta.json'
    subprocess.run([esbuild, str(entry), '--bundle', '--minify', '--format=iife', '--target=es2022',
                    '--charset=utf8', '--log-level=warning', '--legal-comments=none',
                    f'--outdir={out}', f'--metafile={meta}'],
                   check=True, env={**os.environ, 'NODE_PATH': str(out / 'modules')})
    script = (out / entry.name).with_suffix('.js').read_text(encoding='utf-8').strip()
    style = (out / entry.name).with_suffix('.css')
    inputs = [os.path.abspath(name) for name in json.loads(meta.read_text())['inputs']]
    inputs = [name for name in inputs if not name.startswith(str(out))]
    return script, style.read_text(encoding='utf-8').strip() if style.exists() else '', inputs


def inert(text, what):
    """TEXT, which stands in an element of HTML, must not end it, nor begin another."""
    for word in ('</script', '<script', '</style', '<!--'):
        if word in text.lower():
            sys.exit(f'page: {what} has {word} in it, which would end or change its element')
    return text


def notices(used):
    """What the licences of others want to be said, as a comment; each package has to be named."""
    text = NOTICES.read_text(encoding='utf-8')
    for name in sorted({pathlib.Path(path).relative_to(MODULES).parts[0]
                        for path in used if path.startswith(MODULES + '/')}):
        if not re.search(rf'^(.*, )?{re.escape(name)}[,:]', text, re.M):
            sys.exit(f'page: {name} is in the page and not in {NOTICES.name}')
    if '--' in text or '@' in text:
        sys.exit(f'page: {NOTICES.name} cannot stand in a comment')
    return text.strip()


def packed(zopfli, file):
    """Gzip, which browsers undo by themselves, of what is in FILE, in digits as src/page/page_write.c writes them."""
    data = subprocess.run([zopfli, '-c', str(file)], stdout=subprocess.PIPE, check=True).stdout
    bits = ''.join(f'{byte:08b}'[::-1] for byte in data) + 6 * '0'
    text, at = [], 0
    while at < 8 * len(data):
        six = int(bits[at:at + 6][::-1], 2)
        short = six in SHORT
        text.append(chr(six + 64 if short else int(bits[at:at + 7][::-1], 2)))
        at += 6 if short else 7
    return ''.join(text)


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def policy(scripts, style):
    """Nothing comes in, nothing goes out, and only what the build knows is run."""
    return '; '.join([
        "default-src 'none'",
        f"script-src {' '.join(map(digest, scripts))} 'wasm-unsafe-eval'",
        'worker-src blob:',
        f'style-src {digest(style)}',
        'img-src data: blob:',
        "connect-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
    ])


def without_time(page):
    """The page of a profile without moments."""
    before, _, after = page.split(WHEN)
    return before + after


def size_of(page):
    return len(gzip.compress(page.encode(), 9, mtime=0))


def assemble(template, parts):
    for name, text in parts.items():
        if template.count(f'@{name}@') != 1:
            sys.exit(f'page: the template has to have @{name}@ once')
        head, tail = template.split(f'@{name}@')
        template = head + text + tail
    if template.count(MARKER) != 1 or template.count(WHEN) != 2:
        sys.exit(f'page: the page has to have {MARKER} once and {WHEN} twice')
    return template


def main():
    args = argparse.ArgumentParser()
    args.add_argument('--esbuild', required=True)
    args.add_argument('--zopfli', required=True)
    args.add_argument('--wasm', required=True, type=pathlib.Path)
    args.add_argument('--depfile', required=True, type=pathlib.Path)
    args.add_argument('viewer', type=pathlib.Path)
    args.add_argument('out', type=pathlib.Path)
    args = args.parse_args()

    with tempfile.TemporaryDirectory() as tmp:
        src = args.viewer / 'src'
        replaced = modules(args.viewer, pathlib.Path(tmp) / 'modules')
        script, style, used = bundle(args.esbuild, src / 'main.ts', pathlib.Path(tmp))
        time, _, used_then = bundle(args.esbuild, src / 'time' / 'time.ts', pathlib.Path(tmp))
        worker, _, used_too = bundle(args.esbuild, src / 'worker.ts', pathlib.Path(tmp))
        engine = packed(args.zopfli, args.wasm)
    page = assemble((args.viewer / 'page.html').read_text(encoding='utf-8'), {
        'notices': notices(used + used_then + used_too),
        'policy': policy([script, time], style),
        'style': inert(style, 'the style'),
        'worker': inert(worker, 'the worker'),
        'engine': engine,
        'time': inert(time, 'the script of times'),
        'main': inert(script, 'the script'),
    })
    args.out.write_text(page, encoding='utf-8')
    args.depfile.write_text(f'{args.out}: ' + ' '.join(sorted({*used, *used_then, *used_too, *map(str, replaced), str(NOTICES)})) + '\n')
    print(f'page: {size_of(page):,} bytes gzip -9 of at most {LIMIT:,}; {size_of(without_time(page)):,} without times')


if __name__ == '__main__':
    main()
