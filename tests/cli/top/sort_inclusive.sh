. "$(dirname "$0")/../samples"
extended > cg
assay top cg --sort inclusive
