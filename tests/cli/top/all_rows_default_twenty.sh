# Twenty rows unless asked otherwise; CSV has a header and a line for the rest.
assay top "$FIXTURES/callgrind.out.demo" -f json | grep -c '"recursive":'
assay top "$FIXTURES/callgrind.out.demo" -f csv | wc -l
