# Profiles of one format stay of that format, others are of several.
assay top "$FIXTURES/demo.prof" "$FIXTURES/demo.prof" -f json | grep '"format"'
assay top "$FIXTURES/demo.prof" "$FIXTURES/callgrind.out.demo" -f json | grep '"format"'
