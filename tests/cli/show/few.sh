# How far a share may be off (50 / sqrt(378) = 2.6), no addresses where there are none, and next
# steps that run for a file whose name begins like an option.
assay show "$FIXTURES/demo.symbolized.prof" --symbols none | grep note
assay show "$FIXTURES/cachegrind.out.demo" | grep 'without names'
cp "$FIXTURES/callgrind.out.demo" ./-x.cg
assay show -- -x.cg | grep '^next'
assay top ./-x.cg --by line -n 1
