#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/fuzz_one.sh TARGET NAME SOURCE_ROOT BUILD_DIR [SEEDS...]
#
# One libFuzzer target for FUZZ_SECONDS (default 5) on its seeds: the format's goldens, fuzz/corpus/NAME
# and the shipped profiles. With FUZZ_SEED it makes the same inputs each time, otherwise others. What it learns stays in
# BUILD_DIR/corpus-NAME, what breaks it lands in fuzz/findings.
# Its last lines then say where it broke, and hold the finding, as base64 of gzip, where it is small.
#
# With FUZZ_RUNS it tries that many inputs instead, however long it takes or for FUZZ_LIMIT seconds, of
# FUZZ_LEN bytes (default 4096) at the most, of the seeds of its own; what steers libFuzzer at a price is off,
# so small inputs are quick.
set -eu
target=$1 name=$2 root=$3 build=$4
findings=$root/fuzz/findings/$name
corpus=$build/corpus-$name
mkdir -p "$findings" "$corpus"

shift 4
set -- "$corpus" "$@"
for seeds in "$root/src/formats/$name/golden" "$root/fuzz/corpus/$name"; do
    [ -d "$seeds" ] && set -- "$@" "$seeds"
done
[ "${FUZZ_RUNS:-}" ] || set -- "$@" "$root/tests/fixtures"
dict=$root/src/formats/$name/$name.dict
[ -f "$dict" ] && set -- "-dict=$dict" "$@"

: "${ASAN_OPTIONS:=allocator_may_return_null=1:detect_leaks=1}"
: "${UBSAN_OPTIONS:=print_stacktrace=1:halt_on_error=1}"
export ASAN_OPTIONS UBSAN_OPTIONS
log=$build/fuzz-$name.log
if [ "${FUZZ_RUNS:-}" ]; then
    set -- -runs="$FUZZ_RUNS" -max_len="${FUZZ_LEN:-4096}" -entropic=0 -reload=0 \
        ${FUZZ_LIMIT:+"-max_total_time=$FUZZ_LIMIT"} "$@"
else
    set -- -max_total_time="${FUZZ_SECONDS:-5}" -max_len=65536 "$@"
fi
"$target" -seed="${FUZZ_SEED:-0}" -timeout=25 -rss_limit_mb=2048 \
    -print_final_stats=1 -verbosity="${FUZZ_VERBOSITY:-1}" \
    -artifact_prefix="$findings/" "$@" >"$log" 2>&1 && { cat "$log"; exit; }

cat "$log"
grep -E '^SUMMARY|runtime error' "$log" | head -n 2
grep -E "^ +#[0-9]+ .* in .*\.[ch]:[0-9]+" "$log" | sed "s|[^ ]*/\.\./||" | head -n 5
finding=$(sed -n "s/.*Test unit written to //p" "$log" | tail -n 1)
[ -f "$finding" ] && gzip -9c "$finding" | base64 -w 250 | head -n 5
exit 1 # not 77, which meson takes for "skipped"
