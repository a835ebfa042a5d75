# SPDX-License-Identifier: Apache-2.0
# A name that is none: which may be meant. Look-ups take names as they are shown, at whatever level; gates take whole names only.
cat > a.cg <<'EOF'
events: Ir Dr
fl=x.cc
fn=int ns::f<int>(int)
1 1000 5
fn=int ns::f<char>(char)
1 10 1
fn=main
1 5 2
EOF
said() { echo "== $*"; "$@" 2>&1 || echo "exit $?"; }
for name in f ns::f 'ns::f<int>' mian 'int ns::f<int>(int)' nothing.like.it; do
	said assay diff a.cg a.cg --fail-if "self(Ir,'$name') > +1%" | head -n 3
done
said assay diff a.cg a.cg --fail-if "total(ir) > +1%" -f json | grep -e reason -e exit
said assay diff a.cg a.cg -e dr
said assay top a.cg -s IR
said assay diff a.cg a.cg --view list --function mian
for level in full short; do
	said assay list ns::f a.cg --names $level | grep '  x.cc$'
	said assay list f a.cg --names $level | grep '  x.cc$'
	said assay list 'f<char>' a.cg --names $level | grep '  x.cc$'
	said assay diff a.cg a.cg --view list --function f --names $level -n 0 -f csv | cut -d, -f1-4
done
