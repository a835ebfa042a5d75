assay convert -q "$FIXTURES/demo.prof" -o callgrind.out.1
