# SPDX-License-Identifier: Apache-2.0
# A function that is inlined into itself does not call itself, however the profile is read; one that
# calls itself does, inlined or not.
cat > stacks.folded << 'END'
main;f;f_[i];g 3
main;f;f_[i] 4
main;h;h;h_[i] 5
END
assay convert -q stacks.folded -o stacks.pb
assay top stacks.folded | tee want
for file in stacks.folded stacks.pb; do
	assay top $file | cmp - want
	assay top - < $file | cmp - want
	assay peek f $file
done
