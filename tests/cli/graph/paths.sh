assay graph -q "$FIXTURES/demo.symbolized.prof" -m 10%
assay graph -q "$FIXTURES/demo.symbolized.prof" -m 10% --focus sort_phase -f csv
# Several files are merged; a graph of the sum has twice the figures.
assay graph -q "$FIXTURES/demo.symbolized.prof" "$FIXTURES/demo.symbolized.prof" -m 50%
