# Call paths out of --separate-callers=2, against another run of the same program without it.
demo="$FIXTURES/callgrind.out.demo"
assay convert "$demo.callers" --contexts paths -t dump -o paths.dump
grep -E '^(shape|path-depth|total)' paths.dump
assay dump "$demo.callers" | grep '^total'
# What sort_phase and sum_phase each spent in mix(), a leaf; and main in fib(), with its recursion.
for pair in sort_phase:mix sum_phase:mix main:fib; do
	caller=${pair%:*} callee=${pair#*:}
	grep "fn=\"$caller\"[^;]*; fn=\"$callee\"[^;]*\$" paths.dump | awk -v p="$pair" '{n += $NF} END {print p, n}'
	assay dump "$demo.full" | grep "^call .*fn=\"$caller\".*-> fn=\"$callee\"" | awk -F': ' '{split($2, v, " "); n += v[1]} END {print "calls say", n}'
done
# Written as other formats: gperftools holds the paths, Callgrind the edges that they show.
assay convert "$demo.callers" --contexts paths -o demo.prof 2>/dev/null
assay top demo.prof -n 2
assay convert "$demo.callers" --contexts paths -o callgrind.out.edges -q
assay top callgrind.out.edges -n 3
# Losses count, and an estimate of a path is not made on top.
assay convert "$demo.callers" --contexts paths -t dump -o - --strict || echo "status $?"
