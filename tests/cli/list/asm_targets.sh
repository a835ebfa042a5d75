# Calls below a line of source are named, as they are by asm.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
if assay --version | grep -q "no capstone"; then echo "no capstone"; exit 77; fi
cc -g -O1 -o program "$(dirname "$FIXTURES")/lib/named.c"
{
	printf 'positions: instr line\nevents: Ir\nob=%s/program\nfl=named.c\nfn=main\n' "$PWD"
	objdump -d --no-show-raw-insn program | sed -n '/<main>:/,/^$/s/^ *\([0-9a-f]*\):.*/0x\1 40 1/p'
} >p.callgrind
targets() { "$@" main p.callgrind --symbols auto -q | grep -o 'call.*' | sed 's/.*0x[0-9a-f]* *//; s/ .*//'; }
targets assay asm
targets assay list --asm
