# Text of perf script, for FlameGraph and other readers of it; read again it is the same.
printf 'main;parse 30\nmain;write (a.py:5) 5\n' > x.folded
assay convert x.folded -t perfscript -o x.perf
cat x.perf
assay convert x.perf -t folded -o -
