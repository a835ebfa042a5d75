# pprof -tree, to the byte: what go tool pprof prints of the same profile as profile.proto.
assay tree --compat pprof "$FIXTURES/demo.symbolized.prof"
assay tree --compat pprof "$FIXTURES/demo.symbolized.prof" --unit ns --focus sort --hide msort --relative
# What pprof's tree has no word for is ours.
assay tree --compat pprof "$FIXTURES/demo.symbolized.prof" --depth 1 | head -n 2
assay tree --compat pprof "$FIXTURES/callgrind.out.demo" --depth 1 | head -n 2
assay tree --compat pprof "$FIXTURES/demo.prof" --format csv --symbols none | head -n 1
