# Paths: exact, every level adds up.
p=$FIXTURES/demo.symbolized.prof
assay tree "$p" -q -d 4
assay tree "$p" msort_with_tmp --callers -q -m 10%
assay tree "$p" --bottom-up -q -m 10% -d 3
assay tree "$p" '^msort' -q -d 2 -f csv
