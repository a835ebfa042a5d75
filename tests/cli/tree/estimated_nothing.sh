# By hand: g costs 1 itself and calls h (9); a and b call it, 10 each. How much of that 1 came by
# way of a is an estimate, also where it is 0.
cat > cg <<'CG'
events: Ir
fl=x.c
fn=main
1 0
cfn=a
calls=1 1
1 10
cfn=b
calls=1 1
1 10
fn=a
2 0
cfn=g
calls=1 1
2 10
fn=b
3 0
cfn=g
calls=1 1
3 10
fn=g
4 1
cfn=h
calls=1 1
4 19
fn=h
5 19
CG
assay tree cg
assay flame cg | grep '; self'
