# Filters choose the same part of both sides; what one side lacks has vanished from it.
cd "$FIXTURES"
both() {
    assay diff callgrind.out.before callgrind.out.after "$@" || echo "exit status $?"
}
both --focus parse_header -n 2
both --ignore parse_header -f csv -e Ir
both --hide '^hash' --fail-if 'total(Ir) > +12%'
both --focus old_check
both --focus old_check -f csv -e Ir
# A gate does not pass because nothing is left to judge.
both --focus old_check --fail-if 'total(Ir) > +1%' -f annotations
both --focus nobody
both --focus nobody --fail-if 'total(Ir) > +1%'
both --thread 7
both --focus 'a('
# Shares are those of the whole, or with --relative of what is left.
assay diff demo.symbolized.prof demo.symbolized.prof --show-from phase --normalize total -n 1 -f json | sed -n 's/.*"whole"/"whole"/p'
assay diff demo.symbolized.prof demo.symbolized.prof --show-from phase --normalize total -n 1 --relative
# What follows the calls may be an estimate, and is called one.
assay diff callgrind.out.demo callgrind.out.demo --focus 'fn:^sort_phase$' -n 1
assay diff callgrind.out.demo callgrind.out.demo --focus 'fn:^sort_phase$' -n 1 -e Ir -f csv
assay diff callgrind.out.demo callgrind.out.demo --focus 'fn:^sort_phase$' -n 1 -f markdown
assay diff callgrind.out.demo callgrind.out.demo --focus 'fn:^sort_phase$' -n 1 -f json | grep estimated
