# Names are text, whatever they say: no markup, no characters that XML has not, none that turn the line round.
{
	printf '# callgrind format\nevents: Ir\nfn=<script>alert(1)</script>\n1 3\n'
	printf 'fn="&amp; '"'"'x'"'"']]>\n2 2\nfn=a\001b\377\n3 1\nfn=x\342\200\256gpj.exe\n4 1\n'
} > cg
assay flame cg -o a.svg --color function
python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1]); print("valid")' a.svg
grep '<title>' a.svg
sed '/^<script>/,$d' a.svg | grep -c '<script' || true
assay flame cg -o a.html
sed '/^<script>/,$d' a.html | grep -c 'alert(1)</script' || true
assay flame cg -f text -w 60
