assay convert "$FIXTURES/callgrind.out.demo" -t callgrind -o folder/
