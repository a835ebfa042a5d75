# What was not measured alike is refused: exit status 3.
printf 'events: Ir\nfn=f\n1 10\n' > ir
printf 'events: Cycles\nfn=f\n1 10\n' > cycles
printf 'events: Ir Cycles\nfn=f\n1 10 5\n' > both
assay diff ir cycles || echo "exit status $?"
assay diff ir both
assay diff both ir --fail-if 'total(Cycles) > +1%' || echo "exit status $?"
printf 'events: Ir\nfn=f\n1 10\nfn=g\n1 -20\n' > negative
assay diff negative ir --normalize total || echo "exit status $?"
