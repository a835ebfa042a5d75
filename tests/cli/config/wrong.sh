# A line that is wrong ends every command, with its place and what was meant.
p=$FIXTURES/callgrind.out.demo
mkdir -p .config/assay
f=.config/assay/config
try() {
    printf '%b\n' "$@" > $f
    assay top "$p" || echo "exit $?"
}
try 'nmaes = short'
try '# one' 'color = sometimes'
try 'focus = main'
try 'event = Ir'
try 'from = folded'
try 'format = json'
try 'quiet'
try '[tpo]' 'rows = 1'
try '[top' 'rows = 1'
try '[top]' 'port = 1'
try 'rows'
try 'no-pager = maybe'
try 'pager'
try '\033[2J = \001'
try 'names = short\000er'
echo 'focus = main' > $f
assay config || echo "exit $?"
assay help | head -n 1
assay top -h | head -n 1
assay top "$p" --no-config -q -n 1 | head -n 2
rm $f
ASSAY_OPTIONS='--focus main' assay top "$p" || echo "exit $?"
ASSAY_OPTIONS='-q' assay top "$p" || echo "exit $?"
ASSAY_OPTIONS='--rows' assay top "$p" || echo "exit $?"
mkdir $f
assay top "$p" || echo "exit $?"
