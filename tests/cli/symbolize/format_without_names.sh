assay symbolize "$FIXTURES/demo.prof" -o out.prof
