# ".cpuprofile" is V8's: not a name for gperftools' format.
assay convert "$FIXTURES/demo.prof" -o x.cpuprofile
assay info x.cpuprofile | head -n 1
