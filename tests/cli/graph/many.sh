# Texts of a line are of no use after it; what is written over them must not get into the next ones.
awk 'BEGIN {
	for (i = 0; i < 3000; i++)
		printf "prog 1 %d.0: 1 cycles:\n\t%x [unknown] (/usr/lib/libx%d.so)\n\n", i, 4096 + 64 * i, i % 7
}' > many
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "[libx%d.so+0x%x]\n", i % 7, 4096 + 64 * i }' | sort > wanted
MALLOC_PERTURB_=85 assay graph many -n 0 -m 0 -o g.dot 2> /dev/null
sed -n 's/.* \[label="\([^"\\]*\)\\n.*/\1/p' g.dot | sort | cmp - wanted && echo same
