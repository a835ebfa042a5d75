#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/alone.sh COMMAND [ARG...]
# tools/alone.sh --path
#
# Runs COMMAND where nothing is left of what lies on the machine by accident: /tmp, /var/tmp, the
# home and every folder that is not part of a Debian system are empty, but for this tree, in its
# place, and for the test data ($ASSAY_SHARED_DATA, else ../shared/data), which can be read only.
# A mount namespace does it. Where none can be made it says so, and runs COMMAND as it is.
# --path prints $PATH without the folders that are hidden: a build that is tested so must not have
# found its tools there.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
data=${ASSAY_SHARED_DATA:-$root/../shared/data}
data=$(cd "$data" 2>/dev/null && pwd -P) || data=

# What a Debian system consists of; everything else below / is hidden.
is_system() {
    case $1 in
    bin | boot | dev | etc | lib | lib32 | lib64 | libx32 | proc | run | sbin | sys | usr | var) return 0 ;;
    esac
    return 1
}

is_hidden() {
    top=${1#/}
    ! is_system "${top%%/*}"
}

print_path() {
    seen=
    for folder in $(echo "$PATH" | tr ':' ' '); do
        is_hidden "$folder" || seen=$seen:$folder
    done
    echo "${seen#:}"
}

# The part of the script that runs inside: mounts, then the command.
inside() {
    stash=/run/assay-alone
    mkdir -p "$stash"
    mount -t tmpfs tmpfs "$stash"
    mkdir "$stash/tree" "$stash/data"
    mount --rbind "$root" "$stash/tree"
    [ -z "$data" ] || mount --bind "$data" "$stash/data"
    for folder in /* /var/tmp; do
        if [ "$folder" = /var/tmp ] || { [ -d "$folder" ] && [ ! -L "$folder" ] && is_hidden "$folder"; }; then
            mount -t tmpfs -o mode=1777 tmpfs "$folder"
        fi
    done
    mkdir -p "$root"
    mount --move "$stash/tree" "$root"
    if [ -n "$data" ]; then
        mkdir -p "$data"
        mount --bind "$stash/data" "$data"
        mount -o remount,bind,ro "$data"
    fi
    umount -l "$stash"
    mkdir /tmp/home
    cd "$root"
    [ -z "$data" ] || export ASSAY_SHARED_DATA="$data"
    # Whoever starts it by nohup has SIGHUP ignored, and so would the programs that are tested.
    exec env --default-signal=HUP -u XDG_CACHE_HOME -u XDG_CONFIG_HOME -u XDG_STATE_HOME -u DEBUGINFOD_URLS -u TMPDIR HOME=/tmp/home "$@"
}

if [ "${1:-}" = --path ]; then
    print_path
    exit
fi
if [ "${ASSAY_ALONE:-}" = inside ]; then
    unset ASSAY_ALONE
    inside "$@"
fi
if [ "$(id -u)" = 0 ]; then
    set -- unshare --mount --propagation private -- env ASSAY_ALONE=inside "$root/tools/alone.sh" "$@"
else
    set -- unshare --user --map-root-user --mount --propagation private -- env ASSAY_ALONE=inside "$root/tools/alone.sh" "$@"
fi
if unshare --user --map-root-user --mount true 2>/dev/null || { [ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null; }; then
    exec "$@"
fi
echo "alone: no mount namespace can be made here; what lies on this machine is seen" >&2
while [ "$1" != "$root/tools/alone.sh" ]; do shift; done
shift
exec "$@"
