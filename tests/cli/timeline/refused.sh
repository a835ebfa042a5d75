# What does not say when, and what cannot be asked.
lib=$(dirname "$0")/../../lib
python3 "$lib/uftrace_dir.py" two_threads rec
python3 "$lib/uftrace_dir.py" nothing none
tell() {
	status=0
	"$@" || status=$?
	echo "$*: $status"
}
cp "$FIXTURES/demo.prof" .
tell assay timeline demo.prof
tell assay timeline none
tell assay timeline rec --buckets 0
tell assay timeline rec rec
tell assay timeline rec --from 1s
