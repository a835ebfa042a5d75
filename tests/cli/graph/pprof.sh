# pprof's own graph: a costs 3 + 2 + 4 itself; the edge main -> b (2) is 22 % of that.
printf 'main;a 3\nmain;b;a 2\nmain;a;b;a 4\n' > f.folded
assay graph --compat pprof f.folded
assay graph --compat pprof f.folded --pprof-option call_tree -n 3
# Filters are told, and what is dropped; shares are of the whole unless --relative says otherwise.
assay graph --compat pprof f.folded --focus b --pprof-option nodefraction=0.9 --pprof-option edgefraction=0.5
assay graph --compat pprof f.folded --focus b --relative -o g.dot
head -n 3 g.dot
assay graph --compat pprof f.folded -o g.dot || echo "status $?"
assay graph --compat pprof f.folded --pprof-option granularity=words || echo "status $?"
# What pprof has no word for is our own answer, as is the graph of calls.
assay graph --compat pprof f.folded -f csv
assay graph --compat pprof f.folded -m 50% | head -n 1
assay graph --compat pprof "$FIXTURES/callgrind.out.demo" > with
assay graph "$FIXTURES/callgrind.out.demo" > without
cmp with without
