#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""site.py BUILD [OUT]: the documentation as plain HTML, in OUT (build-site).

A page for each command (its manual, by mandoc), each format and each guide (Markdown, by cmark-gfm), and the cookbook. Nothing
is loaded from elsewhere, there are no scripts, and links go to pages of the site. A link that leads nowhere, to a page or to a
heading in one, is an error; so is a page that no other leads to.

site.py --check OUT: only that, of a site that is there.
"""
import html
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOP = ('README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md')
BESIDE = ('viewer/README.md', 'wasm/README.md', 'bench/README.md', 'tests/data/README.md')
STYLE = '''
:root { color-scheme: light dark; }
body { font: 1rem/1.5 sans-serif; max-width: 60rem; margin: 0 auto; padding: 0 1rem 4rem; }
nav { padding: .75rem 0; border-bottom: 1px solid; margin-bottom: 1rem; }
nav a { margin-right: 1rem; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8888; line-height: 1.3; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #8888; padding: .2rem .5rem; text-align: left; vertical-align: top; }
table.head, table.foot { display: table; width: 100%; }
table.head td, table.foot td { border: 0; }
img { max-width: 100%; }
a.permalink { color: inherit; text-decoration: none; }
ul.index { columns: 18rem; }
'''


def run(*words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout


def slug(heading):
    """The name of a heading, as GitHub makes it."""
    return re.sub(r'[^\w\- ]', '', html.unescape(re.sub(r'<[^>]*>', '', heading)).lower()).replace(' ', '-')


def with_names(body):
    seen = {}

    def name(match):
        word = slug(match[2])
        n = seen[word] = seen.get(word, -1) + 1
        return f'<h{match[1]} id="{word}{f"-{n}" if n else ""}">{match[2]}</h{match[1]}>'
    return re.sub(r'<h([1-6])>(.*?)</h\1>', name, body, flags=re.S)


def page_of(source):
    """Where in the site the page of a file of the tree is: docs/diff.md is diff.html."""
    if source == 'README.md':
        return 'index.html'
    short = source[5:] if source.startswith('docs/') else source
    return re.sub(r'\.md$', '.html', short)


class Site:
    def __init__(self, build, out):
        self.build, self.out = build, out
        self.sources = [*TOP, *BESIDE, *(str(p.relative_to(ROOT)) for p in sorted((ROOT / 'docs').rglob('*.md')))]
        self.commands = sorted(p.stem for p in (build / 'docs/man').glob('assay*.1'))

    def href(self, source, target):
        """A link of a file of the tree, as it is in the site."""
        if re.match(r'[a-z]+:|#', target):
            return target
        path, _, part = target.partition('#')
        full = (ROOT / source).parent.joinpath(urllib.parse.unquote(path)).resolve()
        tree = str(full.relative_to(ROOT))
        if tree.startswith('docs/man/'):
            to = f'man/{re.sub(".1.in$", "", full.name)}.html'
        elif full.is_dir():
            to = self.folder(tree)
        elif tree in self.sources:
            to = page_of(tree)
        else: # a picture, a licence, a source file: a copy of it
            to = tree.removeprefix('docs/')
            (self.out / to).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(full, self.out / to)
        up = '../' * page_of(source).count('/')
        return up + to + ('#' + part if part else '')

    def folder(self, tree):
        """The page of a folder: those of formats and decisions are made anyway, of another it is a list of its files."""
        to = tree.removeprefix('docs/') + '/index.html'
        if tree not in ('docs/formats', 'docs/decisions'):
            files = sorted(path.name for path in (ROOT / tree).iterdir() if path.is_file())
            shutil.copytree(ROOT / tree, self.out / to.removesuffix('/index.html'), dirs_exist_ok=True, ignore=lambda d, n: set(n) - set(files))
            self.index(to, pathlib.Path(tree).name.capitalize(), [(name, name, '') for name in files])
        return to

    def write(self, page, title, body):
        up = '../' * page.count('/')
        places = (('index.html', 'assay'), ('cookbook.html', 'Cookbook'), ('man/index.html', 'Commands'), ('formats/index.html', 'Formats'),
                  ('guides.html', 'Guides'))
        nav = ' '.join(f'<a href="{up}{to}">{word}</a>' for to, word in places)
        path = self.out / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
                        f'<title>{html.escape(title)}</title>\n<link rel="stylesheet" href="{up}style.css">\n</head>\n<body>\n<nav>{nav}</nav>\n'
                        f'<main>\n{body}</main>\n</body>\n</html>\n', encoding='utf-8')

    def markdown(self, source):
        """The page of a Markdown file; its title."""
        text = (ROOT / source).read_text(encoding='utf-8')
        body = run('cmark-gfm', '-e', 'table', '-e', 'autolink', '-t', 'html', text=text)
        body = re.sub(r'(<a href|<img src)="([^"]*)"', lambda m: f'{m[1]}="{html.escape(self.href(source, html.unescape(m[2])))}"', body)
        title = html.unescape(re.sub(r'<[^>]*>', '', re.search(r'<h1>(.*?)</h1>', body, re.S)[1]))
        self.write(page_of(source), title, with_names(body))
        return title

    def manual(self, name):
        """The page of a command; what it says of itself in a line."""
        body = run('mandoc', '-T', 'html', '-O', 'fragment', str(self.build / 'docs/man' / f'{name}.1'))
        body = re.sub(r'<b>(assay(?:-[a-z]+)?)</b>\(1\)',
                      lambda m: f'<a href="{m[1]}.html">{m[0]}</a>' if m[1] in self.commands else m[0], body)
        self.write(f'man/{name}.html', name, body)
        return re.search(r'<p class="Pp">\S+ - (.*?)</p>', body, re.S)[1]

    def index(self, page, title, rows):
        items = ''.join(f'<li><a href="{to}">{html.escape(word)}</a>{": " + about if about else ""}</li>\n' for to, word, about in rows)
        self.write(page, title, f'<h1>{title}</h1>\n<ul>\n{items}</ul>\n')

    def make(self):
        titles = {source: self.markdown(source) for source in self.sources}
        self.index('man/index.html', 'Commands', [(f'{name}.html', name.replace('-', ' ', 1), self.manual(name)) for name in self.commands])
        for folder in ('formats', 'decisions'):
            self.index(f'{folder}/index.html', folder.capitalize(), [(pathlib.Path(page_of(s)).name, t, '') for s, t in titles.items()
                                                                       if s.startswith(f'docs/{folder}/')])
        guides = [(page_of(s), t, '') for s, t in titles.items() if s.count('/') == 1 and s.startswith('docs/')]
        self.index('guides.html', 'Guides', [*guides, ('decisions/index.html', 'Decisions', ''),
                                             *((page_of(s), titles[s], '') for s in (*TOP[1:], *BESIDE))])
        (self.out / 'style.css').write_text(STYLE)


def faults(out):
    """What is wrong with the links of a site."""
    pages = {p.relative_to(out).as_posix(): p.read_text(encoding='utf-8') for p in out.rglob('*.html')}
    names = {page: set(re.findall(r'\bid="([^"]*)"', text)) for page, text in pages.items()}
    bad, led_to = [], {'index.html'}
    for page, text in pages.items():
        for raw in re.findall(r'\b(?:href|src)="([^"]*)"', text):
            link = urllib.parse.unquote(html.unescape(raw))
            if re.match(r'(https?|mailto):', link):
                if f'src="{raw}"' in text:
                    bad.append(f'{page}: is loaded from elsewhere: {link}')
                continue
            path, _, part = link.partition('#')
            to = (out / page).parent.joinpath(path).resolve() if path else (out / page).resolve()
            if not to.is_relative_to(out.resolve()) or not to.is_file():
                bad.append(f'{page}: leads nowhere: {link}')
                continue
            to = to.relative_to(out.resolve()).as_posix()
            if part and part not in names.get(to, ()):
                bad.append(f'{page}: no such heading: {link}')
            if to != page:
                led_to.add(to)
    return bad + [f'{page}: no page leads to it' for page in sorted(set(pages) - led_to)]


def main():
    words = sys.argv[1:]
    if not words or len(words) > 2:
        sys.exit(__doc__)
    if words[0] == '--check':
        out = pathlib.Path(words[1])
    else:
        out = pathlib.Path(words[1] if len(words) > 1 else ROOT / 'build-site')
        if out.exists() and not (out / 'style.css').exists() and any(out.iterdir()):
            sys.exit(f'site: {out} is there, and is no site')
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        Site(pathlib.Path(words[0]), out).make()
    bad = faults(out)
    print('\n'.join(bad) if bad else f'{out}/index.html: {sum(1 for _ in out.rglob("*.html"))} pages')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
