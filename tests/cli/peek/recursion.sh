# Recursion: one table for a cycle's member, one for a function that calls itself.
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
# even: 20 of its own, and no call of it leaves the cycle.
assay peek even cg
assay peek odd cg
assay peek fib cg
