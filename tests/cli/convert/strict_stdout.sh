assay convert --strict "$FIXTURES/demo.prof" -t callgrind -o - || echo status $?
