# What a stranger's file says is shown, not done: no bytes that a terminal takes for orders, none that
# turn text around, in errors, findings, notes, the dump, tables and CSV.
printf 'events: Ir\nfn=a\302\2332Jb\342\200\256c\033[31md\233e\n1 5\nzebra \302\2332J\342\200\256\033\233 x\n' >'c.cg'
cp c.cg "$(printf 'n\302\2332J\342\200\256\033.cg')"
odd=$(printf 'n*.cg')
{
	for file in c.cg $odd; do
		assay check "$file"
		assay top "$file" --symbols none
		assay top "$file" --symbols none -f csv
		assay dump "$file"
		assay info "$file"
		assay list . "$file" --symbols none
		assay tree "$file" -f csv --estimate-paths
		assay top "$file" --sort "$(printf 'x\302\2332J')"
	done
} >all 2>&1 || true
python3 - <<'END'
import re
text = open('all', 'rb').read()
bad = re.findall(rb'[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]', text)
text.decode()
print(len(bad), bad[:4], rb'a\xc2\x9b2Jb\xe2\x80\xaec\x1b[31md\x9be' in text)
END
assay top c.cg --symbols none -f csv
# Nor does a heading give orders to the runner of a CI.
printf 'events: Ir\nfn=::error file=x::y\n1 5\nfn=##[error]z\n1 4\n' >ci.cg
assay list . ci.cg --symbols none | grep -E '::|##'
