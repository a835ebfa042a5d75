# The place in the pattern; several patterns, the first wrong one is told; nothing is read before.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
for re in 'a(b' 'fn:a(b' 'é*+' '[a' 'x*(*)' 'a\'; do
	code=0
	assay top nowhere --focus ok --focus "$re" || code=$?
	test $code = 2
done
assay top nowhere --object 'fn:x'
