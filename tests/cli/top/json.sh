. "$(dirname "$0")/../samples"
extended > cg
assay top -n 1 --format json cg
