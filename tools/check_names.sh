#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/check_names.sh LIBRARY.a...
#
# What the floors put into the linker's name space starts with as_ or assay_; they keep no
# variable data (all state hangs on a job); and below cli they never exit, print or read the
# environment.
set -eu
bad=0

complain() {
    [ -z "$2" ] && return
    echo "$2" | sed "s|^|$(basename "$lib"): $1: |"
    bad=1
}

denied='(__)?v?f?printf(_chk)?|_?exit|_Exit|quick_exit|puts|putchar|perror|(secure_)?getenv|std(in|out|err)'

for lib in "$@"; do
    # weak symbols are what C++ makes of its templates
    complain 'symbol without our prefix' \
        "$(nm -g --defined-only "$lib" | awk 'NF == 3 && $2 !~ /^[VWu]$/ && $3 !~ /^(as_|assay_)/ {print $3}')"
    case $lib in
    *libas_cli.a) continue ;;
    esac
    # record: a child of fork() that could not become the program
    case $lib in
    *libas_record.a | *libas_daemon.a) allowed='^_Exit$' ;;
    # the last words of as_assert()
    *libas_base.a) allowed='^(stderr|(__)?fprintf(_chk)?|fwrite)$' ;;
    *) allowed='^$' ;;
    esac
    complain 'only cli may use' \
        "$(nm -u "$lib" | awk -v denied="^($denied)$" -v allowed="$allowed" '$1 == "U" && $2 ~ denied && $2 !~ allowed {print $2}' | sort -u)"
    # term: what a signal's handler needs to give the one terminal back
    case $lib in
    *libas_term.a) continue ;;
    esac
    complain 'variable data' \
        "$(nm "$lib" | awk 'NF == 3 && $2 ~ /^[bBcCsS]$/ {print $3}')"
    complain 'variable data in' \
        "$(size -A "$lib" | awk '/^[^ ]+ .*:$/ {o = $1} $1 ~ /^\.t?(data|bss)(\.[^r]|$)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 {print o}')"
done
exit $bad
