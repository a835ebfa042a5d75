# Smart case; pprof's case counts.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
lines() { assay top "$FIXTURES/demo.symbolized.prof" "$@" -f csv 2>&1 | grep -c GI; }
lines --focus __gi___qsort
lines --focus __GI___qsort
lines --focus __Gi___qsort || :
lines --focus '(?-i)__gi___qsort' || :
lines --focus __gi___qsort --compat pprof || :
