# The tree of both sides: levels add up, also where something is left out; in all forms.
cd "$FIXTURES"
assay diff callgrind.out.before callgrind.out.after --view tree -e Ir
assay diff callgrind.out.before callgrind.out.after --view tree -e Ir -m 0%
assay diff callgrind.out.before callgrind.out.after --view tree -e Ir -d 1
assay diff callgrind.out.before callgrind.out.after --view tree -e Ir,Dr -f csv
assay diff callgrind.out.before callgrind.out.after --view tree -e Ir -f markdown --fail-if 'total(Ir) > +20%'
assay diff callgrind.out.before callgrind.out.after --view tree -e Ir -d 2 -f json
assay diff callgrind.out.before callgrind.out.after --view tree --show-from parse_header --normalize total
echo 'nothing differs:'
assay diff callgrind.out.before callgrind.out.before --view tree
