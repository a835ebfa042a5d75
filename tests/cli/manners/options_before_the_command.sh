p=$FIXTURES/demo.prof
assay top "$p" -n 1 > b
same() {
	"$@" > a || echo "exit $?: $*"
	cmp a b || echo "differs: $*"
}
same assay -q --color=never top "$p" -n 1
# An option may have its value in a word of its own there, too.
same assay --no-pager top "$p" -n 1
same assay --color never top "$p" -n 1
same assay -j 2 -n 1 top "$p"
same assay -qj 2 --rows 1 --symbols none top "$p"
same assay -j2 -n1 top "$p"
assay --from gperf "$p" | head -n 1 | grep -c 'demo.prof  *gperf'
assay -q tpo "$p" || echo "exit $?"
assay --color || echo "exit $?"
# What takes a value is the command's to say: -k of merge takes none, that of daemon does.
assay merge -k "$p" "$p" -o b.pb
assay -k merge "$p" "$p" -o a.pb
cmp a.pb b.pb
# The program's own, behind others.
assay --no-pager --version | head -n 1 | cut -d ' ' -f 1
assay -q --version --json | grep -c '"schema": "assay.version/1"'
assay --no-pager -h | grep '^Commands'
