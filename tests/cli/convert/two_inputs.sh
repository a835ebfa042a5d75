assay convert "$FIXTURES/demo.prof" "$FIXTURES/demo.prof" -o callgrind.out
