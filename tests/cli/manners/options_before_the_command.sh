assay -q --color=never top "$FIXTURES/demo.prof" -n 1 > a
assay top "$FIXTURES/demo.prof" -n 1 > b
cmp a b
