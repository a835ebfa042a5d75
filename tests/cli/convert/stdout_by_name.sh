# What is open already is written to, by whatever name it has.
printf 'main;f 3\n' >a.folded
assay convert a.folded -t callgrind -o - >want
assay convert a.folded -t callgrind -o /dev/stdout >one
assay convert a.folded -t callgrind -o /dev/stdout | cat >two
assay convert a.folded -t callgrind -o /dev/fd/3 3>three
assay convert a.folded -t callgrind -o /proc/self/fd/3 3>four
for f in one two three four; do cmp want $f; done
ls
