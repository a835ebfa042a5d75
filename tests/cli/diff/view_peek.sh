# Callers and callees of both sides.
cd "$FIXTURES"
assay diff callgrind.out.before callgrind.out.after --view peek -e Ir -n 1
assay diff callgrind.out.before callgrind.out.after --view peek -e Ir --function hash -f csv
assay diff callgrind.out.before callgrind.out.after --view peek -e Ir --function parse_header -f markdown
assay diff callgrind.out.before callgrind.out.after --view peek -e Ir --function hash -f json
