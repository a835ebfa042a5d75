(gzip -c "$FIXTURES/callgrind.out.demo"; echo garbage) > garbage.gz
assay top garbage.gz
