# Where a page makes no sense, or its options do not.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
f=$FIXTURES/callgrind.out.demo
touch there.html
for words in "" "-o r.svg" "-o there.html" "-o no/such.html" "-o r.html --code 10001" "-o r.html --no-code --code 3" \
	"-o r.html --limit 0" "-o r.html --label a=b" "-o r.html --tagfocus a=b" "-o r.html --thread 1 --thread 2" \
	"-o r.html --base no.such" "-o r.html --focus ("; do
	# shellcheck disable=SC2086 # words
	assay share "$f" --no-code $words || echo "exit $?: $words"
done
assay share no.such -o r.html || echo "exit $?"
assay share "$FIXTURES/README.md" -o r.html || echo "exit $?"
ls
