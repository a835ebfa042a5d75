#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/check_map.sh LIBASSAY.so assay.h
#
# The shared library exports exactly the functions that the public header declares.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nm -D --defined-only "$1" | awk '$2 ~ /^[TDRBVW]$/ {sub(/@.*/, "", $3); print $3}' | sort >"$dir/exported"
cc -E -P -x c "$2" | tr '\n' ' ' | tr ';' '\n' | grep -v '^ *typedef' |
    sed -n 's/.*[^a-z0-9_]\(assay_[a-z0-9_]*\)(.*/\1/p' | sort -u >"$dir/declared"
diff -u --label "$(basename "$2")" --label "$(basename "$1")" "$dir/declared" "$dir/exported"
