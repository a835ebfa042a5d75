#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/check_link.sh FLOOR.a [LOWER.a...] [-lLIB...] -- CC...
#
# Link one whole floor against the floors below it and nothing else: a call upwards is an
# undefined reference.
set -eu
floor=$1
shift
below=
while [ "$1" != -- ]; do
    below="$below $1"
    shift
done
shift
# shellcheck disable=SC2086 # a list of names without blanks
exec "$@" -shared -o /dev/null -Wl,-z,defs -Wl,--whole-archive "$floor" \
    -Wl,--no-whole-archive -Wl,--start-group $below -Wl,--end-group
