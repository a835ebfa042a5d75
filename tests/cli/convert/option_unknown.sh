assay convert "$FIXTURES/demo.prof" -o callgrind.out -O compress-string=no
