# What the profile cannot tell is said, and the table is what can be: places have no inclusive cost,
# instructions are no time. 225 samples of a microsecond are no 0.00 s.
assay top "$FIXTURES/cachegrind.out.demo" -e Ir -n 1 --cumulative
assay top "$FIXTURES/cachegrind.out.demo" -e Ir -n 1 -s inclusive -f csv
assay top "$FIXTURES/callgrind.out.demo" -e Ir -n 1 --unit s --symbols none | head -n 2
assay top "$FIXTURES/demo.symbolized.prof" -n 1 --unit s --symbols none
assay top "$FIXTURES/demo.symbolized.prof" -n 1 --unit ms --symbols none
assay top "$FIXTURES/demo.symbolized.prof" -n 1 --unit MiB --symbols none
