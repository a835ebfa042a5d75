assay top "$FIXTURES/callgrind.out.demo" -f json | grep -c '"function":'
assay top "$FIXTURES/callgrind.out.demo" -f csv | wc -l
