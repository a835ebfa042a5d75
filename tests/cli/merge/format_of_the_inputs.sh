assay merge "$FIXTURES/demo.prof" "$FIXTURES/demo.prof" -o both
assay info both -f json | grep -E '"(format|total)"'
