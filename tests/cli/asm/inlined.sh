# Inlined code: headings and rows of all three shapes add up to what objdump and addr2line say.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
if assay --version | grep -q "no capstone"; then echo "no capstone"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -o program "$lib/named.c"
python3 "$lib/inlined_costs.py" program hash mix
assay asm hash p.dcpi --symbols auto | sed -n 's/[0-9.]\+/N/g; /^cycles/p'
assay list hash p.dcpi --symbols auto 2>&1 | grep -c 'inlined mix'
