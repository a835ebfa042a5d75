# A profile without times cannot be cut by time: one clear error, whatever else is asked for.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
cp "$FIXTURES/demo.prof" .
status=0
assay top demo.prof --from 1s || status=$?
echo "top: $status"
status=0
assay filter demo.prof --to 300ms --focus main -o out.pb.gz || status=$?
echo "filter: $status"
test ! -e out.pb.gz
