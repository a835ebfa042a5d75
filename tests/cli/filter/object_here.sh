# SPDX-License-Identifier: Apache-2.0
# --object chooses, whatever lies in the current folder; binaries to take names from are those of --binary.
cat > cg <<'END'
events: Ir
ob=/lib/libone.so
fn=f
1 3
ob=/lib/libtwo.so
fn=g
1 5
END
assay top cg --object libone.so > without
touch libone.so
assay top cg --object libone.so | tee with
cmp with without
for option in '--object ./libone.so' '--object obj:one$' '--object none' '--binary libone.so' '--binary nowhere --object one'; do
	echo "== $option"
	# shellcheck disable=SC2086 # words
	assay top cg $option 2>&1 || echo "exit $?"
done
echo "== where there are no filters"
assay symbolize cg --object libone.so -o x 2>&1 || echo "exit $?"
