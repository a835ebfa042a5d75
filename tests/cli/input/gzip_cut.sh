# What was unpacked before the cut is read as if the text had been cut there.
gzip -c "$FIXTURES/callgrind.out.demo" | head -c 5000 > cut.gz
zcat cut.gz > cut 2> /dev/null || :
assay top cut > want 2> /dev/null
assay top cut.gz 2> /dev/null | cmp - want
assay check cut.gz | grep 'error:'
