# Call paths: a path counts for a line once; nobody knows how often it was called.
cp "$FIXTURES/demo.symbolized.prof" prof
assay list sort_phase prof --symfs /nonexistent
