# Calls are no paths; an estimate is made if it is asked for.
. "$(dirname "$0")/../samples"
extended > cg
assay traces cg || echo "status $?"
assay traces cg --estimate-paths
assay traces cg --estimate-paths -f csv
assay traces "$FIXTURES/cachegrind.out.demo" || echo "status $?"
