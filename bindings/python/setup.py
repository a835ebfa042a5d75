# SPDX-License-Identifier: Apache-2.0
"""The extension over libassay: that of the tree this lies in, linked statically, where it has been built
(`make`, or ASSAY_BUILD=FOLDER), else the shared one that pkg-config knows."""
import os
import pathlib
import re
import shlex
import subprocess
import sys

from setuptools import Extension, setup

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get('ASSAY_BUILD', TREE / 'build'))
LIMITED = 0x03090000  # of Python's stable interface: one file for 3.9 and all that follow

# The library itself, which is named by its path, and what libdw alone needs, which is linked as a shared library.
LEFT_OUT = ('-lassay', '-lbz2', '-llzma')


def pkg_config(*words):
    env = dict(os.environ)
    if is_own():
        env['PKG_CONFIG_PATH'] = str(BUILD / 'meson-uninstalled')
    done = subprocess.run(['pkg-config', *words, 'assay'], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'assay: libassay is not there: run `make` in {TREE}, or install libassay-dev\n{done.stderr}')
    return done.stdout


def is_own():
    return (BUILD / 'src/lib/libassay.a').exists()


def version():
    if is_own():
        return re.search(r"^  version: '([^']+)'", (TREE / 'meson.build').read_text(), re.M)[1]
    return pkg_config('--modversion').strip()


def link_words():
    """The library and what it needs; nothing of it is seen by other extensions."""
    if not is_own():
        return shlex.split(pkg_config('--libs'))
    words = [word for word in shlex.split(pkg_config('--libs', '--static')) if word not in LEFT_OUT]
    return ['-Wl,--as-needed', '-Wl,--exclude-libs,ALL', str(BUILD / 'src/lib/libassay.a'), *words]


def compile_words():
    words = ['-std=c11', '-fvisibility=hidden', *shlex.split(pkg_config('--cflags'))]
    return [*words, f'-I{TREE}/include'] if is_own() else words


setup(
    version=version(),
    ext_modules=[Extension(
        'assay._assay',
        sources=sorted(str(path.relative_to(HERE)) for path in HERE.glob('src/*.c')),
        depends=['src/py_kit.h', *([str(BUILD / 'src/lib/libassay.a')] if is_own() else [])], # else pip takes what it built before
        define_macros=[('Py_LIMITED_API', hex(LIMITED))],
        extra_compile_args=compile_words(),
        extra_link_args=link_words(),
        py_limited_api=True)],
    options={'bdist_wheel': {'py_limited_api': 'cp39'}})
