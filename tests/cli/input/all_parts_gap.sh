. "$(dirname "$0")/../samples"
first > cg.1
first > cg.3
first > cg
assay check cg --all-parts
