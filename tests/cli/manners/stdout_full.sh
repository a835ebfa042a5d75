for command in "top $FIXTURES/demo.prof" "$FIXTURES/demo.prof" "info $FIXTURES/demo.prof" \
    "check $FIXTURES/demo.prof" "dump $FIXTURES/demo.prof" formats help --version -h "top -h"; do
    # shellcheck disable=SC2086
    assay $command > /dev/full || echo status $?
done
