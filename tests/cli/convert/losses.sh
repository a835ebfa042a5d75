assay convert "$FIXTURES/demo.prof" -o callgrind.out.1
assay top callgrind.out.1 -f json | grep '"total"'
