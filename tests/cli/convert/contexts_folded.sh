# "f'2" is f: other formats' readers would take it for a function of its own.
cat >rec.cg <<'END'
creator: callgrind-3.19.0
events: Ir
fl=r.c
fn=main
1 10
cfn=f
calls=1 5
2 60
fn=f
5 20
cfn=f'2
calls=2 5
6 40
fn=f'2
5 30
cfn=g'f
calls=1 9
7 10
fn=g'f
9 10
END
assay convert rec.cg -o rec.folded
assay top rec.cg -f csv --sort self
assay top rec.folded -f csv --sort self
assay convert rec.cg -o rec.pb --estimate-paths
assay top rec.pb -f csv --sort self
echo "as they are:"
assay convert rec.cg -t folded -o - --contexts keep
echo "in their own format:"
assay convert rec.cg -t callgrind -o - --strict | grep fn=
assay convert rec.cg -o strict.folded --strict
