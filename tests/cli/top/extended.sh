# The specification's own figures: main 820 inclusive and 20 self, func1 400 and 100, func2 700.
. "$(dirname "$0")/../samples"
extended > cg
assay top cg
