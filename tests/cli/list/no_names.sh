# Addresses without names: status 1, and what would help.
cp "$FIXTURES/demo.prof" prof
assay list mix prof --symbols none
