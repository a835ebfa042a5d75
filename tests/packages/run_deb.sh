#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/packages/run_deb.sh SOURCE_ROOT
#
# The Debian packages: built (ASSAY_DEBS=FOLDER has some that are), installed in a bare root that
# mmdebstrap makes, used there, and purged, after which nothing of them is left.
set -eu
root=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "needs root, for a root of its own"
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || [ -n "${ASSAY_DEBS:-}" ] || skip "n/a: the sources are not in a repository"
for program in mmdebstrap dpkg-buildpackage lintian; do
    command -v "$program" >/dev/null || skip "no $program"
done
bare=$dir/bare

. "$(dirname "$0")/../lib/points.sh"

inside() {
    # shellcheck disable=SC2016 # the inner shell's words
    unshare --mount --propagation private sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$bare" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# All that is there, but for what apt and dpkg keep for themselves.
files() {
    (cd "$bare" && find . -path ./proc -prune -o -path ./var/lib/apt -prune -o -path ./var/lib/dpkg -prune -o -path ./var/cache -prune -o \
        -path ./var/log -prune -o -path ./packages -prune -o -path ./tmp -prune -o -print | sort)
}

build() {
    if [ -n "${ASSAY_DEBS:-}" ]; then
        mkdir "$dir/deb" && cp "$ASSAY_DEBS"/*.deb "$dir/deb/"
    else
        "$root/tools/deb.sh" "$dir/deb"
    fi
    test "$(find "$dir/deb" -name "*.deb" -not -name "*dbgsym*" | wc -l)" = 5
}

# What they depend on is there before, and stays: what is left behind is then theirs.
install() {
    mkdir "$bare/packages"
    # shellcheck disable=SC2086 # names of files
    cp $debs "$bare/packages/"
    files >"$dir/before"
    inside sh -c 'dpkg -i /packages/*.deb'
}

use() {
    mkdir -p "$bare/tmp/fixtures"
    cp "$root"/tests/fixtures/callgrind.out.demo "$bare/tmp/fixtures/"
    inside assay --version | grep '^assay '
    inside assay top /tmp/fixtures/callgrind.out.demo -n 1 -e Ir | grep '601848.*mix'
    inside assay convert /tmp/fixtures/callgrind.out.demo -o /tmp/demo.pb.gz
    inside assay check /tmp/demo.pb.gz
    # The sampler is found; a machine that has none of its events has timers.
    # shellcheck disable=SC2016 # the shell inside
    inside sh -c 'cd /tmp && assay record -o /tmp/sh.prof -- sh -c "i=0; while [ \$i -lt 300000 ]; do i=\$((i+1)); done" && assay info /tmp/sh.prof' | grep -i 'samples'
    test -s "$bare/usr/share/man/man1/assay-top.1.gz"
    test -s "$bare/usr/share/bash-completion/completions/assay"
    test -s "$bare/usr/share/zsh/vendor-completions/_assay"
    test -s "$bare/usr/share/fish/vendor_completions.d/assay.fish"
    inside ldd /usr/lib/x86_64-linux-gnu/libassay.so.0 >"$dir/ldd"
    if grep 'not found' "$dir/ldd"; then
        return 1
    fi
    test -e "$bare/usr/lib/x86_64-linux-gnu/pkgconfig/assay.pc"
    inside python3 -c 'import assay; print(assay.__version__, assay.open("/tmp/fixtures/callgrind.out.demo").top()["self"][0])' | grep ' 601848$'
    rm -rf "$bare/tmp/fixtures" "$bare"/tmp/*.p*
}

purge() {
    inside dpkg --purge assay assay-profiler libassay-dev libassay0 python3-assay
    rm -rf "$bare/root/.cache"
    files | diff "$dir/before" -
}

# Without packages, or a root, there is nothing to ask.
build >"$dir/said" 2>&1 || {
    echo 1..1
    echo "not ok 1 - five packages, and lintian has nothing to say"
    tail -n 30 "$dir/said" | sed 's/^/# /'
    exit 0
}
debs=$(find "$dir/deb" -name '*.deb' -not -name '*dbgsym*')
depends=$(for deb in $debs; do dpkg-deb -f "$deb" Depends; done | tr ',' '\n' | sed 's/^ *//; s/ .*//' | grep -v assay | sort -u | paste -sd, -)
mmdebstrap --quiet --variant=minbase --include="$depends" bookworm "$bare" >"$dir/said" 2>&1 || skip "the archive of Debian is out of reach"
echo 1..4
echo "ok 1 - five packages, and lintian has nothing to say"
n=1
point "installed" install
point "used" use
point "purged, and nothing is left" purge
