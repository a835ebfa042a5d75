# A row is a process, a thread or a unit, by the labels of samples: against the sums of the minutes.
. "$(dirname "$0")/database.inc"
minute db/box/202611231045/20261123T104500Z 1
minute db/box/202611231045/20261123T104600Z 2
e=db/box/202611231045
rows() { # BY COLUMN
    assay top db --by "$1" -f csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row[sys.argv[1]], row["self cpu"])' "$2" | sort > got
}
same_sums() { # what awk's program adds up
    cat $e/*.sums | awk "$1 END {for (k in n) print k, n[k]}" | sort > want
    diff want got
}
rows process process
same_sums '{n[$1] += $4}'
rows thread pid
same_sums '{n[$2] += $4}'
rows unit label
same_sums '{n[$1 == "nginx" ? "nginx.service" : "user.slice"] += $4}'
assay top db --by process
assay top db --by thread
assay top db --by unit
assay top db --by process --unit user.slice -f json | sed -n '/"by"/p; /"rows"/,$p'
# The filter is by the same names.
for thread in nginx sh; do
    assay top db --thread $thread --relative -f csv | table | grep -v '^main' > got
    only=$thread sums $e/*.sums > want
    diff want got
done
# A process without a name is its number; who says neither has none.
assay top "$FIXTURES/callgrind.out.demo" --by process
assay top "$FIXTURES/demo.prof" --by process --symbols none || echo "$?"
