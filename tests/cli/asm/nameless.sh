# Code of no known function, as there are no unwind tables either, is found by what top prints, and shown with the code around it, as objdump has it.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
if assay --version | grep -q "no capstone"; then echo "no capstone"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -fno-asynchronous-unwind-tables -o program "$lib/named.c"
python3 "$lib/inlined_costs.py" program hash mix >/dev/null
strip program
for profile in p.prof p.dcpi; do
	what=$(assay top "$profile" --symbols auto -q -n0 -f csv | grep -o '0x[0-9a-f]*' | head -1)
	what="[program+$what]"
	assay asm "$what" "$profile" --symbols auto -q -f json >asm
	from=$(sed -n 's/.*"from": "\([^"]*\)".*/\1/p' asm)
	to=$(sed -n 's/.*"to": "\([^"]*\)".*/\1/p' asm)
	sed -n 's/.*"address": "\([^"]*\)", "size".*/\1/p' asm >got
	objdump -d --no-show-raw-insn program --start-address="$from" --stop-address="$((to + 1))" |
		sed -n 's/^ *\([0-9a-f]*\):.*/0x\1/p' >want
	cmp got want && echo "$profile: $(test "$(wc -l <got)" -gt 10 && echo "instructions as objdump has them")"
	self=$(sed -n 's/.*"address": .*"self": \[\([0-9]*\)\], "with.*/\1/p' asm)
	total=$(assay info "$profile" -f json -q | sed -n 's/.*"total": \([0-9]*\).*/\1/p' | head -1)
	test "$self" = "$total" && echo "$profile: all of the cost"
	assay asm "$what" "$profile" --symbols auto -q | sed -n 's/0x[0-9a-f]*/ADDR/g; 1p; 3p' | sed "s,$PWD,,"
	assay asm "$(echo "$what" | tr -d '[]')" "$profile" --symbols auto -q -f json | cmp - asm
done
