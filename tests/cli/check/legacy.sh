# What is odd about text profiles of heaps, locks and threads.
head='heap profile: 2: 8 [2: 8] @'
row='2: 8 [2: 8] @ 0x1010 0x2020'
map='MAPPED_LIBRARIES:\n1000-3000 r-xp 00000000 08:01 1 /srv/a\n'
say() {
    printf '%b' "$2" > "$1"
    assay check "$1" || true
}
say sound.heap "$head heapprofile\n$row\n$map"
say line.heap "$head heapprofile\n$row\nsome words\n$map"
say address.heap "$head heapprofile\n2: 8 [2: 8] @ 0x1010 0x20z0\n$map"
say total.heap "heap profile: 3: 8 [3: 8] @ heapprofile\n$row\n$map"
say no-maps.heap "$head heapprofile\n$row\n"
say line-end.heap "$head heapprofile\n$row"
say no-objects.heap "heap profile: 0: 8 [0: 0] @ heap_v2/512\n0: 8 [0: 0] @ 0x1010\n$map"
say no-rate.heap "$head heap_v2\n$row\n$map"
say unmapped.heap "$head heapprofile\n2: 8 [2: 8] @ 0x1010 0x4020\n$map"
say map-line.heap "$head heapprofile\n$row\n${map}what is this\n"
say cut.heap "$head heapprofile\n$row\n${map}3000-4000 r-xp 00000000 08:01 2 /srv/lib"
say java.heap "--- heapz 1 ---\nformat = java\nheap profile: 2: 8 [3: 9] @ heapprofile\n2: 8 [3: 9] @ 0x1010 0x2020\n$map"
say x.contention "--- contentionz 1 ---\nsampling period = 10\ndiscarded samples = 7\n5 1 @ 0x1010\n$map"
say labels.count "goroutine profile: total 1\n1 @ 0x1010\n# labels: {\"a\":1}\n$map"
assay top --symbols none java.heap
# What is missing is a number of the profile, too.
assay info x.contention | grep lost
# An estimate looks like one, and is one still when it is written.
printf 'heap profile: 1: 524288 [1: 524288] @ heap_v2/524288\n1: 524288 [1: 524288] @ 0x1010 0x2020\n' > x.heap
assay top --symbols none x.heap
assay convert -q x.heap -o x.pb.gz
assay top --symbols none x.pb.gz
assay top -f json x.pb.gz | grep -c '"estimated": true, "total"\|"total": 829411, "estimated": true'
assay convert --strict x.heap -o x.folded 2>&1 | head -2 || true
