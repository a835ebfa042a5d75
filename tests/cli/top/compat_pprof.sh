# The figures of pprof -text, and an option that is none.
assay top --compat pprof "$FIXTURES/demo.prof" -n 3 --by line
assay top --compat pprof "$FIXTURES/demo.prof" --pprof-option nodefraction=0.3 --pprof-option compact_labels --by address -n 2
assay top --compat pprof "$FIXTURES/demo.prof" --pprof-option nodefraction=2
