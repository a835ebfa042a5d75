# Parts and threads: figures added up by hand; the rows and the rest are the total.
cat > threads <<END
# callgrind format
version: 1
creator: callgrind-3.19.0
cmd: ./server
pid: 7
part: 1
thread: 1
events: Ir Dr
fl=a.c
fn=f
1 100 10
2 20 0

part: 1
thread: 2
events: Ir Dr
fl=a.c
fn=f
1 50 5

part: 2
thread: 1
events: Ir Dr
fl=a.c
fn=g
9 30 3
END
assay top threads --by part
assay top threads --by thread -s Dr -m 'Ir/Dr'
assay top threads --by thread -f csv
assay top threads --by part -n 1 -e Dr -f json
for by in part thread; do
    for n in 1 2 0; do
        assay top threads --by $by -n $n -f json > t.json
        python3 - <<'END'
import json
top = json.load(open('t.json'))
assert [sum(c) for c in zip(*[r['self'] for r in top['rows']], top['rest']['self'])] == [200, 18], top
END
    done
done
