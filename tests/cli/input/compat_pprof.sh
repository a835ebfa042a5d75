# The short form and the long one are the same.
assay top --compat pprof "$FIXTURES/demo.prof" --sort inclusive -f csv > a
assay top -I compat=pprof "$FIXTURES/demo.prof" --sort inclusive -f csv > b
cmp a b
