#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh FOLDER: the npm packages of package-lock.json in FOLDER/node_modules, fetched once.
# Where they cannot be had it says why, and ends with 1.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1

if ! command -v npm >/dev/null 2>&1; then
    echo "there is no npm to fetch playwright-core with"
    exit 1
fi
mkdir -p "$folder"
exec 9>"$folder/lock" # tests run side by side
flock 9
if cmp -s "$here/package-lock.json" "$folder/package-lock.json" && [ -d "$folder/node_modules/axe-core" ]; then
    exit 0
fi
cp "$here/package.json" "$here/package-lock.json" "$folder"
if ! npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund >"$folder/npm.log" 2>&1; then
    rm -f "$folder/package-lock.json"
    echo "npm could not fetch playwright-core and axe-core: $(grep -m1 -i error "$folder/npm.log" || echo "see $folder/npm.log")"
    exit 1
fi
