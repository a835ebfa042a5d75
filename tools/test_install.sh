#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/test_install.sh BUILD_DIR SOURCE_ROOT CC...
#
# Install into a scratch folder, then build each docs/examples/*.c the way a user would, through
# pkg-config, against the shared and the static library, and run both on a shipped profile.
# They print the same, and what tests/install/NAME.stdout says; AS_UPDATE=1 writes that anew. The lines that
# docs/library.md builds by are run as they stand there, and what it shows of an example is what it prints.
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

# What an example is run on, in tests/fixtures; a program that lies elsewhere now, and samples of it.
mkdir "$dir/moved"
"$@" -g -O1 -o "$dir/program" "$root/tests/lib/named.c"
python3 "$root/tests/lib/make_prof.py" "$dir/program" "$dir/program.prof" hash sum
touch -d 2020-01-01 "$dir/program"
mv "$dir/program" "$dir/moved/"
inputs() {
    case $1 in
    compare) echo callgrind.out.before callgrind.out.after ;;
    names) echo "$dir/program.prof" "$dir/moved/program" ;;
    *) echo callgrind.out.demo ;;
    esac
}
# shellcheck disable=SC2046 # several files
run() {
    (cd "$root/tests/fixtures" && LD_LIBRARY_PATH=$libdir "$dir/$1" $(inputs "$2")) | sed "s|$dir/||"
}

# Whether stdin is what NAME printed; how long the functions of that program are is its compiler's affair.
same() {
    if [ "$1" = names ]; then
        sed -i 's/ *[0-9][0-9]*/ N/g' "$dir/shared.out"
        sed 's/ *[0-9][0-9]*/ N/g' | diff -u - "$dir/shared.out"
    else
        diff -u - "$dir/shared.out"
    fi
}

# cc and pkg-config as the guide's lines have them.
mkdir "$dir/bin"
printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$dir/bin/cc"
printf '#!/bin/sh\nexec %s --define-variable=prefix="%s" "$@"\n' "$(command -v pkg-config)" "$dir$prefix" >"$dir/bin/pkg-config"
chmod +x "$dir"/bin/*
sed -n 's/^cc top_ten.c -o top_ten //p' "$root/docs/library.md" >"$dir/lines"
[ "$(wc -l <"$dir/lines")" = 2 ] || { echo "docs/library.md has not two lines to build by"; exit 1; }
while read -r line; do
    (cd "$root/docs/examples" && PATH=$dir/bin:$PATH sh -c "cc top_ten.c -o '$dir/line' $line") </dev/null
    run line top_ten | diff -u "$root/tests/install/top_ten.stdout" -
    ldd "$dir/line" | sed -n 's/^[[:space:]]*\(libassay[^ ]*\).*/\1/p'
done <"$dir/lines" >"$dir/linked"
echo libassay.so.0 | diff -u - "$dir/linked" # the first line alone
echo "the lines of docs/library.md: built and run"

for example in "$root"/docs/examples/*.c; do
    [ -f "$example" ] || { echo "no examples"; exit 1; }
    name=$(basename "$example" .c)
    # shellcheck disable=SC2046 # flags are meant to be split
    "$@" -std=c11 -Wall -Wextra -Wpedantic -Werror "$example" -o "$dir/$name" \
        $($pkg --cflags --libs assay)
    # shellcheck disable=SC2046
    "$@" -std=c11 "$example" -o "$dir/$name-static" $($pkg --cflags assay) \
        "$libdir/libassay.a" $($pkg --static --libs-only-other --libs-only-l assay | sed 's/-lassay//')
    run "$name" "$name" >"$dir/shared.out"
    run "$name-static" "$name" >"$dir/static.out"
    cmp "$dir/shared.out" "$dir/static.out"
    [ "${AS_UPDATE:-}" != 1 ] || cp "$dir/shared.out" "$root/tests/install/$name.stdout"
    same "$name" <"$root/tests/install/$name.stdout"
    case $name in
    callers | compare | names)
        awk -v from="\`docs/examples/$name.c\`" 'index($0, from) == 1 { on = 1 } on && /^```/ { n++; next } on && n == 1' \
            "$root/docs/library.md" | same "$name"
        ;;
    esac
    echo "$name: built and run, shared and static"
done
