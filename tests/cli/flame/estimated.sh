# Calls do not tell how much of shared comes by way of a: those boxes have a mark, in every form.
cat > cg <<'END'
# callgrind format
version: 1
creator: callgrind-3.19.0
events: Ir
fn=main
1 0
cfn=a
calls=1 2
1 60
cfn=b
calls=1 3
1 40
fn=a
2 10
cfn=shared
calls=1 4
2 50
fn=b
3 10
cfn=shared
calls=1 4
3 30
fn=shared
4 70
cfn=leaf
calls=1 5
4 10
fn=leaf
5 10
END
assay flame cg -f text -w 60
assay flame cg | grep -A1 '<title>' | grep -v '^--'
