# pprof's own callgrind text: calls of 0, b's 4 and 2 booked on top of a's; without --compat the calls are counted.
printf 'main;a 3\nmain;b;a 2\nmain;a;b;a 4\n' > f.folded
assay convert --compat pprof -t callgrind f.folded -o -
assay convert --compat pprof -t callgrind f.folded -o tree --pprof-option call_tree -q
cat tree
# A name that ends in .gz is compressed.
assay convert -q --compat pprof -t callgrind f.folded -o f.gz
gzip -dc f.gz | head -n 2
# It holds less than it could: --strict refuses, and nothing is left behind.
assay convert --compat pprof -t callgrind --strict f.folded -o strict || echo "status $?"
assay convert --compat pprof -t callgrind f.folded -o tree || echo "status $?"
assay convert --compat pprof -t callgrind f.folded -o x --pprof-option sample_index=none || echo "status $?"
assay convert --compat pprof -t callgrind f.folded -o x --pprof-option nonsense || echo "status $?"
ls
# Other formats, and profiles of calls, are written as ever.
assay convert --compat pprof -t folded f.folded -o -
assay convert -q --compat pprof -t callgrind "$FIXTURES/callgrind.out.demo" -o with
assay convert -q -t callgrind "$FIXTURES/callgrind.out.demo" -o without
cmp with without
# A part of a profile likewise: what goes through b, 2 + 4.
assay filter --compat pprof --focus b -t callgrind f.folded -o - -q
