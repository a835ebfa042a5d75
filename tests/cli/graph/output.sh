f=$FIXTURES/demo.symbolized.prof
assay graph -q "$f" -o g.dot
assay graph -q "$f" > same
cmp g.dot same
# A file that is there stays, unless -y.
echo old > there
assay graph -q "$f" -o there || echo "status $?"
cat there
assay graph -q "$f" -o there -y
cmp there same
assay graph -q "$f" -o - | cmp - same
assay graph -q "$f" -o none/g.dot || echo "status $?"
ls
# Nothing is left behind by what fails.
assay graph -q "$f" -m much -o x || echo "status $?"
ls
