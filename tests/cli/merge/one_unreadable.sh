# One input that fails: nothing is written.
assay merge "$FIXTURES/demo.prof" nothing -o both.prof || echo status $?
ls -A
