. "$(dirname "$0")/../samples"
extended > a
mkdir there
ln -s there/real link
assay convert a -t callgrind -o link
test -L link
cmp there/real link
ls -A there
