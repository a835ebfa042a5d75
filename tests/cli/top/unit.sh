# Samples as times by their period; what is no time stays a count, and JSON and CSV have counts.
assay top "$FIXTURES/demo.prof" -n 2 --unit time
assay top "$FIXTURES/demo.prof" -n 1 --unit ms
assay top "$FIXTURES/callgrind.out.demo" -n 1 --unit time
for f in csv json; do
    assay top "$FIXTURES/demo.prof" --unit s -f $f && exit 1
done
assay top "$FIXTURES/demo.prof" -n 1 -f json | grep period
assay top "$FIXTURES/demo.prof" --unit fortnights
