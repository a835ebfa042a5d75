# Offsets in a file stay offsets in DCPI profiles, so that they get the same names again.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -fno-pie -no-pie -o program "$lib/named.c" # linked where its file is not
python3 "$lib/make_prof.py" program p.prof hash sum
assay convert p.prof -t dcpi -o out.dcpi -q
grep -a addresses out.dcpi
assay dump out.dcpi | grep -c "addresses=file-offset"
self() { assay top "$1" --symbols auto -q -n0 -f csv | tail -n +2 | cut -d, -f1,6 | grep -v ',0$' | sort; }
self p.prof > before
self out.dcpi > after
cut -d, -f1 after
diff before after
assay convert p.prof -t dcpicat -o out.txt 2>&1 | grep virtual
