# Where the linker put the code elsewhere than it stands in the file, what has names has the
# addresses that the linker gave, of every byte of the two functions.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
addresses() { tail -n +2 | cut -d, -f5,6 | grep -v ',0$' | cut -d, -f1 | sort; }
bytes() {
	nm -S program | while read -r start size _ name; do
		case $name in hash | sum) ;; *) continue ;; esac
		for i in $(seq 0 $((0x$size - 1))); do printf '0x%x\n' $((0x$start + i)); done
	done | sort
}

for how in -no-pie "-pie -Wl,-Ttext-segment=0x300000"; do
	# shellcheck disable=SC2086
	cc -g -O1 $how -o program "$lib/named.c"
	python3 "$lib/make_prof.py" program p.prof hash sum
	bytes >want
	echo "== $how: $(wc -l <want) addresses"
	assay symbolize p.prof -q -y -o callgrind.out.1
	grep -c desc: callgrind.out.1 || :
	assay top callgrind.out.1 --by address --symbols none -n0 -f csv | addresses | cmp - want
	assay top p.prof --by address --symbols auto -n0 -f csv | addresses | cmp - want
	# again, with names of what has them already
	assay symbolize callgrind.out.1 -q -y -o callgrind.out.2
	cmp callgrind.out.1 callgrind.out.2
	# part of it named before, the rest later
	assay convert p.prof -q -y -o callgrind.out.3
	assay symbolize callgrind.out.3 --inline off -q -y -o callgrind.out.4
	assay top callgrind.out.4 --by address --symbols none -n0 -f csv | addresses | cmp - want
	strip program
	assay symbolize callgrind.out.3 -q -y -o callgrind.out.5
	assay top callgrind.out.5 --symbols none -q -n0 -f csv | grep -c "0x0*$(head -1 want | cut -c3-)"
done
