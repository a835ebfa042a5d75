# pprof -tree, to the byte: what go tool pprof prints of the same profile as profile.proto.
assay tree --compat pprof "$FIXTURES/demo.symbolized.prof" --pprof-option nodecount=4 --pprof-option sort=cum
assay tree --compat pprof "$FIXTURES/demo.symbolized.prof" --pprof-option nodefraction=0.1 --pprof-option edgefraction=0.2 \
	--pprof-option compact_labels --pprof-option unit=ns --focus sort --hide msort --relative
# What pprof's tree has no word for is ours.
assay tree --compat pprof "$FIXTURES/demo.symbolized.prof" --depth 1 | head -n 2
assay tree --compat pprof "$FIXTURES/callgrind.out.demo" --depth 1 | head -n 2
assay tree --compat pprof "$FIXTURES/demo.prof" --format csv --symbols none | head -n 1
