#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/quickstart.sh BUILD_DIR: the main job, on a real profile of valgrind's and on a program
# that is recorded here and now.
set -eu
cd "$(dirname "$0")/.."
assay=$1/src/cli/assay
out=$1/quickstart
mkdir -p "$out"

show() {
    echo
    echo "\$ assay $*"
    "$assay" "$@"
}

echo
echo "== a Callgrind file, as valgrind wrote it"
show tests/fixtures/callgrind.out.demo

echo
echo "== a program, recorded: where its time goes, by function and by line"
cc -O2 -g -o "$out/demo" tests/fixtures/src/demo.c
show record -y --no-show -o "$out/demo.prof" "$out/demo" 20000
show "$out/demo.prof"
show list mix "$out/demo.prof"

echo
echo "== its samples as a Callgrind file for KCachegrind, and what that format cannot hold"
show convert "$out/demo.prof" -y -o "$out/callgrind.out.demo"

if [ -f "$1/viewer/page.html" ]; then
    echo
    echo "== all of it in one file that any browser shows, without a network"
    show share "$out/demo.prof" -y -o "$out/demo.html"
fi

echo
echo "== built: $assay"
[ ! -f "$out/demo.html" ] || echo "   look:  $PWD/$out/demo.html in a browser, or: $assay open $out/demo.prof"
echo "   next:  $assay record YOUR-PROGRAM, $assay help, README.md, make check"
