. "$(dirname "$0")/../samples"
extended > a
assay convert -q a -t gperf -o paths.prof
assay top paths.prof -f json | grep total
assay convert a -t gperf -o paths.prof -y --estimate-paths 2> err
grep '^assay: estimated' err
assay top paths.prof -f json | grep total
