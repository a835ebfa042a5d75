assay top --by functoin "$FIXTURES/demo.prof"
