. "$(dirname "$0")/../samples"
extended > a
assay convert a -t callgrind -o /dev/null
assay convert a -t callgrind -o /dev/full || echo status $?
assay convert a -t callgrind -o nowhere/x || echo status $?
assay convert a -t callgrind -o - > /dev/full || echo status $?
ls -A
