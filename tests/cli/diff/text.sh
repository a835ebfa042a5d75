# Worked out by hand: 44500 -> 50000 Ir.
cd "$FIXTURES"
assay diff callgrind.out.before callgrind.out.after -e Ir,Dr
assay diff callgrind.out.before callgrind.out.after -n 2
assay diff callgrind.out.before callgrind.out.after -n 1 -s Dr
assay diff callgrind.out.before callgrind.out.after -s inclusive
