# Processes and units of a database, by the labels of its samples.
. "$(dirname "$0")/database.inc"
minute db/box/202611231045/20261123T104500Z 1
minute db/box/202611231045/20261123T104600Z 2
e=db/box/202611231045
only=sh
same db --process sh -- $e/*.sums
same db --unit user.slice -- $e/*.sums
same db --label unit=user.slice -- $e/*.sums
only=103
same db --process 103 -- $e/*.sums
same db --process 103 --unit user.slice -- $e/*.sums
only=nginx
same db --process nginx -- $e/*.sums
same db --unit=nginx.service -- $e/*.sums
assay top db --process 7 || echo "$?"
assay top db --process 103 --unit nginx.service || echo "$?"
assay top db --unit apache.service || echo "$?"
assay top db --unit ms -n 1
# That an image is nowhere needs no second reading, and is told as it was typed.
assay top db --image nowhere || echo "$?"
assay top db --object nowhere || echo "$?"
assay top db --image nowhere --process none || echo "$?"
# The filters are there for files as well.
assay top $e/20261123T104500Z-60.pb.gz --process 102 --relative -f csv | table
grep ' 102 ' $e/20261123T104500Z-60.pb.gz.sums | sort -k 3 | cut -d ' ' -f 3,4
