#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/deb.sh [FOLDER]
#
# The Debian packages of the commit that is checked out, in FOLDER (build-deb): out of the tarball
# of tools/dist.py, by dpkg-buildpackage, and looked at by lintian. Nothing is signed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build-deb}
rm -rf "$folder"
mkdir -p "$folder"
tarball=$("$root/tools/dist.py" "$folder")
version=$(basename "$tarball" .tar.xz)
version=${version#assay-}
mv "$tarball" "$folder/assay_$version.orig.tar.xz"
tar -xf "$folder/assay_$version.orig.tar.xz" -C "$folder"
cd "$folder/assay-$version"
if ! dpkg-buildpackage -us -uc -b -j"${JOBS:-2}" >"$folder/build.log" 2>&1; then
    tail -n 40 "$folder/build.log" >&2
    echo "deb: the build failed: $folder/build.log" >&2
    exit 1
fi
cd "$folder"
# No bug of Debian's asks for the package.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs ./*.changes
ls ./*.deb
