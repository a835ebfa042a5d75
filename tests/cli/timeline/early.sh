# What never says when is refused by its first bytes: a fault far behind them is not looked for.
mark='times = int(len(sys.argv) > 1)
stack = [0x400010, 0x400020]
words = [0, 3, 0, 10000, 0x454d4954 * times]
for i in range(4000):
    words += [1, 4, *stack, 0xa6 << 56 | 7, 0xa5 << 56 | i * 1000000] if times else [1, 2, *stack]
sys.stdout.buffer.write(struct.pack(f"<{len(words) + 3}Q", *words, 0, 1, 0))'
calls() {
	printf 'events: Ir\nfn=main\n1 1\ncfn=f\ncalls=1 1\n1 5\nfn=f\n'
	yes '1 2' | head -n "$1"
	echo 'no line of such a file'
}
functions() {
	echo 'events: Ir'
	seq -f 'fn=a function without any cost, number %g' 3000
	"$@"
}
tell() {
	status=0
	"$@" 2>told || status=$?
	sed "s/^/  /" told
	echo "$*: $status"
}
calls 100000 > large
calls 100 > small
for file in large small; do
	tell assay timeline $file
	tell assay flame --chart $file
	tell assay traces $file
	tell assay convert -t traceevent -o trace.json $file
done
echo == there is more to be said, or what decides it may stand behind
tell assay timeline large --from 1s
tell assay timeline large -e Ir
tell assay traces large --estimate-paths
tell assay traces large large
tell assay convert -t traceevent --strict -o trace.json large
functions true > nothing
tell assay timeline nothing
functions printf '1 1\n' > places
tell assay traces places
echo == through a pipe, packed
gzip -c large | tell assay timeline -
python3 -c "import struct, sys; $mark" > untimed.prof
python3 -c "import struct, sys; $mark" times > timed.prof
tell assay timeline untimed.prof
assay timeline timed.prof -b 4 -f csv --symbols none
