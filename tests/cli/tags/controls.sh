# What a label says is shown and moves no cursor: its key, its value and its unit.
. "$(dirname "$0")/../samples"
labelled | LC_ALL=C sed 's/Bobby/\x1b[31m/g; s/shard/\x1b[32m/g; s/bytes/\x1b[33m/g' > odd.pb
assay tags odd.pb | cat -v
assay tags odd.pb -f markdown | cat -v
