#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/run_page_test.sh ESBUILD NODE TEST.ts: bundles a test of the page's own parts, and runs it.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
NODE_PATH=/usr/share/nodejs "$1" "$3" --bundle --platform=node --format=cjs --log-level=warning --outfile="$out/test.js"
"$2" --test-reporter=tap "$out/test.js"
