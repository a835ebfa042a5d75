# One event in several units of time: the result is in the smallest, exactly, in any order.
# profile LENGTH COST UNIT, octal: one sample of main, of LENGTH bytes
profile() {
	printf '\012\4\10\1\20\2\22'"$1"'\10\1\20'"$2"'\42\6\10\1\42\2\10\1\52\4\10\1\20\3\62\0\62\3cpu\62'"$3"'\62\4main'
}
profile '\4' '\24' '\14milliseconds' >ms.pb
profile '\4' '\7' '\13nanoseconds' >ns.pb
profile '\14' '\377\377\377\377\377\377\377\377\177' '\14milliseconds' >long.pb
assay merge -q ms.pb ns.pb -o both.pb
assay merge -q ns.pb ms.pb -o other.pb
cmp both.pb other.pb
assay info both.pb | grep '^events'
assay top both.pb --format csv
assay top ms.pb ns.pb ns.pb --format csv
# More than a file's 64 bits hold is refused, not rounded.
assay merge -q long.pb ns.pb -o more.pb || echo status $?
assay merge -q long.pb ms.pb ns.pb -o more.pb || echo status $?
ls
