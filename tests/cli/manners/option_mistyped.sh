assay top --sotr Ir "$FIXTURES/demo.prof"
