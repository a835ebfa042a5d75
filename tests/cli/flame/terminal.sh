# A line per level, boxes as wide as their cost; the last level first, or with --icicle the root.
printf 'main;parse;read 40\nmain;parse 20\nmain;write 30\nidle 10\n' > st.folded
assay flame st.folded -f text -w 40
assay flame st.folded -f text -w 40 --icicle
assay flame st.folded -f text -w 40 --bottom-up
echo == two columns are too few for a name, and what is narrower than one is gathered
printf 'main;a 90\nmain;b 8\nmain;c 1\nmain;d 1\n' > small.folded
assay flame small.folded -f text -w 20
echo == colours
assay flame st.folded -f text -w 20 --color always | sed 's/\x1b/ESC/g'
