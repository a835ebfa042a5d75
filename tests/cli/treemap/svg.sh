# Objects, in them files, in those functions; what has one file only needs no box for it. Names are text.
cat > cg <<'END'
# callgrind format
version: 1
creator: x
events: Ir
ob=/usr/bin/app
fl=a.c
fn=p<script>
1 30
fl=b.c
fn=o
1 15
ob=/lib/two.so
fl=q.c
fn=q
1 25
fn=r
2 20
END
assay treemap cg -o a.svg
assay treemap cg | cmp - a.svg
python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1]); print("valid")' a.svg
sed -n '/<g class="frames"/,/^<\/g>/p' a.svg
assay treemap cg -o a.html
sed -n '1,/<svg/p' a.html | sed 's/sha256-[^\x27]*/HASH/g' | head -9
. "$(dirname "$0")/../policy"
named_by_policy a.html
tail -2 a.html
assay treemap cg -f html | cmp - a.html
sed -n '/^<svg/,/^<\/svg>/p' a.svg >b.svg
sed -n '/^<svg/,/^<\/svg>/p' a.html | cmp - b.svg
assay treemap cg -w 100 --height 100 | grep -A1 small
assay treemap cg -w 7 || echo "exit $?"
sed 's/ 20$/ -20/' cg > below
assay treemap below || echo "exit $?"
assay treemap cg cg | sed -n 's/.* aria-label="\(.*\)">$/\1/p'
