# Labels as frames above and below the stacks, in every view, and written.
. "$(dirname "$0")/../samples"
labelled > labels.pb
assay tags labels.pb
assay tree labels.pb --symbols none --tagroot user,host -n 0
assay top labels.pb --symbols none --tagleaf size -n 4
assay traces labels.pb --symbols none --tagroot user --tagleaf size,user -n 2
assay peek ann labels.pb --symbols none --tagroot host,user
assay graph labels.pb --symbols none --tagroot user -f csv
# Other filters come after it; the labels stay.
assay top labels.pb --symbols none --tagroot user --focus '^bob$' --relative
assay filter labels.pb --tagroot user -t pprof -o rooted.pb
assay traces rooted.pb --symbols none -n 1
assay tags rooted.pb -f csv | head -n 2
# A key that no sample has, of a profile without labels, and no key at all.
assay top labels.pb --symbols none --tagroot nosuch,user -n 1
assay top "$FIXTURES/callgrind.out.demo" --tagleaf user -n 1
assay filter labels.pb -o x.pb --tagroot , || echo "status $?"
