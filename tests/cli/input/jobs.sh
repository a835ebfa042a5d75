# Any number of threads gives the same answer.
set -- "$FIXTURES/demo.prof" "$FIXTURES/demo.prof" "$FIXTURES/demo.prof" "$FIXTURES/demo.prof"
assay merge --jobs 1 "$@" -o a.prof
assay merge --jobs 2 "$@" -o b.prof
assay merge --jobs 9 "$@" -o c.prof
cmp a.prof b.prof
cmp a.prof c.prof
assay top a.prof -f json | grep '"total"'
