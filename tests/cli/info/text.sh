. "$(dirname "$0")/../samples"
extended > cg
first > cg2
assay info cg cg2
