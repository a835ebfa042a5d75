assay convert "$FIXTURES/demo.prof" -o result.txt
