. "$(dirname "$0")/../samples"
broken > cg
assay check --format csv cg
