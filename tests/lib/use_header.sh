#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/lib/use_header.sh INCLUDE_DIR LIBASSAY.so CC...
#
# assay.h compiles without a warning as C99 and C11 and, where there is a C++ compiler, as C++11
# and C++17; a program in each language links with the shared library and gets the right answer.
set -eu
include=$1 lib=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

try() { # STANDARD LANGUAGE COMPILER...
    std=$1 lang=$2
    shift 2
    "$@" "-std=$std" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "-I$include" \
        -x "$lang" "$here/use_header.c" -x none "$lib" -o "$dir/$std"
    LD_LIBRARY_PATH=${lib%/*} "$dir/$std"
    echo "$std: compiled, linked and run"
}

try c99 c "$@"
try c11 c "$@"
if command -v c++ >/dev/null 2>&1; then
    try c++11 c++ c++
    try c++17 c++ c++
else
    echo "no C++ compiler here: the header was tried as C only"
fi
