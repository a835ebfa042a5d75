#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/lint.sh [--fix | --format | BUILD_DIR]
#
# BUILD_DIR   everything: formatting, clang-tidy with that folder's compile commands, spelling
#             of words, scripts, and the types of the page where tsc is there
# --format    the formatting only (make check does this)
# --fix       write the sources as clang-format has them
set -eu
cd "$(dirname "$0")/.."
: "${JOBS:=2}"

sources() {
    for folder in src include fuzz wasm bench docs/examples bindings tests; do
        [ -d "$folder" ] && find "$folder" \( -name "*.[ch]" -o -path "src/*.cc" \) -not -path "tests/data/*"
    done | sort
}

case ${1:-build} in
--fix)
    sources | xargs clang-format-14 -i
    exit 0
    ;;
--format)
    sources | xargs clang-format-14 --dry-run --Werror
    exit 0
    ;;
esac

bad=0
sources | xargs clang-format-14 --dry-run --Werror || bad=1
# clang does not know all of gcc's options in the compile commands; that is no finding.
find src -name '*.c' -not -name '*_test.c' -not -name '*_fuzz.c' | sort |
    xargs -P "$JOBS" -n 4 clang-tidy-14 --quiet -p "${1:-build}" \
        --extra-arg=-Wno-unknown-warning-option || bad=1
# shellcheck disable=SC2038 # no blanks in our file names
find ./*.md docs src include tools fuzz wasm viewer tests bench -type f \
    \( -name '*.md' -o -name '*.[ch]' -o -name '*.py' -o -name '*.sh' -o -name '*.mjs' -o -name '*.ts' -o -name '*.css' \) \
    -not -path 'tests/data/*' 2>/dev/null | xargs codespell -q 3 -L assay,atleast,bu,crate,doubleclick,fo,inout,nd,ser,te,trun,tthe || bad=1
shellcheck tools/*.sh .ci/run || bad=1
shellcheck -s bash -S warning src/cli/shell/assay.bash || bad=1
if command -v tsc >/dev/null; then
    tsc -p viewer || bad=1
fi
exit $bad
