# Twenty rows unless asked otherwise; CSV has a header and all rows.
assay top "$FIXTURES/callgrind.out.demo" -f json | grep -c '"recursive":'
assay top "$FIXTURES/callgrind.out.demo" -f csv | wc -l
