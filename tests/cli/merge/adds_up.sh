. "$(dirname "$0")/../samples"
first > a
extended > b
assay merge a a b -o sum.callgrind
assay top sum.callgrind -f csv --by file
