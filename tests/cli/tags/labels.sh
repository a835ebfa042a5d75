# The labels of samples: of each the values, what is left out and what has none add up to the total of 255.
. "$(dirname "$0")/../samples"
labelled > labels.pb
assay tags labels.pb
assay tags labels.pb -n 1 -f csv
assay tags labels.pb --tagfocus user=. -f json
assay tags labels.pb -n 0 -f json | python3 -c '
import json, sys
t = json.load(sys.stdin)
for label in t["labels"]:
    assert sum(v["self"][0] for v in label["values"]) + label["rest"]["self"][0] + label["none"]["self"][0] == t["events"][0]["total"]
    assert label["rest"]["values"] == 0'
# Percentages of the whole, and of what is left.
assay tags labels.pb --tagignore user=ann
assay tags labels.pb --tagignore user=ann --relative
# A profile without labels.
assay tags "$FIXTURES/demo.prof" --symbols none
assay tags "$FIXTURES/callgrind.out.demo" -q -f csv
# pprof counts each of several values; and its comments.
assay tags labels.pb --compat pprof
assay tags labels.pb --compat pprof --unit auto --tagfocus 1kb:
assay info labels.pb --compat pprof
assay traces labels.pb --compat pprof --tagfocus bob
