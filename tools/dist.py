#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dist.py [FOLDER]: assay-VERSION.tar.xz of the commit that is checked out, in FOLDER (build-dist).

The same commit gives the same bytes, whoever packs it, where and when: files in the order of their names, of nobody, with
the time of the commit. Beside the committed files stands assay.spdx, which says what assay is made of (tools/sbom.py).
"""
import datetime
import io
import lzma
import pathlib
import re
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def git(*args):
    return subprocess.run(['git', '-C', str(ROOT), *args], capture_output=True, check=True).stdout


def add(tar, name, data, executable, when):
    info = tarfile.TarInfo(name)
    info.size, info.mtime, info.mode = len(data), when, 0o755 if executable else 0o644
    tar.addfile(info, io.BytesIO(data))


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / 'build-dist')
    when = int(git('log', '-1', '--format=%ct').decode())
    created = datetime.datetime.fromtimestamp(when, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
    version = re.search(r"version: '([\d.]+)'", git('show', 'HEAD:meson.build').decode())[1]
    if git('status', '--porcelain', '--untracked-files=no').strip():
        print('dist: what is not committed is not in it', file=sys.stderr)
    sbom = subprocess.run([sys.executable, str(ROOT / 'tools/sbom.py'), '--created', created], capture_output=True, check=True).stdout
    files = {'assay.spdx': (sbom, False)}
    with tarfile.open(fileobj=io.BytesIO(git('archive', '--format=tar', 'HEAD'))) as archive:
        for member in archive:
            if member.isfile():
                files[member.name] = (archive.extractfile(member).read(), bool(member.mode & 0o100))
            elif not member.isdir():
                sys.exit(f'dist: {member.name} is no plain file')
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w', format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(files):
            add(tar, f'assay-{version}/{name}', *files[name], when)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f'assay-{version}.tar.xz'
    path.write_bytes(lzma.compress(out.getvalue(), preset=6))
    print(path)


if __name__ == '__main__':
    main()
