# The last commands of the list are suggested as the first ones are.
assay treemp || echo "status $?"
assay help treemp || echo "status $?"
assay help trtree || echo "status $?"
