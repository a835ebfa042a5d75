# A lane for each thread, as a picture; nothing is written to a file that has no time.
lib=$(dirname "$0")/../../lib
python3 "$lib/uftrace_dir.py" two_threads rec
assay timeline rec -f svg -b 4 | sed -n '/class="title"/,$p'
assay timeline rec -f svg -b 920 --thread helper -n 1 | grep -c '<rect class="c2"'
for words in 'rec -b 921' "$FIXTURES/demo.prof" 'rec --from 1s'; do
	# shellcheck disable=SC2086 # words
	assay timeline -f svg $words || echo "exit $?"
done
