#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/packages/run_dist.sh SOURCE_ROOT PROGRAM
#
# The tarball of `make dist`: the same bytes twice, nothing but what is committed, and a list of
# what assay is made of that agrees with what the program is linked with.
set -eu
root=$1 program=$2
if ! git -C "$root" rev-parse HEAD >/dev/null 2>&1; then
    echo "1..0 # SKIP n/a: the sources are not in a repository"
    exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo 1..5
n=0
. "$(dirname "$0")/../lib/points.sh"

same_bytes() {
    (umask 077 && TZ=Asia/Tokyo LC_ALL=C "$root/tools/dist.py" "$dir/one")
    (cd / && umask 022 && TZ=UTC LC_ALL=C.UTF-8 "$root/tools/dist.py" "$dir/two")
    cmp "$dir"/one/*.tar.xz "$dir"/two/*.tar.xz
}

only_what_is_committed() {
    mkdir "$dir/tree" "$dir/git"
    tar -xf "$dir"/one/*.tar.xz -C "$dir/tree" --strip-components=1
    git -C "$root" archive HEAD | tar -x -C "$dir/git"
    diff -r "$dir/tree" "$dir/git" >"$dir/diff" || true
    echo "Only in $dir/tree: assay.spdx" | diff - "$dir/diff"
}

of_nobody() {
    tar --numeric-owner -tvf "$dir"/one/*.tar.xz | grep -v '^-rw.r..r.. 0/0 \|^-rwxr-xr-x 0/0 ' >"$dir/others" || true
    test ! -s "$dir/others"
}

# Each library that the program needs is one that it is said to be linked with.
linked_as_said() {
    readelf -d "$program" | sed -n 's/.*(NEEDED).*\[lib\(.*\)\.so.*\]/\1/p' | grep -v '^\(c\|m\|gcc_s\|stdc++\|asan\|ubsan\)$' >"$dir/needed"
    test -s "$dir/needed"
    while read -r name; do
        [ "$name" != z ] || name=zlib
        grep -q "^Relationship: SPDXRef-assay DYNAMIC_LINK SPDXRef-\(lib\)\{0,1\}$name\$" "$dir/tree/assay.spdx" || {
            echo "not said: $name"
            return 1
        }
    done <"$dir/needed"
}

# One that nobody has written down is an error.
new_dependency_is_told() {
    echo "dependency('sqlite3', required: false)" >>"$dir/tree/meson.build"
    if "$dir/tree/tools/sbom.py" >"$dir/out" 2>&1; then
        return 1
    fi
    grep -q "not in its table: \['sqlite3'\]" "$dir/out"
}

point "the same bytes, wherever it is packed" same_bytes
point "what is committed, and assay.spdx" only_what_is_committed
point "of nobody" of_nobody
point "linked with what it is said to be" linked_as_said
point "a new dependency has to be written down" new_dependency_is_told
