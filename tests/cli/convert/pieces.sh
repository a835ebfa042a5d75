# One file per image and event: a folder, or a refusal.
assay convert -q "$FIXTURES/demo.prof" -t dcpi -o one || echo status $?
test ! -e one
assay convert -q "$FIXTURES/demo.prof" -t dcpi -o folder/
total=0
for piece in folder/*; do
    n=$(assay top "$piece" -f json | python3 -c 'import json, sys; print(json.load(sys.stdin)["events"][0]["total"])')
    total=$((total + n))
done
echo $total
assay top "$FIXTURES/demo.prof" -f json | grep '"total"'
assay convert -q "$FIXTURES/demo.prof" -t dcpi -o folder || echo status $?
