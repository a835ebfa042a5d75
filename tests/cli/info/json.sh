. "$(dirname "$0")/../samples"
first > cg
assay info --format json cg
