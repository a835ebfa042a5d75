# What cannot be drawn is refused with a word, and leaves no file.
cat > cg <<'END'
# callgrind format
version: 1
creator: x
events: Ir
fn=p
1 -30
fn=q
1 50
END
assay flame cg -o a.svg || echo "exit $?"
assay flame cg -f text -w 5 || echo "exit $?"
ls
