# Paths: a path counts once for each pair, however often the pair stands on it.
assay peek msort_with_tmp "$FIXTURES/demo.symbolized.prof" -q
assay peek fib "$FIXTURES/demo.symbolized.prof" -q -f csv
