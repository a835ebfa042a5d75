#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sbom.py [--created TIME] [--out FILE]: what assay is made of, as SPDX 2.3 (tag-value).

Dependencies are those that the meson.build files ask for, as meson finds them without a build; the parts of
other people's work are those that THIRD-PARTY has. One that the table below does not know is an error, and so is a
row that nobody asks for: the list is as long as the truth.
"""
import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# name: (licence, home, how assay has it, what for)
DEPENDENCIES = {
    'zlib': ('Zlib', 'https://zlib.net/', 'DYNAMIC_LINK', 'gzip'),
    'libzstd': ('BSD-3-Clause OR GPL-2.0-only', 'https://facebook.github.io/zstd/', 'DYNAMIC_LINK', 'zstd'),
    'libdeflate': ('MIT', 'https://github.com/ebiggers/libdeflate', 'DYNAMIC_LINK', 'faster gzip'),
    'expat': ('MIT', 'https://libexpat.github.io/', 'DYNAMIC_LINK', 'XML of Instruments'),
    'libdw': ('GPL-2.0-or-later OR LGPL-3.0-or-later', 'https://sourceware.org/elfutils/', 'DYNAMIC_LINK', 'separate debug files'),
    'libelf': ('GPL-2.0-or-later OR LGPL-3.0-or-later', 'https://sourceware.org/elfutils/', 'DYNAMIC_LINK', 'ELF'),
    'iberty': ('LGPL-2.1-or-later', 'https://gcc.gnu.org/', 'STATIC_LINK', 'demangling'),
    'capstone': ('BSD-3-Clause', 'https://www.capstone-engine.org/', 'OPTIONAL_DEPENDENCY_OF', 'disassembly; loaded when it is asked for'),
    're2': ('BSD-3-Clause', 'https://github.com/google/re2', 'STATIC_LINK', 'filters by name'),
    'libmicrohttpd': ('LGPL-2.1-or-later', 'https://www.gnu.org/software/libmicrohttpd/', 'OPTIONAL_DEPENDENCY_OF', 'open --serve; loaded when it is asked for'),
    'ncursesw': ('X11-distribute-modifications-variant', 'https://invisible-island.net/ncurses/', 'OPTIONAL_DEPENDENCY_OF', 'browse; loaded when it is asked for'),
    'libcurl': ('curl', 'https://curl.se/', 'OPTIONAL_DEPENDENCY_OF', 'profiles by URL; loaded when one is asked for'),
    'threads': ('LGPL-2.1-or-later', 'https://www.gnu.org/software/libc/', 'DYNAMIC_LINK', 'threads of the C library'),
    'dl': ('LGPL-2.1-or-later', 'https://www.gnu.org/software/libc/', 'DYNAMIC_LINK', 'the loader of the C library'),
    'python3': ('PSF-2.0', 'https://www.python.org/', 'OPTIONAL_DEPENDENCY_OF', 'the Python module'),
    'cmocka': ('Apache-2.0', 'https://cmocka.org/', 'TEST_DEPENDENCY_OF', 'unit tests'),
}

# What THIRD-PARTY has: its source is in the page, or its functions are in library and program.
PARTS = {
    'dagre': ('MIT', 'https://github.com/dagrejs/dagre', 'the page: layout of call graphs'),
    'graphlib': ('MIT', 'https://github.com/dagrejs/graphlib', 'the page: graphs'),
    'lodash': ('MIT', 'https://lodash.com/', 'the page: of graphlib'),
    'musl': ('MIT', 'https://musl.libc.org/', 'the page: in wasi-libc'),
    'xxHash': ('BSD-2-Clause', 'https://xxhash.com/', 'library and program: hashes'),
}


def asked_for():
    """The names that the meson.build files ask for."""
    scan = subprocess.run(['meson', 'introspect', '--scan-dependencies', str(ROOT / 'meson.build')], capture_output=True, text=True, check=True)
    names = {row['name'] for row in json.loads(scan.stdout)}
    for path in ROOT.glob('*/**/meson.build'):
        if not path.relative_to(ROOT).parts[0].startswith('build'):
            names.update(re.findall(r"find_library\('(\w+)'", path.read_text()))
            if "'curl/curl.h'" in path.read_text():
                names.add('libcurl')
    return names - {''}


def third_party():
    """The names in front of each copyright in THIRD-PARTY."""
    names = set()
    for line in (ROOT / 'THIRD-PARTY').read_text().splitlines():
        match = re.match(r'([\w ,-]+): Copyright', line)
        names.update(re.sub(r' .*', '', name.strip()) for name in (match[1].split(',') if match else ()) if not name.strip().startswith('in '))
    return names


def same(what, found, known):
    if found != known:
        sys.exit(f'tools/sbom.py: {what}: not in its table: {sorted(found - known)}; nobody has: {sorted(known - found)}')


def package(name, version, licence, home, about):
    ident = 'SPDXRef-' + re.sub(r'[^\w.-]', '-', name)
    return ident, f'''PackageName: {name}
SPDXID: {ident}
PackageVersion: {version}
PackageDownloadLocation: NOASSERTION
PackageHomePage: {home}
FilesAnalyzed: false
PackageLicenseConcluded: {licence}
PackageLicenseDeclared: {licence}
PackageCopyrightText: NOASSERTION
PackageComment: <text>{about}</text>
'''


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--created', default='1970-01-01T00:00:00Z', help='when the sources are of')
    parser.add_argument('--out', help='instead of standard output')
    args = parser.parse_args()
    same('dependencies', asked_for(), set(DEPENDENCIES))
    same('THIRD-PARTY', third_party(), set(PARTS))
    version = re.search(r"version: '([\d.]+)'", (ROOT / 'meson.build').read_text())[1]
    main_id, first = package('assay', version, 'Apache-2.0', 'NONE', 'the program, the library, the sampler and the page')
    parts, relations = [first], [f'Relationship: SPDXRef-DOCUMENT DESCRIBES {main_id}']
    for name, (licence, home, how, about) in sorted(DEPENDENCIES.items()):
        ident, text = package(name, 'NOASSERTION', licence, home, about)
        parts.append(text)
        relations.append(f'Relationship: {ident} {how} {main_id}' if how.endswith('_OF') else f'Relationship: {main_id} {how} {ident}')
    for name, (licence, home, about) in sorted(PARTS.items()):
        ident, text = package(name, 'NOASSERTION', licence, home, about)
        parts.append(text)
        relations.append(f'Relationship: {main_id} CONTAINS {ident}')
    body = '\n'.join(parts) + '\n' + '\n'.join(relations) + '\n'
    head = f'''SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: assay-{version}
DocumentNamespace: https://spdx.org/spdxdocs/assay-{version}-{hashlib.sha256((body + args.created).encode()).hexdigest()[:32]}
Creator: Tool: assay-tools-sbom
Created: {args.created}

'''
    if args.out:
        pathlib.Path(args.out).write_text(head + body)
    else:
        sys.stdout.write(head + body)


if __name__ == '__main__':
    main()
