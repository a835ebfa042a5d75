assay convert "$FIXTURES/demo.prof" -o -
