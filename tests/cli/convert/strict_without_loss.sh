. "$(dirname "$0")/../samples"
extended > a
assay convert --strict a -t callgrind -o b
assay top b
