# Nothing is asked of a network unless someone says so; without servers that is a mistake.
unset DEBUGINFOD_URLS
assay top "$FIXTURES/demo.prof" --symbols auto --symfs nowhere -n 1 --debuginfod
