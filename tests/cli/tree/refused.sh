# Places have no tree; options that contradict each other; a share that is none.
assay tree "$FIXTURES/cachegrind.out.demo" || echo "status $?"
assay tree "$FIXTURES/callgrind.out.demo" --callers --bottom-up || echo "status $?"
for min in 101% x 1.5 '' -1 0.1234567%; do
    assay tree "$FIXTURES/callgrind.out.demo" --min="$min" || echo "status $?"
done
assay tree "$FIXTURES/callgrind.out.demo" nosuch || echo "status $?"
