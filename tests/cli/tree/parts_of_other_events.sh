# The second part has events that are not the first ones of all, and -e leaves some of them out.
cat > in << 'END'
events: Ir
fn=main
1 3
cfn=f
calls=1 2
1 4
fn=f
2 4

part: 2
events: Bc Ir Dr
fn=main
1 7 4 5
cfn=f
calls=1 2
1 1 2 3
fn=f
2 1 2 3
END
assay tree -e Ir,Dr -f csv in
assay tree -e Dr -f csv in
