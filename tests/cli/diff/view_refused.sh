# Options of one view are refused by the others, and what has no calls has no tree.
cd "$FIXTURES"
try()
{
	status=0
	assay diff "$@" || status=$?
	echo "exit status $status"
}
b=callgrind.out.before a=callgrind.out.after
try $b $a --view tree --by line
try $b $a --view list --depth 3
try $b $a --min 1%
try $b $a --bottom-up
try $b $a --view tree --min 5
try $b $a --view tree --min 101%
try $b $a --view tree --context 3
try $b $a --view tree --function main
try $b $a --view list --function nonesuch
try $b $a --view list --function nonesuch --fail-if 'total(Ir) > 1'
try $b $a --view nonsense
try $b $a --on-noise trip
try cachegrind.out.demo cachegrind.out.demo --view tree
try cachegrind.out.demo cachegrind.out.demo --view peek
