# even and odd call each other; fib itself. even: 20, odd: 30, leaf, outside: 40.
. "$(dirname "$0")/../samples"
recursive > cg
assay cycles cg
assay cycles cg -n 1 -f csv
assay cycles cg -f json
# Paths: each counts once.
assay cycles "$FIXTURES/demo.symbolized.prof" -q
# None, and none that can be known.
extended > none
assay cycles none
assay cycles "$FIXTURES/cachegrind.out.demo" || echo "status $?"
