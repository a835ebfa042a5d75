# Calls: figures of the file. main calls func1 once (400) and func2 three times (400).
. "$(dirname "$0")/../samples"
extended > cg
assay peek func2 cg
assay peek main cg
# All of them, one caller each.
assay peek f cg --rows 1 -n 2
assay peek main cg -f csv
assay peek func2 cg -f json --rows 1
