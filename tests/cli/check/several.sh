# The worst status wins: 4, because one is no profile.
. "$(dirname "$0")/../samples"
extended > good
broken > bad
echo hello world > text
assay check good bad text nothing > out || echo status $?
grep -E '^(good|text|nothing): ' out
