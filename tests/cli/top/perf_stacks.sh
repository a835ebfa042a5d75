# SPDX-License-Identifier: Apache-2.0
# Files of perf, which have no names: one that can be read again is added up without its paths, a
# pipe is not. The answers are the same.
golden=$(cd "$(dirname "$0")/../../../src/formats/perfdata/golden" && pwd)
for file in "$golden"/*.data; do
	cp "$file" x.data
	for options in '-n 0' '-n 0 --cumulative' '-f json -n 0' '--symbols none -n 0' '--inline off'; do
		assay top $options x.data > file.out 2> file.err
		cat x.data | assay top $options - > pipe.out 2> pipe.err
		sed "s/x.data/-/" file.out | cmp - pipe.out
		sed "s/x.data/<stdin>/" file.err | cmp - pipe.err
	done
done
