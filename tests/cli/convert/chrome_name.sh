# ".cpuprofile" is Chrome's: not a name for gperftools' format.
assay convert "$FIXTURES/demo.prof" -o x.cpuprofile
