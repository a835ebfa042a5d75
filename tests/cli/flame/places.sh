# Without calls: objects, and on them their functions.
cat > cg <<'END'
# callgrind format
version: 1
creator: x
events: Ir
ob=/usr/bin/app
fn=p
1 30
ob=/lib/two.so
fn=q
1 25
fn=r
2 20
END
assay flame cg -f text -w 45
assay flame cg | grep -A2 '<title>' | grep -v '^--'
