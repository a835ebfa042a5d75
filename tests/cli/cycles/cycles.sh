# even and odd call each other; fib itself. even: 20, odd: 30, leaf, outside: 40.
cat > cg <<'END'
# callgrind format
version: 1
creator: callgrind-3.19.0
events: Ir
fn=main
1 10
cfn=even
calls=1 2
1 90
cfn=fib
calls=1 9
1 50
fn=even
2 20
cfn=odd
calls=3 3
2 70
fn=odd
3 30
cfn=even
calls=2 2
3 50
cfn=leaf
calls=1 5
3 40
fn=leaf
5 40
fn=fib
9 50
cfn=fib
calls=8 9
9 30
END
assay cycles cg
assay cycles cg -n 1 -f csv
assay cycles cg -f json
# Paths: each counts once.
assay cycles "$FIXTURES/demo.symbolized.prof" -q
# None, and none that can be known.
. "$(dirname "$0")/../samples"
extended > none
assay cycles none
assay cycles "$FIXTURES/cachegrind.out.demo" || echo "status $?"
