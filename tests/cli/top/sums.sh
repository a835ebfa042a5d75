# SPDX-License-Identifier: Apache-2.0
# A file that can be read again is added up without its paths, a pipe is not: the answers are the
# same, also where a frame is an address that gets a name.
cat > stacks.folded << 'END'
main;work;parse 7
main;work;work;parse_[i];parse 2
main;read;0xffffffff81000100_[k] 4
 3
main 1
END
assay convert -q stacks.folded -o stacks.pb
for options in '' '-n 1' '-n 0 --cumulative' '-f json' '--names short' '--symbols auto -n 0'; do
	for file in stacks.folded stacks.pb; do
		assay top $options $file > file.out 2> file.err
		cat $file | assay top $options - > pipe.out 2> pipe.err
		sed "s/$file/-/" file.out | cmp - pipe.out
		sed "s/$file/<stdin>/" file.err | cmp - pipe.err
	done
done
assay top -n 0 stacks.folded
assay top -n 0 - < stacks.folded | tail -n 1
gzip stacks.folded
assay top -n 0 stacks.folded.gz | tail -n 1
# What costs nothing in all has samples nevertheless.
printf 'main;better -5\nmain;worse 5\n' > even.folded
assay top even.folded
