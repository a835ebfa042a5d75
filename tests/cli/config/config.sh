# Defaults: which there are, and whence.
p=$FIXTURES/callgrind.out.demo
mkdir -p .config/assay
f=.config/assay/config
assay config
cat > $f <<'END'
# How I like it.
color = never
names = short
path-map = /build=~/src
[top]
rows = 3
END
assay config
ASSAY_OPTIONS='--rows=5 --jobs 2' assay config -f csv
XDG_CONFIG_HOME=$PWD/none assay config -f json
# What people see is used for them alone: a script gets what it always gets.
assay top "$p" -f json --no-config > a
assay top "$p" -f json > b
cmp a b
assay top "$p" -q --no-config > a
assay top "$p" -q > b
cmp a b
# What says where things are is told.
assay top "$p" -n 1
assay top "$p" -n 1 --no-config
ASSAY_OPTIONS='--path-map "/a b=/c"' assay top "$p" -n 1 > b
# Values that other commands have are none of this one.
echo 'by = thread' > $f
assay diff "$p" "$p" -q > a
