#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/packages/run_static.sh SOURCE_ROOT PROGRAM
#
# The static program (ASSAY_STATIC=FILE is one that is built) where there is nothing but it: a root with the program and
# profiles in it, without libraries, /etc, /proc and /dev. It answers there as PROGRAM does here.
set -eu
root=$1 here=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP needs root, for a root of its own"; exit 0; }

. "$(dirname "$0")/../lib/points.sh"

alone() {
    env -i HOME=/ LC_ALL=C.UTF-8 ASSAY_SYMBOLS=none "$(command -v chroot)" "$dir/bare" /assay "$@"
}

# Whether it says no, with these words.
refused() {
    words=$1
    shift
    if alone "$@" >"$dir/refusal" 2>&1; then
        return 1
    fi
    grep "$words" "$dir/refusal"
}

build() {
    mkdir "$dir/bare"
    if [ -n "${ASSAY_STATIC:-}" ]; then
        cp "$ASSAY_STATIC" "$dir/bare/assay"
    else
        "$root/tools/static.sh" "$dir/build"
        cp "$dir/build/assay" "$dir/bare/assay"
    fi
    cp "$root"/tests/fixtures/*.* "$dir/bare/"
    # No interpreter, and nothing that it needs.
    if readelf -ldW "$dir/bare/assay" | grep -E 'INTERP|NEEDED'; then
        return 1
    fi
}

# Each answer, here and there.
same() {
    for question in "top /callgrind.out.demo -n 0" "tree /demo.symbolized.prof -f json" "diff /callgrind.out.before /callgrind.out.after" \
        "list mix /callgrind.out.demo" "info /demo.prof" "flame /demo.symbolized.prof -o -" "convert /callgrind.out.demo -t pprof -o -" \
        "filter /callgrind.out.demo --focus ^ma.n$ -t dump -o -"; do
        # shellcheck disable=SC2086 # words
        alone $question >"$dir/there" 2>&1
        # shellcheck disable=SC2046 # words
        (cd "$dir/bare" && ASSAY_SYMBOLS=none env -u ASSAY_STATIC "$here" $(echo "$question" | sed "s| /| $dir/bare/|g")) 2>&1 | sed "s|$dir/bare/|/|g" >"$dir/here"
        cmp "$dir/here" "$dir/there" || { diff "$dir/here" "$dir/there" | head -n 20; echo "$question"; return 1; }
    done
}

# Names come out of its own binary: ELF, DWARF and the demangler are in it.
names() {
    cc -g -O1 -o "$dir/bare/program" "$root/tests/lib/named.c"
    (cd "$dir/bare" && python3 "$root/tests/lib/make_prof.py" "$dir/bare/program" "$dir/bare/program.prof" hash sum)
    touch -d 2020-01-01 "$dir/bare/program"
    alone top /program.prof --symbols auto --binary /program --no-symbol-cache -f csv | grep '^hash,'
    alone convert /callgrind.out.demo -o /out.pb.gz
    alone check /out.pb.gz
}

# What is not in it says so, and how one gets there.
left_out() {
    refused 'without libcurl' top http://localhost/x
    refused 'write DOT' graph /callgrind.out.demo -o /x.svg
    alone graph /callgrind.out.demo -f dot -o - | grep '^digraph'
    refused 'no libmicrohttpd here' open --serve /demo.prof
}

# Names of those on purpose: the table of docs/static.md is what this program lacks.
documented() {
    alone --version | sed -n 's/^features: //p' | tr ',' '\n' | sed -n 's/^ *no //p' | sort >"$dir/lacks"
    sed -n 's/^| `\(lib\)\{0,1\}\([a-z]*\)` |.*/\1\2/p' "$root/docs/static.md" | grep -v libgvc | sort | diff - "$dir/lacks"
}

echo 1..5
n=0
point "one file" build
point "answers are those of the program" same
point "names and files" names
point "what is left out says so" left_out
point "docs/static.md lists it" documented
