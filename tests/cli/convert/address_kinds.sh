# Offsets in the file, as gperftools has them, stay known as such: a program whose addresses are
# others gets the same names before and after.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -no-pie -o program "$lib/named.c"
python3 "$lib/make_prof.py" program p.prof hash sum
costs() { assay top "$1" --symbols none -q -n0 -f csv | tail -n +2 | cut -d, -f1,6 | grep -v ',0$' | sort; }
names() {
	assay symbolize "$1" --inline off -q -y -t callgrind -o named
	costs named
}

names p.prof | tee want
assay convert p.prof -q -o callgrind.out.1
assay convert p.prof -q -o p.dcpi
assay convert callgrind.out.1 -q -o back.dcpi
assay convert p.dcpi -q -o callgrind.out.2
assay convert p.dcpi -q -o back.prof
assay symbolize p.prof --inline off -q -o callgrind.out.3
assay convert callgrind.out.3 -q -o virtual.prof
assay convert callgrind.out.3 -q -o virtual.dcpi
assay convert virtual.dcpi -q -o virtual2.prof
assay convert virtual.prof -q -o callgrind.out.4
for file in callgrind.out.1 p.dcpi back.dcpi callgrind.out.2 back.prof virtual.prof virtual.dcpi \
	virtual2.prof callgrind.out.4; do
	names "$file" | diff want - && echo "$file: the same"
done
grep desc callgrind.out.1 | sed 's,/.*/,.../,'
assay convert callgrind.out.3 -o none.prof 2>&1 | grep offsets
