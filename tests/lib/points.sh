# SPDX-License-Identifier: Apache-2.0
#
# Points of TAP for a shell script that has set -e, n=0 and a scratch folder $dir; it is sourced.

# point WHAT COMMAND...: the next point; what a command that fails has said is shown, its end at the least.
point() {
    n=$((n + 1))
    what=$1
    shift
    set +e
    (set -e; "$@") >"$dir/said" 2>&1 # not as a condition: -e would mean nothing in it
    status=$?
    set -e
    if [ "$status" = 0 ]; then
        echo "ok $n - $what"
    else
        echo "not ok $n - $what"
        tail -n 60 "$dir/said" | sed 's/^/# /'
    fi
}
