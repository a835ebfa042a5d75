# Any number of threads gives the same answer.
set -- "$FIXTURES/demo.prof" "$FIXTURES/demo.prof" "$FIXTURES/demo.prof" "$FIXTURES/demo.prof"
assay merge --jobs 1 "$@" -o a.prof
assay merge --jobs 2 "$@" -o b.prof
assay merge --jobs 9 "$@" -o c.prof
cmp a.prof b.prof
cmp a.prof c.prof
assay top a.prof -f json | grep '"total"'

# A second part begins in the first chunk of a large Callgrind file, and has other positions and
# events: the second chunk is of that part. 200,000 times 3 Dr, 5 Ir and a call that cost 4 Ir.
awk 'BEGIN {
	print "# callgrind format\ncreator: callgrind-3\nevents: Ir Dr\n\nfn=main\n1 7 1\n"
	print "part: 2\npositions: instr line\nevents: Dr Ir\n"
	for (i = 0; i < 200000; i++)
		print "fn=f" i % 10 "\n0x1000 " i " 3 5\ncfn=main\ncalls=1 0 0\n0x1000 " i " 0 4\n"
}' > parts
test "$(wc -c < parts)" -gt 4194304
assay top --jobs 1 parts -f csv > one
assay top --jobs 2 parts -f csv > two
cmp one two
assay top --jobs 2 parts -n 2
# Functions that the second chunk knows by their numbers alone, first in the object and the file
# that are in force and then in the same ones, said again: 200,000 lines of each of two functions.
awk 'BEGIN {
	print "# callgrind format\ncreator: callgrind-3\nevents: Ir\n"
	print "ob=(1) /bin/p\nfl=(1) a.c\nfn=(1) one\n1 0\n\nfn=(2) two\n1 0\n"
	for (i = 0; i < 200000; i++) {
		print "fn=(1)\n" i " 1\n\nob=(1)\nfl=(1)\nfn=(1)\n+1 1\n"
		print "fn=(2)\n" i " 1\n"
	}
}' > again
test "$(wc -c < again)" -gt 4194304
assay top --jobs 2 again
# The second chunk begins in the middle of a function, which is named in front of it: 300,000 lines
# of two files in it, with calls.
awk 'BEGIN {
	print "# callgrind format\ncreator: callgrind-3\nevents: Ir\n\nfl=a.c\nfn=g\n1 300000\n\nfl=x.c\nfn=f\n1 1\n"
	for (i = 0; i < 150000; i++)
		print "fl=b.c\n" i " 1\n\nfl=a.c\n" i " 1\ncfn=g\ncalls=1 1\n" i " 2\n"
}' > goes.on
test "$(wc -c < goes.on)" -gt 4194304
assay top --jobs 2 goes.on
