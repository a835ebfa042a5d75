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
