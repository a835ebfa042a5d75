#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/python/run_pip.sh SOURCE_ROOT BUILD_ROOT
#
# `pip install ./bindings/python`, as somebody with a clone does it: once with the library of a build in it, once
# with a shared library that pkg-config knows. Nothing is fetched.
set -eu
root=$1 build=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for module in pip setuptools wheel; do
    python3 -c "import $module" 2>/dev/null || { echo "1..0 # SKIP no $module for python3"; exit 0; }
done
mkdir -p "$dir/tree/bindings"
cp -r "$root/bindings/python" "$dir/tree/bindings/"
rm -rf "$dir/tree/bindings/python/build"
cp -r "$root/include" "$root/meson.build" "$dir/tree/"
cd "$dir/tree"

pip() {
    python3 -m pip install -q --no-build-isolation --no-deps --no-index --disable-pip-version-check --root-user-action=ignore \
        --target "$1" ./bindings/python
}

# What it answers, and which libassay it found.
ask() {
    (cd "$root/tests/fixtures" && PYTHONPATH=$1 python3 -c "
import assay
print(assay.__version__, assay.open('callgrind.out.demo').top()['self'][0])
try:
    assay.open('/bin/sh')
except assay.NotProfileError as exc:
    print(exc.name)")
    objdump -p "$1"/assay/_assay.abi3.so | sed -n 's/^ *NEEDED *\(libassay.*\)/\1/p'
}

point() {
    n=$((n + 1))
    what=$1
    shift
    if "$@" >"$dir/said" 2>&1 && diff "$dir/wanted" "$dir/answer" >>"$dir/said"; then
        echo "ok $n - $what"
    else
        echo "not ok $n - $what"
        tail -n 20 "$dir/said" | sed 's/^/# /'
    fi
}

alone() {
    ASSAY_BUILD=$build pip "$dir/alone"
    ask "$dir/alone" >"$dir/answer"
    # One file for all versions of Python, and nothing of the library is seen outside of it.
    test "$(ls "$dir"/alone/assay/*.so)" = "$dir/alone/assay/_assay.abi3.so"
    test "$(nm -D --defined-only "$dir/alone/assay/_assay.abi3.so" | awk '{print $3}')" = PyInit__assay
}

shared() {
    export PKG_CONFIG_PATH="$build/meson-uninstalled" CFLAGS="-I$root/include" LD_LIBRARY_PATH="$build/src/lib"
    rm -rf bindings/python/build
    ASSAY_BUILD=$dir/nowhere pip "$dir/shared"
    ask "$dir/shared" >"$dir/answer"
}

absent() {
    if PKG_CONFIG_PATH=$dir PKG_CONFIG_LIBDIR=$dir ASSAY_BUILD=$dir/nowhere pip "$dir/absent" >"$dir/said" 2>&1; then
        return 1
    fi
    grep 'libassay is not there: run `make`' "$dir/said"
    cp "$dir/wanted" "$dir/answer"
}

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$root/meson.build")
n=0
echo 1..3
printf '%s 601848\n/bin/sh\n' "$version" >"$dir/wanted"
point "with the library of a build, in one file" alone
printf 'libassay.so.0\n' >>"$dir/wanted"
point "with a shared library" shared
point "without any it says what to do" absent
