assay convert "$FIXTURES/demo.prof"
