# A program that was built anew is noticed: by its mappings, or at least by its time.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -o program "$lib/named.c"
python3 "$lib/make_prof.py" program p.prof hash sum
touch -d '2001-01-01' p.prof
assay top p.prof --symbols auto -n0 -f csv | tail -n +2 | cut -d, -f1 | sort -u
cc -g -O1 -DLONGER -o program "$lib/named.c"
assay objects p.prof --symbols auto -f csv | wc -l
assay objects p.prof --symbols auto -f csv -q | wc -l
assay objects p.prof --symbols auto -f csv --force | wc -l
assay info p.prof --symbols auto -q | grep names
