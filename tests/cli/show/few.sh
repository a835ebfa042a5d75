# How far a share may be off (50 / sqrt(378) = 2.6), no addresses where there are none, and next
# steps that run for a file whose name begins like an option.
assay show "$FIXTURES/demo.symbolized.prof" --symbols none | grep note
assay show "$FIXTURES/cachegrind.out.demo" | grep 'without names'
cp "$FIXTURES/callgrind.out.demo" ./-x.cg
assay show -- -x.cg | grep '^next'
assay top ./-x.cg --by line -n 1
# The same where time is in the first event; and samples that came four with a signal are a quarter.
assay convert -q -o few.pb.gz "$FIXTURES/demo.symbolized.prof"
assay show few.pb.gz --symbols none | grep 'note.*only'
cp "$FIXTURES/demo.prof" few.prof
echo 'assay: squares of their samples: 1512' >> few.prof
assay show few.prof --symbols none | grep 'note.*only'
# To people 'top' says it, too.
python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' assay top few.pb.gz -n 1 --symbols none --no-pager < /dev/null | grep -o 'few samples.*' | tr -d '\r'
assay top few.pb.gz -n 1 --symbols none 2>&1 | grep -c 'few samples' || true
