. "$(dirname "$0")/../samples"
extended > top
assay show top | grep -c func1
assay ./top | grep -c func1
