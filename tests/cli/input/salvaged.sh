# A damaged input is shown as far as it goes: a warning, status 0.
head -c 2000 "$FIXTURES/demo.prof" > cut.prof
assay top cut.prof -f json > top.json
python3 -c 'import json; print(json.load(open("top.json"))["events"][0]["total"] > 0)'
assay info cut.prof -f json | grep '"partial"'
