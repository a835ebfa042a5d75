# In a narrow window names are shortened, the indentation stays.
COLUMNS=60 assay tree "$FIXTURES/callgrind.out.demo" --bottom-up -m 15%
