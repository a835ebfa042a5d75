# What can't go together, and processes that are not there.
test "$(uname -sm)" = "Linux x86_64" || exit 77
assay record -p 1 true || echo "status $?"
assay record -p 0 || echo "status $?"
assay record -p 1 --mode wall || echo "status $?"
assay record -p 1 --callgrind || echo "status $?"
assay record --stacks frames --mode wall true || echo "status $?"
ls -A
