# Where a page makes no sense, or its options do not.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
f=$FIXTURES/callgrind.out.demo
touch there.html
for words in "" "-o r.svg" "-o there.html" "-o no/such.html" "-o r.html --code 10001" "-o r.html --no-code --code 3" \
	"-o r.html --limit 0" "-o r.html --tagshow a" "-o r.html --taghide a" "-o r.html --thread 1 --thread 2" \
	"-o r.html --base no.such" "-o r.html --focus (" "-o r.html --names short --focus main" \
	"-o r.html --view foo" "-o r.html --sort nosuch" "-o r.html --unit x" "-o r.html --focus nothing.like" \
	"-o r.html --thread 77" "-o r.html --base $f --focus nothing.like"; do
	# shellcheck disable=SC2086 # words
	assay share "$f" --no-code $words || echo "exit $?: $words"
done
assay share no.such -o r.html || echo "exit $?"
assay share "$FIXTURES/README.md" -o r.html || echo "exit $?"
ls
# Each view that the page has is one to begin with.
views=$(sed -n 's/^    \([a-z]*\),$/\1/p' "$FIXTURES/../../viewer/src/views.ts")
echo "$views" | wc -w
for view in $views; do assay share "$f" --no-code -q -o - --view "$view" >page.html; done
# Of two that are compared one may have nothing of what is chosen.
printf 'main;parse 7\n' >one.folded
printf 'main;write 7\n' >two.folded
assay share one.folded --base two.folded --focus parse -o two.html
