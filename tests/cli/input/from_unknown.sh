assay top --from calgrind "$FIXTURES/callgrind.out.demo"
