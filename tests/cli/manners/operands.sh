# Words in another order than a command has them, files where a function is asked for, and names of files that promise something else.
. "$(dirname "$0")/../samples"
extended > a.cg
extended > b.cg
assay peek a.cg func1 || echo "status $?"
assay list a.cg func1 || echo "status $?"
assay peek a.cg b.cg || echo "status $?"
assay tree a.cg b.cg || echo "status $?"
assay peek func1 - < a.cg | tail -n 1
touch func1
assay peek func1 a.cg | tail -n 1
assay graph a.cg -o g.png || echo "status $?"
assay graph a.cg -o g.csv && head -n 1 g.csv
assay graph a.cg -o g.json && head -c 28 g.json && echo
assay graph a.cg -f dot -o g.csv -y && head -n 1 g.csv
# A metric that is known, of events that are not there.
assay top a.cg -m CPI || echo "status $?"
