# Files that cost next to nothing each are one line together, with their sum: 3 * 30 of 100000 are 0.1 %.
cat > small <<END
events: Ir
ob=/lib/a.so
fn=0x0000000000001000
1 39910
ob=/bin/main
fn=main
1 60000
ob=/lib/b.so
fn=0x0000000000001000
1 30
ob=/lib/c.so
fn=0x0000000000001000
1 30
ob=/lib/d.so
fn=0x0000000000001000
1 30
END
assay top small -n 1 --symbols auto --symfs nowhere
assay top small -n 1 --symbols auto --symfs nowhere -v 2>&1 >all | grep -c 'not found'
