# The cost of a line in all contexts of a function stands under the function, not under one of its callers.
cat > one.cg <<'CG'
creator: callgrind-3.22.0
events: Ir
positions: instr line
fl=a.c
fn=f'g
0x10 1 10
fn=f'h
0x10 1 20
CG
assay top one.cg --by line -f csv
assay top one.cg --by address -f csv
assay top one.cg --by line --contexts keep -f csv
assay diff one.cg one.cg --by line -f csv
