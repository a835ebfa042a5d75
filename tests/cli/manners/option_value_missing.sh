assay top "$FIXTURES/demo.prof" --by
