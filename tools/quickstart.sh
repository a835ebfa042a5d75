#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/quickstart.sh BUILD_DIR: the main job, on the two real profiles that come with assay.
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
echo "== a gperftools CPU profile, as libprofiler wrote it"
show tests/fixtures/demo.prof
echo
echo "== the profile with its names, as google-pprof --raw has it, into a Callgrind file, and what that loses"
show convert tests/fixtures/demo.symbolized.prof -y -o "$out/callgrind.out.converted"
show top "$out/callgrind.out.converted" -n 5
echo
echo "== built: $assay   next: $assay help, README.md, make check"
