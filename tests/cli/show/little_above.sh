# By hand: valgrind counts an instruction or two too many where a program ends, and that is not odd;
# one in a hundred is.
for much in 2 100; do
	printf 'events: Ir\nfl=a.c\nfn=start\n1 0\ncfn=main\ncalls=1 2\n1 %d\nfn=main\n2 10000\n' $((10000 + much)) > cg
	assay show cg | grep '^check'
done
