# No function of that name: 1; no such event: 2.
. "$(dirname "$0")/../samples"
extended > cg
assay peek func3 cg || echo "status $?"
assay peek func1 cg -s Ir || echo "status $?"
