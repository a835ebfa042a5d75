# A name that ends in .gz is compressed; the bytes inside are those of the plain file.
assay -q convert "$FIXTURES/demo.prof" -o cpu.pb.gz
assay -q convert "$FIXTURES/demo.prof" -o cpu.pb
gzip -dc cpu.pb.gz | cmp - cpu.pb
head -c 2 cpu.pb.gz | od -An -tx1
assay dump cpu.pb.gz > a
assay dump cpu.pb > b
cmp a b
grep -E '^(event|total)' a
