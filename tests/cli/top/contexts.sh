# Recursion as --separate-recs=2 writes it. Folded: f 50 self, called once from outside.
cat > cg <<'END'
# callgrind format
version: 1
creator: callgrind-3.19.0
events: Ir
fn=main
1 10
cfn=f
calls=1 2
1 50
fn=f
2 30
cfn=f'2
calls=1 2
2 20
fn=f'2
2 20
END
assay top cg -f csv
assay top --contexts keep cg -f csv
