# From paths and from calls; what is lost is told.
assay convert "$FIXTURES/demo.symbolized.prof" -o a.folded
assay convert a.folded -o b.collapsed
cmp a.folded b.collapsed
assay top a.folded -q -n 0 -f csv | cut -d, -f1,6- > a.csv
assay top "$FIXTURES/demo.symbolized.prof" -q -n 0 -f csv | cut -d, -f1,6- > b.csv
cmp a.csv b.csv
assay convert --strict "$FIXTURES/callgrind.out.demo" -o c.folded || echo "status $?"
assay convert --estimate-paths "$FIXTURES/callgrind.out.demo" -o c.folded
# No cost is lost on the way.
awk '{ sum += $NF } END { print sum }' c.folded
assay info "$FIXTURES/callgrind.out.demo" -f json | grep -o '"total": [0-9]*' | head -1
