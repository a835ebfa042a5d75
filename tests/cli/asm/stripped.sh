# A function without symbols is one row, called by where it begins, which nm knows of the program before it was stripped.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
if assay --version | grep -q "no capstone"; then echo "no capstone"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
for link in eh-frame-hdr no-eh-frame-hdr; do
	cc -g -O1 "-Wl,--$link" -o program "$lib/named.c"
	python3 "$lib/inlined_costs.py" program hash mix >/dev/null
	rm -rf .cache
	start=$(nm program | sed -n 's/^0*\([0-9a-f]*\) T hash$/\1/p')
	size=$(nm -S program | sed -n 's/^[0-9a-f]* 0*\([0-9a-f]*\) T hash$/\1/p')
	what="[program+0x$start]"
	objdump -d --no-show-raw-insn program --start-address="0x$start" --stop-address="$((0x$start + 0x$size))" |
		sed -n 's/^ *\([0-9a-f]*\):.*/0x\1/p' >want
	strip program
	for profile in p.prof p.dcpi; do
		echo "$link, $profile"
		assay top "$profile" --symbols auto -q -n0 | sed "s/$start/START/" | grep -o '[[]program+0xSTART[]] .*'
		assay asm "$what" "$profile" --symbols auto -q -f json >asm
		sed -n 's/.*"address": "\([^"]*\)", "size".*/\1/p' asm >got
		cmp got want && test -s got && echo "all of its instructions, and no other"
		self=$(sed -n 's/.*"address": .*"self": \[\([0-9]*\)\], "with.*/\1/p' asm)
		total=$(assay info "$profile" -f json -q | sed -n 's/.*"total": \([0-9]*\).*/\1/p' | head -1)
		test "$self" = "$total" && echo "all of the cost"
		assay asm "program+0x$start" "$profile" --symbols auto -q -f json | cmp - asm
		assay asm "$what" "$profile" --symbols auto -q | sed -n "s,$PWD,,; s/0x$start/START/; 1p"
		assay top "$profile" --symbols auto -q --focus "$what" -n 0 >focus
		grep -qF "$what" focus && ! grep -q "filtered out" focus && echo "chosen by its name"
		assay top "$profile" --symbols auto -q --ignore "$what" 2>/dev/null || echo "nothing else is left"
		assay info "$profile" --symbols auto -q | sed -n '/^names/p'
	done
done
# What is written twice is what was written once; in Callgrind's format a function is called by where it begins, too.
assay symbolize p.prof --symbols auto -q -o once.pb.gz
assay symbolize once.pb.gz --symbols auto -q -o twice.pb.gz
cmp once.pb.gz twice.pb.gz && echo "the same twice"
assay symbolize p.prof --symbols auto -q -o callgrind.out.1 2>/dev/null
assay symbolize callgrind.out.1 --symbols auto -q -o callgrind.out.2 2>/dev/null
grep -c "^fn=.*0x0*$start\$" callgrind.out.1 callgrind.out.2
