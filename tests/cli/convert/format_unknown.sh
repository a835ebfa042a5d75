assay convert "$FIXTURES/demo.prof" -t calgrind -o x
