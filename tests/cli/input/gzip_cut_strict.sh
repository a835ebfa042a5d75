gzip -c "$FIXTURES/callgrind.out.demo" | head -c 5000 > cut.gz
assay convert --strict --to callgrind cut.gz -o out
