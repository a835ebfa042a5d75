# A table for programs has rows and nothing else: all of them, whose self costs are all there is;
# what --min or --depth left out is told.
for words in '' '--min 5%' '--depth 1'; do
    # shellcheck disable=SC2086 # words
    assay tree "$FIXTURES/callgrind.out.demo" -e Ir -f csv $words >csv
    grep -c 'more\]' csv || :
    [ -n "$words" ] || python3 -c 'import csv; print(sum(int(row["self Ir"]) for row in csv.DictReader(open("csv"))))'
done
assay info "$FIXTURES/callgrind.out.demo" | grep ' Ir$'
