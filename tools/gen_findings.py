#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write docs/findings.md from src/model/findings.def: the list is kept in one place."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEVERITY = {'ERROR': 'error', 'WARN': 'warning', 'INFO': 'info'}
HEAD = '''# Findings

What `assay check` can say about an input, by format.
An **error** breaks the format's rules or makes a number doubtful: `check` then exits with 1, and reading with `--strict` stops there.
A **warning** is odd but harmless to the numbers; of text that may have been cut inside of one each command that reads it says so in a line. **Info** is worth knowing.
The codes are stable. This page is made from `src/model/findings.def` by `tools/gen_findings.py`.
'''


def main():
    text = (ROOT / 'src/model/findings.def').read_text()
    out = [HEAD]
    for line in re.findall(r'/\* ([^*\n]+) \*/|^(X\(.*\))$', text, re.M):
        title, entry = line
        if title and not title.startswith('SPDX'):
            out.append(f'\n## {title[0].upper() + title[1:]}\n\n| code | severity | meaning |\n| --- | --- | --- |\n')
        if entry:
            _, name, severity, meaning = re.match(
                r'X\((\w+), "([^"]+)", (\w+), "(.*)"\)', entry).groups()
            out.append(f'| `{name}` | {SEVERITY[severity]} | {meaning} |\n')
    (ROOT / 'docs/findings.md').write_text(''.join(out))


if __name__ == '__main__':
    main()
