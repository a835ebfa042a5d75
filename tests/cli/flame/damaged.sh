# What was cut off is not in the picture, and the picture says so.
head -c 1600 "$FIXTURES/demo.prof" > cut.prof
assay flame cut.prof --symbols none -q | grep -o 'not whole: [^;]*'
assay flame cut.prof --symbols none -q -f text -w 60 | sed -n 2p
assay treemap cut.prof --symbols none -q | grep -o 'not whole: [^;]*'
