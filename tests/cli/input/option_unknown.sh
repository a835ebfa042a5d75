assay top -I compta=pprof "$FIXTURES/demo.prof" || echo status $?
assay top -I frobnicate "$FIXTURES/demo.prof" || echo status $?
