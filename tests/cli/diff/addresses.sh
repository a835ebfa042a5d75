# Callgrind calls a function that nothing names by its address, which says nothing of another build:
# 30 -> 40 of [p] and no function that vanished or appeared. q's is the same code, by chance.
run() {
    cat > "$1" <<END
events: Ir
ob=/nowhere/p
fn=main
1 10
cfn=$2
calls=1 2
1 $3
fn=$2
2 $3
fn=$4
3 $5
ob=/nowhere/q
fn=$2
4 7
END
}
run a 0x0000000000001000 25 0x0000000000001200 5
run b 0x0000000000001100 34 0x0000000000001000 6
assay diff --symbols none a b
assay diff --symbols none a b -f json
assay diff --symbols none a b --view tree
assay diff --symbols none a a -n 3
