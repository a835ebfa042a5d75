# Rows that became less are in the last line: what is shown still adds up.
profile() { printf 'events: Ir\n'; while [ $# -gt 0 ]; do printf 'fn=%s\n1 %s\n' "$1" "$2"; shift 2; done; }
profile up 10 down 100 same 7 gone 5 up2 1 > base.cg
profile up 30 down 60 same 7 up2 4 new 2 > new.cg
assay diff base.cg new.cg --drop-negative
assay diff base.cg new.cg --drop-negative -n 1 -f csv
assay diff base.cg new.cg --drop-negative -f json | python3 -c '
import json, sys
j = json.load(sys.stdin)
print([r["function"] for r in j["rows"]], j["rest"])'
# Nothing became more, and a view that has no such rows.
assay diff base.cg base.cg --drop-negative -n 2
profile up 9 down 99 same 6 gone 4 up2 0 > less.cg
assay diff base.cg less.cg --drop-negative
assay diff base.cg new.cg --drop-negative --view tree || echo "status $?"
