cd "$FIXTURES"
assay diff callgrind.out.before callgrind.out.after -f csv
assay diff callgrind.out.before callgrind.out.after -f csv -n 1 -e Dr
assay diff callgrind.out.before callgrind.out.after -f markdown -n 3 --fail-if 'total(Ir) > +20%' \
    --fail-if "|total(Ir)| > 20% or self(Ir, 'a|b') > 1" || echo "exit status $?"
