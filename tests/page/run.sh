#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh FOLDER TEST: TEST.mjs with its npm packages in FOLDER; where they, or a browser, cannot be
# had, it is skipped with the reason.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

if ! why=$("$here/prepare.sh" "$1"); then
    echo "1..0 # SKIP $why"
    exit 0
fi
PAGE_MODULES=$1 exec node "$here/$2.mjs"
