# The hottest paths, the leaf first; what is not shown makes it add up.
p=$FIXTURES/demo.symbolized.prof
assay traces "$p" -q -n 3
assay traces "$p" -q -n 2 -f csv
assay traces "$p" -q -n 1 -f json
# All of them: their sum is the total.
assay traces "$p" -q -n 0 -f json | python3 -c '
import json, sys
t = json.load(sys.stdin)
assert sum(p["self"][0] for p in t["paths"]) == t["events"][0]["total"] and t["rest"] == {"paths": 0, "self": [0]}
paths = [tuple(f["function"] or f["address"] for f in p["frames"]) for p in t["paths"]]
assert len(paths) == len(set(paths))
costs = [p["self"][0] for p in t["paths"]]
assert costs == sorted(costs, reverse=True)'
