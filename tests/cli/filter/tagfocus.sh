# Samples by their labels, as pprof chooses them: each costs a power of two, so that sums tell which they are.
. "$(dirname "$0")/../samples"
labelled > labels.pb
n=0
sum() {
	n=$((n + 1))
	assay top labels.pb --symbols none -q -f json "$@" > $n.json 2> /dev/null || echo '{"rows": []}' > $n.json
	echo "$@" >> asked
}
for what in ann user=ann user=^bob user=bob,ann ann,bob user:b host= 'user=^A' 'user=Bob' \
	512 512b 512: 1kb: :1kb size=1kb: 1kb:4kb 4kb:1kb 1ms: :2ms 1ms:1s 7 shard=7 shard=7: request=2kb 100 1kb:1ms; do
	sum --tagfocus "$what"
	sum --tagignore "$what"
done
sum --tagfocus user=ann --tagfocus size=4kb
sum --tagfocus user= --tagignore user=ann
sum --tagfocus user=BOB --compat pprof
sum --label user=bob --tagignore ann
python3 -c '
import json
for n, words in enumerate(open("asked"), 1):
    print(words.rstrip(), "->", sum(r["self"][0] for r in json.load(open(f"{n}.json"))["rows"]))'
# What is left has the mappings and comments of the whole.
assay filter labels.pb --tagfocus 4kb -t pprof -o x.pb
assay dump x.pb | grep -E '^(map|meta|label)|comment|prog'
# Labels by their keys: samples stay.
assay tags labels.pb -f csv --taghide 'user|size|w' --tagfocus user=
assay tags labels.pb --tagshow '^s'
assay filter labels.pb --taghide . -t pprof -o y.pb
assay tags y.pb
assay dump y.pb | grep -c '^sample'
# Nothing is left, nothing is matched, and what is no pattern.
assay top labels.pb --tagfocus user=eve || echo "status $?"
assay top labels.pb --tagfocus user= --tagignore user= || echo "status $?"
assay top labels.pb --tagignore nosuch --symbols none
assay top labels.pb --tagfocus 'user=a,x(' || echo "status $?"
assay top "$FIXTURES/callgrind.out.demo" --tagfocus user=ann || echo "status $?"
