# However the bytes come, the answer is the same.
cp "$FIXTURES/callgrind.out.demo" cg
assay top cg > want
gzip -k cg
cat cg.gz cg.gz > twice.gz
assay top cg.gz | cmp - want
assay top - < cg | cmp - want
cat cg | assay top - | cmp - want
cat cg.gz | assay top - | cmp - want
(sleep 0.1; head -c 3 cg; sleep 0.1; tail -c +4 cg) | assay top - | cmp - want
assay top twice.gz cg -f json | python3 -c 'import json, sys; print(json.load(sys.stdin)["events"][0]["total"])'
assay top cg -f json | python3 -c 'import json, sys; print(3 * json.load(sys.stdin)["events"][0]["total"])'
