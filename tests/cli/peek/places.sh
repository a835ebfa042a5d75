# Places: callers are not known, and that is said.
assay peek mix "$FIXTURES/cachegrind.out.demo"
assay peek mix "$FIXTURES/cachegrind.out.demo" -f json | grep -o '"inclusive".*'
