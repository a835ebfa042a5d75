# The figures of pprof -text.
assay top --compat pprof "$FIXTURES/demo.prof" -n 3 --by line
assay top --compat pprof "$FIXTURES/demo.prof" --by address -n 2
