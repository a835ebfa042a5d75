gzip -c "$FIXTURES/callgrind.out.demo" | head -c 5000 > cut.gz
assay top cut.gz
