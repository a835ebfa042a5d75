# A program built here: its functions, the inlined one apart or not, in every command that shows.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -o program "$lib/named.c"
python3 "$lib/make_prof.py" program p.prof hash sum
functions() { tail -n +2 | cut -d, -f1 | sed 's/^\[.*//' | sort -u; }

echo "without names:" "$(assay top p.prof -n0 -f csv | functions | wc -l)"
for command in top lines; do
	echo "== $command"
	assay "$command" p.prof --symbols auto -n0 -f csv | functions
done
echo "== --inline off"
assay top p.prof --symbols auto --inline off -n0 -f csv | functions
echo "== files, objects"
assay files p.prof --symbols auto -n0 -f csv | tail -n +2 | cut -d, -f2 | sed 's,.*/,,'
assay objects p.prof --symbols auto -n0 -f csv | tail -n +2 | cut -d, -f4 | sed 's,.*/,,'
echo "== symbolize"
assay symbolize p.prof -q -o callgrind.out.1
assay top callgrind.out.1 -n0 -f csv | functions
echo "== functions of Callgrind's that are called by their addresses"
assay convert p.prof -q -o callgrind.out.2
assay top callgrind.out.2 -n0 -f csv | functions | grep -c '^0x00000000000' | sed 's/..*/some/'
assay top callgrind.out.2 --symbols auto -n0 -f csv | functions
assay info p.prof --symbols auto -f json | grep -o '"identified": [a-z]*'
assay info callgrind.out.2 --symbols auto -f json 2>/dev/null | grep -o '"identified": [a-z]*'
echo "== moved"
mkdir elsewhere
mv program elsewhere/
assay top p.prof --symbols auto -n0 -f csv 2>/dev/null | functions | wc -l | sed 's/^1$/no names/'
assay top p.prof --symbols auto --symfs elsewhere -n0 -f csv | functions
assay top p.prof --symbols auto --binary elsewhere/program -n0 -f csv | functions
assay top p.prof --symbols auto --path-map "$PWD=$PWD/elsewhere" -n0 -f csv | functions
