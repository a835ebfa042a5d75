# cat FILE | assay COMMAND - says what assay COMMAND FILE says, but for the name.
for file in callgrind.out.demo cachegrind.out.demo demo.prof; do
    cp "$FIXTURES/$file" x
    for command in "top" "top --by line" "top -f csv" show dump; do
        # shellcheck disable=SC2086
        assay $command x | sed 's/^x  /<stdin>  /; s/ x / - /g; s/ x$/ -/' > a
        # shellcheck disable=SC2086
        cat x | assay $command - > b
        cmp a b || diff a b || true
    done
done
