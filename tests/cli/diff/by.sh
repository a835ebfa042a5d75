cd "$FIXTURES"
for by in file object line; do
    assay diff callgrind.out.before callgrind.out.after --by $by
done
assay diff callgrind.out.before callgrind.out.after --clones keep -n 4
