assay graph "$FIXTURES/cachegrind.out.demo"
