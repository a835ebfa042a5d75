#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/static.sh [FOLDER]
#
# The program, linked statically with the libraries of Debian, in FOLDER (build-static): one file that needs no
# other, FOLDER/assay. What is loaded when it is asked for is left out (docs/static.md). ASSAY_PAGE=FILE is a page
# that was built elsewhere, else it is built here.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build-static}
options="--prefer-static -Dc_link_args=-static -Dcpp_link_args=-static -Ddefault_library=static -Dtests=disabled -Dpython=disabled"
options="$options -Dregex=enabled -Dsymbols=enabled -Dxml=enabled -Dzstd=enabled"
options="$options -Dbrowse=disabled -Ddisassembly=disabled -Dserve=disabled -Durls=disabled"
if [ -n "${ASSAY_PAGE:-}" ]; then
    options="$options -Dwasm=disabled -Dpage_file=$ASSAY_PAGE"
fi
# shellcheck disable=SC2086 # the list is meant to be split
[ -f "$folder/build.ninja" ] || meson setup $options "$folder" "$root" >"$folder.log" || { cat "$folder.log" >&2; exit 1; }
rm -f "$folder.log"
ninja -C "$folder" -j"${JOBS:-2}" src/cli/assay
strip -o "$folder/assay" "$folder/src/cli/assay"
ls -l "$folder/assay"
