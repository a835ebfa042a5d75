. "$(dirname "$0")/../samples"
extended > cg
assay cg --format json
