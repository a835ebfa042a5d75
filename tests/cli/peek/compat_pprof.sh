# pprof -peek, to the byte; and what it cannot find.
assay peek --compat pprof '^mix|_phase' "$FIXTURES/demo.symbolized.prof"
assay peek --compat pprof 'compare' "$FIXTURES/demo.symbolized.prof" --inline off --event 0
assay peek --compat pprof nothing "$FIXTURES/demo.symbolized.prof" || echo "status $?"
assay peek --compat pprof '(' "$FIXTURES/demo.symbolized.prof" || echo "status $?"
assay peek --compat pprof mix "$FIXTURES/demo.symbolized.prof" --event heap || echo "status $?"
