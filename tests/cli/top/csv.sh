. "$(dirname "$0")/../samples"
first > cg
assay top -f csv cg
