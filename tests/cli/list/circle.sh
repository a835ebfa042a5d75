# What is said of a member of a circle above its lines is what tables say.
cat >circle.cg <<'END'
events: Ir
fl=a.c
fn=main
1 5
cfn=ping
calls=1 10
2 65
fn=ping
10 30
cfn=pong
calls=4 20
11 65
fn=pong
20 35
cfn=ping
calls=3 10
21 40
END
assay top circle.cg -n 4
assay list ping circle.cg
assay list ping circle.cg -f json | grep -A1 '"inclusive' | head -8
