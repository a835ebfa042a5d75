# even and odd call each other; fib itself. even: 20, odd: 30, leaf, outside: 40. unused is never called.
cat > cg <<'END'
# callgrind format
version: 1
creator: callgrind-3.19.0
events: Ir Dr
fn=main
1 10 1
cfn=even
calls=1 2
1 90 9
cfn=fib
calls=1 9
1 50 5
fn=even
2 20 2
cfn=odd
calls=3 3
2 70 7
fn=odd
3 30 3
cfn=even
calls=2 2
3 50 5
cfn=leaf
calls=1 5
3 40 4
fn=leaf
5 40 4
fn=fib
9 50 5
cfn=fib
calls=8 9
9 400 40
fn=unused
12 1 0
END
assay graph cg
# What is left out is told: 40 + 1 of 151; no calls remain between what is drawn that cost less than 9.
assay graph cg -m 45
# Of a cycle, what is entered from outside and what costs: even has 90 coming in, odd 30 + 40.
assay graph cg -m 85 -f csv
# Two levels: main and unused, and what main calls.
assay graph cg -d 2 -m 0 -f csv -e Dr
assay graph cg -n 1 -f json
assay graph cg --cycles no -m 0 -f csv -e Ir
