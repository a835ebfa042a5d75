# Two files are one profile: every figure twice.
. "$(dirname "$0")/../samples"
first > a
first > b
assay top a b -f csv --by line
