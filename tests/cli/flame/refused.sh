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
echo == before anything is read
touch old.svg old.html
for words in 'flame none --min x' 'flame none --min 1e3 --diff none' 'graph none --min 101%' 'tree none --min x' \
	'flame none -o old.svg' 'graph none -o old.svg' 'treemap none -o old.svg' 'share none -o old.html' \
	'flame none --normalize total' 'graph none -f csv -u ms' 'graph none -o a.json -u ms' 'treemap none -o a.png' 'flame none -o a.pdf' 'treemap none -o a.dot' 'treemap none -o no/such.svg'; do
	# shellcheck disable=SC2086 # words
	assay $words || echo "exit $?: $words"
done
ls
