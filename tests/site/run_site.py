#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site (tools/site.py): all of it is there, its links lead somewhere, and what is wrong is seen.

run_site.py BUILD; environment: ASSAY = the program.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'data'))

import tap  # noqa: E402
from tap import Scratch, Tap, equal, want  # noqa: E402

BUILD = sys.argv.pop(1)
t = Tap('run_site')
for program in ('cmark-gfm', 'mandoc'):
    if not shutil.which(program):
        t.skip_all(f'no {program}')


def site(*words):
    done = subprocess.run([sys.executable, str(ROOT / 'tools/site.py'), *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob('*')) if p.is_file()}


def everything_is_there(out):
    code, said = site(BUILD, out)
    equal(code, 0, said)
    there = contents(out)
    commands = re.findall(r'^  ([a-z]+)  ', tap.assay('help').out.decode(), re.M)
    want(len(commands) > 30, commands)
    for command in commands:
        text = there.get(f'man/assay-{command}.html', b'').decode()
        want('id="SYNOPSIS"' in text and 'id="OPTIONS"' in text, f'page of {command}')
    formats = [f['name'] for f in tap.assay('formats', '-f', 'json').json()['formats']]
    for name in formats:
        want(f'formats/{name.replace("otlp-json", "otlp")}.html' in there, f'page of {name}')
    for path in (ROOT / 'docs').glob('*.md'):
        want(path.stem + '.html' in there, f'page of {path.name}')
    cookbook = there['cookbook.html'].decode()
    for question in ('which-line-is-slow', 'which-commit-made-it-slow', 'what-does-the-machine-do-at-night'):
        want(f'id="{question}"' in cookbook, question)
    want('<table>' in there['json.html'].decode(), 'tables')


def nothing_is_loaded(out):
    for name, data in contents(out).items():
        if name.endswith(('.html', '.css')):
            text = data.decode()
            want(not re.search(r'<script|@import|url\(|src="(?!\.\./|pictures/)|<link [^>]*href="http', text), f'{name} loads something')


def twice_is_the_same(out):
    again = out + '-again'
    equal(site(BUILD, again)[0], 0, 'again')
    equal(contents(again), contents(out), 'files')
    shutil.rmtree(again)
    precious = out + '-precious'
    os.mkdir(precious)
    pathlib.Path(precious, 'thesis.txt').write_text('mine')
    want(site(BUILD, precious)[0] != 0 and os.listdir(precious) == ['thesis.txt'], 'a folder that is no site is left alone')


def what_is_wrong_is_seen(out):
    equal(site('--check', out), (0, f'{out}/index.html: {len(list(pathlib.Path(out).rglob("*.html")))} pages\n'), 'as it is')
    page = pathlib.Path(out, 'diff.html')
    good = page.read_text()
    for wrong, says in (('<a href="nowhere.html">x</a>', 'diff.html: leads nowhere: nowhere.html'),
                        ('<a href="json.html#no-such">x</a>', 'diff.html: no such heading: json.html#no-such'),
                        ('<a href="#no-such">x</a>', 'diff.html: no such heading: #no-such'),
                        ('<a href="../outside.html">x</a>', 'diff.html: leads nowhere: ../outside.html'),
                        ('<img src="https://example.org/x.png">', 'diff.html: is loaded from elsewhere: https://example.org/x.png')):
        page.write_text(good + wrong)
        equal(site('--check', out), (1, says + '\n'), wrong)
    page.write_text(good)
    pathlib.Path(out, 'lonely.html').write_text('<p>nobody comes</p>')
    equal(site('--check', out), (1, 'lonely.html: no page leads to it\n'), 'a page that no other leads to')


with Scratch() as scratch:
    folder = scratch.name('site')
    t.add('each command, format and guide has a page, and links lead somewhere', everything_is_there, folder)
    t.add('nothing is loaded from elsewhere', nothing_is_loaded, folder)
    t.add('the same bytes each time, and nothing of others is deleted', twice_is_the_same, folder)
    t.add('what is wrong is seen', what_is_wrong_is_seen, folder)
    t.run()
