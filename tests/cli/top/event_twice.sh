# a column is there once, also where there is room for more
. "$(dirname "$0")/../samples"
first > cg
assay top cg -e Flops,Cycles,Flops
