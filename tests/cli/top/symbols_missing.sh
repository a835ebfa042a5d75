# Binaries that are not there: told once each, with what that costs; the status is 0.
assay top "$FIXTURES/demo.prof" --symbols auto --symfs nowhere -n 3
echo "== -q"
assay top "$FIXTURES/demo.prof" --symbols auto --symfs nowhere -n 3 -q | head -1
assay info "$FIXTURES/demo.prof" --symbols auto --symfs nowhere -q | grep "^names"
