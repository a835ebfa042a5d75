# Calls: main calls func1 (400) and func2 (400), func1 func2 (300): an estimate that meets them.
. "$(dirname "$0")/../samples"
extended > cg
assay tree cg
assay tree cg func2 --callers
assay tree cg --bottom-up -f csv
assay tree cg func1 -f json
