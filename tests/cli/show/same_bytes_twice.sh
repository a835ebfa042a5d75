assay "$FIXTURES/demo.prof" > a
assay "$FIXTURES/demo.prof" > b
cmp a b
assay show --jobs 1 "$FIXTURES/callgrind.out.demo" > a
assay show --jobs 4 "$FIXTURES/callgrind.out.demo" > b
cmp a b
