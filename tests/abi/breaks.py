# SPDX-License-Identifier: Apache-2.0
"""breaks.py < REPORT: what of an abidiff report breaks programs that are built already; status 1 if anything does.

All that the report says is a break, but for what is known to be none: functions and enumerators that are new, and members
behind the old end of a struct. abidiff's own rule for the latter also lets members pass that became larger there.
"""
import re
import sys

NONE = re.compile(r'''\s*$
    | (Functions|Variables)\ changes\ summary:\ 0\ Removed,
    | \s*\d+\ functions?\ with\ some\ (indirect\ )?sub-type\ change | \s*\[C\]\ .*\ has\ some\ (indirect\ )?sub-type\ changes:$
    | \s*(parameter\ \d+\ of|return)\ type\ .*\ (has\ sub-type\ changes|changed):$
    | \s*in\ (pointed\ to|unqualified\ underlying|referenced)\ type\ | \s*.*\ reported\ earlier
    | \d+\ Added\ functions?:$ | \s*\[A\]\ 'function\ | \s*type\ size\ hasn't\ changed$
    | \s*\d+\ data\ member\ insertions?:$ | \s*\d+\ enumerator\ insertions?:$ | \s*'\S+'\ value\ '\d+'$''', re.X)
GROWN = re.compile(r'\s*type size changed from (\d+) to (\d+) \(in bits\)')
MEMBER = re.compile(r"\s*'.*', at offset (\d+) \(in bits\)")

end, bad = None, []
for line in sys.stdin.read().splitlines():
    grown, member = GROWN.match(line), MEMBER.match(line)
    if re.match(r'\s*in pointed to type', line):
        end = None
    if grown and int(grown[1]) < int(grown[2]):
        end = int(grown[1])
    elif member and end is not None and int(member[1]) >= end:
        pass
    elif not NONE.match(line):
        bad.append(line)
print('\n'.join(bad))
sys.exit(1 if bad else 0)
