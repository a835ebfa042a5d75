#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/pictures.sh [--record] BUILD_DIR
#
# Draws the pictures of README.md out of docs/pictures/assay.pb.gz: flame.svg by `assay flame`, page.png
# by Chromium. The same program and the same browser draw the same bytes. With --record the
# profile is made anew before: assay, built with paths that are no machine's, records itself while it
# draws a flame graph of a generated Callgrind file of 30 MB.
set -eu

record=
if [ "${1:-}" = --record ]; then
    record=yes
    shift
fi
cd "$(dirname "$0")/.."
root=$PWD build=$(cd "${1:?usage: tools/pictures.sh [--record] BUILD_DIR}" && pwd)
out=$root/docs/pictures profile=$root/docs/pictures/assay.pb.gz
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

record_it() {
    own=$root/build-pictures where=/tmp/assay-demo/recorded
    [ -f "$own/build.ninja" ] ||
        meson setup "$own" -Dwasm=disabled -Dtests=disabled -Dc_args='-ffile-prefix-map=../=' >/dev/null
    ninja -C "$own" src/cli/assay preload/libassay-profiler.so.0.1.0 >/dev/null
    file=$(cd bench && python3 -c 'from inputs import Inputs; import sys
print(Inputs(sys.argv[1]).make("line1", "30m")[0])' "$build/bench-data")
    rm -rf "$where"
    mkdir -p "$where/bin" "$where/lib"
    cp "$own/src/cli/assay" "$where/bin"
    cp "$own/preload/libassay-profiler.so.0.1.0" "$where/lib/libassay-profiler.so.0"
    cp "$file" "$where/callgrind.out.big"
    (cd "$where" && bin/assay record -F 2000 --no-show -y -o assay.prof -- bin/assay flame --jobs 1 -y -o big.svg callgrind.out.big)
    "$where/bin/assay" symbolize "$where/assay.prof" -q -y -o "$scratch/assay.pb.gz"
    mv "$scratch/assay.pb.gz" "$profile"
    rm -rf "$where"
}

draw_page() {
    chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
    if [ -z "$chromium" ] || ! command -v node >/dev/null; then
        echo "pictures: page.png stays as it is: it needs chromium and nodejs"
        return
    fi
    if ! why=$(tests/page/prepare.sh "$build/page-modules"); then
        echo "pictures: page.png stays as it is: $why"
        return
    fi
    "$build/src/cli/assay" share "$profile" --symbols none --no-code -q -y -o "$scratch/page.html"
    PAGE_MODULES=$build/page-modules CHROMIUM=$chromium node tools/pictures.mjs "$scratch/page.html" "$scratch/page.png"
    if command -v pngquant >/dev/null; then
        pngquant --force --speed 1 --strip --output "$scratch/page.png" 256 "$scratch/page.png"
    else
        echo "pictures: page.png is larger than it could be: there is no pngquant"
    fi
    mv "$scratch/page.png" "$out/page.png"
}

mkdir -p "$out"
[ -z "$record" ] || record_it
"$build/src/cli/assay" flame "$profile" --symbols none --color function -q -y -o "$out/flame.svg"
draw_page
wc -c "$out"/*.svg "$out"/*.png | awk '$2 != "total" { print "pictures: " $2 ", " $1 " bytes" }'
