# A picture in a file of its own: the same as on stdout, whole or not at all, and nothing is replaced unasked.
lib=$(dirname "$0")/../../lib
python3 "$lib/uftrace_dir.py" two_threads rec
tell() {
	status=0
	"$@" || status=$?
	echo "$*: $status"
}
tell assay timeline rec -o lanes.svg
assay timeline rec -f svg | cmp - lanes.svg
assay timeline rec -o - | cmp - lanes.svg
tell assay timeline rec -o lanes.svg -b 4
tell assay timeline rec -o lanes.svg -b 4 -y
assay timeline rec -f svg -b 4 | cmp - lanes.svg
tell assay timeline rec -o lanes -f svg
tell assay timeline rec -o lanes.png
tell assay timeline rec -o lanes.csv -f csv
tell assay timeline rec -o other.svg -b 921
cp "$FIXTURES/demo.prof" .
tell assay timeline demo.prof -o none.svg
ls
