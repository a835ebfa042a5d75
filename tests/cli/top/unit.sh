# Samples as times by their period; what is no time stays a count, and JSON has counts.
assay top "$FIXTURES/demo.prof" -n 2 --unit time
assay top "$FIXTURES/demo.prof" -n 1 --unit ms
assay top "$FIXTURES/callgrind.out.demo" -n 1 --unit time
assay top "$FIXTURES/demo.prof" --unit s -f csv | cmp - <<END
$(assay top "$FIXTURES/demo.prof" -f csv)
END
assay top "$FIXTURES/demo.prof" --unit fortnights
