# Columns in the order they are asked for, rows by another event.
. "$(dirname "$0")/../samples"
first > cg
assay top cg --by line -e Flops,Cycles -s Instructions
