# Names by regular expressions: RE2's, as in --focus; none takes for ever.
demo="$FIXTURES/callgrind.out.demo"
for pattern in '(?i)^COMPARE_K' '^sort_\w+$' 'compare_(' '^\d+$'; do
	echo "== $pattern"
	assay list "$pattern" "$demo" -f csv -n 0 2>&1 | cut -d, -f1-3 | sort -u | head -n 4 || :
done
for command in list peek; do
	echo "== $command, too large"
	assay $command '((a{0,40}){0,40}){0,40}c' "$demo" 2>&1 || echo "status $?"
done
echo '== diff --view peek, too large'
assay diff "$demo" "$demo" --view peek --function '((a{0,40}){0,40}){0,40}c' 2>&1 || echo "status $?"
