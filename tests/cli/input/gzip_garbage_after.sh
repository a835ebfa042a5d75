(gzip -c "$FIXTURES/callgrind.out.demo"; echo garbage) > garbage.gz
assay top "$FIXTURES/callgrind.out.demo" > want
assay top garbage.gz | cmp - want
assay check garbage.gz | grep 'error:'
