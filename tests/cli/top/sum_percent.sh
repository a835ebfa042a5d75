# Where there is room, and rows stand in the order of self cost: what each and those above it cost.
export COLUMNS=120
p=$FIXTURES/callgrind.out.demo
assay top "$p" -n 4 --cycles no
assay top "$p" -n 2 --cycles no --by file --ignore compare_keys
echo == none
assay top "$p" -n 2 --cycles no --cumulative | grep -c 'sum %' || true
assay top "$p" -n 2 --cycles no --by address | grep -c 'sum %' || true
COLUMNS=80 assay top "$p" -n 2 | grep -c 'sum %' || true
