# A Callgrind file tells nothing of the binary; but costs where no instruction begins prove that it was built anew.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
if assay --version | grep -q "no capstone"; then echo "no capstone"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -o program "$lib/named.c"
python3 "$lib/inlined_costs.py" program hash mix >/dev/null
instructions() { objdump -d --no-show-raw-insn program | grep -o '^ *[0-9a-f]*:' | tr -d ' :' | sort; }
costed() { grep -o '^0x[0-9a-f]*' p.callgrind | cut -c3- | sort; }
# What objdump says, and what assay says; its line goes to stderr once for both functions.
compare() {
	echo "objdump: $(costed | comm -23 - new | wc -l) of $(costed | wc -l)" >want
	assay "$@" p.callgrind --symbols auto >out 2>err
	sed -n 's/.* is not the binary that was recorded: \([0-9]* of [0-9]*\) costed addresses are no beginnings.*/objdump: \1/p' err >got
	cmp got want && echo "$1: as objdump says"
	grep -c "is not the binary" out || true
}
instructions >new
echo "as built:"
assay asm hash p.callgrind --symbols auto 2>&1 >out | sed 's/^assay: //'
assay list hash --asm p.callgrind --symbols auto 2>&1 >out | sed 's/^assay: //'
assay asm hash p.callgrind --symbols auto -q >out
assay asm hash p.callgrind --symbols auto -f json 2>&1 | grep -o '"note": null, "other_binary": false'
echo "converted, callers by the last byte of their call, functions that were inlined:"
assay symbolize p.prof -q -o callgrind.out.converted --symbols auto
for function in hash mix main; do
	assay asm "$function" callgrind.out.converted --symbols auto 2>&1 >out | sed 's/^assay: //'
done
echo "newer:"
touch -d 2020-01-01 p.callgrind
assay asm hash p.callgrind --symbols auto 2>&1 >out | sed "s,$PWD/,,; s/^assay: //"
echo "built anew:"
cc -g -O0 -o program "$lib/named.c"
instructions >new
compare asm hash
compare list hash --asm
assay asm hash p.callgrind --symbols auto -f json 2>&1 | grep -o '"other_binary": true'
assay list hash p.callgrind --asm --symbols auto -f json 2>&1 | grep -o '"other_binary": true'
