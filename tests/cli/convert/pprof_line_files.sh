# A function whose lines stand in two files is one function in pprof's format, too.
cat >mini.cg <<'END'
events: Ir
fl=a.cc
fn=main
10 100
11 5
fi=util.h
77 900
fe=a.cc
cfn=leaf
calls=1 30
12 50

fn=leaf
30 50
END
assay convert mini.cg -o mini.pb --estimate-paths -q
assay top mini.cg -f csv
assay top mini.pb -f csv
assay diff mini.cg mini.pb | tail -n +3
assay lines mini.pb
assay convert mini.pb -o again.pb --strict
cmp mini.pb again.pb
# An estimate aside, the way back is the way there.
assay convert mini.cg -o flat.pb -q
assay convert flat.pb -o flat.cg -q
assay convert flat.cg -t callgrind -o - -q | sed -n '/^fl=/,$p'
