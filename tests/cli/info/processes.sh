# A recording of several processes: what was typed is its command, also where they become one part,
# and each has its own.
cat > cg <<'CG'
# callgrind format
version: 1
creator: assay
pid: 2
cmd: cc1 a.c
desc: assay: recorded: make CC%3dcc

positions: line
events: samples

fl=a.c
fn=f
1 3

pid: 3
cmd: cc1 b.c

positions: line
events: samples

fl=b.c
fn=g
1 4
CG
assay info cg | grep -E '^(command|pid|parts)'
assay info cg -f json | grep '"command"'
assay show cg | head -1
assay merge -q cg cg --keep-parts -o both.cg
assay info both.cg -f json | grep '"command"'
for to in callgrind pprof; do
	assay convert -q cg -t $to -o out.$to
	assay info out.$to | grep '^command'
done
