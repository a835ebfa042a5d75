#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/man.py ASSAY SOURCES OUT: the manual pages, of what the program says of itself.

Names, synopses, options and examples come from `assay COMMAND --help`; SOURCES/assay-COMMAND.1.in
has the sections that are written by hand, and what is to be added to the others. In its OPTIONS a
line "--name", or "--name ARGUMENT", begins what the page says of an option; SOURCES/options.in has
what several pages say. Of all other options the page has the words of --help. What is said of an
option that does not exist is an error.
"""
import pathlib
import re
import subprocess
import sys

LISTED = ('Options', 'Output options', 'View options', 'Answer options')
ORDER = ('NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'OPTIONS', 'EXPRESSIONS', 'EXIT STATUS', 'FILES', 'ENVIRONMENT', 'EXAMPLES',
         'SEE ALSO')


def roff(text):
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return '\\&' + text if text[:1] in ("'", '.') else text


def sentence(text):
    text = text[:1].upper() + text[1:]
    return roff(text if text[-1] in '.?' else text + '.')


class Option:
    def __init__(self, letter, name, arg, text):
        self.letter, self.name, self.arg, self.text = letter, name, arg, text
        self.key = f'--{name} {arg}' if arg else f'--{name}'

    def head(self):
        long = roff('--' + self.name)
        words = ([roff('-' + self.letter), '", "'] if self.letter else []) + [long]
        words += ['" "', f'\\fI{roff(self.arg)}\\fR'] if self.arg else []
        return ('.BR ' if len(words) > 1 else '.B ') + ' '.join(words)


class Command:
    """What `assay NAME --help` says."""

    def __init__(self, assay, name):
        text = subprocess.run([assay, name, '--help'], capture_output=True, text=True, check=True).stdout
        head, *rest = re.split(r'^(?=\S.*\n  )', text, flags=re.M)
        self.name = name
        self.args, self.brief = re.match(r'Usage: assay \S+ \[OPTION\.\.\.\] ?(.*)\n(.*)\n', head).groups()
        self.examples, self.group = [], {}
        for part in rest:
            title, body = part.split('\n', 1)
            if title == 'Examples':
                self.examples = re.findall(r'^  (.{44,}?)  (\S.*)$', body, re.M)
            elif title != 'Exit status':
                self.group.setdefault(title, []).extend(self.options(body))

    @staticmethod
    def options(text):
        found = re.findall(r'^  (?:-(\w), |    )--([\w-]+)(?: (\S+))?(?: {2,}|\n +)(\S.*)$', text, re.M)
        return [Option(*of) for of in found]


class Source:
    """The sections of a file, and what its OPTIONS and the like say of each option."""

    def __init__(self, path):
        self.section, self.prose = {}, {}
        for part in re.split(r'^\.SH ', '\n' + path.read_text(), flags=re.M)[1:]:
            title, body = part.split('\n', 1)
            text, *entries = re.split(r'^(--[\w-]+(?: \S+)?)\n', body, flags=re.M)
            self.section[title] = text
            self.prose.update(zip(entries[::2], entries[1::2]))
        self.unused = set(self.prose)

    def says(self, option):
        for key in option.key, f'--{option.name}':
            if key in self.prose:
                self.unused.discard(key)
                return self.prose[key]
        return None


def option_list(options, *sources):
    out = []
    for o in options:
        said = [s for s in (source.says(o) for source in sources) if s is not None]
        out.append('.TP\n' + o.head() + '\n' + (said[0] if said else sentence(o.text) + '\n'))
    return ''.join(out)


def elsewhere(command, groups):
    """The options that assay(1) explains."""
    own = {o.name for o in command.group.get('Options', [])}
    kinds = []
    for title, options in groups.items():
        names = [f'\\fB{roff("--" + o.name)}\\fR' for o in options if o.name not in own or '|' not in o.arg]
        if title not in LISTED and title in command.group:
            title = title[0].lower() + title[1:]
            kinds.append(f'the {title} ' + ',\n'.join(names[:-1]) + f'\nand {names[-1]}')
    text = ',\n'.join(kinds[:-1]) + ', and\n' + kinds[-1] if len(kinds) > 1 else kinds[0]
    return '.PP\nT' + text[1:] + '\nare those of\n.BR assay (1).\n'


def see_also(names):
    return ',\n'.join(f'.BR {name} (1)' for name in names) + '\n'


def page(name, brief, section):
    title = name.upper()
    name = roff(name)
    head = f'.TH {title} 1 "" "assay" "User Commands"\n.SH NAME\n{name} \\- {roff(brief)}\n'
    order = [s for s in ORDER if s in section]
    if set(section) - set(order):
        at = order.index('OPTIONS') + 1
        order[at:at] = [s for s in section if s not in order]
    return head + ''.join(f'.SH {s}\n{section[s]}' for s in order)


def synopsis(command):
    args = re.sub(r'[A-Z]{2,}', lambda m: f'\\fI{m.group()}\\fR', roff(command.args))
    return f'.B assay {command.name}\n[\\fIOPTION\\fR...] {args}\n'


def command_page(command, source, common, groups):
    s = source.section
    s.setdefault('SYNOPSIS', synopsis(command))
    listed = [o for title in LISTED for o in command.group.get(title, [])]
    s['OPTIONS'] = s.get('OPTIONS', '') + option_list(listed, source, common) + elsewhere(command, groups)
    status = s.get('EXIT STATUS', '')
    if not status or status[0].isdigit():
        s['EXIT STATUS'] = 'As of\n.BR assay (1)' + (';\n' + status if status else '.\n')
    own = s.get('EXAMPLES', '')
    s['EXAMPLES'] = ''.join(f'.TP\n.B {roff(what.rstrip())}\n{sentence(about)}\n' for what, about in command.examples)
    s['EXAMPLES'] += own
    s['SEE ALSO'] = see_also(['assay'] + s.get('SEE ALSO', '').split())
    return page('assay-' + command.name, command.brief, s)


def main_page(commands, source, groups):
    s = source.section
    for title, options in groups.items():
        at = 'OPTIONS' if title == 'General options' else title.upper()
        if at in s:
            before, after = (s[at] + '@options@\n').split('@options@\n')[:2]
            s[at] = before + option_list(options, source) + after
    s['COMMANDS'] = ''.join(f'.TP\n.B {c.name}\n{roff(c.brief)}\n' for c in commands) + s['COMMANDS']
    s['SEE ALSO'] = see_also(['assay-' + c.name for c in commands] + s['SEE ALSO'].split())
    return page('assay', s.pop('NAME').strip(), s)


def main(assay, sources, out):
    sources, out = pathlib.Path(sources), pathlib.Path(out)
    overview = subprocess.run([assay, 'help'], capture_output=True, text=True, check=True).stdout
    commands = [Command(assay, c) for c in re.findall(r'^  (\w+)  ', overview.split('Commands\n')[1], re.M)]
    groups = {}
    for c in commands:
        for title, options in c.group.items():
            if title != 'Options':
                have = groups.setdefault(title, [])
                have.extend(o for o in options if o.key not in [h.key for h in have])
    common, pages, unused = Source(sources / 'options.in'), {}, []
    for c in commands:
        source = Source(sources / f'assay-{c.name}.1.in')
        pages[f'assay-{c.name}'] = command_page(c, source, common, groups)
        unused += [f'assay-{c.name}: {key}' for key in source.unused]
    source = Source(sources / 'assay.1.in')
    pages['assay'] = main_page(commands, source, groups)
    unused += [f'assay: {key}' for key in source.unused] + [f'options.in: {key}' for key in common.unused]
    if unused:
        sys.exit('tools/man.py: the program has no such options:\n' + '\n'.join(sorted(unused)))
    others = {path.name for path in sources.glob('*.1.in')} - {f'{name}.1.in' for name in pages}
    if others:
        sys.exit('tools/man.py: the program has no such commands: ' + ' '.join(sorted(others)))
    for name, text in pages.items():
        (out / f'{name}.1').write_text('.\\" SPDX-License-Identifier: Apache-2.0\n' + text)


if __name__ == '__main__':
    main(*sys.argv[1:])
