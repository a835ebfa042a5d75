#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Nobody writes to the parsed command line, nor to the session that was made of it: who wants
# something else for one request changes a copy of the session.
set -eu
cd "$(dirname "$0")/.."
# cli.c makes both.
if grep -rnE --include='*.c' '\b(cli|[a-z]+->cli)->(ses\.opt\.|color\b|no_pager\b|n?_?operands?\b)[a-z_.]* *[|&+-]?=[^=]' src/cli |
    grep -v '^src/cli/cli\.c:'; then
    echo 'the parsed command line is written to: copy the session (struct as_session)' >&2
    exit 1
fi
