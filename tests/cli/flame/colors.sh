# What colours mean, and their legend.
printf 'main;parse;read 40\nmain;parse 20\nmain;write 30\n' > st.folded
for by in object file function self; do
	echo "== $by"
	assay flame st.folded --color $by | sed -n '/<g class="frames"/,$!d; s/.*\(<rect.*>\).*/\1/p' | grep -o 'class="[ch][0-9]*"' | sort | uniq -c
	assay flame st.folded --color $by | sed -n '/class="head"/,/^<\/g>/p' | grep -o '^<rect class.*' || echo "no legend"
done
assay flame st.folded --color red || echo "exit $?"
