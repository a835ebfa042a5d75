assay merge "$FIXTURES/demo.prof" "$FIXTURES/callgrind.out.demo" -o both
