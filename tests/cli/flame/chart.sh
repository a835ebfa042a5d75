# Stacks in order of time, and what has none.
lib=$(dirname "$0")/../../lib
python3 "$lib/uftrace_dir.py" two_threads rec
boxes() {
	grep -v '^\.assay\|^@media\|^}' | sed -n '/<script/q; s/<title>/\n/; /<g data/,$p'
}
assay flame --chart rec | boxes
echo == a part of the time, of one thread, without time off the processor
assay flame --chart rec --from 3ms --to 4100us --thread 7 --color self | boxes
assay flame --chart rec --ignore linux:schedule --thread helper -o chart.html
grep -c 'data-level="2"' chart.html
cp "$FIXTURES/demo.prof" .
for words in 'demo.prof' 'rec -f text' 'rec --bottom-up' 'rec --min 1%' 'rec --diff rec' 'rec --from 1s'; do
	# shellcheck disable=SC2086 # words
	assay flame --chart $words || echo "exit $?: $words"
done
assay flame rec -n 3 || echo "exit $?"
