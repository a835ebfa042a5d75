#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/abi/run_abi.sh SOURCE_ROOT LIBRARY.a CC...
#
# Whether programs that were built against the last release still run with this library: its functions and
# types, as abidw reads them out of the debug information, beside tests/abi/libassay.abi as it was at the last
# tag; before there is one, as it is now. Functions and values that are new, and members at the end of a struct
# that begins with its size, are no break. The file itself has to be up to date: AS_UPDATE=1 make abi.
set -eu
root=$1 archive=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for program in abidw abidiff; do
    command -v "$program" >/dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
kept=tests/abi/libassay.abi

# What the public functions of the library are, in $out.
describe() {
    "$@" -shared -o "$dir/library.so" -Wl,--whole-archive "$archive" -Wl,--no-whole-archive "-Wl,--version-script=$map" -Wl,-soname,libassay.so.0
    abidw --headers-dir "$include" --drop-private-types --exported-interfaces-only --no-show-locs --no-corpus-path --no-comp-dir-path \
        --no-elf-needed --type-id-style hash --out-file "$out" "$dir/library.so"
}

# Whether programs built for OLD run with NEW.
compare() {
    status=0
    abidiff "$1" "$2" >"$dir/report" || status=$?
    cat "$dir/report"
    [ $((status & 3)) = 0 ] && python3 "$root/tests/abi/breaks.py" <"$dir/report"
}

point() {
    n=$((n + 1))
    what=$1
    shift
    if "$@" >"$dir/said" 2>&1; then
        echo "ok $n - $what"
    else
        echo "not ok $n - $what"
        head -n 40 "$dir/said" | sed 's/^/# /'
    fi
}

is_recorded() {
    abidiff "$root/$kept" "$dir/now.abi" || { echo "if this is meant: AS_UPDATE=1 make abi"; return 1; }
}

# is_seen break|fine SED NEW OLD: what the check says of a library with the functions NEW, whose header SED has edited, beside
# one with OLD.
# shellcheck disable=SC2086 # words of the compiler
is_seen() {
    mkdir -p "$dir/other/assay"
    sed "$2" "$root/include/assay/assay.h" >"$dir/other/assay/assay.h"
    ! cmp -s "$root/include/assay/assay.h" "$dir/other/assay/assay.h" || { echo "$2: changes nothing"; return 1; }
    printf '#include <assay/assay.h>\n%s\n' "$3" >"$dir/other.c"
    $cc -g -shared -fPIC -I"$dir/other" -o "$dir/other.so" "$dir/other.c" -Wl,-soname,libassay.so.0
    printf '#include <assay/assay.h>\n%s\n' "$4" >"$dir/base.c"
    $cc -g -shared -fPIC -I"$root/include" -o "$dir/base.so" "$dir/base.c" -Wl,-soname,libassay.so.0
    if compare "$dir/base.so" "$dir/other.so"; then found="fine"; else found="break"; fi
    [ "$found" = "$1" ] && grep -q . "$dir/report"
}

map=$root/src/lib/assay.map include=$root/include/assay out=$dir/now.abi cc=$*
describe "$@"
if [ "${AS_UPDATE:-}" = 1 ]; then
    cp "$out" "$root/$kept"
fi
tag=$(git -C "$root" describe --tags --abbrev=0 2>/dev/null || true)
if [ -z "$tag" ] || ! git -C "$root" show "$tag:$kept" >"$dir/then.abi" 2>/dev/null; then
    tag="this tree's record"
    cp "$root/$kept" "$dir/then.abi"
fi

body='enum assay_code assay_value_i64(struct assay_value v, int64_t *out) { *out = v.high; return 0; }
enum assay_code assay_format_get(size_t i, struct assay_format *out) { return out->size < i; }'
echo 1..9
n=0
point "nothing breaks: $tag" compare "$dir/then.abi" "$dir/now.abi"
point "tests/abi/libassay.abi is this library" is_recorded
point "a function that is gone is a break" is_seen break '$a/* other */' "${body%enum*}" "$body"
point "a member that became larger is a break" is_seen break 's/^	int64_t high;/	__int128 high;/' "$body" "$body"
point "so is one of a struct that may grow" is_seen break 's/bool can_read, can_write;/int can_read, can_write;/' "$body" "$body"
point "a member in the middle is a break" is_seen break 's|^	const char \*title; /\* one line.*|&\n	uint64_t other;|' "$body" "$body"
point "a member at the end is none" is_seen fine 's|^	bool can_read, can_write;|&\n	uint64_t other;|' "$body" "$body"
point "a function more is none" is_seen fine '$a/* other */' "$body
int assay_other(void) { return 0; }" "$body"
point "nor is a value more" is_seen fine 's|^	ASSAY_E_NOTPROFILE = 10,.*|&\n	ASSAY_E_OTHER = 11,|' "$body" "$body"
