#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# [SINCE=COMMIT] tools/lint.sh [--fix | --format | BUILD_DIR]
#
# BUILD_DIR   everything: formatting, clang-tidy with that folder's compile commands, spelling
#             of words, scripts, and the types of the page where tsc is there. With SINCE,
#             clang-tidy looks at the files alone that have changed since that commit, and at
#             those that include a header that has.
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

# What clang-tidy looks at, of what the build in $1 compiles.
tidied() {
    if [ -z "${SINCE:-}" ]; then
        find src -name '*.c'
    else
        git diff --name-only --diff-filter=d "$SINCE" -- 'src/*.c'
        git diff --name-only --diff-filter=d "$SINCE" -- 'src/*.h' 'include/*.h' |
            while read -r header; do
                grep -rlF --include='*.c' "\"${header#*/}\"" src || true
            done
    fi | grep -v -e '_test\.c$' -e '_fuzz\.c$' | sort -u | while read -r file; do
        if grep -qF "$file\"" "$1/compile_commands.json"; then
            echo "$file"
        fi
    done
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
tidied "${1:-build}" |
    xargs -r -P "$JOBS" -n 4 clang-tidy-14 --quiet -p "${1:-build}" \
        --extra-arg=-Wno-unknown-warning-option || bad=1
# shellcheck disable=SC2038 # no blanks in our file names
find ./*.md docs src include tools fuzz wasm viewer tests bench -type f \
    \( -name '*.md' -o -name '*.[ch]' -o -name '*.py' -o -name '*.sh' -o -name '*.mjs' -o -name '*.ts' -o -name '*.css' \) \
    -not -path 'tests/data/*' 2>/dev/null | xargs codespell -q 3 -L 2st,assay,atleast,bu,crate,doubleclick,fo,inout,nd,nown,selfs,ser,serie,singed,te,trun,tthe,whats || bad=1
shellcheck tools/*.sh .ci/run || bad=1
shellcheck -s bash -S warning src/cli/shell/assay.bash || bad=1
if command -v tsc >/dev/null; then
    tsc -p viewer || bad=1
fi
exit $bad
