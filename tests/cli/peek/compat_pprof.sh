# pprof -peek, to the byte; what it cannot find, and what is none of its options.
assay peek --compat pprof '^mix|_phase' "$FIXTURES/demo.symbolized.prof" --pprof-option granularity=filefunctions
assay peek --compat pprof 'compare' "$FIXTURES/demo.symbolized.prof" --pprof-option noinlines --event 0
assay peek --compat pprof nothing "$FIXTURES/demo.symbolized.prof" || echo "status $?"
assay peek --compat pprof '(' "$FIXTURES/demo.symbolized.prof" || echo "status $?"
assay peek --compat pprof mix "$FIXTURES/demo.symbolized.prof" --event heap || echo "status $?"
for option in nodefrac=1 granularity=words nodecount=x trim=2 unit= sort=name sample_index; do
	assay peek --compat pprof mix "$FIXTURES/demo.symbolized.prof" --pprof-option $option || echo "status $?"
done
# Without --compat it is not asked for.
assay peek mix "$FIXTURES/demo.symbolized.prof" --pprof-option nodecount=1 | head -n 2
