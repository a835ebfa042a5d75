# A profile by line: status 4, and how to get addresses.
cp "$FIXTURES/callgrind.out.demo" demo
assay asm mix demo
