#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/fuzz.sh [TARGET...]
#
# Build the fuzz targets with clang, libFuzzer, ASan and UBSan in build-fuzz/ and run each for
# FUZZ_SECONDS (default 600), JOBS at a time. With FUZZ_SECONDS=0, only build.
set -eu
cd "$(dirname "$0")/.."
: "${FUZZ_SECONDS:=600}" "${JOBS:=2}" "${FUZZ_BUILD:=build-fuzz}"
export FUZZ_SECONDS

if [ ! -f "$FUZZ_BUILD/build.ninja" ]; then
    CC=clang-14 meson setup "$FUZZ_BUILD" -Dlibfuzzer=true -Dtests=disabled -Dwasm=disabled \
        -Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false
fi
ninja -C "$FUZZ_BUILD" -j"$JOBS"
[ "$FUZZ_SECONDS" != 0 ] || exit 0

for target in "$@"; do
    set -- "$@" "fuzz_$target"
    shift
done
echo "fuzz: $FUZZ_SECONDS s per target; what breaks one lands in fuzz/findings/"
exec meson test -C "$FUZZ_BUILD" --no-rebuild --num-processes "$JOBS" --suite fuzz --print-errorlogs "$@"
