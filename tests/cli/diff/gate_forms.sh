cd "$FIXTURES"
for form in text markdown junit annotations; do
    assay diff callgrind.out.before callgrind.out.after -n 1 -f $form \
        --fail-if 'total(Ir) > +13%' \
        --fail-if "self(Ir, 'hash.part.0') > +1% and |self(Ir, 'log_line')| > 1%" \
        --fail-if "self(Ir, 'old_check') > +1%" || echo "exit status $?"
done
assay diff callgrind.out.before callgrind.out.after -f junit --fail-if "total(Cycles) > +1%" ||
    echo "exit status $?"
