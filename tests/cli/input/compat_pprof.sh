# The short form and the long one are the same.
assay top --compat pprof "$FIXTURES/demo.prof" --sort inclusive > a
assay top -I compat=pprof "$FIXTURES/demo.prof" --sort inclusive > b
cmp a b
