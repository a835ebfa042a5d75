# A table for programs has rows and nothing else; what --min or --depth left out is told.
for words in '' '--min 5%' '--depth 1'; do
    # shellcheck disable=SC2086 # words
    assay diff --view tree "$FIXTURES/callgrind.out.before" "$FIXTURES/callgrind.out.after" -f csv $words | cut -d, -f1,2
done
