# Two runs on each side: means 10 and 22 of f, 5 and 5 of g; those of one side are alike for g.
run() {
    printf 'events: Cycles\nfn=f\n1 %s\nfn=g\n2 %s\n' "$2" "$3" > "$1"
}
run a1 9 5
run a2 11 5
run b1 21 5
run b2 23 5
assay diff a1 a2 -- b1 b2
assay diff a1 a2 -- b1 b2 -f json
assay diff -n 1 -- a1 b1
assay diff a1 a2 -- b1
assay diff a1 a2 -- b1 b2 --fail-if 'total(Cycles) > +20%' -f annotations || echo "exit status $?"
assay diff a1 a2 -- b1 b2 --fail-if 'total(Cycles) > +75%' -f annotations || echo "exit status $?"
assay diff a1 a2 -- b1 b2 --fail-if 'total(Cycles) > +75%' --on-noise trip -f annotations ||
    echo "exit status $?"
