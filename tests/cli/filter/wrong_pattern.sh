# The place in the pattern; several patterns, the first wrong one is told; nothing is read before.
for re in 'a(b' 'fn:a(b' 'é*+' '[a' 'x*(*)' 'a\'; do
	code=0
	assay top nowhere --focus ok --focus "$re" || code=$?
	test $code = 2
done
assay top nowhere --object 'fn:x'
