. "$(dirname "$0")/../samples"
first > cg
assay top cg -e Cycle
