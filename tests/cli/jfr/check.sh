# What is odd in each golden input, and that it is read all the same.
cp "$(dirname "$0")"/../../../src/formats/jfr/golden/*.jfr .
for file in *.jfr; do
    assay check "$file" 2>&1 || echo "exit $?"
done
