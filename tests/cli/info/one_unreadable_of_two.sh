# The others are still told; the status says that one failed.
. "$(dirname "$0")/../samples"
first > cg
assay info -f json nothing cg | grep '"file"' || true
assay info -f json nothing cg > /dev/null
