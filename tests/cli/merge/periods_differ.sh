# Samples of different weight are not added up; nothing is written.
assay merge "$FIXTURES/demo.prof" "$FIXTURES/demo.symbolized.prof" -o both.prof || echo status $?
ls -A
