# SPDX-License-Identifier: Apache-2.0
# --names says how functions are shown, never which are one: in BASE two of them look alike, in NEW there is one.
cat > a.cg <<'EOF'
events: Ir
fl=x.cc
fn=int f<int>(int)
1 1000
fn=int f<char>(char)
1 10
fn=void g<int>(int)
1 7
fn=main
1 5
EOF
cat > b.cg <<'EOF'
events: Ir
fl=x.cc
fn=int f<int>(int)
1 1000
fn=void g<int>(int)
1 9
fn=main
1 5
EOF
for level in full noargs notemplates short; do
	echo "== $level"
	assay diff a.cg b.cg --names $level
	assay diff a.cg b.cg --names $level --fail-if "self(Ir,'int f<int>(int)') > +0%" | head -n 3
done
echo "== what is filtered"
for level in full noargs notemplates short; do
	assay top a.cg --names $level --ignore 'fn:<int>'
	assay top b.cg --names $level --focus 'fn:^int f'
done
