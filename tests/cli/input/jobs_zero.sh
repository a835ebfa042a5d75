assay top --jobs 0 "$FIXTURES/demo.prof"
