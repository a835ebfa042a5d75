# What was not measured alike is refused: exit status 3.
printf 'events: Ir\nfn=f\n1 10\n' > ir
printf 'events: Cycles\nfn=f\n1 10\n' > cycles
printf 'events: Ir Cycles\nfn=f\n1 10 5\n' > both
assay diff ir cycles || echo "exit status $?"
assay diff ir both
assay diff both ir --fail-if 'total(Cycles) > +1%' || echo "exit status $?"
printf 'events: Ir\nfn=f\n1 10\nfn=g\n1 -20\n' > negative
assay diff negative ir --normalize total || echo "exit status $?"
# Misses of other caches are other things; instructions are not.
for size in 32 64; do
    printf 'desc: I1 cache: 32768 B\ndesc: D1 cache: %s kB\nevents: Ir D1mr\nfn=f\n1 10 %s\n' \
        $size $size > cache$size
done
assay diff cache32 cache64
assay diff cache32 cache64 -s D1mr || echo "exit status $?"
assay diff cache32 cache64 -f json --fail-if '|total(D1mr)| > 1%' > out || echo "exit status $?"
grep -A1 '"not_compared"\|"gates": ' out
