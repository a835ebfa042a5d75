# Threads and parts are taken out exactly, calls and declared sums too.
cat >cg <<'END'
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 5
cmd: x
part: 1
thread: 1
events: Ir
fn=main
1 10
cfn=f
calls=2 5
1 20
fn=f
5 20
totals: 30
END
sed 's/^thread: 1/thread: 2/; s/^part: 1/part: 3/; s/20$/7/; s/30/17/' cg >cg2
assay top cg cg2
assay top cg cg2 --thread 2
assay top cg cg2 --part 1
assay top cg cg2 --part cg2 --relative
assay info cg cg2 --all-parts --thread 1 --thread 2 | grep parts
assay filter cg cg2 --thread 2 -o callgrind.out.2
grep -v '^#' callgrind.out.2
