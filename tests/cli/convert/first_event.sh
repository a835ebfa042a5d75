# Converted to pprof, a profile shows first what it showed before; pprof's own rule is the last type.
cat >two.cg <<'END'
events: Ir Dr
fl=a.c
fn=main
1 5 2
END
first() { assay top "$1" --symbols none -f json | sed -n '/"events"/,/]/p' | sed -n '2,3p'; }
for file in "$FIXTURES/demo.prof" two.cg; do
	assay convert "$file" -q --estimate-paths -o out.pb -y
	assay convert out.pb -q -o again.pb -y
	cmp out.pb again.pb
	echo "-- ${file##*/}"
	first "$file"
	echo "-- as pprof"
	first out.pb
done
