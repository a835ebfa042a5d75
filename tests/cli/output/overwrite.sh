. "$(dirname "$0")/../samples"
extended > a
echo old > out
assay convert a -t callgrind -o out || echo status $?
cat out
assay convert a -t callgrind -o out -y
assay top out -n 1 -f csv
