# The picture is valid XML, has every frame once, and its widths are the costs; the file is what stdout is.
printf 'main;parse;read 40\nmain;parse 20\nmain;write 30\nidle 10\n' > st.folded
assay flame st.folded > a.svg
assay flame st.folded -o b.svg
cmp a.svg b.svg
python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1]); print("valid")' a.svg
sed -n '/<g class="frames"/,/^<\/g>/p' a.svg
sed -n '/^<text/p;/aria-label/p' a.svg
echo == a page
assay flame st.folded -o c.html
sed -n '1,/<svg/p' c.html | sed 's/sha256-[^\x27]*/HASH/g' | head -9
. "$(dirname "$0")/../policy"
named_by_policy c.html
tail -2 c.html
echo == an older file stays
assay flame st.folded -o b.svg || echo "exit $?"
assay flame st.folded -o b.png || echo "exit $?"
