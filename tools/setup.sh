#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/setup.sh build|quick|check|abi|bench|fuzz|lint|docs|dist|deb|static|site
#
# Installs, through apt-get, the Debian packages that a job needs and that are not there.
# Says nothing and touches nothing when nothing is missing.
set -eu

# One "package probe" per line. A probe is a command, a header, a pkg-config module or a file
# pattern; where the thing is there, the package is not asked for.
packages_for() {
    case $1 in
    build | docs)
        echo "binaryen cmd:wasm-opt
clang-14 cmd:clang-14
esbuild cmd:esbuild
g++ cmd:c++
gcc cmd:cc
libc6-dev header:stdio.h
libcapstone-dev header:capstone/capstone.h
libclang-rt-14-dev-wasm32 file:/usr/lib/llvm-14/lib/clang/14*/lib/wasi/libclang_rt.builtins-wasm32.a
libcurl4-openssl-dev header:curl/curl.h
libdw-dev header:elfutils/libdw.h
libdeflate-dev header:libdeflate.h
libelf-dev header:libelf.h
libexpat1-dev header:expat.h
libiberty-dev header:libiberty/demangle.h
libmicrohttpd-dev header:microhttpd.h
libncurses-dev header:curses.h
libre2-dev file:/usr/include/re2/re2.h
libxxhash-dev header:xxhash.h
lld-14 cmd:wasm-ld-14
meson cmd:meson
ninja-build cmd:ninja
node-dagre-layout file:/usr/share/nodejs/dagre/package.json
pkg-config cmd:pkg-config
python3 cmd:python3
wasi-libc file:/usr/lib/wasm32-wasi/libc.a
zlib1g-dev header:zlib.h
libzstd-dev header:zstd.h
zopfli cmd:zopfli"
        ;;
    abi)
        packages_for build
        echo "abigail-tools cmd:abidiff"
        ;;
    fuzz)
        packages_for build
        echo "libclang-rt-14-dev file:/usr/lib/llvm-14/lib/clang/14*/lib/linux/libclang_rt.fuzzer-*.a
llvm-14 cmd:llvm-symbolizer-14"
        ;;
    quick)
        packages_for build
        echo "clang-format-14 cmd:clang-format-14
graphviz cmd:dot
libcmocka-dev header:cmocka.h
node-typescript cmd:tsc"
        ;;
    check)
        packages_for fuzz
        echo "abigail-tools cmd:abidiff
bash-completion file:/usr/share/bash-completion/bash_completion
binutils cmd:nm
clang-format-14 cmd:clang-format-14
cmark-gfm cmd:cmark-gfm
codespell cmd:codespell
debhelper cmd:dh
dh-python cmd:dh_python3
dpkg-dev cmd:dpkg-buildpackage
dwz cmd:dwz
elfutils cmd:eu-addr2line
file cmd:file
fish cmd:fish
golang-go cmd:go
google-perftools cmd:google-pprof
libbz2-dev header:bzlib.h
libjemalloc-dev cmd:jeprof
liblzma-dev header:lzma.h
graphviz cmd:dot
libcmocka-dev header:cmocka.h
lintian cmd:lintian
linux-perf cmd:perf
mandoc cmd:mandoc
libxml2-utils cmd:xmllint
mmdebstrap cmd:mmdebstrap
node-typescript cmd:tsc
nodejs cmd:node
openssl cmd:openssl
protobuf-compiler cmd:protoc
python3-dev file:/usr/include/python3.*/Python.h
python3-numpy file:/usr/lib/python3/dist-packages/numpy/__init__.py
python3-pandas file:/usr/lib/python3/dist-packages/pandas/__init__.py
python3-pip file:/usr/lib/python3/dist-packages/pip/__init__.py
python3-protobuf file:/usr/lib/python3/dist-packages/google/protobuf/json_format.py
python3-setuptools file:/usr/lib/python3/dist-packages/setuptools/__init__.py
python3-wheel file:/usr/lib/python3/dist-packages/wheel/__init__.py
rustc cmd:rustc
shellcheck cmd:shellcheck
tmux cmd:tmux
valgrind cmd:valgrind
zsh cmd:zsh
zstd cmd:zstd"
        ;;
    dist)
        echo "git cmd:git
