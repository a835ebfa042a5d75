# A profile does not differ from itself.
cd "$FIXTURES"
assay diff demo.prof demo.prof --symbols none -n 2
assay diff callgrind.out.demo callgrind.out.demo -n 2 --fail-if '|total(Ir)| > 0%'
