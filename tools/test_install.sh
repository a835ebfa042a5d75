#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/test_install.sh BUILD_DIR SOURCE_ROOT CC...
#
# Install into a scratch folder, then build each docs/examples/*.c the way a user would, through
# pkg-config, against the shared and the static library, and run both on a shipped profile.
# They print the same, and what tests/install/NAME.stdout says; AS_UPDATE=1 writes that anew.
set -eu
build=$1 root=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

DESTDIR=$dir meson install -C "$build" --no-rebuild --quiet >/dev/null
pc=$(find "$dir" -name assay.pc)
prefix=$(sed -n 's/^prefix=//p' "$pc")
export PKG_CONFIG_PATH="${pc%/*}"
pkg="pkg-config --define-variable=prefix=$dir$prefix"
libdir=$($pkg --variable=libdir assay)

[ -x "$dir$prefix/bin/assay" ] || { echo "no program installed"; exit 1; }
for shell in bash-completion/completions/assay zsh/site-functions/_assay fish/vendor_completions.d/assay.fish; do
    [ -s "$dir$prefix/share/$shell" ] || { echo "no $shell installed"; exit 1; }
done
cmp "$root/THIRD-PARTY" "$dir$prefix/share/doc/assay/THIRD-PARTY"
# The page without a profile, where it was built: the program has the same one in it.
if [ -f "$build/viewer/page.html" ]; then
    cmp "$build/viewer/page.html" "$dir$prefix/share/assay/page.html"
    TMPDIR=$dir BROWSER=/bin/true XDG_RUNTIME_DIR="" "$dir$prefix/bin/assay" open -q
    sed 's/^<!--@profile@-->$//; s/<!--@when@-->//g' "$dir$prefix/share/assay/page.html" | cmp - "$dir"/assay-page-*.html || { echo "another page"; exit 1; }
fi
for example in "$root"/docs/examples/*.c; do
    [ -f "$example" ] || { echo "no examples"; exit 1; }
    name=$(basename "$example" .c)
    # shellcheck disable=SC2046 # flags are meant to be split
    "$@" -std=c11 -Wall -Wextra -Wpedantic -Werror "$example" -o "$dir/$name" \
        $($pkg --cflags --libs assay)
    # shellcheck disable=SC2046
    "$@" -std=c11 "$example" -o "$dir/$name-static" $($pkg --cflags assay) \
        "$libdir/libassay.a" $($pkg --static --libs-only-other --libs-only-l assay | sed 's/-lassay//')
    (cd "$root/tests/fixtures" && LD_LIBRARY_PATH=$libdir "$dir/$name" callgrind.out.demo) >"$dir/shared.out"
    (cd "$root/tests/fixtures" && "$dir/$name-static" callgrind.out.demo) >"$dir/static.out"
    cmp "$dir/shared.out" "$dir/static.out"
    [ "${AS_UPDATE:-}" != 1 ] || cp "$dir/shared.out" "$root/tests/install/$name.stdout"
    diff -u "$root/tests/install/$name.stdout" "$dir/shared.out"
    # What docs/library.md shows of an example is what it prints.
    if [ "$name" = callers ]; then
        sed -n '/^ 100.0 % mix/,/^```/p' "$root/docs/library.md" | sed '$d' | diff -u - "$dir/shared.out"
    fi
    echo "$name: built and run, shared and static"
done
