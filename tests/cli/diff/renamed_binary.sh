# SPDX-License-Identifier: Apache-2.0
# The program has another name in NEW, or one side knows no object: what is there once by name is the same function.
cat > v1.cg <<'EOF'
events: Ir
ob=/x/v1
fl=a.c
fn=main
1 100
fn=init
1 3
fl=b.c
fn=init
1 4
fl=c.c
fn=gone
1 7
ob=/lib/libc.so
fl=
fn=malloc
1 5
fn=old
1 2
EOF
# libc.so is on both sides: what left it was not taken along by the program.
sed -e 's/v1/v2/;s/^fn=gone/fn=old/;s/^fn=old/fn=other/;s/^1 100/1 110/' v1.cg > v2.cg
sed 's/^fn=other/fn=old/;s/^1 7/1 8/' v2.cg | awk '/^fl=c.c/ { getline; print "fl=c.c"; print "fn=old"; next } { print }' > both.cg
grep -v ^ob v1.cg > none.cg
assay diff v1.cg v2.cg
echo "== NEW without objects, then BASE"
assay diff v1.cg none.cg -f csv
assay diff none.cg v1.cg -f json | grep -A 9 renamed_objects
echo "== several runs"
assay diff v1.cg v1.cg -- v2.cg v2.cg | grep -v ^new
echo "== by line, and a gate that names the object, as it was and as it is"
assay diff v1.cg v2.cg --by line -f csv | grep main
assay diff v1.cg v2.cg --fail-if "self(Ir,'main','v1') > +5%" | head -n 2
assay diff v1.cg v2.cg --fail-if "self(Ir,'main','v2') > +50%" -f markdown | grep -v '^|'
echo "== an object that both sides have is no other one"
assay diff v1.cg both.cg -f csv | grep old
