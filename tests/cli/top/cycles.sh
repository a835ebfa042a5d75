# main calls a (70), a calls b (50), b calls a (10). Raw sums: a 70 + 10, b 50. Collapsed: the
# cycle costs 70, what main's call costs, and nothing in it more.
cat > cg <<'END'
# callgrind format
events: Ir
fn=main
1 10
cfn=a
calls=1 2
1 70
fn=a
2 30
cfn=b
calls=1 3
2 50
fn=b
3 40
cfn=a
calls=1 2
3 10
END
assay top --cycles no cg -f csv
assay top cg -f json | python3 -c '
import json, sys
top = json.load(sys.stdin)
assert all(row["inclusive"][0] <= 80 for row in top["rows"])
print([(c["self"], c["inclusive"], sorted(m["function"] for m in c["members"])) for c in top["cycles"]])'
