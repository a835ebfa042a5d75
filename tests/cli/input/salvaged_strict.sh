# --strict takes no damaged input.
head -c 2000 "$FIXTURES/demo.prof" > cut.prof
assay convert --strict cut.prof -o out.prof 2> err || echo status $?
test ! -e out.prof
wc -l < err
