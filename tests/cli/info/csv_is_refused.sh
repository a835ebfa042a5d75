. "$(dirname "$0")/../samples"
extended > cg
assay info --format csv cg