meson cmd:meson
python3 cmd:python3"
        ;;
    deb)
        packages_for build
        packages_for dist
        echo "debhelper cmd:dh
dh-python cmd:dh_python3
python3-dev file:/usr/include/python3.*/Python.h
dpkg-dev cmd:dpkg-buildpackage
lintian cmd:lintian"
        ;;
    site)
        packages_for build
        echo "cmark-gfm cmd:cmark-gfm
mandoc cmd:mandoc"
        ;;
    static)
        packages_for build
        echo "libbz2-dev header:bzlib.h
liblzma-dev header:lzma.h"
        ;;
    bench)
        packages_for build
        echo "binutils cmd:addr2line
golang-go cmd:go
google-perftools cmd:google-pprof
llvm-14 cmd:llvm-symbolizer-14
valgrind cmd:valgrind"
        ;;
    lint)
        packages_for build
        echo "clang-format-14 cmd:clang-format-14
clang-tidy-14 cmd:clang-tidy-14
codespell cmd:codespell
shellcheck cmd:shellcheck"
        ;;
    *)
        echo "usage: tools/setup.sh build|quick|check|abi|bench|fuzz|lint|docs|dist|deb|static|site" >&2
        exit 2
        ;;
    esac
}

# What a job can do without: some of its tests are skipped then, with a word.
optional_for() {
    case $1 in
    check)
        echo "chromium-headless-shell cmd:chromium-headless-shell
clickhouse-server cmd:clickhouse-server
firefox-esr cmd:firefox-esr
npm cmd:npm
zookeeper file:/usr/share/java/zookeeper.jar"
        ;;
    bench)
        echo "chromium cmd:chromium
nodejs cmd:node
npm cmd:npm"
        ;;
    docs)
        echo "chromium cmd:chromium
nodejs cmd:node
npm cmd:npm
pngquant cmd:pngquant"
        ;;
    esac
}

# shellcheck disable=SC2086 # a file probe is a pattern
have() {
    case $1 in
    cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
    header:*) echo "#include <${1#header:}>" | cc -E - >/dev/null 2>&1 ;;
    file:*) ls ${1#file:} >/dev/null 2>&1 ;;
    esac
}

# Those of a list that are not there.
missing_of() {
    while read -r package probe; do
        [ -z "$package" ] || have "$probe" || printf ' %s' "$package"
    done
}

job=${1:-}
list=$(packages_for "$job")
missing=$(echo "$list" | missing_of)
optional=$(optional_for "$job" | missing_of)
[ -n "$missing$optional" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
fi
if ! command -v apt-get >/dev/null 2>&1 || { [ -n "$as_root" ] && ! command -v sudo >/dev/null 2>&1; }; then
    [ -n "$missing" ] || exit 0 # the tests say what they miss
    echo "setup: make $job needs packages that are not installed, named here as Debian 12 names them:" >&2
    echo "setup:    $missing" >&2
    echo "setup: install them, or run this as root (or with sudo) on Debian, and start again" >&2
    exit 1
fi

echo "setup: installing$missing$optional"
log=$(mktemp)
# shellcheck disable=SC2086 # the list is meant to be split
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $1 >>"$log" 2>&1
}
if $as_root apt-get update >"$log" 2>&1 && { [ -z "$missing" ] || install "$missing"; }; then
    for package in $optional; do
        install "$package" || echo "setup: apt-get could not install $package; what needs it is skipped"
    done
    rm -f "$log"
elif [ -z "$missing" ]; then
    echo "setup: apt-get could not install:$optional; what needs it is skipped"
    rm -f "$log"
else
    cat "$log" >&2
    rm -f "$log"
    echo "setup: apt-get could not install:$missing" >&2
    exit 1
fi
