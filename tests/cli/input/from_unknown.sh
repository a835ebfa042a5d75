assay top --from calgrind "$FIXTURES/callgrind.out.demo" || echo status $?
assay top --from dump "$FIXTURES/callgrind.out.demo" || echo status $?
