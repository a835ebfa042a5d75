# What begins with a digit is a time, all else is a format; each is told what it should have been.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
cp "$FIXTURES/demo.prof" .
tell() {
	status=0
	"$@" || status=$?
	echo "$*: $status"
}
tell assay top demo.prof --from 2x
tell assay top demo.prof --from 4s --to 2.5s
tell assay top demo.prof --to later
tell assay top demo.prof --from nothing
tell assay convert demo.prof --from 2s -o out.pb.gz
tell assay filter demo.prof --from gperf --to pprof --focus . -o out
test -s out
