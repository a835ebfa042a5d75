# Refused: the status says so, nothing is written, an older file stays.
echo old > callgrind.out.1
assay convert --strict -y "$FIXTURES/demo.prof" -o callgrind.out.1 || echo status $?
cat callgrind.out.1
ls -A
